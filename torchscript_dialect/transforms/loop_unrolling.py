"""Unrolls small `for` loops (PyTorch: passes/loop_unrolling.cpp).

A loop of a constant number of trips, fewer than 64, goes away for its trips. Any other becomes a loop of an eighth of the trips
with eight bodies, and a second loop for the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.core import INT
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

UNROLL_FACTOR = 8
MAX_BODY_SIZE = 32
MAX_BODY_REPEATS = 64


@dataclass(frozen=True)
class LoopUnrolling(FunctionPass):
    name = "ts-loop-unrolling"
    preserves = (AliasDb,)

    constant_only: bool = False
    """Leave loops alone whose number of trips is not known."""

    max_nodes: int = MAX_BODY_SIZE * MAX_BODY_REPEATS
    """The most nodes that a loop may become: what was unrolled is compiled as one kernel."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = self.visit(function.body.block)
        if changed:
            analyses.invalidate(function)
            eliminate_dead_code(function, analyses)
        dump(LOG, "After UnrollLoops: ", function)
        return changed

    def visit(self, block: Block) -> bool:
        changed = False
        for op in edit.body_ops(block):
            for inner in blocks_of(op):
                changed |= self.visit(inner)
            if not isinstance(op, prim.LoopOp) or len(op.regions) != 1 or not is_for_loop(op):
                continue
            trips = edit.constant_value(op.max_trip_count)
            if self.may_unroll(op.body.block, trips) and LIMIT.allows():
                LOG.update(f"Unrolling a loop of {trips if trips is not None else 'n'} trips")
                _unroll(op, trips)
                changed = True
        return changed

    def may_unroll(self, body: Block, trips: int | None) -> bool:
        """Whether the loop is small enough."""
        if trips is None and self.constant_only:
            return False
        size = _size(body, MAX_BODY_SIZE + 1)
        copies = UNROLL_FACTOR if trips is None or trips >= MAX_BODY_REPEATS else trips
        return size <= MAX_BODY_SIZE and size * copies <= self.max_nodes


def is_for_loop(op: prim.LoopOp) -> bool:
    """Whether only the number of trips ends the loop."""
    goes_on = edit.terminator(op.body.block).operands[0]
    return edit.constant_value(op.condition) is True and edit.constant_value(goes_on) is True


def _size(block: Block, limit: int) -> int:
    """The number of nodes of a block and of the blocks in it, counted up to a limit."""
    count = 0
    last = block.last_op
    for op in block.ops:
        if op is last:
            break
        count += 1
        for inner in blocks_of(op):
            count += _size(inner, limit - count)
        if count >= limit:
            return limit
    return count


def _unroll(op: prim.LoopOp, trips: int | None) -> None:
    body = op.body.block
    if body.args[0].first_use is not None:
        _carry_counter(op)
    if trips is not None and trips < MAX_BODY_REPEATS:
        values = _repeat(body, trips, op.operands[2:], op)
        for result, value in zip(op.results, values, strict=True):
            edit.replace_uses(result, value)
        edit.erase(op)
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
    rounds = _int_op("aten::__round_to_zero_floordiv.int", (count, factor), op)
    op.operands = [rounds, *op.operands[1:]]
    done = _int_op("aten::mul.int", (rounds, edit.insert_constant(op, UNROLL_FACTOR, INT)), op)
    rest.operands = [_int_op("aten::sub.int", (count, done), op), *rest.operands[1:]]


def _int_op(name: str, operands: tuple[SSAValue, ...], before: Operation) -> SSAValue:
    made = operator_class(name).create(operands=operands, result_types=[INT])
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
    following = _int_op("aten::add.int", (counter, one), last)
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
