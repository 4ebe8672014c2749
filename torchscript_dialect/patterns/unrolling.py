"""Loops that go away for their trips (PyTorch: passes/loop_unrolling.cpp)."""

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.values import forward
from torchscript_dialect.types.core import INT

UNROLL_FACTOR = 8
MAX_BODY_SIZE = 32
MAX_BODY_REPEATS = 64

RoundToZeroFloordivOp = aten.__RoundToZeroFloordivIntOp  # pyright: ignore[reportPrivateUsage]


class UnrollLoop(RewritePattern):
    """`%r = prim::Loop(2, True, %x)` with `%b = aten::neg(%a)` -> `aten::neg(aten::neg(%x))`

    A loop of a constant number of trips, fewer than 64, goes away for its trips. Any other becomes a loop of an eighth of the
    trips with eight bodies, and a second loop for the rest. Such loops match again: apply the pattern to each loop once.
    """

    def __init__(self, constant_only: bool, max_nodes: int) -> None:
        self.constant_only = constant_only
        """Leave loops alone whose number of trips is not known."""
        self.max_nodes = max_nodes
        """The most nodes that a loop may become."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.LoopOp, rewriter: PatternRewriter, /) -> None:
        if len(op.regions) != 1 or not is_for_loop(op):
            return
        trips = edit.constant_value(op.max_trip_count)
        if trips is None and self.constant_only:
            return
        size = _size(op.body.block, MAX_BODY_SIZE + 1)
        copies = UNROLL_FACTOR if trips is None or trips >= MAX_BODY_REPEATS else trips
        if size <= MAX_BODY_SIZE and size * copies <= self.max_nodes:
            _unroll(op, trips, rewriter)


def is_for_loop(op: prim.LoopOp) -> bool:
    """Whether only the number of trips ends the loop."""
    goes_on = edit.terminator(op.body.block).operands[0]
    return edit.constant_value(op.condition) is True and edit.constant_value(goes_on) is True


def _size(block: Block, limit: int) -> int:
    """The number of nodes of a block and of the blocks in it, without constants, counted up to a limit."""
    count = 0
    last = block.last_op
    for op in block.ops:
        if op is last:
            break
        count += not isinstance(op, prim.ConstantOp)
        for inner in blocks_of(op):
            count += _size(inner, limit - count)
        if count >= limit:
            return limit
    return count


def _unroll(op: prim.LoopOp, trips: int | None, rewriter: PatternRewriter) -> None:
    body = op.body.block
    if body.args[0].first_use is not None:
        _carry_counter(op)
    if trips is not None and trips < MAX_BODY_REPEATS:
        forward(rewriter, op, *_repeat(body, trips, op.operands[2:], op))
        return
    rest = edit.clone(op, {})
    assert op.parent is not None
    op.parent.insert_op_after(rest, op)
    for result, last in zip(op.results, rest.results, strict=True):
        edit.replace_uses(result, last)
    rest.operands = [*rest.operands[:2], *op.results]
    _repeat_in_place(body, UNROLL_FACTOR)
    count = op.max_trip_count
    factor = edit.insert_constant(op, UNROLL_FACTOR, INT)
    rounds = _int_op(RoundToZeroFloordivOp, (count, factor), op)
    op.operands = [rounds, *op.operands[1:]]
    done = _int_op(aten.MulIntOp, (rounds, edit.insert_constant(op, UNROLL_FACTOR, INT)), op)
    rest.operands = [_int_op(aten.SubIntOp, (count, done), op), *rest.operands[1:]]
    rewriter.notify_op_modified(op)


def _int_op(class_: type[Operation], operands: tuple[SSAValue, ...], before: Operation) -> SSAValue:
    made = class_.create(operands=operands, result_types=[INT])
    edit.insert_before(before, made)
    return made.results[0]


def _carry_counter(op: prim.LoopOp) -> None:
    """Count the trips in a carried value: bodies that follow each other can share it."""
    body = op.body.block
    zero = edit.insert_constant(op, 0, INT)
    edit.insert_results(op, 0, [INT])
    op.operands = [*op.operands[:2], zero, *op.operands[2:]]
    counter = body.insert_arg(INT, 1)
    edit.replace_uses(body.args[0], counter)
    last = edit.terminator(body)
    one = edit.insert_constant(last, 1, INT)
    following = _int_op(aten.AddIntOp, (counter, one), last)
    last.operands = [last.operands[0], following, *last.operands[1:]]


def _repeat(
    body: Block, times: int, carried: Sequence[SSAValue], before: Operation
) -> list[SSAValue]:
    """Put copies of the body one after the other in front of a node; what the last one carries on."""
    last = edit.terminator(body)
    nodes = [op for op in body.ops if op is not last]
    current = list(carried)
    for _ in range(times):
        values: dict[SSAValue, SSAValue] = dict(zip(body.args[1:], current, strict=True))
        edit.clone_nodes(nodes, values, lambda copy: edit.insert_before(before, copy))
        current = [values.get(value, value) for value in last.operands[1:]]
    return current


def _repeat_in_place(body: Block, times: int) -> None:
    """Make the body do `times` trips; the condition to go on stays the constant that it is."""
    last = edit.terminator(body)
    template = edit.clone_block(body)
    template_last = edit.terminator(template)
    nodes = [op for op in template.ops if op is not template_last]
    current = list(last.operands[1:])
    for _ in range(times - 1):
        values: dict[SSAValue, SSAValue] = dict(zip(template.args[1:], current, strict=True))
        edit.clone_nodes(nodes, values, lambda copy: edit.insert_before(last, copy))
        current = [values.get(value, value) for value in template_last.operands[1:]]
    last.operands = [last.operands[0], *current]
    template.erase(safe_erase=False)
