"""Reads FlatBuffers, the format: tables whose fields are found by number, vectors and texts, each where an offset says.

Every offset and length is checked against the end of the file. A file cannot be read for more than it holds: what its vectors and
texts are long in all has a bound, since a thousand of them may be the same bytes.
"""

from __future__ import annotations

import struct
from typing import Any, NoReturn

from torchscript_dialect.serialization.archive.errors import ArchiveError

READ_TIMES = 4
"""How many times over the bytes of a file may be read."""


class FlatBuffer:
    """The bytes of a file, read at offsets."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self._left = len(data) * READ_TIMES

    def root(self) -> FlatTable:
        """The table that all others are in."""
        return FlatTable(self, self.follow(0))

    def one(self, format: str, at: int) -> Any:
        return self.unpacked(f"<{format}", at)[0]

    def unpacked(self, format: str, at: int) -> tuple[Any, ...]:
        if at < 0:
            self.damaged()
        try:
            return struct.unpack_from(format, self.data, at)
        except struct.error:
            self.damaged()

    def follow(self, at: int) -> int:
        """Where the offset at a place leads."""
        return at + self.one("I", at)

    def vector(self, at: int, width: int) -> tuple[int, int]:
        """Where a vector of elements of so many bytes begins, and how many there are."""
        count = self.one("I", at)
        self._left -= max(1, count)
        if at + 4 + count * width > len(self.data) or self._left < 0:
            self.damaged()
        return at + 4, count

    def text(self, at: int) -> str:
        start, size = self.vector(at, 1)
        try:
            return bytes(self.data[start : start + size]).decode()
        except UnicodeDecodeError:
            raise ArchiveError(f"the text at byte {start} is no UTF-8") from None

    def damaged(self) -> NoReturn:
        raise ArchiveError("the file is damaged: an offset leads out of it")


class FlatTable:
    """One table. A field that is not there has the value that its schema says."""

    def __init__(self, buffer: FlatBuffer, at: int) -> None:
        self._buffer = buffer
        self._at = at
        self._fields = at - buffer.one("i", at)
        self._size = buffer.one("H", self._fields)

    def place(self, field: int) -> int | None:
        """Where a field stands."""
        entry = 4 + 2 * field
        if entry + 2 > self._size:
            return None
        offset = self._buffer.one("H", self._fields + entry)
        return self._at + offset if offset else None

    def target(self, field: int) -> int | None:
        """Where the offset in a field leads."""
        place = self.place(field)
        return None if place is None else self._buffer.follow(place)

    def number(self, field: int, format: str, default: Any = 0) -> Any:
        place = self.place(field)
        return default if place is None else self._buffer.one(format, place)

    def structure(self, field: int, format: str) -> tuple[Any, ...]:
        """The numbers of a struct that an offset leads to."""
        target = self.target(field)
        return self._buffer.damaged() if target is None else self._buffer.unpacked(format, target)

    def text(self, field: int) -> str:
        target = self.target(field)
        return "" if target is None else self._buffer.text(target)

    def table(self, field: int) -> FlatTable | None:
        target = self.target(field)
        return None if target is None else FlatTable(self._buffer, target)

    def span(self, field: int) -> tuple[int, int]:
        """Where the bytes of a field begin, and how many there are."""
        target = self.target(field)
        return (0, 0) if target is None else self._buffer.vector(target, 1)

    def numbers(self, field: int, format: str) -> tuple[Any, ...]:
        width = struct.calcsize(f"<{format}")
        target = self.target(field)
        if target is None:
            return ()
        start, count = self._buffer.vector(target, width)
        return self._buffer.unpacked(f"<{count}{format}", start)

    def structures(self, field: int, format: str) -> list[tuple[Any, ...]]:
        """The structs of a vector, by the format of one."""
        width = struct.calcsize(format)
        target = self.target(field)
        if target is None:
            return []
        start, count = self._buffer.vector(target, width)
        return [self._buffer.unpacked(format, start + width * place) for place in range(count)]

    def tables(self, field: int) -> list[FlatTable]:
        return [FlatTable(self._buffer, at) for at in self._targets(field)]

    def texts(self, field: int) -> list[str]:
        return [self._buffer.text(at) for at in self._targets(field)]

    def _targets(self, field: int) -> list[int]:
        target = self.target(field)
        if target is None:
            return []
        start, count = self._buffer.vector(target, 4)
        return [self._buffer.follow(start + 4 * place) for place in range(count)]
