"""Computes products of matrices by tiles, which the threads of a block share.

Before: Note [Kernel launch form], in which a kernel that holds a product, perhaps for each matrix of a batch, does nothing else but
what is computed of an element of the result and of others at its place. After: the range of the launch is the tiles. For a tile, the
threads of a block go along K: they bring a piece of both factors into shared memory, wait, and each adds up a few elements of the
result, in registers. Then these go through shared memory, too, so that neighbouring threads get neighbouring elements, and compute
what follows.

What lies beyond the factors is 0 in shared memory, so sizes need be multiples of nothing. A result that only what follows reads is
never stored.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, gpu, math, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i1,
)
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.dialects.kernel_launch import LaunchOp
from lowering.gpu.expand_all_reduce import SHARED
from lowering.gpu.polynomials import Polynomials, derived_sizes
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.kernel_functions import input_kernels
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.loops.index_builder import index_op
from lowering.loops.product import Matrix

TILE = 64
"""Rows and columns of a tile."""
DEPTH = 16
"""How much of K is in shared memory at a time."""
SIDE = 16
"""Threads along the rows and the columns of a tile."""
THREADS = SIDE * SIDE
EACH = TILE // SIDE
"""Rows and columns that a thread adds up, `SIDE` from each other."""
PITCH = TILE + 1
"""Elements from one place along K to the next: odd, so that threads which write along K do not wait for each other."""
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


@dataclass(frozen=True)
class TileProductsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-tile-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, signature in input_kernels(op, self.name):
            known = Polynomials(derived_sizes(op, function, signature))
            for launch in [one for one in function.body.block.ops if isinstance(one, LaunchOp)]:
                if any(isinstance(inner, linalg.MatmulOp) for inner in launch.walk()):
                    _Tiling(op, launch, known).run()


class _Tiling:
    """The tiling of one launch, in place; LoweringError where it does something else than a product and what follows."""

    def __init__(self, module: ModuleOp, launch: LaunchOp, polynomial: Polynomials) -> None:
        self.module = module
        self.launch = launch
        self.found = ProductLaunch.of(launch, polynomial)

    def run(self) -> None:
        """Put loops over tiles in the place of what the launch holds."""
        launch, found = self.launch, self.found
        block, inside = launch.parent, launch.body.block
        assert block is not None and inside.first_op is not None
        old = list(inside.ops)
        outside = Code(block, launch)
        tiles = [self._tiles(outside, outside.value(size)) for size in found.c.sizes]
        total = outside.times(*tiles)
        if found.batch is not None:
            total = outside.times(found.batch[1], total)
        code = Code(inside, inside.first_op)
        begin, end = inside.args
        with code.loop(begin, end, 1) as loop:
            self._tile(code, loop.variable, tiles)
        for op in reversed(old):
            inside.erase_op(op, safe_erase=False)
        launch.operands = [total, outside.constant(1), *launch.operands[2:]]
        for op in reversed(list(block.ops)):
            if isinstance(op, memref.ViewOp | memref.AllocOp) and not op.results[0].uses:
                block.erase_op(op)

    def _tiles(self, code: Code, size: SSAValue) -> SSAValue:
        above = code.plus(size, TILE - 1)
        return code.add(index_op(arith.DivUIOp, above, code.constant(TILE)))

    def _tile(self, code: Code, tile: SSAValue, tiles: list[SSAValue]) -> None:
        matrix: list[SSAValue] = []
        down, across = code.divided(tile, tiles[1])
        if self.found.batch is not None:
            batch, down = code.divided(down, tiles[0])
            matrix.append(batch)
        size = code.constant(TILE)
        top, left = code.times(down, size), code.times(across, size)
        a, b, c = self.found.matrices(code, matrix)
        shared = self._shared(code, c.element_type)
        thread = code.add(gpu.ThreadIdOp(X))
        place = code.divided(thread, code.constant(SIDE))
        sums = _Sums(code, shared, thread, place, c.element_type).of(a, b, top, left)
        for number, value in enumerate(sums):
            i, j = (SIDE * n for n in divmod(number, EACH))
            row = code.times(code.plus(place[0], i), size)
            code.put(value, shared, code.plus(row, code.plus(place[1], j)))
        code.insert(gpu.BarrierOp())
        with code.loop(thread, code.constant(TILE * TILE), THREADS) as loop:
            down, across = code.divided(loop.variable, size)
            row, column = code.plus(top, down), code.plus(left, across)
            parts = [code.less(row, c.sizes[0]), code.less(column, c.sizes[1])]
            with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
                value = code.element(shared, loop.variable)
                self.found.write(code, [*matrix, row, column], value)
        code.insert(gpu.BarrierOp())

    def _shared(self, code: Code, element: Attribute) -> SSAValue:
        """Memory for a piece of both factors, and then for the result."""
        name = f"tile_{element}"
        type_ = MemRefType(element, [max(TILE * TILE, 2 * DEPTH * PITCH)], memory_space=SHARED)
        block = self.module.body.block
        known = [op.sym_name.data for op in block.ops if isinstance(op, memref.GlobalOp)]
        if name not in known:
            made = memref.GlobalOp.get(StringAttr(name), type_, UnitAttr())
            assert block.first_op is not None
            block.insert_op_before(made, block.first_op)
        return code.add(memref.GetGlobalOp(name, type_))


@dataclass
class _Sums:
    """The sums of a tile, of which each thread has `EACH` rows and columns."""

    code: Code
    shared: SSAValue
    thread: SSAValue
    place: tuple[SSAValue, SSAValue]
    """The first row and the first column that are the thread's."""
    element: Attribute

    def of(self, a: Matrix, b: Matrix, top: SSAValue, left: SSAValue) -> list[SSAValue]:
        """The elements of the product from a row and a column on that are the thread's, row by row."""
        code = self.code
        zero = code.constant(0)
        pieces = [
            _Piece(self, a, 0, top, zero),
            _Piece(self, b, 1, left, code.constant(DEPTH * PITCH)),
        ]
        nothing = self.number(0.0)
        with code.loop(zero, a.sizes[1], DEPTH, [nothing] * EACH**2) as steps:
            for piece in pieces:
                piece.bring(steps.variable, nothing)
            code.insert(gpu.BarrierOp())
            with code.loop(zero, code.constant(DEPTH), 1, steps.values) as loop:
                loop.yields = self.added(loop.variable, loop.values)
            code.insert(gpu.BarrierOp())
            steps.yields = loop.results
        return steps.results

    def number(self, value: float) -> SSAValue:
        """A constant of the type of elements."""
        assert isinstance(self.element, AnyFloat)
        return self.code.add(arith.ConstantOp(FloatAttr(value, self.element)))

    def added(self, depth: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
        """The sums with the products at a place along K."""
        code = self.code
        along = code.times(depth, code.constant(PITCH))
        starts = [code.plus(self.place[0], along), code.plus(self.place[1], along)]
        starts[1] = code.plus(starts[1], DEPTH * PITCH)
        rows, columns = (
            [code.element(self.shared, code.plus(start, SIDE * i)) for i in range(EACH)]
            for start in starts
        )
        flags = {"fastmath": NO_FAST_MATH}
        return [
            code.add(create(math.FmaOp, [x, y, sums[EACH * i + j]], [self.element], flags))
            for i, x in enumerate(rows)
            for j, y in enumerate(columns)
        ]


class _Piece:
    """What of a factor is in shared memory, from `start` on: `DEPTH` places along K of `TILE` rows, or columns."""

    def __init__(
        self, sums: _Sums, matrix: Matrix, axis: int, first: SSAValue, start: SSAValue
    ) -> None:
        """`axis` is the one that is not K, of which the piece begins at `first`."""
        code = sums.code
        self.sums, self.matrix, self.code = sums, matrix, code
        self.axis_k = 1 - axis
        goes_along_k = matrix.unit(self.axis_k) and not matrix.unit(axis)
        width = DEPTH if goes_along_k else TILE
        rest, fastest = code.divided(sums.thread, code.constant(width))
        step = THREADS // width
        count = TILE * DEPTH // THREADS
        others = [code.plus(rest, step * n) for n in range(count)]
        same = [fastest] * count
        self.depths, lines = (same, others) if goes_along_k else (others, same)
        self.starts: list[SSAValue] = []
        self.are_inside: list[SSAValue] = []
        self.targets: list[SSAValue] = []
        for depth, line in zip(self.depths, lines, strict=True):
            at = code.plus(first, line)
            self.are_inside.append(code.less(at, matrix.sizes[axis]))
            self.starts.append(code.plus(matrix.offset, self.along(axis, at)))
            row = code.times(depth, code.constant(PITCH))
            self.targets.append(code.plus(code.plus(row, line), start))

    def along(self, axis: int, index: SSAValue) -> SSAValue:
        """How far an element lies from the first one along an axis."""
        stride = self.matrix.strides[axis]
        return index if stride == 1 else self.code.times(index, self.code.value(stride))

    def bring(self, depth: SSAValue, nothing: SSAValue) -> None:
        """Copy from a place along K on what there is."""
        code, matrix = self.code, self.matrix
        for of_thread, start, is_line, target in zip(
            self.depths, self.starts, self.are_inside, self.targets, strict=True
        ):
            at = code.plus(depth, of_thread)
            parts = [is_line, code.less(at, matrix.sizes[self.axis_k])]
            is_inside = code.add(create(arith.AndIOp, parts, [i1]))
            index = code.plus(start, self.along(self.axis_k, at))
            found = code.element(matrix.base, code.select(is_inside, index, matrix.offset))
            if found.type != nothing.type:
                found = code.add(arith.ExtFOp(found, nothing.type))
            code.put(code.select(is_inside, found, nothing), self.sums.shared, target)
