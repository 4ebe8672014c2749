"""A factor of a product on tensor cores, on its way through shared memory: pieces of it come there while others are multiplied.

A piece is `LINES` rows, or columns, by 64 bytes along K. It is made of chunks of 16 bytes, which one instruction copies, and which are
the lines of the small matrices that `nvvm.ldmatrix` loads. Chunks lie as they do in the factor, along K or across it, and those of one
line are exchanged by a bit pattern of the line, so that the eight that are loaded at once are in different banks.

Copies of 16 bytes need rows, or columns, that begin at multiples of 16 bytes, which is seen when the kernel runs; elements are copied
one by one otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import arith, llvm, memref
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    FloatAttr,
    IntegerAttr,
    VectorType,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.dialects.memref_ext import PointerOp
from lowering.dialects.nvvm import ConvertFloatToTF32Op
from lowering.dialects.nvvm_copy import (
    CHUNK,
    GLOBAL_SPACE,
    SHARED_SPACE,
    CpAsyncOp,
    LdMatrixOp,
)
from lowering.dialects.nvvm_mma import PAIR
from lowering.gpu.tile_piece import THREADS
from lowering.loops.code import Code
from lowering.loops.product import Matrix

LINES = 128
"""Rows of the first factor, or columns of the second one, of a tile."""
CHUNKS = 4
"""Along K."""
BYTES = LINES * CHUNKS * CHUNK
"""Of a piece."""
EACH = LINES * CHUNKS // THREADS
"""Chunks that a thread copies."""
HALF = 8
"""Lines of a small matrix."""


class Cores(NamedTuple):
    """What tensor cores multiply at once: elements of a type, and so much of K."""

    element: str
    depth: int

    @property
    def stored(self) -> AnyFloat:
        """The type of elements in shared memory."""
        return {"f16": Float16Type(), "bf16": BFloat16Type(), "tf32": f32}[self.element]

    @property
    def bytes(self) -> int:
        """Of an element."""
        return 4 if self.element == "tf32" else 2

    @property
    def per_chunk(self) -> int:
        """Elements of a chunk."""
        return CHUNK // self.bytes


@dataclass
class Memory:
    """Shared memory of a block, seen as bytes, and as elements."""

    bytes: SSAValue
    elements: SSAValue


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


class _Chunk(NamedTuple):
    """A chunk that a thread copies of every piece."""

    line: SSAValue
    """The row of the first factor, or column of the second one, of its first element."""
    depth: SSAValue
    """How far along K this is, in a piece."""
    first: SSAValue
    """The place of this in the buffer of the factor, of the first piece."""
    target: SSAValue
    """The byte of a piece that the chunk comes to."""


class StagedFactor:
    """One factor of a tile. `axis` is the one that is not K, of which the tile begins at `first`."""

    def __init__(
        self,
        code: Code,
        thread: SSAValue,
        matrix: Matrix,
        axis: int,
        first: SSAValue,
        cores: Cores,
        memory: Memory,
        *,
        is_asynchronous: bool,
    ) -> None:
        self.code, self.matrix, self.cores, self.memory = code, matrix, cores, memory
        self.thread, self.first = thread, first
        self.axis, self.axis_k = axis, 1 - axis
        self.is_asynchronous = is_asynchronous
        self.along_k = matrix.unit(self.axis_k) or not matrix.unit(axis)
        self.fast = self.axis_k if self.along_k else axis
        self.per_line = CHUNKS if self.along_k else LINES // cores.per_chunk
        self.chunks = [self._chunk(code.plus(thread, THREADS * n)) for n in range(EACH)]
        self.can_copy_chunks = self._can_copy_chunks() if matrix.unit(self.fast) else None

    def _chunk(self, number: SSAValue) -> _Chunk:
        code, each = self.code, self.code.constant(self.cores.per_chunk)
        line, chunk = code.divided(number, code.constant(self.per_line))
        along = code.times(chunk, each)
        depth, place = (along, line) if self.along_k else (line, along)
        place = code.plus(self.first, place)
        start = code.plus(self.matrix.offset, self._along(self.axis, place))
        start = code.plus(start, self._along(self.axis_k, depth))
        target = code.times(self._place(line, chunk), code.constant(CHUNK))
        return _Chunk(place, depth, start, target)

    def _along(self, axis: int, index: SSAValue) -> SSAValue:
        """How far an element lies from the first one along an axis."""
        stride = self.matrix.strides[axis]
        return index if stride == 1 else self.code.times(index, self.code.value(stride))

    @property
    def depth(self) -> int:
        """Elements of a piece along K."""
        return CHUNKS * self.cores.per_chunk

    def _place(self, line: SSAValue, chunk: SSAValue) -> SSAValue:
        """Where a chunk of a line lies in a piece, in chunks."""
        code = self.code
        moved = code.add(arith.XOrIOp(chunk, self._pattern(line)))
        return code.plus(code.times(line, code.constant(self.per_line)), moved)

    def _pattern(self, line: SSAValue) -> SSAValue:
        """What the number of a chunk in a line is exchanged by. Eight lines that follow each other are read at once; of
        elements of 32 bits across K, two chunks of four lines.
        """
        code = self.code
        if self.along_k:
            half = code.divided(line, code.constant(2))[0]
            return code.add(arith.AndIOp(half, code.constant(CHUNKS - 1)))
        if self.cores.bytes == 2:
            return code.add(arith.AndIOp(line, code.constant(HALF - 1)))
        return code.times(code.add(arith.AndIOp(line, code.constant(3))), code.constant(2))

    # From the factor to shared memory

    def _can_copy_chunks(self) -> SSAValue:
        """Whether lines of the factor begin at multiples of chunks, and end there, too, where only whole ones are copied."""
        code, matrix, size = self.code, self.matrix, self.code.constant(self.cores.bytes)
        parts = [matrix.offset, code.value(matrix.strides[1 - self.fast])]
        if not self.is_asynchronous:
            parts.append(matrix.sizes[self.fast])
        together = code.add(memref.ExtractAlignedPointerAsIndexOp.get(matrix.base))
        for part in parts:
            together = code.add(arith.OrIOp(together, code.times(part, size)))
        rest = code.add(arith.AndIOp(together, code.constant(CHUNK - 1)))
        return code.add(arith.CmpiOp(rest, code.constant(0), "eq"))

    def bring(self, depth: SSAValue, start: SSAValue) -> None:
        """Begin to copy from a place along K on to the byte `start` of shared memory. The factor has elements; what lies beyond is 0.

        All threads go the same way: those of a warp load small matrices together.
        """
        code = self.code
        if self.can_copy_chunks is None:
            self._bring_elements(depth, start)
            return
        with code.branch(self.can_copy_chunks) as branch:
            far = self._along(self.axis_k, depth)
            for chunk in self.chunks:
                self._bring_chunk(chunk, depth, far, code.plus(chunk.target, start))
            with branch.otherwise():
                self._bring_elements(depth, start)

    def _bring_chunk(self, chunk: _Chunk, depth: SSAValue, far: SSAValue, at: SSAValue) -> None:
        """Copy a chunk to a byte of shared memory; `far` is how far the elements of a piece are from those of the first one."""
        code, matrix = self.code, self.matrix
        target = code.add(PointerOp.of(self.memory.bytes, at, SHARED_SPACE))
        source, left = code.plus(chunk.first, far), self._left(chunk, depth)
        if self.is_asynchronous:  # an address is not looked at where nothing is left
            size = code.times(left, code.constant(self.cores.bytes))
            count = code.add(create(arith.IndexCastOp, [size], [i32]))
            address = code.add(PointerOp.of(matrix.base, source, GLOBAL_SPACE))
            code.insert(CpAsyncOp.of(target, address, count))
            return
        is_some = code.less(code.constant(0), left)
        source = code.select(is_some, source, matrix.offset)
        address = code.add(PointerOp.of(matrix.base, source, GLOBAL_SPACE))
        words = VectorType(i32, [4])
        found = code.add(create(llvm.LoadOp, [address], [words], _ALIGNED))
        found = code.select(is_some, found, code.splat(0, words))
        code.insert(create(llvm.StoreOp, [found, target], (), _ALIGNED))

    def _left(self, chunk: _Chunk, depth: SSAValue) -> SSAValue:
        """How many elements of a chunk the factor has. What does not depend on the piece comes first."""
        code = self.code
        zero, each = code.constant(0), code.constant(self.cores.per_chunk)
        ends, places = self.matrix.sizes, [chunk.line, code.plus(depth, chunk.depth)]
        index, fast = (places[axis == self.axis_k] for axis in (1 - self.fast, self.fast))
        left = code.larger(code.smaller(code.minus(ends[self.fast], fast), each), zero)
        return code.select(code.less(index, ends[1 - self.fast]), left, zero)

    def _bring_elements(self, depth: SSAValue, start: SSAValue) -> None:
        """Copy element by element. Nothing is known before the loop, which would take registers from sums."""
        code, matrix, stored = self.code, self.matrix, self.cores.stored
        nothing = code.add(arith.ConstantOp(FloatAttr(0.0, stored)))
        each, size = code.constant(self.cores.per_chunk), code.constant(self.cores.bytes)
        begin = code.divided(start, size)[0]
        with code.loop(self.thread, code.constant(BYTES // self.cores.bytes), THREADS) as loop:
            number, place = code.divided(loop.variable, each)
            line, chunk = code.divided(number, code.constant(self.per_line))
            along = code.plus(code.times(chunk, each), place)
            far, across = (along, line) if self.along_k else (line, along)
            places = [code.plus(self.first, across), code.plus(depth, far)]
            axes = (self.axis, self.axis_k)
            parts = [
                code.less(one, matrix.sizes[axis]) for axis, one in zip(axes, places, strict=True)
            ]
            is_inside = code.add(create(arith.AndIOp, parts, [i1]))
            index = matrix.offset
            for axis, one in zip(axes, places, strict=True):
                index = code.plus(index, self._along(axis, one))
            index = code.select(is_inside, index, matrix.offset)
            found = code.select(is_inside, code.element(matrix.base, index), nothing)
            to = code.plus(code.times(self._place(line, chunk), each), place)
            code.put(found, self.memory.elements, code.plus(begin, to))

    # From shared memory to registers

    def places(self, lane: Lane, first: SSAValue, count: int, step: int) -> list[list[SSAValue]]:
        """Where, in bytes of a piece, a thread looks for its words of small matrices: of `count` lines from `first` on, 16 by 16, and
        of a step along K, which is two chunks. Four matrices that are loaded at once have one place.
        """
        is_second = self.axis == 1
        found: list[list[SSAValue]] = []
        for block in range(0, count, 2 * HALF):
            if self.is_turned_by_word:
                halves = [
                    (high, low) if is_second else (low, high) for high in (0, 1) for low in (0, 1)
                ]
                found.append([self._word(lane, first, block, step, *half) for half in halves])
                continue
            halves = (lane.high, lane.low) if is_second else (lane.low, lane.high)
            found.append([self._line(lane, first, block, step, *halves)])
        return found

    @property
    def is_turned_by_word(self) -> bool:
        """Whether elements lie across K that no instruction turns."""
        return not self.along_k and self.cores.bytes == 4

    def _line(
        self,
        lane: Lane,
        first: SSAValue,
        block: int,
        step: int,
        line_half: SSAValue,
        k_half: SSAValue,
    ) -> SSAValue:
        """Of the chunk whose address a thread gives."""
        code = self.code
        half, size = code.constant(HALF), code.constant(CHUNK)
        if self.along_k:
            line = code.plus(code.times(line_half, half), lane.line)
            place = self._place(line, code.plus(k_half, 2 * step))
            place = code.plus(place, code.times(first, code.constant(self.per_line)))
            return code.plus(code.times(place, size), block * self.per_line * CHUNK)
        line = code.plus(code.times(k_half, half), lane.line)
        chunk = code.plus(code.divided(first, half)[0], line_half)
        place = self._place(line, code.plus(chunk, block // HALF))
        return code.plus(code.times(place, size), 2 * HALF * step * self.per_line * CHUNK)

    def _word(
        self, lane: Lane, first: SSAValue, block: int, step: int, line_half: int, k_half: int
    ) -> SSAValue:
        """Of an element."""
        code, each = self.code, self.cores.per_chunk
        chunks, within = code.divided(lane.group, code.constant(each))
        lines = code.divided(first, code.constant(each))[0]
        chunk = code.plus(code.plus(lines, chunks), (block + HALF * line_half) // each)
        place = code.times(self._place(lane.member, chunk), code.constant(CHUNK))
        place = code.plus(place, code.times(within, code.constant(self.cores.bytes)))
        return code.plus(place, (2 * step + k_half) * each * self.per_line * CHUNK)

    def registers(self, start: SSAValue, places: Sequence[SSAValue]) -> list[SSAValue]:
        """Four words of small matrices of the piece at the byte `start`, of 16 lines and two chunks. Those of the first factor are
        in the order of the chunks, those of the second one in that of the lines.
        """
        code = self.code
        if self.is_turned_by_word:
            size = code.constant(self.cores.bytes)
            indices = [code.divided(code.plus(start, place), size)[0] for place in places]
            words = [code.element(self.memory.elements, index) for index in indices]
            return [self._rounded(word) for word in words]
        (place,) = places
        at = code.plus(start, place)
        address = code.add(PointerOp.of(self.memory.bytes, at, SHARED_SPACE))
        loaded = code.add(LdMatrixOp.of(address, is_transposed=not self.along_k))
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


_ALIGNED = {"alignment": IntegerAttr(CHUNK, i64), "ordering": IntegerAttr(0, i64)}
"""Of loads and stores of a chunk."""
