"""Modules, and the functions in them.

What a compilation begins with is made from its parts: the constructors of xDSL look for operands, results and options that an
empty function does not have.
"""

from __future__ import annotations

from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue

from torchscript_dialect.dialects.prim import YieldOp

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


def function_of_block(block: Block) -> FuncOp:
    """A copy of a block as a function of its own in a module of its own."""
    values: dict[SSAValue, SSAValue] = {}
    copy = Block(arg_types=block.arg_types)
    for old, new in zip(block.args, copy.args, strict=True):
        values[old] = new
        new.name_hint = old.name_hint
    for op in block.ops:
        if isinstance(op, (YieldOp, ReturnOp)):
            copy.add_op(ReturnOp(*(values[operand] for operand in op.operands)))
        else:
            copy.add_op(op.clone(values))
    last = copy.last_op
    assert last is not None
    function = FuncOp("forward", (copy.arg_types, list(last.operand_types)), Region(copy))
    ModuleOp([function])
    return function
