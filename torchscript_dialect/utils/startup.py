"""What makes the first compilation of a process start sooner.

Note [Deferred formats]
The classes of an xDSL dialect parse their assembly formats as they are defined, which takes more
than half of the time of importing a dialect. Formats are for texts; a compilation prints and parses
none. Inside `formats_deferred` an operation class keeps the format as it is written and parses it
when an operation is first printed or parsed. An error in a format then shows up there and not at
the definition, so this is for imports of dialects that are known to be sound.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.irdl import OpDef
from xdsl.irdl.declarative_assembly_format import FormatDirective, FormatProgram

from torchscript_dialect.utils.properties import cached_property

_parse_format = FormatProgram.from_str


class DeferredFormat(FormatProgram):
    """A format that is parsed when it is first used; see Note [Deferred formats]."""

    def __init__(self, input: str, op_def: OpDef) -> None:
        object.__setattr__(self, "source", (input, op_def))

    @cached_property
    def stmts(self) -> tuple[FormatDirective, ...]:  # pyright: ignore
        """The statements of the format."""
        text, definition = self.__dict__["source"]
        return _parse_format(text, definition).stmts


@contextmanager
def formats_deferred() -> Generator[None]:
    """Defers the parsing of the assembly formats of operations that are defined meanwhile."""
    FormatProgram.from_str = staticmethod(DeferredFormat)
    try:
        yield
    finally:
        FormatProgram.from_str = staticmethod(_parse_format)
