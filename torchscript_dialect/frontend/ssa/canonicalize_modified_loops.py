"""Loops with both a trip count and a condition become while loops that count by themselves.

Exporters and the interpreter then meet only `for` and `while`. Follows torch/csrc/jit/frontend/canonicalize_modified_loop.cpp.
"""

from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.prim import ConstantOp, LoopOp
from torchscript_dialect.ir.edit import (
    add_argument,
    add_output,
    append_operand,
    append_result,
    constant_value,
    move_before,
    outputs,
    replace_uses,
    set_name,
    set_outputs,
    terminator,
)
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_patterns
from torchscript_dialect.types.core import BOOL, INT, TorchScriptType

_MAX = 2**63 - 1


def canonicalize_modified_loops(block: Block) -> None:
    """Rewrite all loops in a block that have both a trip count and a condition."""
    apply_patterns(block, COUNT_TRIPS)


class CountTripsInLoop(RewritePattern):
    """`prim::Loop(%n, %c)` -> `prim::Loop(9223372036854775807, %c and %n > 0)`, which carries the number of the trip"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoopOp, rewriter: PatternRewriter, /) -> None:
        if _is_modified(op):
            _canonicalize(op)
            rewriter.notify_op_modified(op)


COUNT_TRIPS = FrozenPatternSet([CountTripsInLoop()])


def _is_modified(op: LoopOp) -> bool:
    body = op.body.block
    if constant_value(op.condition) is True and constant_value(outputs(body)[0]) is True:
        return False
    trip_count = constant_value(op.max_trip_count)
    return trip_count != _MAX or body.args[0].first_use is not None


def _insert(
    before: Operation,
    class_: type[Operation],
    operands: list[SSAValue],
    type_: TorchScriptType,
) -> SSAValue:
    op = class_.create(operands=operands, result_types=(type_,))
    move_before(op, before)
    return op.results[0]


def _constant(before: Operation, value: int) -> SSAValue:
    op = ConstantOp.of(value, INT)
    move_before(op, before)
    return op.results[0]


def _canonicalize(op: LoopOp) -> None:
    conjunction = aten.__And__BoolOp  # pyright: ignore[reportPrivateUsage]
    zero, one = _constant(op, 0), _constant(op, 1)
    trip_count = op.max_trip_count
    condition = _insert(op, aten.GtIntOp, [trip_count, zero], BOOL)
    op.operands[0] = _constant(op, _MAX)
    if constant_value(op.condition) is not True:
        condition = _insert(op, conjunction, [condition, op.condition], BOOL)
    op.operands[1] = condition
    body = op.body.block
    append_result(op, INT)
    append_operand(op, zero)
    counter = add_argument(body, INT)
    set_name(body.args[0], None)
    replace_uses(body.args[0], counter)
    last = terminator(body)
    following = _insert(last, aten.AddIntOp, [counter, one], INT)
    add_output(body, following)
    below = _insert(last, aten.LtIntOp, [following, trip_count], BOOL)
    go_on, *carried = outputs(body)
    both = _insert(last, conjunction, [below, go_on], BOOL)
    set_outputs(body, (both, *carried))
