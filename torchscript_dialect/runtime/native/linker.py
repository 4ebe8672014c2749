"""Turns relocatable objects into a blob (see Note [Blobs])."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from torchscript_dialect.runtime.native.blob import EM_AARCH64, EM_X86_64, Blob, LinkError
from torchscript_dialect.runtime.native.elf import (
    SHF_ALLOC,
    SHF_EXECINSTR,
    SHF_TLS,
    SHF_WRITE,
    SHN_ABS,
    SHN_LORESERVE,
    SHN_UNDEF,
    SHT_NOBITS,
    SHT_NOTE,
    STB_LOCAL,
    ElfObject,
    Relocation,
    Section,
    Symbol,
    joined,
    parse_object,
)

PAGE_SIZES = {EM_X86_64: 4096, EM_AARCH64: 65536}
STUB_SIZE = 16
IGNORED = (".eh_frame", ".gcc_except_table")
CONSTRUCTORS = (".init_array", ".fini_array", ".ctors", ".dtors")

# x86-64: word or relative displacement, direct or through the address table
X86_64, X86_PC32, X86_PLT32, X86_GOTPCREL, X86_PC64, X86_GOTPCRELX, X86_REX_GOTPCRELX = (
    *(1, 2, 4, 9, 24),
    *(41, 42),
)
X86_THROUGH_TABLE = (X86_GOTPCREL, X86_GOTPCRELX, X86_REX_GOTPCRELX)
# AArch64
ARM_ABS64, ARM_PREL64, ARM_PREL32 = 257, 260, 261
ARM_ADR_PAGE, ARM_ADD_LO12, ARM_JUMP26, ARM_CALL26 = 275, 277, 282, 283
ARM_GOT_PAGE, ARM_GOT_LO12 = 311, 312
ARM_LOAD_STORE_SHIFT = {278: 0, 284: 1, 285: 2, 286: 3, 299: 4}


def link_objects(objects: Sequence[bytes]) -> Blob:
    """Lays out objects as a blob; LinkError names what cannot be handled."""
    return _Linker(joined([parse_object(data) for data in objects])).link()


class _Linker:
    def __init__(self, source: ElfObject):
        if source.machine not in PAGE_SIZES:
            raise LinkError(f"ELF machine {source.machine}; only x86-64 and AArch64 are known")
        self.source = source
        self.page = PAGE_SIZES[source.machine]
        self.places: dict[int, int] = {}
        self.slots: dict[int, int] = {}
        self.stubs: dict[int, int] = {}
        self.rebases: list[tuple[int, int]] = []
        self.image = bytearray()

    def link(self) -> Blob:
        """Lays out, fills and relocates."""
        fixed, writable, zeroed = self._sort_sections()
        end = self._lay_out(fixed, 0)
        end = self._reserve_table(end)
        protected = _align(end, self.page) if writable or zeroed else end
        end = self._lay_out(writable, protected)
        size = self._lay_out(zeroed, end)
        self.image = bytearray(size)
        for index, start in self.places.items():
            section = self.source.sections[index]
            if section.kind != SHT_NOBITS:
                self.image[start : start + section.size] = section.content
        imports = self._fill_table()
        for one in self.source.relocations:
            if one.section in self.places:
                self._relocate(one)
        symbols = {
            symbol.name: self._address(symbol)
            for symbol in self.source.symbols
            if symbol.binding != STB_LOCAL and symbol.section in self.places
        }
        image = bytes(self.image)
        blob = Blob(self.source.machine, image, protected, symbols, imports, self.rebases)
        blob.check()
        return blob

    def _sort_sections(self) -> tuple[list[int], list[int], list[int]]:
        """Indices of the sections for the protected part, for the data and for the zeroed data."""
        fixed: list[int] = []
        writable: list[int] = []
        zeroed: list[int] = []
        for index, section in enumerate(self.source.sections):
            if not _takes_memory(section):
                continue
            if section.kind == SHT_NOBITS:
                zeroed.append(index)
            elif section.flags & SHF_WRITE and not section.name.startswith(".data.rel.ro"):
                writable.append(index)
            else:
                fixed.append(index)
        code_first = sorted(fixed, key=lambda i: not self.source.sections[i].flags & SHF_EXECINSTR)
        return code_first, writable, zeroed

    def _lay_out(self, indices: list[int], end: int) -> int:
        for index in indices:
            section = self.source.sections[index]
            self.places[index] = _align(end, section.align)
            end = self.places[index] + section.size
        return end

    def _reserve_table(self, end: int) -> int:
        """Gives each symbol that is reached through the table a word, and called ones a stub."""
        kinds = _kinds_through_table(self.source.machine)
        for one in self.source.relocations:
            symbol = self.source.symbols[one.symbol]
            if one.section not in self.places:
                continue
            called = symbol.section == SHN_UNDEF and one.kind in kinds["call"]
            if called or one.kind in kinds["table"]:
                self.slots.setdefault(one.symbol, 0)
            if called:
                self.stubs.setdefault(one.symbol, 0)
        end = _align(end, 16)
        for symbol in self.slots:
            self.slots[symbol] = end
            end += 8
        end = _align(end, 16)
        for symbol in self.stubs:
            self.stubs[symbol] = end
            end += STUB_SIZE
        return end

    def _fill_table(self) -> list[tuple[str, int]]:
        """Writes the stubs; returns the names whose addresses the loader stores, and where."""
        imports: list[tuple[str, int]] = []
        for index, slot in self.slots.items():
            symbol = self.source.symbols[index]
            if symbol.section == SHN_UNDEF:
                imports.append((symbol.name, slot))
            else:
                self.rebases.append((slot, self._address(symbol)))
        for index, stub in self.stubs.items():
            slot = self.slots[index]
            if self.source.machine == EM_X86_64:  # jmp *slot(%rip)
                code = b"\xff\x25" + struct.pack("<i", slot - (stub + 6)) + b"\xcc" * 10
            else:  # adrp x16, slot; ldr x16, [x16, #lo12]; br x16; brk
                page = (slot >> 12) - (stub >> 12)
                load = 0xF9400210 | ((slot & 0xFFF) >> 3) << 10
                code = struct.pack("<IIII", _adrp(0x90000010, page), load, 0xD61F0200, 0xD4200000)
            self.image[stub : stub + STUB_SIZE] = code
        return imports

    def _address(self, symbol: Symbol) -> int:
        if symbol.section in self.places:
            return self.places[symbol.section] + symbol.value
        if symbol.section == SHN_UNDEF:
            raise LinkError(f"symbol {symbol.name}: external, not through the address table")
        if symbol.section == SHN_ABS or symbol.section >= SHN_LORESERVE:
            raise LinkError(f"symbol {symbol.name}: absolute and common symbols are not known")
        name = self.source.sections[symbol.section].name
        raise LinkError(f"symbol {symbol.name}: in section {name}, which is not loaded")

    def _relocate(self, one: Relocation) -> None:
        place = self.places[one.section] + one.offset
        symbol = self.source.symbols[one.symbol]
        try:
            if self.source.machine == EM_X86_64:
                self._relocate_x86(one, place, symbol)
            else:
                self._relocate_arm(one, place, symbol)
        except (struct.error, OverflowError) as error:
            kind = f"relocation {one.kind} of {symbol.name or 'a section'}"
            raise LinkError(f"{kind}: out of range ({error})") from error

    def _relocate_x86(self, one: Relocation, place: int, symbol: Symbol) -> None:
        match one.kind:
            case 1:  # X86_64
                self.rebases.append((place, self._address(symbol) + one.addend))
            case 2 | 4:  # PC32, PLT32
                target = self.stubs.get(one.symbol) if one.kind == X86_PLT32 else None
                target = self._address(symbol) if target is None else target
                struct.pack_into("<i", self.image, place, target + one.addend - place)
            case 24:  # PC64
                value = self._address(symbol) + one.addend - place
                struct.pack_into("<q", self.image, place, value)
            case _ if one.kind in X86_THROUGH_TABLE:
                value = self.slots[one.symbol] + one.addend - place
                struct.pack_into("<i", self.image, place, value)
            case _:
                raise _unknown(one, symbol, "x86-64")

    def _relocate_arm(self, one: Relocation, place: int, symbol: Symbol) -> None:
        if one.kind == ARM_ABS64:
            self.rebases.append((place, self._address(symbol) + one.addend))
        elif one.kind in (ARM_PREL64, ARM_PREL32):
            value = self._address(symbol) + one.addend - place
            struct.pack_into("<q" if one.kind == ARM_PREL64 else "<i", self.image, place, value)
        elif one.kind in (ARM_JUMP26, ARM_CALL26):
            stub = self.stubs.get(one.symbol)
            target = self._address(symbol) + one.addend if stub is None else stub
            self._patch(place, ((target - place) >> 2) & 0x3FFFFFF)
        elif one.kind in (ARM_ADR_PAGE, ARM_GOT_PAGE):
            got = one.kind == ARM_GOT_PAGE
            target = self.slots[one.symbol] if got else self._address(symbol) + one.addend
            (word,) = struct.unpack_from("<I", self.image, place)
            page = (target >> 12) - (place >> 12)
            struct.pack_into("<I", self.image, place, _adrp(word, page))
        elif one.kind == ARM_ADD_LO12:
            self._patch(place, ((self._address(symbol) + one.addend) & 0xFFF) << 10)
        elif one.kind == ARM_GOT_LO12:
            self._patch(place, ((self.slots[one.symbol] & 0xFFF) >> 3) << 10)
        elif one.kind in ARM_LOAD_STORE_SHIFT:
            low = (self._address(symbol) + one.addend) & 0xFFF
            self._patch(place, (low >> ARM_LOAD_STORE_SHIFT[one.kind]) << 10)
        else:
            raise _unknown(one, symbol, "AArch64")

    def _patch(self, place: int, bits: int) -> None:
        """Sets bits of the instruction at `place` that the assembler left zero."""
        (word,) = struct.unpack_from("<I", self.image, place)
        struct.pack_into("<I", self.image, place, word | bits)


def _takes_memory(section: Section) -> bool:
    if not section.flags & SHF_ALLOC or section.size == 0 or section.kind == SHT_NOTE:
        return False
    if section.name.startswith(IGNORED):
        return False
    if section.flags & SHF_TLS:
        raise LinkError(f"section {section.name}: thread-local data is not known")
    if section.name.startswith(CONSTRUCTORS):
        raise LinkError(f"section {section.name}: constructors are not run")
    return True


def _kinds_through_table(machine: int) -> dict[str, tuple[int, ...]]:
    if machine == EM_X86_64:
        return {"table": X86_THROUGH_TABLE, "call": (X86_PLT32,)}
    return {"table": (ARM_GOT_PAGE, ARM_GOT_LO12), "call": (ARM_JUMP26, ARM_CALL26)}


def _unknown(one: Relocation, symbol: Symbol, machine: str) -> LinkError:
    name = symbol.name or "a section"
    return LinkError(
        f"relocation {one.kind} ({machine}) of {name} is not known; "
        "position-independent code of the small code model is needed"
    )


def _adrp(word: int, page: int) -> int:
    """The instruction `adrp` with the distance `page` in pages."""
    if not -(1 << 20) <= page < 1 << 20:
        raise OverflowError(f"{page} pages away")
    return word | (page & 3) << 29 | ((page >> 2) & 0x7FFFF) << 5


def _align(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment
