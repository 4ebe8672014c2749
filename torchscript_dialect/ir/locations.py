"""Places in the source as locations of ops."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Operation

from torchscript_dialect.dialects.places import PrintedPlace, source_place
from torchscript_dialect.utils.source_range import SourceRange

UNKNOWN_LOCATION = UnknownLoc()


def location_of(range: SourceRange | None) -> LocationAttr | PrintedPlace:
    """Where a range begins, as the `# file:line:col` comments of graphs say it."""
    if range is not None and range.source.origin is not None:
        return PrintedPlace(range.source, range.start)
    found = None if range is None else range.file_line_col()
    return UNKNOWN_LOCATION if found is None else place(*found)


def scoped(location: LocationAttr, scope: str) -> LocationAttr:
    """A place in the scope of a module."""
    return NameLoc(text_attribute(scope), location)


def below_call(location: LocationAttr, caller: NameLoc) -> LocationAttr:
    """A place in a function that is inlined where `caller` says; see dialects/places.py."""
    if isinstance(location, UnknownLoc):
        return location
    made = object.__new__(CallSiteLoc)  # as in `place`
    object.__setattr__(made, "callee", location)
    object.__setattr__(made, "caller", caller)
    return made


def at(op: Operation) -> str:
    """The place of an op as messages end with it; empty where it is not known."""
    location = source_place(op.location)
    if location is None:
        return ""
    return f" (at {location.filename.data}:{location.line.data}:{location.column.data})"


@lru_cache(maxsize=4096)
def place(filename: str, line: int, column: int) -> LocationAttr:
    """A place in the source."""
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
