"""A tile of a product on tensor cores: each warp of a block multiplies small matrices, and adds up in float32. The factors have 16-bit
floats, or float32 that is rounded to tf32, 10 bits of its fraction, on the way to shared memory.

Rows of the first factor and columns of the second one lie there along K, 32 bits after 32 bits: a word is what a register of
`nvvm.mma.sync` holds. The words of eight rows, at the same place along K, are in different banks, as are their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from xdsl.dialects import arith, gpu, llvm, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.dialects.nvvm_mma import OLDEST_SM, PAIR, REGISTERS, MmaOp
from lowering.gpu.expand_all_reduce import SHARED, WARP
from lowering.gpu.shared_memory import X, shared_memory
from lowering.gpu.target import Target
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.tile_piece import THREADS, Piece, Place
from lowering.loops.code import Code
from lowering.loops.product import Matrix
from lowering.shaped import element_type

TILE = 128
"""Rows and columns of a tile."""
DEPTH = 16
"""Words along K that are in shared memory at a time."""
PITCH = DEPTH + 4
"""Words from one row, or column, to the next."""
WARPS_DOWN, WARPS_ACROSS = 2, 4
ROWS, COLUMNS = TILE // WARPS_DOWN, TILE // WARPS_ACROSS
"""Of a warp's part of a tile."""
M, N, STEP = 16, 8, 8
"""The sizes of a small product: rows, columns, and words along K. Where tensor cores do less of K at once, two make one."""
PIECE_BYTES = TILE * PITCH * 4
STAGE = M * WARPS_DOWN
"""Rows that go through shared memory at once when they are added up."""
BYTES = max(2 * PIECE_BYTES, STAGE * TILE * 4)


class Cores(NamedTuple):
    """What tensor cores multiply at once: elements of a type, and so much of K."""

    element: str
    depth: int

    @property
    def stored(self) -> Attribute:
        """The type of elements in shared memory."""
        return {"f16": Float16Type(), "bf16": BFloat16Type(), "tf32": i32}[self.element]

    @property
    def per_word(self) -> int:
        """Elements of a word."""
        return 1 if self.element == "tf32" else 2


def cores_for(found: ProductLaunch, target: Target) -> Cores | None:
    """The tensor cores that devices have for a product; None where there are none, or float32 is not to be rounded for them."""
    types = {element_type(one.base.type) for one in (found.a, found.b)}
    sm = target.sm
    if types == {Float16Type()}:
        return Cores("f16", 16 if sm >= 80 else 8) if sm >= OLDEST_SM["f16", 8] else None
    if types == {f32}:
        return Cores("tf32", 8) if sm >= 80 and target.tf32 else None
    return Cores("bf16", 16) if types == {BFloat16Type()} and sm >= 80 else None


@dataclass
class TensorCoreTile:
    """The code of a tile."""

    rows = columns = TILE
    found: ProductLaunch
    cores: Cores

    def write(
        self,
        code: Code,
        batch: Sequence[SSAValue],
        matrices: Sequence[Matrix],
        at: Sequence[SSAValue],
    ) -> None:
        """Compute the tile from a row and a column on, and what follows: sums go through shared memory, 16 rows of a warp at a time."""
        a, b, c = matrices
        shared = shared_memory(code, "tile_bytes", i8, BYTES)
        warps = _Warps(code, shared, self.cores)
        sums = warps.sums(a, b, at)
        for part in range(ROWS // M):
            warps.stage(sums, part)
            code.insert(gpu.BarrierOp())
            end = code.constant(STAGE * TILE)
            with code.loop(warps.thread, end, THREADS) as loop:
                down, across = code.divided(loop.variable, code.constant(TILE))
                warp, line = code.divided(down, code.constant(M))
                row = code.plus(code.plus(at[0], M * part), line)
                row = code.plus(row, code.times(warp, code.constant(ROWS)))
                column = code.plus(at[1], across)
                parts = [code.less(row, c.sizes[0]), code.less(column, c.sizes[1])]
                with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
                    value = code.element(warps.staged, loop.variable)
                    self.found.write(code, [*batch, row, column], value)
            code.insert(gpu.BarrierOp())


class _Warps:
    """What the warps of a block do with a tile; each has `ROWS` by `COLUMNS` of it."""

    def __init__(self, code: Code, shared: SSAValue, cores: Cores) -> None:
        self.code = code
        self.cores = cores
        words = 2 * TILE * PITCH
        self.elements = self._view(shared, cores.stored, words * cores.per_word)
        self.words = self._view(shared, i32, words)
        self.staged = self._view(shared, f32, STAGE * TILE)
        self.thread = code.add(gpu.ThreadIdOp(X))
        warp, lane = code.divided(self.thread, code.constant(WARP))
        self.down, self.across = code.divided(warp, code.constant(WARPS_ACROSS))
        self.group, self.member = code.divided(lane, code.constant(4))
        """Which row or column of a small matrix a thread has, and which of the words there."""

    def _view(self, shared: SSAValue, element: Attribute, count: int) -> SSAValue:
        type_ = MemRefType(element, [count], memory_space=SHARED)
        return self.code.add(
            memref.ViewOp.create(operands=[shared, self.code.constant(0)], result_types=[type_])
        )

    def sums(self, a: Matrix, b: Matrix, at: Sequence[SSAValue]) -> list[SSAValue]:
        """The elements of the product that are the thread's: four of each small matrix, row by row of these."""
        code = self.code
        zero = code.constant(0)
        each = self.cores.per_word
        pieces = [
            Piece(
                code,
                self.thread,
                matrix,
                axis,
                first,
                (TILE, DEPTH * each),
                Place(axis * TILE * PITCH * each, PITCH * each, along_k=True),
            )
            for axis, (matrix, first) in enumerate(zip((a, b), at, strict=True))
        ]
        stored = self.cores.stored
        zeros = IntegerAttr(0, i32) if stored == i32 else FloatAttr(0.0, cast("AnyFloat", stored))
        nothing = code.add(arith.ConstantOp(zeros))
        nothing_yet = code.add(arith.ConstantOp(FloatAttr(0.0, f32)))
        rows = self._first_word(self.down, ROWS, 0)
        columns = self._first_word(self.across, COLUMNS, TILE * PITCH)
        count = ROWS // M * (COLUMNS // N) * 4
        with code.loop(zero, a.sizes[1], DEPTH * each, [nothing_yet] * count) as steps:
            for piece in pieces:
                piece.bring(steps.variable, self.elements, nothing)
            code.insert(gpu.BarrierOp())
            totals = steps.values
            for place in range(0, DEPTH, STEP):
                totals = self._added(code.plus(rows, place), code.plus(columns, place), totals)
            code.insert(gpu.BarrierOp())
            steps.yields = totals
        return steps.results

    def _first_word(self, warp: SSAValue, lines: int, start: int) -> SSAValue:
        """The first word that a thread has of its warp's rows, or columns."""
        code = self.code
        line = code.plus(code.times(warp, code.constant(lines)), self.group)
        place = code.plus(code.times(line, code.constant(PITCH)), self.member)
        return code.plus(place, start)

    def _added(
        self, rows: SSAValue, columns: SSAValue, totals: Sequence[SSAValue]
    ) -> list[SSAValue]:
        """The sums with the products at a place along K, of which the words of the thread are at `rows` and `columns`."""
        firsts = [
            [self._register(rows, (M * i + line) * PITCH + at) for at in (0, 4) for line in (0, 8)]
            for i in range(ROWS // M)
        ]
        seconds = [
            [self._register(columns, N * j * PITCH + at) for at in (0, 4)]
            for j in range(COLUMNS // N)
        ]
        found: list[SSAValue] = []
        for first in firsts:
            for second in seconds:
                found += self._multiplied(first, second, totals[len(found) : len(found) + 4])
        return found

    def _register(self, start: SSAValue, word: int) -> SSAValue:
        code = self.code
        found = code.element(self.words, code.plus(start, word))
        if self.cores.element != "f16":
            return found
        return code.add(llvm.BitcastOp.create(operands=[found], result_types=[PAIR]))

    def _multiplied(
        self, first: list[SSAValue], second: list[SSAValue], totals: Sequence[SSAValue]
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
        """Put the sums of 16 rows of each warp into shared memory."""
        code = self.code
        line = code.plus(code.times(self.down, code.constant(M)), self.group)
        column = code.plus(
            code.times(self.across, code.constant(COLUMNS)),
            code.times(self.member, code.constant(2)),
        )
        start = code.plus(code.times(line, code.constant(TILE)), column)
        count = COLUMNS // N * 4
        for number, value in enumerate(sums[part * count : (part + 1) * count]):
            j, i = divmod(number, 4)
            code.put(value, self.staged, code.plus(start, i // 2 * 8 * TILE + N * j + i % 2))
