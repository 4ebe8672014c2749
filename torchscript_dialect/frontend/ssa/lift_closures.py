"""Closures that are forked become sub-graphs with what they captured as inputs.

Follows torch/csrc/jit/passes/lift_closures.cpp and inline_forked_closures.cpp.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.prim import ClosureOp, ForkOp
from torchscript_dialect.ir.edit import (
    add_argument,
    body_ops,
    erase,
    move_before,
    replace_uses,
    set_name,
    type_of,
)


def lift_closures(block: Block) -> None:
    """Turn every closure of a block into a fork whose region sees only its arguments."""
    for op in body_ops(block):
        for region in op.regions:
            lift_closures(region.block)
        if op.regions and isinstance(op, ClosureOp):
            _lift(op)


def _lift(op: ClosureOp) -> None:
    inner = op.regions[0].block
    captured = _captures(inner)
    for value in captured:
        argument = add_argument(inner, type_of(value))
        set_name(argument, value.name_hint)
        for use in tuple(value.uses):
            if _is_inside(use.operation, op):
                use.operation.operands[use.index] = argument
    region = op.detach_region(0)
    op.regions = ()
    fork = ForkOp.create(
        operands=captured,
        result_types=[op.results[0].type],
        regions=[region],
        location=op.location,
    )
    move_before(fork, op)
    set_name(fork.results[0], op.results[0].name_hint)
    replace_uses(op.results[0], fork.results[0])
    erase(op)


def _captures(block: Block) -> list[SSAValue]:
    """The values from outside that a block uses, in the order of their first uses."""
    made: set[SSAValue] = set(block.args)
    found: dict[SSAValue, None] = {}
    for op in block.walk():
        for value in op.operands:
            if value not in made:
                found[value] = None
        made.update(op.results)
        for region in op.regions:
            made.update(region.block.args)
    return list(found)


def _is_inside(op: Operation, outer: Operation) -> bool:
    current: Operation | None = op
    while current is not None and not isinstance(current, FuncOp):
        if current is outer:
            return True
        current = current.parent_op()
    return False
