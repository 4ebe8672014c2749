"""Machine code laid out for any address, as it is kept on disk.

Note [Blobs]
A blob has two parts. The first is executable and read-only once loaded: code, constants, then a
table of addresses (GOT) and call stubs. The second, page-aligned, is writable data. References
between sections are relative and applied here. What depends on the load address is left to the
loader as two lists: words that receive the base plus an offset, and words that receive the address
of a named external symbol. External functions are reached only through such words.

The bytes of a blob are a header, the offsets, the names and then both parts whole, so that their sizes fix the length: a cut-off or
stretched blob is none. Every offset is checked against the sizes before anything is mapped.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import NamedTuple

MAGIC = b"TSDBLOB2"
HEADER = struct.Struct("<8s7Q")
WORD = 8
EM_X86_64 = 62
EM_AARCH64 = 183


class LinkError(Exception):
    """Machine code cannot be linked or loaded; names the section, symbol or relocation."""


class Blob(NamedTuple):
    """Machine code that can be mapped anywhere; see Note [Blobs].

    `image` is the content of both parts; `protected` is the size of the first. `symbols` are offsets; `rebases` are pairs of a
    word's offset and the offset whose address it receives.
    """

    machine: int
    image: bytes
    protected: int
    symbols: dict[str, int]
    imports: list[tuple[str, int]]
    rebases: list[tuple[int, int]]

    def check(self) -> None:
        """LinkError where an offset lies outside of the image."""
        size = len(self.image)
        if self.protected > size:
            raise LinkError(f"damaged code blob: {self.protected} protected bytes of {size}")
        for name, offset in self.symbols.items():
            if not 0 <= offset < size:
                raise LinkError(f"damaged code blob: symbol {name} at {offset} of {size}")
        for offset in (*(at for _, at in self.imports), *(at for at, _ in self.rebases)):
            if not 0 <= offset <= size - WORD:
                raise LinkError(f"damaged code blob: a word at {offset} of {size}")
        for _, target in self.rebases:
            if not 0 <= target <= size:
                raise LinkError(f"damaged code blob: the address of {target} of {size}")

    def check_defines(self, functions: Iterable[str], data: Iterable[str] = ()) -> None:
        """LinkError unless these are functions in the executable part, and variables in the other."""
        for names, start, end in (
            (functions, 0, self.protected),
            (data, self.protected, len(self.image)),
        ):
            for name in names:
                if not start <= self.symbols.get(name, -1) < end:
                    raise LinkError(f"the code does not define {name}")

    def to_bytes(self) -> bytes:
        """The blob as bytes, for the disk cache."""
        names = [*self.symbols, *(name for name, _ in self.imports)]
        text = "\0".join(names).encode()
        numbers = [*self.symbols.values(), *(offset for _, offset in self.imports)]
        numbers += [number for pair in self.rebases for number in pair]
        parts = (self.protected, len(self.image) - self.protected)
        counts = (len(self.symbols), len(self.imports), len(self.rebases), len(text))
        header = HEADER.pack(MAGIC, self.machine, *parts, *counts)
        return b"".join([header, struct.pack(f"<{len(numbers)}Q", *numbers), text, self.image])

    @staticmethod
    def from_bytes(data: bytes) -> Blob:
        """The inverse of `to_bytes`; LinkError where `data` is something else."""
        if len(data) < HEADER.size or data[: len(MAGIC)] != MAGIC:
            raise LinkError("not a code blob")
        _, machine, protected, writable, *counts = HEADER.unpack_from(data)
        n_symbols, n_imports, n_rebases, text_size = counts
        n_words = n_symbols + n_imports
        n_numbers = n_words + 2 * n_rebases
        text_at = HEADER.size + 8 * n_numbers
        image_at = text_at + text_size
        if image_at + protected + writable != len(data):
            raise LinkError(f"damaged code blob: {len(data)} bytes are not what its header says")
        numbers = struct.unpack_from(f"<{n_numbers}Q", data, HEADER.size)
        try:
            names = data[text_at:image_at].decode().split("\0") if text_size else []
        except UnicodeDecodeError as error:
            raise LinkError(f"damaged code blob: {error}") from error
        symbols = dict(zip(names[:n_symbols], numbers, strict=False))
        if len(names) != n_words or len(symbols) != n_symbols:
            raise LinkError(f"damaged code blob: {len(names)} names of {n_words}")
        imports = list(zip(names[n_symbols:], numbers[n_symbols:n_words], strict=True))
        rebases = list(zip(numbers[n_words::2], numbers[n_words + 1 :: 2], strict=True))
        blob = Blob(machine, data[image_at:], protected, symbols, imports, rebases)
        blob.check()
        return blob
