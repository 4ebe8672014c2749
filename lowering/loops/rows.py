"""Finds kernels of several loop nests that can be run by rows, in chunks that need no barrier.

That is so where dimension 0 of all tensors that a kernel computes has one size, and element i of
it depends, of those tensors, on elements i only: an LSTM cell over a batch, a layer and what
follows it. Every nest then has that dimension as its outermost loop, and neighbours become one loop: what one
computes of a row, the next finds in the caches.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref, scf, tensor
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from lowering.extents import ONE, ZERO, Extent, Extents, groups_of, kept_axes
from lowering.loops.buffers import is_view
from lowering.shaped import is_tensor


def common_rows(
    operations: Sequence[Operation], results: Sequence[SSAValue], extents: Extents
) -> Extent | None:
    """The size of the rows by which the tensor `operations` of a kernel can be run, or None."""
    if not results or not is_tensor(results[0].type) or not extents.dims(results[0]):
        return None
    rows = extents.dims(results[0])[0]
    if rows == ONE or min(rows.atoms, default=0) < 0:
        return None
    computed: set[SSAValue] = set()
    for op in operations:
        if isinstance(op, tensor.EmptyOp):
            continue
        reads = [value for value in op.operands if value in computed]
        if is_view(op) and not reads:
            continue
        if not _keeps_rows(op, reads, rows, extents):
            return None
        for result in op.results:
            if extents.dims(result)[:1] != (rows,):
                return None
            computed.add(result)
    return rows if all(result in computed for result in results) else None


def row_loop(maps: Sequence[AffineMap]) -> int | None:
    """The loop that walks dimension 0 of every result that `maps` describe, or None."""
    found = {map_.results[0] if map_.results else None for map_ in maps}
    only = found.pop()
    return only.position if not found and isinstance(only, AffineDimExpr) else None


def join_row_loops(block: Block, begin: SSAValue, end: SSAValue) -> None:
    """Make one loop of neighbouring ones that run from `begin` to `end`, with nothing but index arithmetic between them."""
    last: scf.ParallelOp | None = None
    for op in list(block.ops):
        if isinstance(op, scf.ParallelOp):
            is_row_loop = op.operands[0] is begin and op.operands[1] is end
            if is_row_loop and last is not None:
                _prepend(last, op)
            last = op if is_row_loop else None
        elif not op.name.startswith("arith.") and not isinstance(
            op, memref.LoadOp | memref.AllocOp
        ):
            last = None


def _prepend(first: scf.ParallelOp, second: scf.ParallelOp) -> None:
    """Let an iteration of `second` begin with what one of `first` does."""
    body, target = first.body.block, second.body.block
    body.args[0].replace_all_uses_with(target.args[0])
    goal = target.first_op
    assert goal is not None
    for op in list(body.ops):
        op.detach()
        if not isinstance(op, scf.ReduceOp):
            target.insert_op_before(op, goal)
    first.detach()
    first.erase()


def _keeps_rows(op: Operation, reads: Sequence[SSAValue], rows: Extent, extents: Extents) -> bool:
    """Whether rows of the results of `op` depend on the same rows of `reads`."""
    if isinstance(op, linalg.FillOp | tensor.CastOp):
        return True
    if isinstance(op, linalg.TransposeOp):
        return op.permutation.get_values()[0] == 0
    if isinstance(op, tensor.CollapseShapeOp | tensor.ExpandShapeOp):
        return groups_of(op)[:1] == [(0,)]
    if isinstance(op, tensor.ExtractSliceOp):
        return _slices_whole_rows(op, op.result, rows, extents)
    if isinstance(op, tensor.InsertSliceOp):
        return _slices_whole_rows(op, op.source, rows, extents)
    if not isinstance(op, linalg.GenericOp | linalg.MatmulOp):
        return False
    maps = [attr.data for attr in op.indexing_maps.data]
    loop = row_loop(maps[len(op.inputs) :])
    if loop is None:
        return False
    kinds = op.iterator_types.data if isinstance(op, linalg.GenericOp) else ()
    if kinds and kinds[loop].data is not IteratorType.PARALLEL:
        return False
    return all(
        row_loop([map_]) == loop
        for value, map_ in zip(op.inputs, maps, strict=False)
        if value in reads
    )


def _slices_whole_rows(
    op: tensor.ExtractSliceOp | tensor.InsertSliceOp, part: SSAValue, rows: Extent, extents: Extents
) -> bool:
    offsets = extents.dynamic_list(op.static_offsets, op.offsets)
    sizes = extents.dynamic_list(op.static_sizes, op.sizes)
    steps = extents.dynamic_list(op.static_strides, op.strides)
    if (offsets[0], sizes[0], steps[0]) != (ZERO, rows, ONE):
        return False
    return kept_axes(sizes, part.type)[:1] == [0]
