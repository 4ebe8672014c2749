"""A tile of a product on tensor cores: each warp of a block multiplies small matrices, and adds up in float32. The factors have 16-bit
floats, or float32 that is rounded to tf32, 10 bits of its fraction, on the way from shared memory.

Pieces of both factors come to shared memory while others are multiplied (`staged_factor.py`), which devices from sm_80 on do by
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, gpu, llvm, memref
from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    FloatAttr,
    MemRefType,
    f32,
    i1,
    i8,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.dialects.nvvm_copy import CpAsyncCommitGroupOp, CpAsyncWaitGroupOp
from lowering.dialects.nvvm_mma import OLDEST_SM, REGISTERS, MmaOp
from lowering.gpu.expand_all_reduce import SHARED, WARP
from lowering.gpu.shared_memory import X, shared_memory
from lowering.gpu.staged_factor import (
    BYTES,
    HALF,
    LINES,
    THREADS,
    Cores,
    Lane,
    Memory,
    StagedFactor,
)
from lowering.gpu.target import NEWER_SM, Target
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.vectorize_accesses import LANES, loaded
from lowering.loops.code import Code
from lowering.loops.product import Matrix
from lowering.shaped import element_type

WARPS_DOWN, WARPS_ACROSS = 2, 2
ROWS, COLUMNS = LINES // WARPS_DOWN, LINES // WARPS_ACROSS
"""Of a warp's part of a tile."""
M, N = 16, 8
"""The rows and columns of a small product."""
PIECES = 3
"""Pieces of both factors that have room in shared memory: 48 KiB, the most that a kernel has without asking for it."""
ROWS_STAGED = 2 * M
"""Rows of a warp that go through shared memory at once when they are added up."""
STAGED = ROWS_STAGED * WARPS_DOWN
"""Those of all warps."""
PITCH = LINES + 8
"""Elements from one of these to the next: the threads of a warp write to different banks."""


def cores_for(found: ProductLaunch, target: Target) -> Cores | None:
    """The tensor cores that devices have for a product; None where there are none, or float32 is not to be rounded for them."""
    types = {element_type(one.base.type) for one in (found.a, found.b)}
    sm = target.sm
    if types == {Float16Type()}:
        return Cores("f16", 16 if sm >= NEWER_SM else 8) if sm >= OLDEST_SM["f16", 8] else None
    if types == {f32}:
        return Cores("tf32", 8) if sm >= NEWER_SM and target.tf32 else None
    return Cores("bf16", 16) if types == {BFloat16Type()} and sm >= NEWER_SM else None


@dataclass
class TensorCoreTile:
    """The code of a tile."""

    rows = columns = LINES
    threads = THREADS
    found: ProductLaunch
    cores: Cores
    target: Target

    def write(
        self,
        code: Code,
        batch: Sequence[SSAValue],
        matrices: Sequence[Matrix],
        at: Sequence[SSAValue],
    ) -> None:
        """Compute the tile from a row and a column on, and what follows: sums go through shared memory, `ROWS_STAGED` rows of a warp at
        a time.
        """
        a, b, c = matrices
        warps = _Warps(code, self.cores, self.target)
        sums = warps.sums(a, b, at)
        are_together = self.found.can_write_lanes(code, c)
        for part in range(ROWS // ROWS_STAGED):
            warps.stage(sums, part)
            code.insert(gpu.BarrierOp())
            top = code.plus(at[0], ROWS_STAGED * part)
            if are_together is None:
                self._write(code, warps, batch, (top, at[1]), c, 1)
            else:
                with code.branch(are_together) as branch:
                    self._write(code, warps, batch, (top, at[1]), c, LANES)
                    with branch.otherwise():
                        self._write(code, warps, batch, (top, at[1]), c, 1)
            code.insert(gpu.BarrierOp())

    def _write(
        self,
        code: Code,
        warps: _Warps,
        batch: Sequence[SSAValue],
        at: Sequence[SSAValue],
        c: Matrix,
        lanes: int,
    ) -> None:
        """Write what is staged; a thread does so many neighbouring elements at once."""
        first = code.times(warps.thread, code.constant(lanes))
        with code.loop(first, code.constant(STAGED * LINES), THREADS * lanes) as loop:
            down, across = code.divided(loop.variable, code.constant(LINES))
            warp, line = code.divided(down, code.constant(ROWS_STAGED))
            row = code.plus(code.plus(at[0], line), code.times(warp, code.constant(ROWS)))
            column = code.plus(at[1], across)
            parts = [code.less(row, c.sizes[0]), code.less(column, c.sizes[1])]
            with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
                place = code.plus(code.times(down, code.constant(PITCH)), across)
                values = loaded(code, warps.staged, place, lanes)
                self.found.write(code, [*batch, row, column], values)


class _Warps:
    """What the warps of a block do with a tile; each has `ROWS` by `COLUMNS` of it."""

    def __init__(self, code: Code, cores: Cores, target: Target) -> None:
        self.code = code
        self.cores = cores
        self.is_asynchronous = target.sm >= NEWER_SM
        self.pieces = PIECES if self.is_asynchronous else 2
        size = max(self.pieces * 2 * BYTES, STAGED * PITCH * 4)
        shared = shared_memory(code, "tile_bytes", i8, size)
        self.memory = Memory(shared, self._view(shared, cores.stored, size // cores.bytes))
        self.staged = self._view(shared, f32, STAGED * PITCH)
        self.thread = code.add(gpu.ThreadIdOp(X))
        warp, lane = code.divided(self.thread, code.constant(WARP))
        self.down, self.across = code.divided(warp, code.constant(WARPS_ACROSS))
        matrix, line = code.divided(lane, code.constant(HALF))
        high, low = code.divided(matrix, code.constant(2))
        self.lane = Lane(line, low, high, *code.divided(lane, code.constant(4)))

    def _view(self, shared: SSAValue, element: Attribute, count: int) -> SSAValue:
        type_ = MemRefType(element, [count], memory_space=SHARED)
        return self.code.add(
            memref.ViewOp.create(operands=[shared, self.code.constant(0)], result_types=[type_])
        )

    def sums(self, a: Matrix, b: Matrix, at: Sequence[SSAValue]) -> list[SSAValue]:
        """The elements of the product that are the thread's: four of each small matrix, row by row of these.

        While a piece is multiplied, the next ones are on their way. A barrier lets the threads of a block see what all have copied, and
        keeps what is copied next from what is still read.
        """
        code = self.code
        factors = [
            StagedFactor(
                code, self.thread, matrix, axis, first, self.cores, self.memory,
                is_asynchronous=self.is_asynchronous,
            )
            for axis, (matrix, first) in enumerate(zip((a, b), at, strict=True))
        ]  # fmt: skip
        lines = ((self.down, ROWS), (self.across, COLUMNS))
        firsts = [code.times(number, code.constant(count)) for number, count in lines]
        places = [
            factor.places(self.lane, first, count)
            for factor, first, (_, count) in zip(factors, firsts, lines, strict=True)
        ]
        depth = factors[0].depth
        nothing = code.add(arith.ConstantOp(FloatAttr(0.0, f32)))
        ahead = self.pieces - 1
        with code.branch(code.less(code.constant(0), a.sizes[1])):
            for piece in range(ahead):
                self._bring(factors, code.constant(depth * piece), code.constant(2 * BYTES * piece))
            self._wait()
        count = ROWS // M * (COLUMNS // N) * 4
        initial = [code.constant(0), *[nothing] * count]
        with code.loop(code.constant(0), a.sizes[1], depth, initial) as steps:
            start, *totals = steps.values
            is_first = code.add(arith.CmpiOp(start, code.constant(0), "eq"))
            last = code.constant(2 * BYTES * ahead)
            free = code.select(is_first, last, code.minus(start, 2 * BYTES))
            self._bring(factors, code.plus(steps.variable, depth * ahead), free)
            for of_step in zip(*places, strict=True):
                rows, columns = (
                    [factor.registers(code.plus(start, axis * BYTES), one) for one in found]
                    for axis, (factor, found) in enumerate(zip(factors, of_step, strict=True))
                )
                totals = self._added(rows, columns, totals)
            self._wait()
            is_last = code.add(arith.CmpiOp(start, last, "eq"))
            following = code.select(is_last, code.constant(0), code.plus(start, 2 * BYTES))
            steps.yields = [following, *totals]
        if self.is_asynchronous:
            code.insert(CpAsyncWaitGroupOp.of(0))
            code.insert(gpu.BarrierOp())
        return steps.results[1:]

    def _bring(self, factors: Sequence[StagedFactor], depth: SSAValue, start: SSAValue) -> None:
        """Begin to copy pieces of both factors."""
        for axis, factor in enumerate(factors):
            factor.bring(depth, self.code.plus(start, axis * BYTES))
        if self.is_asynchronous:
            self.code.insert(CpAsyncCommitGroupOp.create())

    def _wait(self) -> None:
        """Wait until the block has the pieces that are multiplied next."""
        if self.is_asynchronous:
            self.code.insert(CpAsyncWaitGroupOp.of(self.pieces - 2))
        self.code.insert(gpu.BarrierOp())

    def _added(
        self,
        firsts: Sequence[Sequence[SSAValue]],
        seconds: Sequence[Sequence[SSAValue]],
        totals: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """The sums with the products at a step along K."""
        pairs = [second[i : i + 2] for second in seconds for i in (0, 2)]
        found: list[SSAValue] = []
        for first in firsts:
            for second in pairs:
                found += self._multiplied(first, second, totals[len(found) : len(found) + 4])
        return found

    def _multiplied(
        self, first: Sequence[SSAValue], second: Sequence[SSAValue], totals: Sequence[SSAValue]
    ) -> list[SSAValue]:
        code, depth = self.code, self.cores.depth
        of_first, of_second = REGISTERS[self.cores]
        found = list(totals)
        for part in range(len(first) // of_first):
            a = first[part * of_first : (part + 1) * of_first]
            b = second[part * of_second : (part + 1) * of_second]
            total = code.add(MmaOp.of(a, b, found, self.cores.element, depth))
            found = [
                code.add(llvm.ExtractValueOp(DenseArrayBase.from_list(i64, [i]), total, f32))
                for i in range(4)
            ]
        return found

    def stage(self, sums: Sequence[SSAValue], part: int) -> None:
        """Put the sums of `ROWS_STAGED` rows of each warp into shared memory."""
        code = self.code
        line = code.plus(code.times(self.down, code.constant(ROWS_STAGED)), self.lane.group)
        column = code.plus(
            code.times(self.across, code.constant(COLUMNS)),
            code.times(self.lane.member, code.constant(2)),
        )
        start = code.plus(code.times(line, code.constant(PITCH)), column)
        count = ROWS_STAGED // M * (COLUMNS // N) * 4
        for number, value in enumerate(sums[part * count : (part + 1) * count]):
            small, i = divmod(number, 4)
            down, across = divmod(small, COLUMNS // N)
            place = (M * down + i // 2 * 8) * PITCH + N * across + i % 2
            code.put(value, self.staged, code.plus(start, place))
