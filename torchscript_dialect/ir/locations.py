"""Places in the source as locations of ops."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeVar

from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation

from torchscript_dialect.dialects.places import PrintedPlace, remember_range, source_place
from torchscript_dialect.utils.source_range import Source, SourceRange

UNKNOWN_LOCATION = UnknownLoc()

_Location = TypeVar("_Location", FileLineColLoc, NameLoc, CallSiteLoc)


def location_of(range: SourceRange | None) -> LocationAttr | PrintedPlace:
    """Where a range begins, as the `# file:line:col` comments of graphs say it."""
    if range is not None and range.source.origin is not None:
        return PrintedPlace(range.source, range.start)
    if range is None or range.filename is None:
        return UNKNOWN_LOCATION
    return _place_of(range.source, range.start, range.end)


@lru_cache(maxsize=4096)
def _place_of(source: Source, start: int, end: int) -> FileLineColLoc:
    made = _new_place(source.filename or "", *source.line_and_column_of(start))
    remember_range(made, SourceRange(source, start, end))
    return made


def scoped(location: LocationAttr, scope: str) -> LocationAttr:
    """A place in the scope of a module."""
    return NameLoc(text_attribute(scope), location)


def place_of_call(callee: str, location: Attribute) -> NameLoc:
    """The place of a call, named for what it calls; see dialects/places.py."""
    return _unverified(NameLoc, desc=text_attribute(callee), location=location)


def below_call(location: LocationAttr, caller: NameLoc) -> LocationAttr:
    """A place in a function that is inlined at the place of a call."""
    if isinstance(location, UnknownLoc):
        return location
    return _unverified(CallSiteLoc, callee=location, caller=caller)


def at(op: Operation) -> str:
    """The place of an op as messages end with it; empty where it is not known."""
    location = source_place(op.location)
    if location is None:
        return ""
    return f" (at {location.filename.data}:{location.line.data}:{location.column.data})"


@lru_cache(maxsize=4096)
def place(filename: str, line: int, column: int) -> LocationAttr:
    """A place in the source."""
    return _new_place(filename, line, column)


def _new_place(filename: str, line: int, column: int) -> FileLineColLoc:
    return _unverified(
        FileLineColLoc,
        filename=text_attribute(filename),
        line=_number(line),
        column=_number(column),
    )


def _unverified(class_: type[_Location], **parameters: Attribute) -> _Location:
    """A location as it is: `class_(...)` would take long to verify what is right by construction, and xDSL knows no `PrintedPlace`."""
    location = object.__new__(class_)
    for name, value in parameters.items():
        object.__setattr__(location, name, value)
    return location


@lru_cache(maxsize=4096)
def text_attribute(text: str) -> StringAttr:
    """The attribute of a name that many ops have."""
    return StringAttr(text)


@lru_cache(maxsize=4096)
def _number(number: int) -> IntAttr:
    return IntAttr(number)
