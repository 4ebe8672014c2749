"""Where ops come from: the place in the source, and the scope of a module in which a tracer met them.

`loc("net.py":3:0)` is a place, `loc("__module.fc"("net.py":3:0))` one in a scope.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FileLineColLoc, NameLoc
from xdsl.ir import Attribute


def source_place(location: Attribute) -> FileLineColLoc | None:
    """The place in the source that a location tells; None where it tells none."""
    if isinstance(location, NameLoc):
        location = location.location
    return location if isinstance(location, FileLineColLoc) else None


def scope_of(location: Attribute) -> str:
    """The scope that a location tells; empty where it tells none."""
    return location.desc.data if isinstance(location, NameLoc) else ""
