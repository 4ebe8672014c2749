"""What the passes share: the frame of a pass over functions."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.transforms._edit import update_function_type
from torchscript_dialect.utils.jit_log import Log

_DEEP = 20_000
"""Frames that a pass may need: blocks nest, and passes go into them by recursion."""


@contextmanager
def deep_recursion() -> Generator[None]:
    """Inside, functions may call themselves for blocks that nest hundreds deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module that have a body, as they are now."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


@dataclass(frozen=True)
class FunctionPass(ModulePass):
    """A pass that looks at one function at a time."""

    @abstractmethod
    def run(self, function: FuncOp) -> bool:
        """Transform a function in place; whether anything changed."""

    def run_deep(self, function: FuncOp) -> bool:
        """As `run`, for blocks nested as deep as may be, and with the function's type following its
        block's: a result may have become a value of a more refined type.
        """
        with deep_recursion():
            changed = self.run(function)
        update_function_type(function)
        return changed

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in functions(op):
            self.run_deep(function)


def dump(log: Log, message: str, function: FuncOp) -> None:
    """Log a whole function, where that is asked for."""
    log.dump(message, lambda: print_graph(function))
