"""Products on the cores for float32, float64 and integers: each thread adds up elements of a tile in registers.

A warp is eight threads along rows by four along columns. What a thread multiplies of a factor is spread over the part of the warp, so
that eight threads which load 16 bytes each at once look at different banks, or at the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.product_tile import Part
from lowering.gpu.staged_factor import CHUNKS, EXCHANGED
from lowering.gpu.vectorize_accesses import loaded
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.loops.flat import byte_size

DOWN, ACROSS = 8, 4
"""Threads of a warp along rows and along columns."""


class ScalarCores(NamedTuple):
    """The cores that multiply elements of a type, one by one."""

    element: Attribute

    @property
    def stored(self) -> Attribute:
        """The type of elements in shared memory."""
        return self.element

    @property
    def sums(self) -> Attribute:
        """The type of what is added up."""
        return self.element

    @property
    def together(self) -> int:
        """Lines across K that are loaded at once."""
        return 1

    @property
    def tiles(self) -> tuple[int, ...]:
        """Rows and columns of tiles: registers have room for 128 sums of four bytes."""
        return (64, 128) if byte_size(self.element) == 4 else (64,)

    def warp(self, code: Code, lane: SSAValue, parts: Sequence[Part]) -> ScalarWarp:
        """What a warp does with its part of a tile."""
        return ScalarWarp(code, lane, parts)


def multiplied(code: Code, x: SSAValue, y: SSAValue, total: SSAValue) -> SSAValue:
    """A sum with one more product, rounded once; sums of integers wrap around."""
    if not isinstance(total.type, AnyFloat):
        return code.add(arith.AddiOp(code.add(arith.MuliOp(x, y)), total))
    flags = {"fastmath": NO_FAST_MATH}
    return code.add(create(math.FmaOp, [x, y, total], [total.type], flags))


class ScalarWarp:
    """The part of a tile that a warp multiplies."""

    def __init__(self, code: Code, lane: SSAValue, parts: Sequence[Part]) -> None:
        self.code = code
        across, down = code.divided(lane, code.constant(DOWN))
        self.rows = ThreadLines(code, parts[0], down, DOWN)
        self.columns = ThreadLines(code, parts[1], across, ACROSS)
        self.first = self.rows.first, self.columns.first
        self.places = [
            (row, column) for row in self.rows.offsets for column in self.columns.offsets
        ]

    def added(self, starts: Sequence[SSAValue], sums: Sequence[SSAValue]) -> list[SSAValue]:
        """The sums with the products of the pieces that begin at such bytes; chunk by chunk along K."""
        code, rows, columns = self.code, self.rows, self.columns
        begins = [side.begin(start) for side, start in zip((rows, columns), starts, strict=True)]
        with code.loop(code.constant(0), code.constant(CHUNKS), 1, sums) as loop:
            totals = list(loop.values)
            firsts = [rows.loaded(begins[0], loop.variable, group) for group in range(rows.groups)]
            lefts = [[one for group in of_k for one in group] for of_k in zip(*firsts, strict=True)]
            width = len(columns.offsets)
            for group in range(columns.groups):
                rights = columns.loaded(begins[1], loop.variable, group)
                for left, right in zip(lefts, rights, strict=True):
                    for i, x in enumerate(left):
                        for j, y in enumerate(right, i * width + group * len(right)):
                            totals[j] = multiplied(code, x, y, totals[j])
            loop.yields = totals
        return loop.results


class ThreadLines:
    """The rows, or columns, of a factor that a thread multiplies: so many groups of as many as a chunk has elements.

    Where chunks lie along K these are every so many lines, and every so many chunks of lines otherwise.
    """

    def __init__(self, code: Code, part: Part, thread: SSAValue, threads: int) -> None:
        self.code, self.memory = code, part.factor.memory
        self.layout = layout = part.factor.layout
        self.threads, self.size = threads, part.factor.size
        self.each = each = layout.per_chunk
        self.groups = part.extent // threads // each
        chunk = code.constant(each)
        if layout.along_k:
            self.offsets = list(range(0, part.extent, threads))
            lines = [
                code.plus(part.first, code.plus(thread, o)) for o in range(0, EXCHANGED, threads)
            ]
            places = [layout.place(code, line, code.constant(0)) for line in lines]
            self.first = thread
        else:
            self.offsets = [
                o + i for o in range(0, part.extent, threads * each) for i in range(each)
            ]
            number = code.plus(code.divided(part.first, chunk)[0], thread)
            places = [layout.place(code, code.constant(0), number)]
            self.first = code.times(thread, chunk)
        self.starts = [code.times(place, chunk) for place in places]
        """The elements of a piece that are the thread's first ones, of lines that are exchanged in several ways."""

    def begin(self, start: SSAValue) -> SSAValue:
        """The first element of a piece that begins at a byte."""
        return self.code.divided(start, self.code.constant(self.size))[0]

    def loaded(self, begin: SSAValue, chunk: SSAValue, group: int) -> list[list[SSAValue]]:
        """The elements of a group of lines at a chunk along K: for each place along K, those of all lines."""
        code, layout, each = self.code, self.layout, self.each
        along = code.times(chunk, code.constant(each))
        line = layout.per_line * each
        if not layout.along_k:
            start = code.plus(begin, self.starts[0])
            start = code.plus(start, code.times(along, code.constant(line)))
            apart = group * self.threads * each
            return [self._chunk(code.plus(start, k * line + apart)) for k in range(each)]
        lines: list[list[SSAValue]] = []
        for offset in self.offsets[group * each : (group + 1) * each]:
            same = offset % EXCHANGED
            start = code.add(arith.XOrIOp(self.starts[same // self.threads], along))
            start = code.plus(code.plus(begin, start), (offset - same) * line)
            lines.append(self._chunk(start))
        return [list(of_k) for of_k in zip(*lines, strict=True)]

    def _chunk(self, start: SSAValue) -> list[SSAValue]:
        return loaded(self.code, self.memory.elements, start, self.each)
