"""A factor of a product on its way to shared memory: pieces of it come there while others are multiplied.

A piece is `Layout.lines` rows, or columns, by 64 bytes along K. It is made of chunks of 16 bytes, which one instruction copies. Chunks
lie as they do in the factor, along K or across it, and those of one line are exchanged by a bit pattern of the line, so that those
which threads load at once are in different banks.

Copies of 16 bytes need rows, or columns, that begin at multiples of 16 bytes, which is seen when the kernel runs; elements are copied
one by one otherwise, and where the factor has elements of a narrower type. Nothing else is looked at for pieces that the factor has all
of.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import arith, llvm, memref
from xdsl.dialects.builtin import IntAttr, IntegerAttr, VectorType, i1, i8, i32, i64
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.dialects.memref_ext import PointerOp
from lowering.dialects.nvvm_copy import CHUNK, GLOBAL_SPACE, SHARED_SPACE, CpAsyncOp
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.loops.product import Matrix

THREADS = 128
"""Of a block."""
CHUNKS = 4
"""Along K."""
EXCHANGED = 8
"""Chunks of 16 bytes that all banks hold: lines that are so many apart are exchanged alike."""


@dataclass(frozen=True)
class Layout:
    """How a piece of a factor lies in shared memory."""

    lines: int
    """Rows of the first factor, or columns of the second one, of a tile."""
    element: Attribute
    """The type of elements there."""
    along_k: bool
    """Whether chunks lie along K."""
    together: int
    """Lines that are loaded at once where chunks lie across K."""

    @property
    def per_chunk(self) -> int:
        """Elements of a chunk."""
        return CHUNK // byte_size(self.element)

    @property
    def depth(self) -> int:
        """Elements along K."""
        return CHUNKS * self.per_chunk

    @property
    def bytes(self) -> int:
        """Of a piece."""
        return self.lines * CHUNKS * CHUNK

    @property
    def per_line(self) -> int:
        """Chunks of a line."""
        return CHUNKS if self.along_k else self.lines // self.per_chunk

    def place(self, code: Code, line: SSAValue, chunk: SSAValue) -> SSAValue:
        """Where a chunk of a line lies, in chunks."""
        moved = code.add(arith.XOrIOp(chunk, self._pattern(code, line)))
        return code.plus(code.times(line, code.constant(self.per_line)), moved)

    def _pattern(self, code: Code, line: SSAValue) -> SSAValue:
        """What the number of a chunk in a line is exchanged by. Eight lines along K are loaded at once."""
        if self.along_k:
            half = code.divided(line, code.constant(EXCHANGED // CHUNKS))[0]
            return code.add(arith.AndIOp(half, code.constant(CHUNKS - 1)))
        low = code.add(arith.AndIOp(line, code.constant(self.together - 1)))
        return code.times(low, code.constant(EXCHANGED // self.together))


@dataclass
class Memory:
    """Shared memory of a block, seen as bytes, and as elements of factors."""

    bytes: SSAValue
    elements: SSAValue


class StagedFactor:
    """One factor of a tile. `axis` is the one that is not K, of which the tile begins at `first`."""

    def __init__(
        self,
        code: Code,
        thread: SSAValue,
        matrix: Matrix,
        axis: int,
        first: SSAValue,
        layout: Layout,
        memory: Memory,
        *,
        is_asynchronous: bool,
    ) -> None:
        self.code, self.matrix, self.layout, self.memory = code, matrix, layout, memory
        self.thread, self.first = thread, first
        self.axis, self.axis_k = axis, 1 - axis
        self.is_asynchronous = is_asynchronous
        self.fast = self.axis_k if layout.along_k else axis
        self.lines_apart = THREADS // layout.per_line
        line, chunk = code.divided(thread, code.constant(layout.per_line))
        begins = {
            1 - self.fast: line,
            self.fast: code.times(chunk, code.constant(layout.per_chunk)),
        }
        begins[axis] = code.plus(first, begins[axis])
        self.left = {one: code.minus(matrix.sizes[one], begin) for one, begin in begins.items()}
        self.source = matrix.offset
        for one, begin in begins.items():
            self.source = code.plus(self.source, self._along(one, begin))
        self.target = code.times(layout.place(code, line, chunk), code.constant(CHUNK))
        self.can_copy_chunks = self.is_inside = None
        if matrix.unit(self.fast) and matrix.element_type == layout.element:
            self.can_copy_chunks = self._can_copy_chunks()
            has_lines = code.at_least(matrix.sizes[axis], code.plus(first, layout.lines))
            self.is_inside = code.add(arith.AndIOp(self.can_copy_chunks, has_lines))

    @property
    def size(self) -> int:
        """Bytes of an element in shared memory."""
        return byte_size(self.layout.element)

    def _along(self, axis: int, index: SSAValue) -> SSAValue:
        """How far an element lies from the first one along an axis."""
        stride = self.matrix.strides[axis]
        return index if stride == 1 else self.code.times(index, self.code.value(stride))

    def _can_copy_chunks(self) -> SSAValue:
        """Whether lines of the factor begin at multiples of chunks, and end there, too, where only whole ones are copied."""
        code, matrix, size = self.code, self.matrix, self.code.constant(self.size)
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
        end = code.plus(depth, self.layout.depth)
        has_more = code.at_least(self.matrix.sizes[self.axis_k], end)
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
        code, layout, slow = self.code, self.layout, 1 - self.fast
        each = layout.lines * CHUNKS // THREADS
        counts = [None] * each if is_whole else self._counts(depth, each)
        apart = self._along(slow, code.constant(self.lines_apart * self.size))
        apart = code.add(create(arith.IndexCastOp, [apart], [i64]))
        source = code.plus(self.source, self._along(self.axis_k, depth))
        address = code.add(PointerOp.of(self.matrix.base, source, GLOBAL_SPACE))
        at = code.plus(self.target, start)
        for count in counts:
            target = code.add(PointerOp.of(self.memory.bytes, at, SHARED_SPACE))
            self._copy(address, target, count)
            address = code.add(_after(address, apart))
            at = code.plus(at, self.lines_apart * layout.per_line * CHUNK)

    def _counts(self, depth: SSAValue, each: int) -> list[SSAValue]:
        """How many bytes the factor has of the chunks of the thread."""
        code, zero, layout = self.code, self.code.constant(0), self.layout
        left = {**self.left, self.axis_k: code.minus(self.left[self.axis_k], depth)}
        elements = code.larger(left[self.fast], zero)
        elements = code.smaller(elements, code.constant(layout.per_chunk))
        whole = code.times(elements, code.constant(self.size))
        lines = code.smaller(left[1 - self.fast], code.constant(layout.lines))
        whole, lines = (code.add(create(arith.IndexCastOp, [one], [i32])) for one in (whole, lines))
        counts: list[SSAValue] = []
        for number in range(each):
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
        code, matrix, layout = self.code, self.matrix, self.layout
        nothing = code.zero(layout.element)
        each, size = code.constant(layout.per_chunk), code.constant(self.size)
        begin = code.divided(start, size)[0]
        with code.loop(self.thread, code.constant(layout.bytes // self.size), THREADS) as loop:
            number, place = code.divided(loop.variable, each)
            line, chunk = code.divided(number, code.constant(layout.per_line))
            along = code.plus(code.times(chunk, each), place)
            far, across = (along, line) if layout.along_k else (line, along)
            places = [code.plus(self.first, across), code.plus(depth, far)]
            axes = (self.axis, self.axis_k)
            parts = [
                code.less(one, matrix.sizes[axis]) for axis, one in zip(axes, places, strict=True)
            ]
            is_inside = code.add(create(arith.AndIOp, parts, [i1]))
            index = matrix.offset
            for axis, one in zip(axes, places, strict=True):
                index = code.plus(index, self._along(axis, one))
            found = code.element(matrix.base, code.select(is_inside, index, matrix.offset))
            if found.type != layout.element:
                found = code.add(arith.ExtFOp(found, layout.element))
            found = code.select(is_inside, found, nothing)
            to = code.plus(code.times(layout.place(code, line, chunk), each), place)
            code.put(found, self.memory.elements, code.plus(begin, to))


def _after(address: SSAValue, bytes_: SSAValue) -> llvm.GEPOp:
    """The address so many bytes, an i64, after another, of global memory."""
    of_dynamic = [llvm.GEP_USE_SSA_VAL]
    return llvm.GEPOp(address, of_dynamic, i8, ssa_indices=[bytes_], result_type=_GLOBAL)


_GLOBAL = llvm.LLVMPointerType(IntAttr(GLOBAL_SPACE))
_WORDS = VectorType(i32, [4])
"""A chunk."""
_ALIGNED = {"alignment": IntegerAttr(CHUNK, i64), "ordering": IntegerAttr(0, i64)}
"""Of loads and stores of a chunk."""
