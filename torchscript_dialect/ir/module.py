"""The functions of a module."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module in order."""
    return [op for op in module.body.ops if isinstance(op, FuncOp)]


def module_around(function: FuncOp) -> ModuleOp:
    """The module that a function is in."""
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    return module


def find_function(module: ModuleOp, symbol: str) -> FuncOp:
    """The function of that symbol in a module.

    Raises:
        StopIteration: there is none.
    """
    return next(op for op in functions_of(module) if op.sym_name.data == symbol)
