"""Where ops come from: the place in the source, and the scope of a module in which a tracer met them.

`loc("net.py":3:0)` is a place, `loc("__module.fc"("net.py":3:0))` one in a scope.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, NameLoc, StringAttr
from xdsl.ir import Attribute, BuiltinAttribute
from xdsl.printer import Printer

from torchscript_dialect.utils.properties import cached_property
from torchscript_dialect.utils.source_range import Source


class PrintedPlace(BuiltinAttribute):
    """A place in text that a printer made: where that came from, which is found when somebody asks, or else the place in the text."""

    name = "printed_loc"

    def __init__(self, source: Source, start: int) -> None:
        object.__setattr__(self, "_printed", (source, start))  # attributes are frozen

    @cached_property
    def place(self) -> FileLineColLoc:
        """The place as others are told it."""
        source, start = self.__dict__["_printed"]
        found = None if source.origin is None else source.origin(start)
        file, line, column = found or (source.filename, *source.line_and_column_of(start))
        return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))

    def print_builtin(self, printer: Printer) -> None:
        self.place.print_builtin(printer)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


def source_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the source that a location tells; None where it tells none."""
    if isinstance(location, NameLoc):
        location = location.location
    if isinstance(location, PrintedPlace):
        return location.place
    return location if isinstance(location, FileLineColLoc) else None


def scope_of(location: Attribute) -> str:
    """The scope that a location tells; empty where it tells none."""
    return location.desc.data if isinstance(location, NameLoc) else ""
