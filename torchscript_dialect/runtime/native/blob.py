"""Machine code laid out for any address, as it is kept on disk.

Note [Blobs]
A blob has two parts. The first is executable and read-only once loaded: code, constants, then a
table of addresses (GOT) and call stubs. The second, page-aligned, is writable data. References
between sections are relative and applied here. What depends on the load address is left to the
loader as two lists: words that receive the base plus an offset, and words that receive the address
of a named external symbol. External functions are reached only through such words.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

MAGIC = b"TSDBLOB1"
EM_X86_64 = 62
EM_AARCH64 = 183


class LinkError(Exception):
    """Machine code cannot be linked or loaded; names the section, symbol or relocation."""


class Blob(NamedTuple):
    """Machine code that can be mapped anywhere; see Note [Blobs].

    `image` is their content, without the zeros at its end; `protected` is the size of the first
    part, `size` that of both. `symbols` are offsets; `rebases` are pairs of a word's offset and the
    offset whose address it receives.
    """

    machine: int
    image: bytes
    protected: int
    size: int
    symbols: dict[str, int]
    imports: list[tuple[str, int]]
    rebases: list[tuple[int, int]]

    def to_bytes(self) -> bytes:
        """The blob as bytes, for the disk cache."""
        names = [*self.symbols, *(name for name, _ in self.imports)]
        text = "\0".join(names).encode()
        numbers = [*self.symbols.values(), *(offset for _, offset in self.imports)]
        numbers += [number for pair in self.rebases for number in pair]
        counts = (len(self.symbols), len(self.imports), len(self.rebases), len(text))
        header = struct.pack("<QQQ4Q", self.machine, self.protected, self.size, *counts)
        return b"".join(
            [MAGIC, header, struct.pack(f"<{len(numbers)}Q", *numbers), text, self.image]
        )

    @staticmethod
    def from_bytes(data: bytes) -> Blob:
        """The inverse of `to_bytes`; LinkError where `data` is something else."""
        if data[:8] != MAGIC:
            raise LinkError("not a code blob")
        try:
            machine, protected, size, *counts = struct.unpack_from("<QQQ4Q", data, 8)
            n_symbols, n_imports, n_rebases, text_size = counts
            n_numbers = n_symbols + n_imports + 2 * n_rebases
            numbers = struct.unpack_from(f"<{n_numbers}Q", data, 64)
        except struct.error as error:
            raise LinkError(f"damaged code blob: {error}") from error
        start = 64 + 8 * n_numbers
        names = data[start : start + text_size].decode().split("\0") if text_size else []
        rest = numbers[n_symbols + n_imports :]
        return Blob(
            machine,
            data[start + text_size :],
            protected,
            size,
            dict(zip(names[:n_symbols], numbers, strict=False)),
            list(zip(names[n_symbols:], numbers[n_symbols : n_symbols + n_imports], strict=True)),
            list(zip(rest[::2], rest[1::2], strict=True)),
        )
