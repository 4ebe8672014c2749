"""Where ops come from: the place in the source, the calls that led there, and the scope of a module in which a tracer met them.

`loc("net.py":3:0)` is a place, `loc("__module.fc"("net.py":3:0))` one in a scope. That of an op of an inlined function `helper` is
`loc(callsite("net.py":3:0 at "helper"("net.py":9:4)))`, with the place of the call.
"""

from __future__ import annotations

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, IntAttr, NameLoc, StringAttr
from xdsl.ir import Attribute, BuiltinAttribute
from xdsl.printer import Printer

from torchscript_dialect.utils.properties import cached_property
from torchscript_dialect.utils.source_range import OriginalRange, Source, SourceRange


class PrintedPlace(BuiltinAttribute):
    """A place in text that a printer made: where that came from, which is found when somebody asks, or else the place in the text."""

    name = "printed_loc"

    def __init__(self, source: Source, start: int) -> None:
        object.__setattr__(self, "_printed", (source, start))  # attributes are frozen

    @property
    def original(self) -> OriginalRange | None:
        """The piece of the original text, as `Source.origin` tells it; None where that is not known."""
        source, start = self.__dict__["_printed"]
        return None if source.origin is None else source.origin(start)

    @cached_property
    def place(self) -> FileLineColLoc:
        """The place as others are told it."""
        found = self.original
        if found is not None:
            file, line, column = found.filename, found.line, found.start
        else:
            source, start = self.__dict__["_printed"]
            file, line, column = source.filename, *source.line_and_column_of(start)
        return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))

    def print_builtin(self, printer: Printer) -> None:
        self.place.print_builtin(printer)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


class InlinedPlace(BuiltinAttribute):
    """The location of a node that was inlined to be shown, and the calls of modules that it came from, which no text has."""

    name = "inlined_loc"
    location: Attribute
    hierarchy: str

    def __init__(self, location: Attribute, hierarchy: str) -> None:
        object.__setattr__(self, "location", location)  # attributes are frozen
        object.__setattr__(self, "hierarchy", hierarchy)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_attribute(self.location)


def hierarchy_of(location: Attribute) -> str:
    """The calls of modules that a location tells; empty where it tells none."""
    while isinstance(location, CallSiteLoc):
        location = location.callee
    return location.hierarchy if isinstance(location, InlinedPlace) else ""


def source_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the source that a location tells; None where it tells none."""
    location = _innermost(location)
    if isinstance(location, NameLoc):
        location = location.location
    if isinstance(location, PrintedPlace):
        return location.place
    return location if isinstance(location, FileLineColLoc) else None


def remember_range(place: FileLineColLoc, range: SourceRange) -> None:
    """Let a place know what begins there, for messages; a place that was read from text knows only where it is."""
    object.__setattr__(place, "_range", range)  # attributes are frozen


def range_at(place: FileLineColLoc) -> SourceRange | None:
    """What begins at a place; None where it does not know."""
    return vars(place).get("_range")


def scope_of(location: Attribute) -> str:
    """The scope that a location tells; empty where it tells none."""
    location = _innermost(location)
    return location.desc.data if isinstance(location, NameLoc) else ""


def printed_place(location: Attribute) -> PrintedPlace | None:
    """The place in text that a printer made; None where it is none of these."""
    location = _innermost(location)
    if isinstance(location, NameLoc):
        location = location.location
    return location if isinstance(location, PrintedPlace) else None


def _innermost(location: Attribute) -> Attribute:
    while isinstance(location, (CallSiteLoc, InlinedPlace)):
        location = location.callee if isinstance(location, CallSiteLoc) else location.location
    return location


def calls_to(location: Attribute) -> list[NameLoc]:
    """The calls that led to an inlined op, outermost first: what was called, and the place of the call."""
    calls: list[NameLoc] = []
    while isinstance(location, (CallSiteLoc, InlinedPlace)):
        if isinstance(location, InlinedPlace):
            location = location.location
            continue
        if isinstance(location.caller, NameLoc):
            calls += [*calls_to(location.caller.location), location.caller]
        location = location.callee
    return calls
