"""Products of small matrices by tensor cores, which add up in float32. The factors have 16-bit floats, or float32 that is rounded to
tf32, 10 bits of its fraction, on the way from shared memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    f32,
    i32,
    i64,
)
from xdsl.ir import SSAValue

from lowering.dialects.memref_ext import PointerOp
from lowering.dialects.nvvm import ConvertFloatToTF32Op
from lowering.dialects.nvvm_copy import CHUNK, SHARED_SPACE, LdMatrixOp
from lowering.dialects.nvvm_mma import PAIR, REGISTERS, MmaOp
from lowering.gpu.product_tile import Part
from lowering.gpu.staged_factor import CHUNKS
from lowering.loops.code import Code

M, N = 16, 8
"""The rows and columns of a small product."""
HALF = 8
"""Lines of a small matrix."""


class TensorCores(NamedTuple):
    """What tensor cores multiply at once: elements of a type, and so much of K."""

    element: str
    depth: int

    @property
    def stored(self) -> AnyFloat:
        """The type of elements in shared memory."""
        return {"f16": Float16Type(), "bf16": BFloat16Type(), "tf32": f32}[self.element]

    @property
    def sums(self) -> AnyFloat:
        """The type of what is added up."""
        return f32

    @property
    def together(self) -> int:
        """Lines across K that are loaded at once: eight of 16 bits, and four of two chunks of 32 bits."""
        return 4 if self.element == "tf32" else HALF

    @property
    def tiles(self) -> tuple[int, ...]:
        """Rows and columns of tiles."""
        return 64, 128

    def warp(self, code: Code, lane: SSAValue, parts: Sequence[Part]) -> TensorCoreWarp:
        """What a warp does with its part of a tile."""
        return TensorCoreWarp(self, code, lane, parts)


class Lane(NamedTuple):
    """Which thread of its warp one is: what of the addresses of small matrices is its own."""

    line: SSAValue
    """Of a small matrix."""
    low: SSAValue
    """Whether it is of the second or the fourth of four matrices."""
    high: SSAValue
    """Whether it is of the last two."""
    group: SSAValue
    """Which line of a small matrix its words are of."""
    member: SSAValue
    """Which of the words of a line."""

    @classmethod
    def of(cls, code: Code, lane: SSAValue) -> Lane:
        """By the number of the thread in its warp."""
        matrix, line = code.divided(lane, code.constant(HALF))
        high, low = code.divided(matrix, code.constant(2))
        return cls(line, low, high, *code.divided(lane, code.constant(4)))


class TensorCoreWarp:
    """The part of a tile that a warp multiplies; each thread has four sums of each small product, row by row of these."""

    def __init__(
        self, cores: TensorCores, code: Code, lane: SSAValue, parts: Sequence[Part]
    ) -> None:
        self.cores, self.code = cores, code
        of_lane = Lane.of(code, lane)
        self.factors = [SmallMatrices(code, cores, part, of_lane) for part in parts]
        self.first = of_lane.group, code.times(of_lane.member, code.constant(2))
        rows, columns = (
            range(0, part.extent, size) for part, size in zip(parts, (M, N), strict=True)
        )
        self.places = [
            (row + HALF * (i // 2), column + i % 2)
            for row in rows for column in columns for i in range(4)
        ]  # fmt: skip

    def added(self, starts: Sequence[SSAValue], sums: Sequence[SSAValue]) -> list[SSAValue]:
        """The sums with the products of the pieces that begin at such bytes."""
        totals = list(sums)
        for of_step in zip(*(factor.places for factor in self.factors), strict=True):
            rows, columns = (
                [factor.registers(start, one) for one in places]
                for factor, start, places in zip(self.factors, starts, of_step, strict=True)
            )
            totals = self._with_step(rows, columns, totals)
        return totals

    def _with_step(
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
            found = [code.add(llvm.ExtractValueOp(_place(i), total, f32)) for i in range(4)]
        return found


class SmallMatrices:
    """The lines of a factor that a warp multiplies, as small matrices in registers.

    `places` says where, in bytes of a piece, a thread looks for its words of them: for each step along K, which is two chunks, and
    each 16 lines. Four matrices that are loaded at once have one place.
    """

    def __init__(self, code: Code, cores: TensorCores, part: Part, lane: Lane) -> None:
        self.code, self.cores, self.lane, self.first = code, cores, lane, part.first
        self.factor = part.factor
        self.layout = part.factor.layout
        steps, blocks = range(CHUNKS // 2), range(0, part.extent, 2 * HALF)
        is_second = self.factor.axis == 1
        if self.is_turned_by_word:
            halves = [
                (high, low) if is_second else (low, high) for high in (0, 1) for low in (0, 1)
            ]
            self.places = [
                [[self._word(block, step, *half) for half in halves] for block in blocks]
                for step in steps
            ]
            return
        start = self._line(*((lane.high, lane.low) if is_second else (lane.low, lane.high)))
        self.places = [[[self._further(start, step, block)] for block in blocks] for step in steps]

    @property
    def is_turned_by_word(self) -> bool:
        """Whether elements lie across K that no instruction turns."""
        return not self.layout.along_k and self.factor.size == 4

    def _line(self, line_half: SSAValue, k_half: SSAValue) -> SSAValue:
        """Of the chunk whose address a thread gives, of the first lines and the first step."""
        code, lane = self.code, self.lane
        half = code.constant(HALF)
        if self.layout.along_k:
            line, chunk = code.plus(code.times(line_half, half), lane.line), k_half
            line = code.plus(self.first, line)
        else:
            line = code.plus(code.times(k_half, half), lane.line)
            chunk = code.plus(code.divided(self.first, half)[0], line_half)
        return code.times(self.layout.place(code, line, chunk), code.constant(CHUNK))

    def _further(self, start: SSAValue, step: int, block: int) -> SSAValue:
        """`_line` for another step and block. Lines that are 16 apart are exchanged alike; chunks of a line are exchanged by bits that
        are 0 in those of the first step, or of the first block.
        """
        code, layout = self.code, self.layout
        lines, chunks = (block, 2 * step) if layout.along_k else (2 * HALF * step, block // HALF)
        if chunks:
            start = code.add(arith.XOrIOp(start, code.constant(chunks * CHUNK)))
        return code.plus(start, lines * layout.per_line * CHUNK)

    def _word(self, block: int, step: int, line_half: int, k_half: int) -> SSAValue:
        """Of an element."""
        code, layout, lane = self.code, self.layout, self.lane
        each = layout.per_chunk
        chunks, within = code.divided(lane.group, code.constant(each))
        lines = code.divided(self.first, code.constant(each))[0]
        chunk = code.plus(code.plus(lines, chunks), (block + HALF * line_half) // each)
        place = code.times(layout.place(code, lane.member, chunk), code.constant(CHUNK))
        place = code.plus(place, code.times(within, code.constant(self.factor.size)))
        return code.plus(place, (2 * step + k_half) * each * layout.per_line * CHUNK)

    def registers(self, start: SSAValue, places: Sequence[SSAValue]) -> list[SSAValue]:
        """Four words of small matrices of the piece at the byte `start`, of 16 lines and two chunks. Those of the first factor are
        in the order of the chunks, those of the second one in that of the lines.
        """
        code, memory = self.code, self.factor.memory
        if self.is_turned_by_word:
            size = code.constant(self.factor.size)
            indices = [code.divided(code.plus(start, place), size)[0] for place in places]
            words = [code.element(memory.elements, index) for index in indices]
            return [self._rounded(word) for word in words]
        (place,) = places
        at = code.plus(start, place)
        address = code.add(PointerOp.of(memory.bytes, at, SHARED_SPACE))
        loaded = code.add(LdMatrixOp.of(address, is_transposed=not self.layout.along_k))
        words = [code.add(llvm.ExtractValueOp(_place(i), loaded, i32)) for i in range(4)]
        if self.cores.element == "bf16":
            return words
        type_ = PAIR if self.cores.element == "f16" else f32
        words = [
            code.add(llvm.BitcastOp.create(operands=[word], result_types=[type_])) for word in words
        ]
        return words if type_ == PAIR else [self._rounded(word) for word in words]

    def _rounded(self, value: SSAValue) -> SSAValue:
        """The bits of a float32 that tensor cores take."""
        return self.code.add(ConvertFloatToTF32Op.of(value))


def _place(number: int) -> DenseArrayBase:
    return DenseArrayBase.from_list(i64, [number])
