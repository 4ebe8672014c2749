"""Collapses the parallel loops of a kernel that is one nest of them, so that each thread gets one element.

Before and after: Note [Kernel launch form]. A loop over the range, in which nothing but one more parallel loop from 0 stands, index
arithmetic, and loads of what nobody writes, becomes one loop over the product of both, whose index is divided into those of the two. So
neighbouring threads have neighbouring elements of a row.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from lowering.dialects.kernel_launch import LaunchOp
from lowering.kernel_functions import input_kernels
from lowering.loops.index_builder import index_op
from lowering.loops.outline_kernel import constant_of


class CollapseLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-collapse-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, _ in input_kernels(op, self.name):
            for launch in [
                inner for inner in function.body.block.ops if isinstance(inner, LaunchOp)
            ]:
                while collapse(launch):
                    pass


def collapse(launch: LaunchOp) -> bool:
    """Make one loop of the two outermost ones; whether there are two."""
    begin, end = launch.body.block.args
    outer = only_loop(launch.body.block)
    if outer is None or tuple(outer.operands[:2]) != (begin, end) or not _is_by_one(outer):
        return False
    inner = only_loop(outer.body.block)
    if inner is None or constant_of(inner.operands[0]) != 0 or not _is_by_one(inner):
        return False
    size = inner.operands[1]
    if not stands_outside(size, launch):
        return False
    _merge(outer, inner, size)
    total = index_op(arith.MuliOp, launch.range, size)
    block = launch.parent
    assert block is not None
    block.insert_op_before(total, launch)
    launch.operands[0] = total.results[0]
    return True


def collapse_nest(loop: scf.ParallelOp, launch: LaunchOp) -> None:
    """Make one loop of a nest from 0 on, anywhere in a launch, whose sizes are known outside."""
    block = launch.parent
    assert block is not None
    inner = only_loop(loop.body.block)
    if inner is None or not all(_is_from_zero(one, launch) for one in (loop, inner)):
        return
    size = inner.operands[1]
    total = index_op(arith.MuliOp, loop.operands[1], size)
    block.insert_op_before(total, launch)
    _merge(loop, inner, size)
    loop.operands[1] = total.results[0]
    collapse_nest(loop, launch)


def _is_from_zero(loop: scf.ParallelOp, launch: LaunchOp) -> bool:
    """Whether a loop goes one by one from 0 to a number that is known outside."""
    return (
        _is_by_one(loop)
        and constant_of(loop.operands[0]) == 0
        and stands_outside(loop.operands[1], launch)
    )


def only_loop(block: Block) -> scf.ParallelOp | None:
    """The loop in a block that holds nothing else but what has no effects, and what loads from buffers that nothing is written to."""
    found: scf.ParallelOp | None = None
    written = {op.memref for op in block.walk() if isinstance(op, memref.StoreOp)}
    for op in block.ops:
        if isinstance(op, scf.ParallelOp):
            if found is not None or op.results:
                return None
            found = op
        elif isinstance(op, memref.LoadOp):
            if op.memref in written:
                return None
        elif not isinstance(op, scf.ReduceOp) and not is_side_effect_free(op):
            return None
    return found


def _is_by_one(loop: scf.ParallelOp) -> bool:
    return len(loop.operands) == 3 and constant_of(loop.operands[2]) == 1


def stands_outside(value: SSAValue, op: Operation) -> bool:
    """Whether a value that is there within an op is computed before that."""
    return not op.is_ancestor(value.owner)


def _merge(outer: scf.ParallelOp, inner: scf.ParallelOp, size: SSAValue) -> None:
    """Let the outer loop run over the elements of both."""
    block, body = outer.body.block, inner.body.block
    (index,) = block.args
    row = index_op(arith.DivUIOp, index, size)
    column = index_op(arith.RemUIOp, index, size)
    first = block.first_op
    assert first is not None
    index.replace_all_uses_with(row.results[0])
    for op in (row, column):
        op.operands[0] = index
        block.insert_op_before(op, first)
    body.args[0].replace_all_uses_with(column.results[0])
    moved: list[Operation] = [op for op in body.ops if not isinstance(op, scf.ReduceOp)]
    for op in moved:
        op.detach()
        block.insert_op_before(op, inner)
    block.erase_op(inner)
