"""A TorchScript archive as its records, read or mapped when they are asked for.

Note [When records are checked]
The checksum of a record that is read is checked then. Large tensors are mapped and not read, so that an archive of any size opens at
once; their checksums are checked by `check_mapped`, before the first method of the archive runs or a tensor of it is handed out. While
a method is compiled another thread begins with it (`begin_check`).
"""

from __future__ import annotations

import mmap
import os
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.zip_directory import (
    DEFLATED,
    Record,
    read_directory,
)
from torchscript_dialect.utils.tasks import Future, start

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
"""What an archive may be in: a file by name, its bytes, or an open file."""

MAX_READ = 1 << 28
"""The largest record that is read into memory; tensors are not."""
MAX_RATIO = 200
"""How many times larger than it is packed a record may be, from `FREE_SIZE` on."""
FREE_SIZE = 1 << 20
CHECKED_AT_ONCE = 1 << 16
"""Records of tensors up to this size are checked when they are mapped."""


class Container:
    """The records of one archive, by their names without the folder that holds all of them."""

    def __init__(self, source: Source, name: str | None = None) -> None:
        """Open an archive; `name` is what messages call it.

        Raises:
            ArchiveError: it is none, or not one that every reader would read alike.
            OSError: the file cannot be read.
        """
        data = open_data(source)
        self._hold(data, name or name_of(source), _without_folder(read_directory(data)))

    def _hold(self, data: memoryview, name: str, records: dict[str, Record]) -> None:
        self.data = data
        self.name = name
        self.records = records
        self._unchecked: dict[str, Record] = {}
        self._check: Future[None] | None = None
        self._checked_in = 0

    def __contains__(self, name: str) -> bool:
        return name in self.records

    def __getitem__(self, name: str) -> Record:
        record = self.records.get(name)
        if record is None:
            raise ArchiveError("the archive has no such record", name)
        return record

    def read(self, name: str) -> bytes:
        """The bytes of a record.

        Raises:
            ArchiveError: there is no such record, it is damaged, or larger than such records are.
        """
        record = self[name]
        if record.size > MAX_READ:
            raise ArchiveError(f"it has {record.size} bytes, and may have {MAX_READ}", name)
        return unpacked(self.data, record, name)

    def read_text(self, name: str) -> str:
        """The text of a record.

        Raises:
            ArchiveError: it is no UTF-8 text, or what `read` raises.
        """
        try:
            return self.read(name).decode()
        except UnicodeDecodeError as error:
            raise ArchiveError(f"it is no UTF-8 text at byte {error.start}", name) from None

    def map(self, name: str) -> NDArray[np.uint8]:
        """The bytes of a record, which may be written to: those of the file itself where they are stored as they are, and a copy
        otherwise. No write gets into the file. See Note [When records are checked].
        """
        record = self[name]
        if record.method == DEFLATED:
            return np.frombuffer(bytearray(self.read(name)), np.uint8)
        if not record.size:
            return np.empty(0, np.uint8)
        found = np.frombuffer(self.data, np.uint8, record.size, record.start)
        if not found.flags.writeable:
            found = found.copy()
        if record.size > CHECKED_AT_ONCE:
            self._unchecked[name] = record
        else:
            _check(found, record, name)
        return found

    def begin_check(self) -> None:
        """Begin to check the records that were mapped and not checked, on another thread."""
        if self._unchecked and (self._check is None or self._checked_in != os.getpid()):
            self._checked_in = os.getpid()  # a fork has no thread that would go on
            self._check = start(self._check_all)

    def check_mapped(self) -> None:
        """Check the records that were mapped and not checked.

        Raises:
            ArchiveError: one is damaged.
        """
        if self._unchecked:
            self.begin_check()
            assert self._check is not None
            self._check.wait()

    def _check_all(self) -> None:
        for name, record in list(self._unchecked.items()):
            _check(self.data[record.start : record.start + record.size], record, name)
            self._unchecked.pop(name, None)


def unpacked(data: memoryview, record: Record, name: str) -> bytes:
    """The bytes of a record of a ZIP file.

    Raises:
        ArchiveError: it is damaged, or larger than records are that are packed so small.
    """
    packed = data[record.start : record.start + record.packed_size]
    found = _inflated(packed, record, name) if record.method == DEFLATED else bytes(packed)
    _check(found, record, name)
    return found


def _check(data: Any, record: Record, name: str) -> None:
    if zlib.crc32(data) != record.crc:
        raise ArchiveError("its checksum is wrong: it is damaged", name)


def name_of(source: Source) -> str:
    """What messages call an archive."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return str(source)
    return str(getattr(source, "name", "<stream>"))


def open_data(source: Source) -> memoryview:
    """The bytes of an archive. Those of a file are mapped, so that writes stay in this process."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return memoryview(source).cast("B")
    if not isinstance(source, (str, os.PathLike)):
        return memoryview(bytearray(source.read()))
    path = Path(source)
    with path.open("rb") as file:
        if not os.fstat(file.fileno()).st_size:
            raise ArchiveError("the file is empty")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    return memoryview(mapped)


def _without_folder(records: dict[str, Record]) -> dict[str, Record]:
    """The records by their names below the one folder that they are all in.

    Raises:
        ArchiveError: there are several folders, or none.
    """
    if not records:
        raise ArchiveError("the archive has no records")
    folder, slash, _ = next(iter(records)).partition("/")
    prefix = folder + slash
    for name in records:
        if not slash or not name.startswith(prefix):
            raise ArchiveError("the records of an archive are all in one folder", name)
    return {name.removeprefix(prefix): record for name, record in records.items()}


def _inflated(packed: memoryview, record: Record, name: str) -> bytes:
    if record.size > max(FREE_SIZE, MAX_RATIO * record.packed_size):
        raise ArchiveError(f"{record.packed_size} bytes claim to be {record.size}", name)
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        found = inflater.decompress(packed, record.size + 1)
    except zlib.error as error:
        raise ArchiveError(f"it cannot be unpacked: {error}", name) from None
    if len(found) != record.size or not inflater.eof or inflater.unused_data:
        raise ArchiveError("it does not have the size that the directory says", name)
    return found
