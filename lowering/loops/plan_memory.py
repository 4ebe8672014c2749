"""Gives the buffers of a kernel's temporaries places in one scratch buffer, by their live ranges.

Before: `memref.alloc`s in the block of a kernel in loop form (Note [Kernel loop form] in lowering/kernel.py). After: they are
`memref.view`s of `%scratch`, a new argument, whose bytes `@sizes` computes.

Note [Live ranges]
A buffer is live from its first use to its last. Uses are told apart by the operation of the function's block in which they are and,
within a loop over the rows of a kernel, also by the operation of the loop's body: an iteration touches one row of each buffer only.
Two buffers that are not live at once share a place if they have equal sizes. Others must not: threads do different rows at a time,
so that one may still write rows of the first buffer while another writes rows of the second, and rows of one number must be at one
place in both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref, scf
from xdsl.dialects.builtin import FunctionType, IntegerAttr, ModuleOp, SymbolRefAttr, i8, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel import EntryOp, entry_of
from lowering.kernel import SIZES
from lowering.kernel_functions import loop_functions
from lowering.loops.buffers import RoundedBytes, byte_size, flat
from lowering.loops.derived_words import DerivedWords
from lowering.loops.index_builder import IndexBuilder
from lowering.shaped import element_type

Point = tuple[int, int]
"""A place in a function: the number of an operation in its block, and of one in the body of that, if that is a loop over rows."""


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """See the module's docstring."""

    name = "ts-plan-memory"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func in loop_functions(op, self.name):
            entry = entry_of(func)
            allocations = [one for one in func.body.block.ops if isinstance(one, memref.AllocOp)]
            if entry is not None and allocations:
                plan(op, func, entry, allocations)


@dataclass
class Slot:
    """A place for buffers of one size that are not live at once."""

    size: SSAValue
    bytes: int
    end: Point
    buffers: list[memref.AllocOp]


def plan(module: ModuleOp, func: FuncOp, entry: EntryOp, allocations: list[memref.AllocOp]) -> None:
    """Replace `allocations`, which stand in the block of `func`, by views of scratch memory."""
    block = func.body.block
    slots = slots_of(func, allocations)
    scratch = block.insert_arg(flat(i8), len(block.args) - 3)
    scratch.name_hint = "scratch"
    func.properties["function_type"] = FunctionType.from_lists(block.arg_types, [])
    builder = IndexBuilder(Block(), block.args[-3], [])
    rounded = RoundedBytes(builder)
    starts: dict[Operation, SSAValue] = {}
    end = builder.constant(0)
    numbers = {one: number for number, one in enumerate(allocations)}
    first = {id(slot): min(slot.buffers, key=numbers.__getitem__) for slot in slots}
    slots.sort(key=lambda slot: numbers[first[id(slot)]])
    for slot in slots:
        starts.update(dict.fromkeys(slot.buffers, end))
        _move(builder, first[id(slot)])
        if slot is not slots[-1]:
            end = builder.sum(end, rounded.of(slot.size, slot.bytes))
    for one in allocations:
        operands = [scratch, starts[one], *one.dynamic_sizes]
        view = memref.ViewOp.create(operands=operands, result_types=[one.memref.type])
        view.results[0].name_hint = one.memref.name_hint
        block.insert_op_before(view, one)
        one.memref.replace_all_uses_with(view.results[0])
        block.erase_op(one)
    words = DerivedWords(module, func, entry.number("words"))
    entry.properties["scratch"] = IntegerAttr(
        words.scratch([(slot.size, slot.bytes) for slot in slots], block.args[-3]), i64
    )
    words.finish()
    entry.properties["words"] = IntegerAttr(words.syms, i64)
    entry.properties["sizes"] = SymbolRefAttr(SIZES)


def slots_of(func: FuncOp, allocations: list[memref.AllocOp]) -> list[Slot]:
    """Which buffers share a place: Note [Live ranges]."""
    points = _points(func)
    slots: list[Slot] = []
    ranges = {one: _live_range(one, points) for one in allocations}
    for one in sorted(allocations, key=lambda one: ranges[one][0]):
        start, end = ranges[one]
        (size,) = one.dynamic_sizes
        width = byte_size(element_type(one.memref.type))
        fitting = (s for s in slots if s.size is size and s.bytes == width and s.end < start)
        slot = next(fitting, None)
        if slot is None:
            slots.append(Slot(size, width, end, [one]))
        else:
            slot.end = end
            slot.buffers.append(one)
    return slots


def _points(func: FuncOp) -> dict[Operation, Point]:
    """The operations by which uses are told apart."""
    block = func.body.block
    begin = block.args[-2]
    points: dict[Operation, Point] = {}
    for number, op in enumerate(block.ops):
        points[op] = (number, 0)
        if isinstance(op, scf.ParallelOp) and op.operands[0] is begin:
            points |= {inner: (number, place) for place, inner in enumerate(op.body.block.ops)}
    return points


def _live_range(allocation: memref.AllocOp, points: dict[Operation, Point]) -> tuple[Point, Point]:
    """The first and the last place where a buffer is used, also as part of another."""
    found: list[Point] = []
    pending: list[SSAValue] = [allocation.memref]
    while pending:
        for use in pending.pop().uses:
            found.append(_point(use.operation, points))
            if isinstance(use.operation, memref.ReinterpretCastOp):
                pending.append(use.operation.result)
    return min(found), max(found)


def _point(op: Operation, points: dict[Operation, Point]) -> Point:
    found: Operation | None = op
    while found is not None and found not in points:
        found = found.parent_op()
    assert found is not None
    return points[found]


def _move(builder: IndexBuilder, before: Operation) -> None:
    """Put what was computed since the last time before an operation."""
    block = before.parent
    assert block is not None
    ops: Iterable[Operation] = list(builder.block.ops)
    for op in ops:
        op.detach()
        block.insert_op_before(op, before)
