"""A tile of a product on the cores for float32, float64 and integers: each thread adds up a few elements, in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, gpu, math, memref
from xdsl.dialects.builtin import AnyFloat, FloatAttr, i1
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.shared_memory import X, shared_memory
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.tile_piece import THREADS, Piece, Place
from lowering.gpu.vectorize_accesses import align_lane, loaded
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.loops.product import Matrix
from lowering.shaped import integer_attribute

TILE = 64
"""Rows and columns of a tile."""
DEPTH = 16
"""How much of K is in shared memory at a time."""
SIDE = 16
"""Threads along the rows and the columns of a tile."""
EACH = TILE // SIDE
"""Neighbouring rows and columns that a thread adds up, which it loads at once."""
PITCH = TILE + 4
"""Elements from one place along K to the next: threads which write along K hardly wait for each other."""
START_OF_B = DEPTH * PITCH
ELEMENTS = max(TILE * TILE, 2 * DEPTH * PITCH)
"""Of shared memory, which holds a piece of both factors, and then the result."""


@dataclass
class SimpleTile:
    """The code of a tile."""

    rows = columns = TILE
    threads = THREADS
    found: ProductLaunch

    def write(
        self,
        code: Code,
        batch: Sequence[SSAValue],
        matrices: Sequence[Matrix],
        at: Sequence[SSAValue],
    ) -> None:
        """Compute the tile from a row and a column on, and what follows. The sums go through shared memory, so that neighbours get
        neighbouring elements.
        """
        a, b, c = matrices
        top, left = at
        size = code.constant(TILE)
        shared = shared_memory(code, f"tile_{c.element_type}", c.element_type, ELEMENTS)
        thread = code.add(gpu.ThreadIdOp(X))
        place = code.divided(thread, code.constant(SIDE))
        sums = _Sums(code, shared, thread, place, c.element_type).of(a, b, top, left)
        first, left_column = (code.times(one, code.constant(EACH)) for one in place)
        start = code.plus(code.times(first, size), left_column)
        for number, value in enumerate(sums):
            i, j = divmod(number, EACH)
            store = memref.StoreOp.get(value, shared, [code.plus(start, TILE * i + j)])
            code.insert(store)
            align_lane(store, shared, j)
        code.insert(gpu.BarrierOp())
        with code.loop(thread, code.constant(TILE * TILE), THREADS) as loop:
            down, across = code.divided(loop.variable, size)
            row, column = code.plus(top, down), code.plus(left, across)
            parts = [code.less(row, c.sizes[0]), code.less(column, c.sizes[1])]
            with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
                value = code.element(shared, loop.variable)
                self.found.write(code, [*batch, row, column], [value])
        code.insert(gpu.BarrierOp())


@dataclass
class _Sums:
    """The sums of a tile, of which each thread has `EACH` rows and columns."""

    code: Code
    shared: SSAValue
    thread: SSAValue
    place: tuple[SSAValue, SSAValue]
    """Which rows and which columns are the thread's, `EACH` of both."""
    element: Attribute

    def of(self, a: Matrix, b: Matrix, top: SSAValue, left: SSAValue) -> list[SSAValue]:
        """The elements of the product from a row and a column on that are the thread's, row by row."""
        code = self.code
        zero = code.constant(0)
        factors = ((a, 0, top, 0), (b, 1, left, START_OF_B))
        pieces = [
            Piece(code, self.thread, matrix, axis, at, (TILE, DEPTH), Place(start, PITCH))
            for matrix, axis, at, start in factors
        ]
        nothing = self.nothing
        with code.loop(zero, a.sizes[1], DEPTH, [nothing] * EACH**2) as steps:
            for piece in pieces:
                piece.bring(steps.variable, self.shared, nothing)
            code.insert(gpu.BarrierOp())
            with code.loop(zero, code.constant(DEPTH), 1, steps.values) as loop:
                loop.yields = self.added(loop.variable, loop.values)
            code.insert(gpu.BarrierOp())
            steps.yields = loop.results
        return steps.results

    @property
    def nothing(self) -> SSAValue:
        """0 of the type of elements."""
        element = self.element
        zero = (
            FloatAttr(0.0, element)
            if isinstance(element, AnyFloat)
            else integer_attribute(0, element)
        )
        return self.code.add(create(arith.ConstantOp, (), (element,), {"value": zero}))

    def added(self, depth: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
        """The sums with the products at a place along K."""
        code = self.code
        along = code.times(depth, code.constant(PITCH))
        starts = [code.plus(code.times(one, code.constant(EACH)), along) for one in self.place]
        starts[1] = code.plus(starts[1], START_OF_B)
        rows, columns = (loaded(code, self.shared, start, EACH) for start in starts)
        return [
            self.multiplied(x, y, sums[EACH * i + j])
            for i, x in enumerate(rows)
            for j, y in enumerate(columns)
        ]

    def multiplied(self, x: SSAValue, y: SSAValue, total: SSAValue) -> SSAValue:
        """A sum with one more product, rounded once; sums of integers wrap around."""
        code = self.code
        if not isinstance(self.element, AnyFloat):
            return code.add(arith.AddiOp(code.add(arith.MuliOp(x, y)), total))
        flags = {"fastmath": NO_FAST_MATH}
        return code.add(create(math.FmaOp, [x, y, total], [self.element], flags))
