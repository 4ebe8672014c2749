"""Writes a ZIP file as PyTorch's writer does: stored records, aligned to 64 bytes so that they can be mapped; code is packed."""

from __future__ import annotations

import struct
import zlib
from typing import IO

from torchscript_dialect.serialization.archive.zip_directory import DEFLATED, STORED

ALIGNMENT = 64
_ALL32 = 0xFFFFFFFF
_UTF8 = 0x0800


class ZipWriter:
    """Writes records one after the other; `close` writes the directory."""

    def __init__(self, file: IO[bytes], folder: str) -> None:
        self._file = file
        self._folder = folder
        self._at = 0
        self._entries: list[bytes] = []
        self._identity = 0

    def add(self, name: str, data: bytes | memoryview, *, packs: bool = False) -> None:
        """Write a record."""
        view = memoryview(data).cast("B")
        crc, size, method = zlib.crc32(view), len(view), STORED
        self._identity = zlib.crc32(name.encode() + crc.to_bytes(4, "little"), self._identity)
        if packs:
            deflater = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
            packed = deflater.compress(view) + deflater.flush()
            if len(packed) < size:
                view, method = memoryview(packed), DEFLATED
        encoded = f"{self._folder}/{name}".encode()
        sizes = (crc, min(len(view), _ALL32), min(size, _ALL32))
        wide = _wide(size, len(view)) if max(size, len(view)) >= _ALL32 else b""
        start = self._at + 30 + len(encoded) + len(wide) + 4
        padding = struct.pack("<2sH", b"FB", -start % ALIGNMENT) + b"Z" * (-start % ALIGNMENT)
        extra = wide + padding
        head = (20, _UTF8, method, 0, 0, *sizes, len(encoded), len(extra))
        offset = self._at
        self._write(struct.pack("<4s5H3L2H", b"PK\3\4", *head) + encoded + extra)
        self._write(view)
        place = b""
        if offset >= _ALL32:
            place = struct.pack("<Q", offset)
        field = wide[4:] + place
        field = struct.pack("<2H", 1, len(field)) + field if field else b""
        entry = (20, 20, _UTF8, method, 0, 0, *sizes, len(encoded), len(field), 0, 0, 0, 0)
        self._entries.append(
            struct.pack("<4s6H3L5H2L", b"PK\1\2", *entry, min(offset, _ALL32)) + encoded + field
        )

    @property
    def identity(self) -> int:
        """A number that names and contents of the records so far give."""
        return self._identity

    def close(self) -> None:
        """Write the directory; the file itself stays open."""
        start, count = self._at, len(self._entries)
        for entry in self._entries:
            self._write(entry)
        size, end = self._at - start, self._at
        record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, start)
        self._write(record + struct.pack("<4sLQL", b"PK\6\7", 0, end, 1))
        counts = (min(count, 0xFFFF), min(count, 0xFFFF), min(size, _ALL32), min(start, _ALL32))
        self._write(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, *counts, 0))

    def _write(self, data: bytes | memoryview) -> None:
        self._file.write(data)
        self._at += len(memoryview(data))


def _wide(size: int, packed: int) -> bytes:
    """The ZIP64 field with both sizes."""
    return struct.pack("<2H2Q", 1, 16, size, packed)
