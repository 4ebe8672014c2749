"""Lets a kernel do all that it computes of a row before the next row, and rows in parts that need no barrier.

Before: Note [Kernel buffer form]. That can be done where dimension 0 of all buffers that a kernel writes has one size, and element i
of them depends, of those buffers, on elements i only: an LSTM cell over a batch, a softmax and what stands around it. After: there is
a `kernel.launch` over rows. Products do all rows of a part at once. What lies between products is a loop over rows of operations on
one row each, if anything of it reduces; otherwise every operation has a loop of its own. A buffer that is used in one such loop only
is allocated in it, for one row; in a kernel with products, whose results are as large, buffers stay whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from xdsl.context import Context
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.passes import ModulePass

from lowering.cost import ROW_GRAIN
from lowering.dialects.kernel import SignatureOp
from lowering.dialects.kernel_launch import LaunchOp
from lowering.extents import (
    ONE,
    ZERO,
    Extent,
    Extents,
    contiguous_strides,
    kept_axes,
    shape_of,
    units_of,
)
from lowering.kernel_functions import input_kernels
from lowering.loops.arguments import KernelArguments
from lowering.loops.index_builder import INDEX, IndexBuilder, index_op
from lowering.loops.linalg_ops import (
    VIEWS,
    LinalgOp,
    is_any_product,
    is_convolution,
    is_product,
    kinds_of,
    maps_of,
    reduces,
    root,
    units,
    window_loops,
)
from lowering.loops.nest import ONE_DIMENSION
from lowering.loops.views import allocated, reinterpreted, sliced
from lowering.shaped import element_type, is_memref

Parts = dict[tuple[SSAValue, tuple[int, ...]], SSAValue]
"""Rows of buffers, by the buffer and the dimensions that are rows."""


@dataclass(frozen=True)
class TileRowsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-tile-rows"

    products: bool = True
    """Whether kernels with products are tiled."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name):
            ops = func.body.block.ops
            if self.products or not any(map(is_any_product, ops)):
                tile(func, signature)


def tile(func: FuncOp, signature: SignatureOp) -> None:
    """Tiles one kernel, if that can be done and gains anything."""
    block = func.body.block
    work = units(block.ops)
    if not work or (
        len(work) == 1 and not (is_product(work[0][-1]) or is_convolution(work[0][-1]))
    ):
        return
    extents = Extents(func, signature)
    arguments = KernelArguments(block, signature)
    rows = common_rows([op for unit in work for op in unit], arguments.results, extents)
    if rows is not None:
        Tiling(func, arguments, extents, rows, work).run()


class Tiling:
    """The tiling of a kernel by its `rows`."""

    def __init__(
        self,
        func: FuncOp,
        arguments: KernelArguments,
        extents: Extents,
        rows: Extent,
        work: list[list[LinalgOp]],
    ) -> None:
        self.func = func
        self.arguments = arguments
        self.extents = extents
        self.rows = rows
        self.work = work
        self.has_product = any(is_product(unit[-1]) for unit in work)
        self.top = IndexBuilder(Block(), arguments.index, extents.values)
        self.body = Block(arg_types=[INDEX, INDEX])
        self.begin, self.end = self.body.args
        self.begin.name_hint, self.end.name_hint = "begin", "end"
        self.one = self.top.constant(1)
        self.count: SSAValue | None = None

    def run(self) -> None:
        """Moves all operations into a launch."""
        for ops in self._loops():
            if is_product(ops[-1]):
                self._whole_part(ops)
            else:
                self._by_rows(ops)
        block = self.func.body.block
        range_ = self.top.extent(self.rows)
        step = self.top.constant(ROW_GRAIN) if self.has_product else self.one
        terminator = block.last_op
        assert terminator is not None
        for op in list(self.top.block.ops):
            op.detach()
            block.insert_op_before(op, terminator)
        block.insert_op_before(LaunchOp.of(self.body, range_, step), terminator)
        self.arguments.finish(self.func)
        for op in reversed(list(block.ops)):
            if isinstance(op, (memref.AllocOp, *VIEWS)) and not op.results[0].uses:
                block.erase_op(op)

    def _loops(self) -> list[list[LinalgOp]]:
        """The operations that stand in one loop, or are a product and the fill before it."""
        found: list[list[LinalgOp]] = []
        for has_products, run in groupby(self.work, lambda unit: is_product(unit[-1])):
            parts = list(run)
            if not has_products and any(reduces(unit[-1]) for unit in parts):
                parts = [[op for unit in parts for op in unit]]
            found += parts
        return found

    def _whole_part(self, ops: list[LinalgOp]) -> None:
        """All rows of a part at once."""
        if self.count is None:
            count = index_op(arith.SubiOp, self.end, self.begin)
            self.body.add_op(count)
            self.count = count.results[0]
        first, count = self.extents.index(self.begin), self.extents.index(self.count)
        parts: Parts = {}
        for op in ops:
            self._move(op, self.body, parts, first, count)

    def _by_rows(self, ops: list[LinalgOp]) -> None:
        """One row after the other."""
        row = Block(arg_types=[INDEX])
        is_ordered = any(map(reduces, ops))
        parts: Parts = {}
        if is_ordered and not self.has_product:
            self._allocate_rows(ops, row, parts)
        first = self.extents.index(row.args[0])
        for op in ops:
            self._index_row(op, row.args[0])
            self._move(op, row, parts, first, ONE)
        row.add_op(scf.YieldOp.create() if is_ordered else scf.ReduceOp.create())
        kind = scf.ForOp if is_ordered else scf.ParallelOp
        loop = kind.create(
            operands=[self.begin, self.end, self.one],
            properties={} if is_ordered else ONE_DIMENSION,
            regions=[Region(row)],
        )
        self.body.add_op(loop)

    def _allocate_rows(self, ops: list[LinalgOp], row: Block, parts: Parts) -> None:
        """Give what only `ops` use of buffers a row in the loop."""
        inside = set[Operation](ops)
        for alloc in self.func.body.block.ops:
            if not isinstance(alloc, memref.AllocOp):
                continue
            views = _views_within(alloc.memref, inside)
            if not views:
                continue
            dims = (ONE, *self.extents.dims(alloc.memref)[1:])
            own = allocated(dims, element_type(alloc.memref.type), self.top)
            row.add_op(own)
            parts[alloc.memref, (0,)] = own.memref
            for view in views[1:]:
                parts[view, (0,)] = self._part_of_view(view.owner, row, parts)

    def _part_of_view(self, view: object, row: Block, parts: Parts) -> SSAValue:
        if isinstance(view, memref.CastOp):
            return parts[view.source, (0,)]
        if isinstance(view, memref.ReinterpretCastOp):
            strides = self.extents.dynamic_list(view.static_strides, view.strides)
            dims = (ONE, *self.extents.dims(view.result)[1:])
            cast = reinterpreted(parts[view.source, (0,)], None, dims, strides, self.top)
            row.add_op(cast)
            return cast.result
        assert isinstance(view, memref.SubviewOp)
        offsets, sizes, steps = self.extents.slice_of(view)
        shape = (1, *shape_of(view.result.type)[1:])
        op = sliced(parts[view.source, (0,)], offsets, (ONE, *sizes[1:]), steps, shape, self.top)
        row.add_op(op)
        return op.result

    def _index_row(self, op: LinalgOp, row: SSAValue) -> None:
        """Let the number of the row that `op` looks at be that of the loop."""
        loop = row_loop(maps_of(op)[len(op.inputs) :])
        for inner in list(op.body.block.ops):
            if isinstance(inner, linalg.IndexOp) and inner.dim.value.data == loop:
                inner.result.replace_all_uses_with(row)
                inner.detach()
                inner.erase()

    def _move(
        self,
        op: LinalgOp,
        block: Block,
        parts: Parts,
        first: Extent,
        count: Extent,
    ) -> None:
        """Move an operation to the end of `block`; it gets `count` rows from `first` on."""
        maps = maps_of(op)
        loop = row_loop(maps[len(op.inputs) :])
        operands: list[SSAValue] = []
        for value, map_ in zip(op.operands, maps, strict=True):
            axes = _row_axes(map_, loop)
            if axes and (value, axes) not in parts:
                dims = self.extents.dims(value)
                offsets = tuple(first if axis in axes else ZERO for axis in range(len(dims)))
                sizes = tuple(count if axis in axes else size for axis, size in enumerate(dims))
                steps = (ONE,) * len(dims)
                shape = (DYNAMIC_INDEX,) * len(dims)
                part = sliced(value, offsets, sizes, steps, shape, self.top)
                block.add_op(part)
                parts[value, axes] = part.result
            operands.append(parts[value, axes] if axes else value)
        op.detach()
        op.operands = operands
        block.add_op(op)


def common_rows(
    ops: Sequence[LinalgOp], results: Sequence[SSAValue], extents: Extents
) -> Extent | None:
    """The size of the rows by which the operations of a kernel can be run, or None."""
    if not results or not extents.dims(results[0]):
        return None
    rows = extents.dims(results[0])[0]
    if rows == ONE or min(rows.atoms, default=0) < 0:
        return None
    written: set[SSAValue] = set()
    for op in ops:
        maps = maps_of(op)
        loop = row_loop(maps[len(op.inputs) :])
        if loop is None or kinds_of(op)[loop] is not IteratorType.PARALLEL:
            return None
        if is_convolution(op) and loop not in window_loops(op):
            return None  # each row would gather the same windows
        for place, (value, map_) in enumerate(zip(op.operands, maps, strict=True)):
            is_read = place < len(op.inputs)
            if is_read and (not is_memref(value.type) or root(value) not in written):
                continue
            if _row_axes(map_, loop) != (0,) or not _has_whole_rows(value, rows, extents):
                return None
        written.update(root(value) for value in op.outputs)
    return rows if written.issuperset(results) else None


def row_loop(maps: Sequence[AffineMap]) -> int | None:
    """The loop that walks dimension 0 of every operand that `maps` describe, or None."""
    found = {map_.results[0] if map_.results else None for map_ in maps}
    only = found.pop()
    return only.position if not found and isinstance(only, AffineDimExpr) else None


def _has_whole_rows(value: SSAValue, rows: Extent, extents: Extents) -> bool:
    """Whether element i of `value` is of row i of the buffer that it is a view of."""
    if extents.dims(value)[:1] != (rows,):
        return False
    owner = value.owner
    if isinstance(owner, memref.SubviewOp):
        offsets, sizes, steps = extents.slice_of(owner)
        if (offsets[0], sizes[0], steps[0]) != (ZERO, rows, ONE):
            return False
        if kept_axes(units_of(sizes), shape_of(owner.result.type))[:1] != (0,):
            return False
    if isinstance(owner, memref.ReinterpretCastOp):
        strides = extents.dynamic_list(owner.static_strides, owner.strides)
        whole = extents.dims(owner.source)
        starts = extents.dynamic_list(owner.static_offsets, owner.offsets)
        if isinstance(owner.source.owner, VIEWS) or starts != (ZERO,):
            return False
        return whole[:1] == (rows,) and strides[0] == contiguous_strides(whole)[0]
    return not isinstance(owner, VIEWS) or _has_whole_rows(owner.source, rows, extents)


def _views_within(buffer: SSAValue, inside: set[Operation]) -> list[SSAValue]:
    """A buffer and all views of it, if none but the operations `inside` use them; else nothing."""
    found = [buffer]
    for value in found:
        for use in value.uses:
            op = use.operation
            if isinstance(op, VIEWS):
                found.append(op.results[0])
            elif op not in inside:
                return []
    return found


def _row_axes(map_: AffineMap, loop: int | None) -> tuple[int, ...]:
    """The dimensions of an operand that the loop over rows walks."""
    return tuple(
        axis
        for axis, expr in enumerate(map_.results)
        if isinstance(expr, AffineDimExpr) and expr.position == loop
    )
