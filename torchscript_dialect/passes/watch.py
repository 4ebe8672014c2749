"""What happens around each pass for whoever watches a pipeline: calls back, prints, counts, checks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from importlib import import_module
from io import StringIO
from typing import IO, Any, NamedTuple, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from torchscript_dialect.passes.table import PACKAGE
from torchscript_dialect.passes.timings import PassTiming
from torchscript_dialect.serialization.graph_printer import print_graph

Callback: TypeAlias = Callable[[ModulePass, ModuleOp], Any]
PrintAfter: TypeAlias = bool | str | Collection[str] | IO[str]
"""Whether to print after each pass, or the names of passes after which to print, or where to print."""


class Watch(NamedTuple):
    """See `PassPipeline.run`."""

    verify_each: bool = False
    print_after: PrintAfter = False
    before: Callback | None = None
    after: Callback | None = None
    verify_equiv: bool = False

    def but(
        self,
        verify_each: bool | None,
        print_after: PrintAfter | None,
        before: Callback | None,
        after: Callback | None,
        verify_equiv: bool | None,
    ) -> Watch:
        """The same, but for what is given."""
        given = {
            "verify_each": verify_each,
            "print_after": print_after,
            "before": before,
            "after": after,
            "verify_equiv": verify_equiv,
        }
        return self._replace(**{name: one for name, one in given.items() if one is not None})

    def begin(self, one: ModulePass, target: ModuleOp | FuncOp, row: PassTiming) -> None:
        """What comes before a pass."""
        row.ops_before += count(target)
        if self.before is not None:
            self.before(one, module_of(target))

    def end(self, one: ModulePass, target: ModuleOp | FuncOp, row: PassTiming) -> None:
        """What comes after a pass."""
        row.ops_after += count(target)
        stream = self._stream(one.name)
        if stream is not None:
            print(f"IR after {one.name}:", text_of(target), sep="\n", file=stream)
        if self.after is not None:
            self.after(one, module_of(target))

    def equivalence(self, target: ModuleOp | FuncOp) -> Any:
        """What checks that passes keep what programs do, where that is asked for. It stands above the interpreter: found by name."""
        if not self.verify_equiv:
            return None
        return import_module(f"{PACKAGE}.equivalence.check").Check(target)

    def _stream(self, name: str) -> IO[str] | None:
        where = self.print_after
        if isinstance(where, bool):
            return sys.stdout if where else None
        if isinstance(where, str):
            return sys.stdout if where == name else None
        if isinstance(where, Collection):
            return sys.stdout if name in where else None
        return where


def count(target: ModuleOp | FuncOp) -> int:
    """The operations in a module or function, itself aside."""
    return sum(1 for _ in target.walk()) - 1


def module_of(target: ModuleOp | FuncOp) -> ModuleOp:
    """The module that something is in."""
    module = target if isinstance(target, ModuleOp) else target.parent_op()
    assert isinstance(module, ModuleOp)
    return module


def text_of(target: ModuleOp | FuncOp) -> str:
    """A function as graph text, a module as MLIR's."""
    if isinstance(target, FuncOp):
        return print_graph(target)
    stream = StringIO()
    Printer(stream=stream).print_op(target)
    return stream.getvalue() + "\n"
