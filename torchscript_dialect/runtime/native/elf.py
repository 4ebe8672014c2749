"""The tables of an ELF64 little-endian relocatable object that its linker needs."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

from torchscript_dialect.runtime.native.blob import LinkError

SHF_WRITE, SHF_ALLOC, SHF_EXECINSTR, SHF_TLS = 1, 2, 4, 0x400
SHT_SYMTAB, SHT_RELA, SHT_NOTE, SHT_NOBITS, SHT_REL = 2, 4, 7, 8, 9
SHN_UNDEF, SHN_LORESERVE, SHN_ABS, SHN_COMMON = 0, 0xFF00, 0xFFF1, 0xFFF2
STB_LOCAL = 0


class Section(NamedTuple):
    """A section of an object; `content` is empty where the section has no bytes in the file."""

    name: str
    kind: int
    flags: int
    size: int
    align: int
    link: int
    info: int
    content: bytes


class Symbol(NamedTuple):
    """An entry of the symbol table; `section` is an index, or one of the SHN constants."""

    name: str
    binding: int
    section: int
    value: int


class Relocation(NamedTuple):
    """`symbol` (an index) plus `addend` goes into `section` at `offset`, in the manner `kind`."""

    section: int
    offset: int
    kind: int
    symbol: int
    addend: int


class ElfObject(NamedTuple):
    """A relocatable object, without the relocations of sections that take no memory."""

    machine: int
    sections: list[Section]
    symbols: list[Symbol]
    relocations: list[Relocation]


def parse_object(data: bytes) -> ElfObject:
    """Reads headers, symbols and relocations of `data`; LinkError where it is no object."""
    if len(data) < 64 or data[:6] != b"\x7fELF\x02\x01":
        raise LinkError("not an ELF64 little-endian object")
    try:
        return _parse(data)
    except (struct.error, IndexError) as error:
        raise LinkError(f"damaged ELF object: {error}") from error


def joined(objects: Sequence[ElfObject]) -> ElfObject:
    """Several objects as one, in which each may name what another defines; LinkError where two define a name."""
    machine = objects[0].machine
    sections: list[Section] = []
    symbols: list[Symbol] = []
    relocations: list[Relocation] = []
    defined: dict[str, Symbol] = {}
    for one in objects:
        if one.machine != machine:
            raise LinkError(f"objects for ELF machines {machine} and {one.machine}")
        first_section, first_symbol = len(sections), len(symbols)
        sections += one.sections
        for symbol in one.symbols:
            if symbol.section != SHN_UNDEF and symbol.section < SHN_LORESERVE:
                symbol = symbol._replace(section=first_section + symbol.section)
                if (
                    symbol.binding != STB_LOCAL
                    and defined.setdefault(symbol.name, symbol) != symbol
                ):
                    raise LinkError(f"symbol {symbol.name}: defined twice")
            symbols.append(symbol)
        relocations += [
            item._replace(section=first_section + item.section, symbol=first_symbol + item.symbol)
            for item in one.relocations
        ]
    found = [defined.get(one.name, one) if one.section == SHN_UNDEF else one for one in symbols]
    return ElfObject(machine, sections, found, relocations)


def _parse(data: bytes) -> ElfObject:
    kind, machine = struct.unpack_from("<HH", data, 16)
    if kind != 1:
        raise LinkError(f"ELF file of type {kind}, not a relocatable object (1)")
    (table,) = struct.unpack_from("<Q", data, 40)
    entry_size, number, names_index = struct.unpack_from("<HHH", data, 58)
    places = range(table, table + number * entry_size, entry_size)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, place) for place in places]
    names_at = headers[names_index][4]
    sections: list[Section] = []
    for name, kind, flags, _, offset, size, link, info, align, _ in headers:
        content = b"" if kind == SHT_NOBITS else data[offset : offset + size]
        label = _string(data, names_at + name)
        sections.append(Section(label, kind, flags, size, max(align, 1), link, info, content))
    symbols: list[Symbol] = []
    relocations: list[Relocation] = []
    for section in sections:
        if section.kind == SHT_SYMTAB:
            symbols = _symbols(section, sections[section.link])
        elif section.kind == SHT_RELA and sections[section.info].flags & SHF_ALLOC:
            for offset, info, addend in struct.iter_unpack("<QQq", section.content):
                reference = Relocation(section.info, offset, info & 0xFFFFFFFF, info >> 32, addend)
                relocations.append(reference)
        elif section.kind == SHT_REL and sections[section.info].flags & SHF_ALLOC:
            raise LinkError(f"section {section.name}: relocations without addends")
    return ElfObject(machine, sections, symbols, relocations)


def _symbols(table: Section, names: Section) -> list[Symbol]:
    return [
        Symbol(_string(names.content, name), info >> 4, section, value)
        for name, info, _, section, value, _ in struct.iter_unpack("<IBBHQQ", table.content)
    ]


def _string(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode()
