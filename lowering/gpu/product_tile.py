"""A tile of a product, which the warps of a block compute: pieces of both factors come to shared memory (`staged_factor.py`) while
others are multiplied (`tensor_cores.py`, `scalar_cores.py`). Sums go through shared memory, too, so that neighbouring threads get
neighbouring elements for what follows (`tile_epilogue.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import MemRefType, i1
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.dialects.nvvm_copy import CpAsyncCommitGroupOp, CpAsyncWaitGroupOp
from lowering.gpu.shared_memory import SHARED, X
from lowering.gpu.shuffles import WARP
from lowering.gpu.staged_factor import THREADS, Layout, Memory, StagedFactor
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.vectorize_accesses import LANES, loaded
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.loops.product import Matrix

WARPS_DOWN, WARPS_ACROSS = 2, 2
PIECES = 3
"""Pieces of both factors that have room in shared memory: 48 KiB, the most that a kernel has without asking for it."""
ROWS_STAGED = 32
"""Rows of a warp that go through shared memory at once when they are added up."""
STAGED = ROWS_STAGED * WARPS_DOWN
"""Those of all warps."""
PADDING = 8
"""Elements between these rows: the threads of a warp write to different banks."""


class Part(NamedTuple):
    """What of a factor a warp multiplies: so many lines from one on."""

    factor: StagedFactor
    first: SSAValue
    extent: int


class Warp(Protocol):
    """What a warp does with its part of a tile."""

    first: tuple[SSAValue, SSAValue]
    """The row and the column of the part that the sums of the thread begin at."""
    places: list[tuple[int, int]]
    """The rows and columns of its sums from there on, rows in order."""

    def added(self, starts: Sequence[SSAValue], sums: Sequence[SSAValue]) -> list[SSAValue]:
        """The sums with the products of the pieces of both factors that begin at such bytes of shared memory."""
        ...


class Cores(Protocol):
    """What multiplies."""

    @property
    def stored(self) -> Attribute:
        """The type of elements in shared memory."""
        ...

    @property
    def sums(self) -> Attribute:
        """The type of what is added up."""
        ...

    @property
    def together(self) -> int:
        """Lines that are loaded at once where chunks lie across K."""
        ...

    @property
    def tiles(self) -> tuple[int, ...]:
        """Rows, and as many columns, of the tiles that registers have room for."""
        ...

    def warp(self, code: Code, lane: SSAValue, parts: Sequence[Part]) -> Warp:
        """What a warp does with its part of a tile."""
        ...


@dataclass
class ProductTile:
    """The code of a tile of so many rows, and as many columns."""

    found: ProductLaunch
    cores: Cores
    lines: int
    is_asynchronous: bool
    """Whether devices copy to shared memory by themselves."""

    @property
    def pieces(self) -> int:
        """Of both factors in shared memory."""
        return PIECES if self.is_asynchronous else 2

    @property
    def shared(self) -> int:
        """Bytes of shared memory."""
        layout = Layout(self.lines, self.cores.stored, along_k=True, together=1)
        staged = STAGED * (self.lines + PADDING) * byte_size(self.cores.sums)
        return max(2 * self.pieces * layout.bytes, staged)

    def write(
        self,
        code: Code,
        memory: SSAValue,
        batch: Sequence[SSAValue],
        matrices: Sequence[Matrix],
        at: Sequence[SSAValue],
    ) -> None:
        """Compute the tile from a row and a column on, and what follows: sums go through shared memory, `ROWS_STAGED` rows of a warp at
        a time.
        """
        a, b, c = matrices
        work = _Block(code, self, memory)
        sums = work.sums(a, b, at)
        are_together = self.found.can_write_lanes(code, c)
        for part in range(self.lines // STAGED):
            work.stage(sums, part)
            code.insert(gpu.BarrierOp())
            top = code.plus(at[0], ROWS_STAGED * part)
            if are_together is None:
                work.write(batch, (top, at[1]), c, 1)
            else:
                with code.branch(are_together) as branch:
                    work.write(batch, (top, at[1]), c, LANES)
                    with branch.otherwise():
                        work.write(batch, (top, at[1]), c, 1)
            code.insert(gpu.BarrierOp())


class _Block:
    """What the threads of a block do with a tile."""

    def __init__(self, code: Code, tile: ProductTile, memory: SSAValue) -> None:
        self.code, self.tile = code, tile
        cores = tile.cores
        elements = tile.shared // byte_size(cores.stored)
        self.memory = Memory(memory, self._view(memory, cores.stored, elements))
        self.pitch = tile.lines + PADDING
        self.staged = self._view(memory, cores.sums, STAGED * self.pitch)
        self.thread = code.add(gpu.ThreadIdOp(X))
        warp, self.lane = code.divided(self.thread, code.constant(WARP))
        self.place = code.divided(warp, code.constant(WARPS_ACROSS))
        self.counts = tile.lines // WARPS_DOWN, tile.lines // WARPS_ACROSS
        """Rows and columns of a warp's part of the tile."""

    def _view(self, shared: SSAValue, element: Attribute, count: int) -> SSAValue:
        type_ = MemRefType(element, [count], memory_space=SHARED)
        return self.code.add(
            memref.ViewOp.create(operands=[shared, self.code.constant(0)], result_types=[type_])
        )

    def sums(self, a: Matrix, b: Matrix, at: Sequence[SSAValue]) -> list[SSAValue]:
        """The elements of the product that are the thread's, in the order of `Warp.places`.

        While a piece is multiplied, the next ones are on their way. A barrier lets the threads of a block see what all have copied, and
        keeps what is copied next from what is still read.
        """
        code, tile = self.code, self.tile
        factors = [
            self._factor(matrix, axis, first)
            for axis, (matrix, first) in enumerate(zip((a, b), at, strict=True))
        ]
        parts = [
            Part(factor, code.times(number, code.constant(count)), count)
            for factor, number, count in zip(factors, self.place, self.counts, strict=True)
        ]
        self.warp = tile.cores.warp(code, self.lane, parts)
        layout, ahead = factors[0].layout, tile.pieces - 1
        both = 2 * layout.bytes
        with code.branch(code.less(code.constant(0), a.sizes[1])):
            with code.loop(code.constant(0), code.constant(ahead), 1) as first:
                depth, start = (
                    code.times(first.variable, code.constant(each)) for each in (layout.depth, both)
                )
                self._bring(factors, depth, start)
            self._wait()
        nothing = code.zero(tile.cores.sums)
        initial = [code.constant(0), *[nothing] * len(self.warp.places)]
        with code.loop(code.constant(0), a.sizes[1], layout.depth, initial) as steps:
            start, *totals = steps.values
            is_first = code.add(arith.CmpiOp(start, code.constant(0), "eq"))
            last = code.constant(both * ahead)
            free = code.select(is_first, last, code.minus(start, both))
            self._bring(factors, code.plus(steps.variable, layout.depth * ahead), free)
            totals = self.warp.added([start, code.plus(start, layout.bytes)], totals)
            self._wait()
            is_last = code.add(arith.CmpiOp(start, last, "eq"))
            following = code.select(is_last, code.constant(0), code.plus(start, both))
            steps.yields = [following, *totals]
        if tile.is_asynchronous:
            code.insert(CpAsyncWaitGroupOp.of(0))
            code.insert(gpu.BarrierOp())
        return steps.results[1:]

    def _factor(self, matrix: Matrix, axis: int, first: SSAValue) -> StagedFactor:
        tile, cores = self.tile, self.tile.cores
        along_k = matrix.unit(1 - axis) or not matrix.unit(axis)
        layout = Layout(tile.lines, cores.stored, along_k, cores.together)
        return StagedFactor(
            self.code, self.thread, matrix, axis, first, layout, self.memory,
            is_asynchronous=tile.is_asynchronous,
        )  # fmt: skip

    def _bring(self, factors: Sequence[StagedFactor], depth: SSAValue, start: SSAValue) -> None:
        """Begin to copy pieces of both factors."""
        for axis, factor in enumerate(factors):
            factor.bring(depth, self.code.plus(start, axis * factor.layout.bytes))
        if self.tile.is_asynchronous:
            self.code.insert(CpAsyncCommitGroupOp.create())

    def _wait(self) -> None:
        """Wait until the block has the pieces that are multiplied next."""
        if self.tile.is_asynchronous:
            self.code.insert(CpAsyncWaitGroupOp.of(self.tile.pieces - 2))
        self.code.insert(gpu.BarrierOp())

    def stage(self, sums: Sequence[SSAValue], part: int) -> None:
        """Put the sums of `ROWS_STAGED` rows of each warp into shared memory."""
        code = self.code
        rows_and_columns = zip(
            self.place, (ROWS_STAGED, self.counts[1]), self.warp.first, strict=True
        )
        line, column = (
            code.plus(code.times(warp, code.constant(count)), first)
            for warp, count, first in rows_and_columns
        )
        start = code.plus(code.times(line, code.constant(self.pitch)), column)
        for value, (row, across) in zip(sums, self.warp.places, strict=True):
            if row // ROWS_STAGED == part:
                place = row % ROWS_STAGED * self.pitch + across
                code.put(value, self.staged, code.plus(start, place))

    def write(
        self, batch: Sequence[SSAValue], at: Sequence[SSAValue], c: Matrix, lanes: int
    ) -> None:
        """Write what is staged; a thread does so many neighbouring elements at once."""
        code, width = self.code, self.tile.lines
        first = code.times(self.thread, code.constant(lanes))
        with code.loop(first, code.constant(STAGED * width), THREADS * lanes) as loop:
            down, across = code.divided(loop.variable, code.constant(width))
            warp, line = code.divided(down, code.constant(ROWS_STAGED))
            row = code.plus(code.plus(at[0], line), code.times(warp, code.constant(self.counts[0])))
            column = code.plus(at[1], across)
            parts = [code.less(row, c.sizes[0]), code.less(column, c.sizes[1])]
            with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
                place = code.plus(code.times(down, code.constant(self.pitch)), across)
                values = loaded(code, self.staged, place, lanes)
                self.tile.found.write(code, [*batch, row, column], values)
