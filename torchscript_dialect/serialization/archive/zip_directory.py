"""The directory of a ZIP file, read strictly: every size and place is checked before anything is believed.

Note [Strict ZIP]
A reader that mends what it finds takes one file for what another reader takes it not. So a record has one name, one place that no
other record shares, and a header in that place which says the same as the directory does; whatever else is an error. What PyTorch's
writer makes (ZIP64 sizes, padding in extra fields, sizes that follow the data) and what common tools make of it is read. Follows
PKWARE's APPNOTE.TXT 6.3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise

from torchscript_dialect.serialization.archive.errors import ArchiveError

STORED, DEFLATED = 0, 8

MAX_RECORDS = 1 << 18
MAX_NAME = 4096

_END = struct.Struct("<4s4H2LH")
_END64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = struct.Struct("<4sLQL")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = struct.Struct("<4s5H3L2H")
_FIELD = struct.Struct("<HH")

_ENCRYPTED, _SIZES_FOLLOW = 0x0001 | 0x0040, 0x0008
_ALL32 = 0xFFFFFFFF
_ALL16 = 0xFFFF


@dataclass(frozen=True, slots=True)
class Record:
    """One record: where its bytes are in the file, and what they are to become."""

    name: str
    start: int
    """The offset of the first byte of the data, packed as `method` says."""
    packed_size: int
    size: int
    method: int
    crc: int


def read_directory(data: memoryview) -> dict[str, Record]:
    """The records of a ZIP file by their names, in the order of the directory.

    Raises:
        ArchiveError: it is no ZIP file, or one that not every reader would read alike; see Note [Strict ZIP].
    """
    count, start, end = _find_directory(data)
    if count > MAX_RECORDS:
        raise ArchiveError(f"the archive has {count} records, and more than {MAX_RECORDS} are none")
    found: dict[str, Record] = {}
    places: list[tuple[int, int, str]] = []
    at = start
    for _ in range(count):
        at = _read_entry(data, at, start, end, found, places)
    if at != end:
        raise ArchiveError("the directory of the archive is longer than its records")
    places.sort()
    for (_, stop, name), (begin, _, other) in pairwise(places):
        if begin < stop:
            raise ArchiveError(f"it shares bytes with the record {name!r}", other)
    return found


def _find_directory(data: memoryview) -> tuple[int, int, int]:
    """The number of records, and where the directory begins and ends."""
    size = len(data)
    tail = bytes(data[max(0, size - _END.size - _ALL16) :])
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) - at < _END.size:
        raise ArchiveError("this is no archive: it does not end as a ZIP file does")
    place = size - len(tail) + at
    _, disk, first_disk, here, count, length, start, comment = _END.unpack_from(tail, at)
    if place + _END.size + comment != size:
        raise ArchiveError("the archive does not end where its last record says")
    locator = place - _LOCATOR.size
    if locator >= 0 and _is_at(data, locator, b"PK\6\7"):
        _, first_disk, place64, disks = _LOCATOR.unpack_from(data, locator)
        if disks > 1 or place64 + _END64.size > locator or not _is_at(data, place64, b"PK\6\6"):
            raise ArchiveError("the end of the archive's directory is damaged")
        fields = _END64.unpack_from(data, place64)
        own_size, disk, first_disk, here, count, length, start = (fields[1], *fields[4:])
        if place64 + 12 + own_size != locator:
            raise ArchiveError("the end of the archive's directory is damaged")
        place = place64
    if disk or first_disk or here != count:
        raise ArchiveError("the archive is one of several parts")
    if start + length != place:
        raise ArchiveError("the directory of the archive is not where its end says")
    if count * _ENTRY.size > length:
        raise ArchiveError("the directory of the archive is shorter than its records")
    return count, start, place


def _read_entry(
    data: memoryview,
    at: int,
    start: int,
    end: int,
    found: dict[str, Record],
    places: list[tuple[int, int, str]],
) -> int:
    """Read one entry of the directory; where the next one is."""
    if at + _ENTRY.size > end or not _is_at(data, at, b"PK\1\2"):
        raise ArchiveError("the directory of the archive is damaged")
    fields = _ENTRY.unpack_from(data, at)
    flags, method, crc, packed, size = fields[3], fields[4], *fields[7:10]
    name_size, extra_size, comment_size, disk = fields[10:14]
    header = fields[16]
    name_at = at + _ENTRY.size
    after = name_at + name_size + extra_size + comment_size
    if after > end:
        raise ArchiveError("the directory of the archive is damaged")
    raw_name = bytes(data[name_at : name_at + name_size])
    name = _name(raw_name)
    extra = data[name_at + name_size : name_at + name_size + extra_size]
    size, packed, header, disk = _wide(extra, (size, packed, header, disk), name)
    if disk:
        raise ArchiveError("it is in another part of the archive", name)
    if flags & _ENCRYPTED:
        raise ArchiveError("it is encrypted", name)
    if name in found:
        raise ArchiveError("two records have this name", name)
    if name.endswith("/") and not size and not packed:
        return after
    if method not in (STORED, DEFLATED):
        raise ArchiveError(f"it is packed by method {method}; 0 and 8 are known", name)
    if method == STORED and packed != size:
        raise ArchiveError("it is stored as it is, with another size", name)
    begin = _data_start(data, header, start, raw_name, (method, crc, packed, size), name)
    if begin + packed > start:
        raise ArchiveError("it reaches beyond the records of the archive", name)
    found[name] = Record(name, begin, packed, size, method, crc)
    places.append((header, begin + packed, name))
    return after


def _is_at(data: memoryview, at: int, wanted: bytes) -> bool:
    return bytes(data[at : at + len(wanted)]) == wanted


def _name(raw: bytes) -> str:
    """A record's name.

    Raises:
        ArchiveError: the name is none that a record may have.
    """
    try:
        name = raw.decode()
    except UnicodeDecodeError:
        raise ArchiveError(f"the name of a record is no UTF-8 text: {raw[:80]!r}") from None
    parts = name.removesuffix("/").split("/")
    is_odd = "\\" in name or "\0" in name or len(name) > MAX_NAME
    if is_odd or any(part in ("", ".", "..") for part in parts):
        raise ArchiveError("this is no name of a record", name[:200])
    return name


def _wide(extra: memoryview, values: tuple[int, int, int, int], name: str) -> tuple[int, ...]:
    """The size, packed size, place and disk of an entry, those from the ZIP64 field that do not fit in the entry itself."""
    limits = (_ALL32, _ALL32, _ALL32, _ALL16)
    if all(value != limit for value, limit in zip(values, limits, strict=True)):
        return values
    field = _field(extra, 1, name)
    out: list[int] = []
    at = 0
    for value, limit in zip(values, limits, strict=True):
        width = 8 if limit == _ALL32 else 4
        if value != limit:
            out.append(value)
            continue
        if at + width > len(field):
            raise ArchiveError("its sizes are not in the directory", name)
        out.append(int.from_bytes(field[at : at + width], "little"))
        at += width
    return tuple(out)


def _field(extra: memoryview, wanted: int, name: str) -> memoryview:
    """One field of the extra ones; empty where there is none."""
    at = 0
    while at + _FIELD.size <= len(extra):
        kind, size = _FIELD.unpack_from(extra, at)
        at += _FIELD.size
        if at + size > len(extra):
            raise ArchiveError("a field of its entry is damaged", name)
        if kind == wanted:
            return extra[at : at + size]
        at += size
    return extra[:0]


def _data_start(
    data: memoryview,
    header: int,
    end: int,
    raw_name: bytes,
    facts: tuple[int, int, int, int],
    name: str,
) -> int:
    """Where the data of a record begins, after a header that says what the directory says."""
    if header + _LOCAL.size > end or not _is_at(data, header, b"PK\3\4"):
        raise ArchiveError("it is not where the directory says", name)
    fields = _LOCAL.unpack_from(data, header)
    flags, method, crc, packed, size, name_size, extra_size = (fields[2], fields[3], *fields[6:])
    name_at = header + _LOCAL.size
    start = name_at + name_size + extra_size
    if start > end or not _is_at(data, name_at, raw_name):
        raise ArchiveError("it has another name than the directory says", name)
    extra = data[name_at + name_size : start]
    size, packed, *_ = _wide(extra, (size, packed, 0, 0), name)
    said = (crc, packed, size)
    is_blank = flags & _SIZES_FOLLOW and said == (0, 0, 0)
    if method != facts[0] or not (is_blank or said == facts[1:]) or flags & _ENCRYPTED:
        raise ArchiveError("its header says other than the directory", name)
    return start
