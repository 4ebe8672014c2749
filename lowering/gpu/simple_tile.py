"""A tile of a product on the cores for float32 and float64: each thread adds up a few elements, in registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, gpu, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, i1
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.shared_memory import X, shared_memory
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.tile_piece import THREADS, Piece
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.loops.product import Matrix

TILE = 64
"""Rows and columns of a tile."""
DEPTH = 16
"""How much of K is in shared memory at a time."""
SIDE = 16
"""Threads along the rows and the columns of a tile."""
EACH = TILE // SIDE
"""Rows and columns that a thread adds up, `SIDE` from each other."""
PITCH = TILE + 1
"""Elements from one place along K to the next: odd, so that threads which write along K do not wait for each other."""
START_OF_B = DEPTH * PITCH
ELEMENTS = max(TILE * TILE, 2 * DEPTH * PITCH)
"""Of shared memory, which holds a piece of both factors, and then the result."""


@dataclass
class SimpleTile:
    """The code of a tile."""

    rows = columns = TILE
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
                self.found.write(code, [*batch, row, column], value)
        code.insert(gpu.BarrierOp())


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
        starts = code.constant(START_OF_B)
        pieces = [self.piece(a, 0, top, zero), self.piece(b, 1, left, starts)]
        nothing = self.number(0.0)
        with code.loop(zero, a.sizes[1], DEPTH, [nothing] * EACH**2) as steps:
            for piece in pieces:
                piece.bring(steps.variable, self.shared, nothing)
            code.insert(gpu.BarrierOp())
            with code.loop(zero, code.constant(DEPTH), 1, steps.values) as loop:
                loop.yields = self.added(loop.variable, loop.values)
            code.insert(gpu.BarrierOp())
            steps.yields = loop.results
        return steps.results

    def piece(self, matrix: Matrix, axis: int, first: SSAValue, start: SSAValue) -> Piece:
        """A piece that is in shared memory from `start` on."""
        code = self.code

        def place(depth: SSAValue, line: SSAValue) -> SSAValue:
            row = code.times(depth, code.constant(PITCH))
            return code.plus(code.plus(row, line), start)

        return Piece(code, self.thread, matrix, axis, first, (TILE, DEPTH), place)

    def number(self, value: float) -> SSAValue:
        """A constant of the type of elements."""
        assert isinstance(self.element, AnyFloat)
        return self.code.add(arith.ConstantOp(FloatAttr(value, self.element)))

    def added(self, depth: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
        """The sums with the products at a place along K."""
        code = self.code
        along = code.times(depth, code.constant(PITCH))
        starts = [code.plus(self.place[0], along), code.plus(self.place[1], along)]
        starts[1] = code.plus(starts[1], START_OF_B)
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
