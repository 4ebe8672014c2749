"""Places in the source as locations of ops."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr, UnknownLoc
from xdsl.ir import Operation

from torchscript_dialect.utils.source_range import SourceRange

UNKNOWN_LOCATION = UnknownLoc()


def location_of(range: SourceRange | None) -> LocationAttr:
    """Where a range begins, as the `# file:line:col` comments of graphs say it."""
    place = None if range is None else range.file_line_col()
    if place is None:
        return UNKNOWN_LOCATION
    return _location(*place)


def at(op: Operation) -> str:
    """The place of an op as messages end with it; empty where it is not known."""
    location = op.location
    if not isinstance(location, FileLineColLoc):
        return ""
    return f" (at {location.filename.data}:{location.line.data}:{location.column.data})"


@lru_cache(maxsize=4096)
def _location(filename: str, line: int, column: int) -> LocationAttr:
    # `FileLineColLoc.new` would verify what is right by construction.
    location = object.__new__(FileLineColLoc)
    for name, value in (
        ("filename", text_attribute(filename)),
        ("line", _number(line)),
        ("column", _number(column)),
    ):
        object.__setattr__(location, name, value)
    return location


@lru_cache(maxsize=4096)
def text_attribute(text: str) -> StringAttr:
    """The attribute of a name that many ops have."""
    return StringAttr(text)


@lru_cache(maxsize=4096)
def _number(number: int) -> IntAttr:
    return IntAttr(number)
