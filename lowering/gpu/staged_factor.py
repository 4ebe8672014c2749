"""A factor of a product on tensor cores, on its way through shared memory: pieces of it come there while others are multiplied.

A piece is `LINES` rows, or columns, by 64 bytes along K. It is made of chunks of 16 bytes, which one instruction copies, and which are
the lines of the small matrices that `nvvm.ldmatrix` loads. Chunks lie as they do in the factor, along K or across it, and those of one
line are exchanged by a bit pattern of the line, so that the eight that are loaded at once are in different banks.

Copies of 16 bytes need rows, or columns, that begin at multiples of 16 bytes, which is seen when the kernel runs; elements are copied
one by one otherwise. Nothing else is looked at for pieces that the factor has all of.
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
    IntAttr,
    IntegerAttr,
    VectorType,
    f32,
    i1,
    i8,
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
from lowering.loops.code import Code
from lowering.loops.product import Matrix

THREADS = 128
"""Of a block."""
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
        self.lines_apart = THREADS // self.per_line
        line, chunk = code.divided(thread, code.constant(self.per_line))
        begins = {1 - self.fast: line, self.fast: code.times(chunk, code.constant(cores.per_chunk))}
        begins[axis] = code.plus(first, begins[axis])
        self.left = {one: code.minus(matrix.sizes[one], begin) for one, begin in begins.items()}
        self.source = matrix.offset
        for one, begin in begins.items():
            self.source = code.plus(self.source, self._along(one, begin))
        self.target = code.times(self._place(line, chunk), code.constant(CHUNK))
        self.can_copy_chunks = self.is_inside = None
        if matrix.unit(self.fast):
            self.can_copy_chunks = self._can_copy_chunks()
            has_lines = code.at_least(matrix.sizes[axis], code.plus(first, LINES))
            self.is_inside = code.add(arith.AndIOp(self.can_copy_chunks, has_lines))

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
        if self.can_copy_chunks is None or self.is_inside is None:
            self._bring_elements(depth, start)
            return
        has_more = code.at_least(self.matrix.sizes[self.axis_k], code.plus(depth, self.depth))
        with code.branch(code.add(arith.AndIOp(self.is_inside, has_more))) as whole:
            self._bring_chunks(depth, start, is_whole=True)
            with whole.otherwise(), code.branch(self.can_copy_chunks) as branch:
                self._bring_chunks(depth, start, is_whole=False)
                with branch.otherwise():
                    self._bring_elements(depth, start)

    def _bring_chunks(self, depth: SSAValue, start: SSAValue, *, is_whole: bool) -> None:
        """Copy the chunks of the thread, which lie in every `lines_apart`th line of a piece and are exchanged alike. The factor has
        all of a whole piece.
        """
        code, slow = self.code, 1 - self.fast
        counts = [None] * EACH if is_whole else self._counts(depth)
        apart = self._along(slow, code.constant(self.lines_apart * self.cores.bytes))
        apart = code.add(create(arith.IndexCastOp, [apart], [i64]))
        source = code.plus(self.source, self._along(self.axis_k, depth))
        address = code.add(PointerOp.of(self.matrix.base, source, GLOBAL_SPACE))
        at = code.plus(self.target, start)
        for count in counts:
            target = code.add(PointerOp.of(self.memory.bytes, at, SHARED_SPACE))
            self._copy(address, target, count)
            address = code.add(_after(address, apart))
            at = code.plus(at, self.lines_apart * self.per_line * CHUNK)

    def _counts(self, depth: SSAValue) -> list[SSAValue]:
        """How many bytes the factor has of the chunks of the thread."""
        code, zero = self.code, self.code.constant(0)
        left = {**self.left, self.axis_k: code.minus(self.left[self.axis_k], depth)}
        elements = code.larger(left[self.fast], zero)
        elements = code.smaller(elements, code.constant(self.cores.per_chunk))
        whole = code.times(elements, code.constant(self.cores.bytes))
        lines = code.smaller(left[1 - self.fast], code.constant(LINES))
        whole, lines = (code.add(create(arith.IndexCastOp, [one], [i32])) for one in (whole, lines))
        counts: list[SSAValue] = []
        for number in range(EACH):
            before = code.add(arith.ConstantOp(IntegerAttr(number * self.lines_apart, i32)))
            is_line = code.add(arith.CmpiOp(lines, before, "sgt"))
            counts.append(code.select(is_line, whole, self._nothing))
        return counts

    def _copy(self, address: SSAValue, target: SSAValue, count: SSAValue | None) -> None:
        """Copy a chunk to shared memory, or so many bytes of it, and 0 for the others."""
        code = self.code
        if self.is_asynchronous:  # an address is not looked at where nothing is left
            code.insert(CpAsyncOp.of(target, address, count))
            return
        is_some = None
        if count is not None:
            is_some = code.add(arith.CmpiOp(count, self._nothing, "sgt"))
            first = code.add(PointerOp.of(self.matrix.base, self.matrix.offset, GLOBAL_SPACE))
            address = code.select(is_some, address, first)
        found = code.add(create(llvm.LoadOp, [address], [_WORDS], _ALIGNED))
        if is_some is not None:
            found = code.select(is_some, found, code.splat(0, _WORDS))
        code.insert(create(llvm.StoreOp, [found, target], (), _ALIGNED))

    @property
    def _nothing(self) -> SSAValue:
        return self.code.add(arith.ConstantOp(IntegerAttr(0, i32)))

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

    def places(self, lane: Lane, first: SSAValue, count: int) -> list[list[list[SSAValue]]]:
        """Where, in bytes of a piece, a thread looks for its words of small matrices: for each step along K, which is two chunks, and
        of `count` lines from `first` on, 16 by 16. Four matrices that are loaded at once have one place.
        """
        steps, blocks = range(CHUNKS // 2), range(0, count, 2 * HALF)
        is_second = self.axis == 1
        if self.is_turned_by_word:
            halves = [
                (high, low) if is_second else (low, high) for high in (0, 1) for low in (0, 1)
            ]
            return [
                [
                    [self._word(lane, first, block, step, *half) for half in halves]
                    for block in blocks
                ]
                for step in steps
            ]
        start = self._line(
            lane, first, *((lane.high, lane.low) if is_second else (lane.low, lane.high))
        )
        return [[[self._further(start, step, block)] for block in blocks] for step in steps]

    @property
    def is_turned_by_word(self) -> bool:
        """Whether elements lie across K that no instruction turns."""
        return not self.along_k and self.cores.bytes == 4

    def _line(self, lane: Lane, first: SSAValue, line_half: SSAValue, k_half: SSAValue) -> SSAValue:
        """Of the chunk whose address a thread gives, of the first lines and the first step."""
        code = self.code
        half = code.constant(HALF)
        if self.along_k:
            line, chunk = code.plus(code.times(line_half, half), lane.line), k_half
            line = code.plus(first, line)
        else:
            line = code.plus(code.times(k_half, half), lane.line)
            chunk = code.plus(code.divided(first, half)[0], line_half)
        return code.times(self._place(line, chunk), code.constant(CHUNK))

    def _further(self, start: SSAValue, step: int, block: int) -> SSAValue:
        """`_line` for another step and block. Lines that are 16 apart are exchanged alike; chunks of a line are exchanged by bits that
        are 0 in those of the first step, or of the first block.
        """
        code = self.code
        lines, chunks = (block, 2 * step) if self.along_k else (2 * HALF * step, block // HALF)
        if chunks:
            start = code.add(arith.XOrIOp(start, code.constant(chunks * CHUNK)))
        return code.plus(start, lines * self.per_line * CHUNK)

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


def _after(address: SSAValue, bytes_: SSAValue) -> llvm.GEPOp:
    """The address so many bytes, an i64, after another, of global memory."""
    of_dynamic = [llvm.GEP_USE_SSA_VAL]
    return llvm.GEPOp(address, of_dynamic, i8, ssa_indices=[bytes_], result_type=_GLOBAL)


_GLOBAL = llvm.LLVMPointerType(IntAttr(GLOBAL_SPACE))
_WORDS = VectorType(i32, [4])
"""A chunk."""
_ALIGNED = {"alignment": IntegerAttr(CHUNK, i64), "ordering": IntegerAttr(0, i64)}
"""Of loads and stores of a chunk."""
