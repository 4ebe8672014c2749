"""Gives the buffers of a kernel's temporaries places in one buffer, by their live ranges.

Before: `memref.alloc`s of a kernel in buffer form (Note [Kernel buffer form] in lowering/kernel.py), in its block or in a loop over
rows. After: they are `memref.view`s of one buffer of bytes, which is allocated first.

Note [Live ranges]
A buffer is live from the first operation that uses it, or a part of it, to the last. Two buffers that are not live at once share a
place if they have equal sizes. Others must not: threads do different rows at a time, so that one may still write rows of the first
buffer while another writes rows of the second, and rows of one number must be at one place in both.

Note [Scratch memory of a part]
What is allocated within a loop over rows is there for one row, and the rows of a part follow each other: every part needs it once. So
that parts can be told apart by where they begin, they begin at multiples of a number of rows for which there are 64 of them at most,
or as many as the option `parts` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel import SignatureOp
from lowering.dialects.kernel_launch import LaunchOp
from lowering.extents import Extent, Extents, product
from lowering.kernel_functions import Form, input_kernels
from lowering.loops.arguments import KernelArguments
from lowering.loops.flat import ALIGNMENT, byte_size, flat
from lowering.loops.index_builder import IndexBuilder, index_op
from lowering.loops.linalg_ops import VIEWS
from lowering.shaped import element_type, i32_array

PARTS = 64
"""So many parts with scratch memory of their own: several for each of the threads of most machines, and few enough rows."""


@dataclass(frozen=True)
class PlanMemoryPass(ModulePass):
    """See the module's docstring."""

    name = "ts-plan-memory"

    parts: int = PARTS
    """The most parts that have scratch memory of their own."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name, Form.BUFFERS):
            ops = list(func.body.block.ops)
            shared = [one for one in ops if _is_buffer(one)]
            launch = next((one for one in ops if isinstance(one, LaunchOp)), None)
            own = [] if launch is None else _of_rows(launch)
            if shared or own:
                Plan(func, signature, launch, self.parts).run(shared, own)


def _of_rows(launch: LaunchOp) -> list[memref.AllocOp]:
    """What is allocated for every row."""
    loops = [op for op in launch.body.block.ops if isinstance(op, scf.ForOp)]
    return [op for loop in loops for op in loop.body.block.ops if _is_buffer(op)]


def _is_buffer(op: Operation) -> TypeGuard[memref.AllocOp]:
    """Whether an op allocates a buffer, and not memory that a plan has cut into buffers already."""
    return isinstance(op, memref.AllocOp) and not any(
        isinstance(use.operation, memref.ViewOp) for use in op.memref.uses
    )


@dataclass
class Slot:
    """A place for buffers of one size that are not live at once."""

    count: Extent
    width: int
    end: int
    buffers: list[memref.AllocOp]


class Plan:
    """The plan of one kernel."""

    def __init__(
        self, func: FuncOp, signature: SignatureOp, launch: LaunchOp | None, parts: int
    ) -> None:
        self.most = parts
        self.func = func
        self.block = func.body.block
        self.launch = launch
        self.extents = Extents(func, signature)
        self.arguments = KernelArguments(self.block, signature)
        self.builder = IndexBuilder(Block(), self.arguments.index, self.extents.values)
        self.rounded: dict[tuple[Extent, int], SSAValue] = {}

    def run(self, shared: list[memref.AllocOp], own: list[memref.AllocOp]) -> None:
        """Replaces the allocations."""
        points = _points(self.block)
        starts: dict[memref.AllocOp, SSAValue] = {}
        end = self._lay_out(self.slots_of(shared, points), starts)
        if own:
            assert self.launch is not None
            end = self._own(self.launch, self.slots_of(own, points), end, starts)
        assert end is not None
        scratch = memref.AllocOp.create(
            operands=[end],
            result_types=[flat(i8)],
            properties={"operandSegmentSizes": i32_array((1, 0))},
        )
        scratch.memref.name_hint = "scratch"
        self.builder.add(scratch)
        first = self.block.first_op
        assert first is not None
        for op in list(self.builder.block.ops):
            op.detach()
            self.block.insert_op_before(op, first)
        for one in (*shared, *own):
            operands = [scratch.memref, starts[one], *one.dynamic_sizes]
            view = memref.ViewOp.create(operands=operands, result_types=[one.memref.type])
            view.result.name_hint = one.memref.name_hint
            block = one.parent
            assert block is not None
            block.insert_op_before(view, one)
            one.memref.replace_all_uses_with(view.result)
            block.erase_op(one)
        self.arguments.finish(self.func)

    def slots_of(
        self, allocations: Sequence[memref.AllocOp], points: dict[Operation, int]
    ) -> list[Slot]:
        """Which buffers share a place: Note [Live ranges]. In the order of the first of each."""
        slots: list[Slot] = []
        ranges = {one: _live_range(one, points) for one in allocations}
        for one in sorted(allocations, key=lambda one: ranges[one][0]):
            start, end = ranges[one]
            count = product(self.extents.dims(one.memref))
            width = byte_size(element_type(one.memref.type))
            fitting = (s for s in slots if s.count == count and s.width == width and s.end < start)
            slot = next(fitting, None)
            if slot is None:
                slots.append(Slot(count, width, end, [one]))
            else:
                slot.end = end
                slot.buffers.append(one)
        return slots

    def _lay_out(
        self, slots: list[Slot], starts: dict[memref.AllocOp, SSAValue]
    ) -> SSAValue | None:
        """Put slots one after the other; gives the end."""
        end: SSAValue | None = None
        for slot in slots:
            start = self.builder.constant(0) if end is None else end
            starts.update(dict.fromkeys(slot.buffers, start))
            end = self.builder.sum(end, self._bytes(slot))
        return end

    def _own(
        self,
        launch: LaunchOp,
        slots: list[Slot],
        begin: SSAValue | None,
        starts: dict[memref.AllocOp, SSAValue],
    ) -> SSAValue:
        """Give every part its slots, those of all parts from `begin` on: Note [Scratch memory of a part]; gives the end."""
        builder = self.builder
        one = builder.constant(1)
        rows = builder.extent(self.extents.index(launch.range))
        most = builder.constant(self.most)
        step = builder.add(index_op(arith.MaxSIOp, self._quotient(rows, most), one))
        relative: dict[memref.AllocOp, SSAValue] = {}
        size = self._lay_out(slots, relative)
        assert size is not None
        parts = self._quotient(rows, step)
        end = builder.sum(begin, builder.add(index_op(arith.MuliOp, parts, size)))
        launch.operands = [launch.range, step, *launch.operands[2:]]
        inside = IndexBuilder(Block(), self.arguments.index, [])
        part = inside.add(index_op(arith.DivUIOp, launch.body.block.args[0], step))
        base = inside.sum(begin, inside.add(index_op(arith.MuliOp, part, size)))
        sums = {relative[slots[0].buffers[0]]: base}
        for alloc, offset in relative.items():
            if offset not in sums:
                sums[offset] = inside.sum(base, offset)
            starts[alloc] = sums[offset]
        first = launch.body.block.first_op
        assert first is not None
        for op in list(inside.block.ops):
            op.detach()
            launch.body.block.insert_op_before(op, first)
        return end

    def _quotient(self, count: SSAValue, by: SSAValue) -> SSAValue:
        """How often `by` goes into `count`, rounded up."""
        less = self.builder.add(index_op(arith.SubiOp, by, self.builder.constant(1)))
        return self.builder.add(index_op(arith.DivUIOp, self.builder.sum(count, less), by))

    def _bytes(self, slot: Slot) -> SSAValue:
        """The bytes of a slot, rounded up to the alignment."""
        key = slot.count, slot.width
        if key not in self.rounded:
            builder = self.builder
            if not slot.count.atoms:
                size = slot.count.factor * slot.width
                return builder.constant(-(-size // ALIGNMENT) * ALIGNMENT)
            count = builder.extent(slot.count)
            raw = builder.add(index_op(arith.MuliOp, count, builder.constant(slot.width)))
            raised = builder.sum(raw, builder.constant(ALIGNMENT - 1))
            self.rounded[key] = builder.add(
                index_op(arith.AndIOp, raised, builder.constant(-ALIGNMENT))
            )
        return self.rounded[key]


def _points(block: Block) -> dict[Operation, int]:
    """The operations of a kernel by number, those within others after these."""
    return {op: number for number, op in enumerate(op for one in block.ops for op in one.walk())}


def _live_range(allocation: memref.AllocOp, points: dict[Operation, int]) -> tuple[int, int]:
    """The first and the last operation that uses a buffer, also as part of another."""
    found: list[int] = []
    pending: list[SSAValue] = [allocation.memref]
    while pending:
        for use in pending.pop().uses:
            found.append(points[use.operation])
            if isinstance(use.operation, VIEWS):
                pending.append(use.operation.results[0])
    return min(found), max(found)
