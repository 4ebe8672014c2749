"""Modules, and the functions in them.

What a compilation begins with is made from its parts: the constructors of xDSL look for operands, results and options that an
empty function does not have.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

_NOTHING_TO_NOTHING = FunctionType.from_lists((), ())


def new_module() -> ModuleOp:
    """A module without functions."""
    return ModuleOp.create(regions=[Region(Block())])


def new_function(symbol: str) -> FuncOp:
    """A function in no module, which takes nothing and returns nothing."""
    block = Block()
    block.add_op(ReturnOp.create())
    properties = {"sym_name": StringAttr(symbol), "function_type": _NOTHING_TO_NOTHING}
    return FuncOp.create(properties=properties, regions=[Region(block)])


def functions_of(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module in order."""
    return [op for op in module.body.ops if isinstance(op, FuncOp)]


def mark_traced(function: FuncOp) -> None:
    """Note that the types in a function are those of one run, which another need not have."""
    function.attributes["traced"] = UnitAttr()


def is_traced(function: FuncOp) -> bool:
    """Whether the types in a function are those of one run."""
    return "traced" in function.attributes


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


def is_private(function: FuncOp) -> bool:
    """Whether a function is there for the others of its module alone."""
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private"
