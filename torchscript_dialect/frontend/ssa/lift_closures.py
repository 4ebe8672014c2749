"""Closures that are forked become sub-graphs with what they captured as inputs.

Follows torch/csrc/jit/passes/lift_closures.cpp and inline_forked_closures.cpp.
"""

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects.prim import ClosureOp, ForkOp
from torchscript_dialect.ir.edit import (
    add_argument,
    body_ops,
    nested_ops,
    set_name,
    type_of,
)
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_to


def lift_closures(block: Block) -> None:
    """Turn every closure of a block into a fork whose region sees only its arguments."""
    for op in body_ops(block):
        for region in op.regions:
            lift_closures(region.block)
        apply_to(op, LIFT_CLOSURES)


class LiftClosure(RewritePattern):
    """`prim::Closure()` with a block that uses `%x` -> `prim::fork(%x)` with a block that takes `%x`

    Closures in the closure come first.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ClosureOp, rewriter: PatternRewriter, /) -> None:
        _capture(op)
        fork = ForkOp.create(
            operands=op.operands,
            result_types=op.result_types,
            regions=[op.detach_region(0)],
            location=op.location,
        )
        rewriter.replace(op, fork)


LIFT_CLOSURES = FrozenPatternSet([LiftClosure()])


def _capture(op: ClosureOp) -> None:
    """Give the closure the values from outside that it uses as operands, and its block arguments for them."""
    inner = op.regions[0].block
    captured = _captures(inner)
    for value in captured:
        argument = add_argument(inner, type_of(value))
        set_name(argument, value.name_hint)
        for use in tuple(value.uses):
            if _is_inside(use.operation, op):
                use.operation.operands[use.index] = argument
    op.operands = captured


def _captures(block: Block) -> list[SSAValue]:
    """The values from outside that a block uses, in the order of their first uses."""
    made: set[SSAValue] = set(block.args)
    found: dict[SSAValue, None] = {}
    for op in nested_ops(block):
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
