"""A product of few rows and a factor whose columns lie along K, as a layer of one input has it: each warp does a column.

Such a product takes as long as its second factor is read. In tiles, 64 columns of which are a block's, hardly any threads would read
it. The threads of a warp have every 32nd group of four elements of a column, and of all rows, where these begin at multiples of four
elements, and every 32nd element of what is left. Their sums are added up by shuffles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import AnyFloat, i1
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.scalar_cores import multiplied
from lowering.gpu.shared_memory import X
from lowering.gpu.shuffles import WARP, shuffled
from lowering.gpu.staged_factor import THREADS
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.gpu.vectorize_accesses import LANES, alignment, loaded
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.loops.product import Matrix

ROWS = 4
"""At most."""
COLUMNS = THREADS // WARP
"""Of a block."""
TOGETHER = 4
"""Groups of elements whose loads are on their way at once."""


def can_be_few(found: ProductLaunch) -> bool:
    """Whether both factors lie along K."""
    return found.a.strides[1] == 1 and found.b.strides[0] == 1


@dataclass
class FewRows:
    """The code of a block's columns."""

    found: ProductLaunch

    def write(
        self, code: Code, batch: Sequence[SSAValue], matrices: Sequence[Matrix], first: SSAValue
    ) -> None:
        """Compute the columns from one on, and what follows."""
        a, b, c = matrices
        warp, lane = code.divided(code.add(gpu.ThreadIdOp(X)), code.constant(WARP))
        column = code.plus(first, warp)
        work = _Column(code, a, b, c.element_type, lane)
        sums = work.sums(code.smaller(column, code.minus(b.sizes[1], 1)))
        value = sums[0]
        for row, other in enumerate(sums[1:], 1):
            value = code.select(code.equal(lane, code.constant(row)), other, value)
        rows = code.smaller(a.sizes[0], code.constant(ROWS))
        parts = [code.less(lane, rows), code.less(column, b.sizes[1])]
        with code.branch(code.add(create(arith.AndIOp, parts, [i1]))):
            self.found.write(code, [*batch, lane, column], [value])


@dataclass
class _Column:
    """The products of all rows and a column, of which a thread adds up some."""

    code: Code
    a: Matrix
    b: Matrix
    element: Attribute
    """The type of what is added up."""
    lane: SSAValue

    def sums(self, column: SSAValue) -> list[SSAValue]:
        """Those of each row, which all threads of the warp get."""
        code, a, b = self.code, self.a, self.b
        last = code.minus(a.sizes[0], 1)
        starts = [
            code.plus(a.offset, code.times(row, code.value(a.strides[0])))
            for row in (code.smaller(code.constant(row), last) for row in range(ROWS))
        ]
        starts.append(code.plus(b.offset, code.times(column, code.value(b.strides[1]))))
        depth = a.sizes[1]
        grouped = code.select(self._are_aligned(), code.whole(depth, LANES), code.constant(0))
        width = WARP * LANES
        whole = code.whole(grouped, width * TOGETHER)
        sums = [code.zero(self.element)] * (ROWS * LANES)
        own = code.times(self.lane, code.constant(LANES))
        with code.loop(code.constant(0), whole, width * TOGETHER, sums) as loop:
            place = code.plus(loop.variable, own)
            places = [code.plus(place, width * step) for step in range(TOGETHER)]
            loop.yields = self._added(starts, places, LANES, loop.values)
        with code.loop(code.plus(whole, own), grouped, width, loop.results) as rest:
            rest.yields = self._added(starts, [rest.variable], LANES, rest.values)
        sums = [rest.results[row * LANES : (row + 1) * LANES] for row in range(ROWS)]
        sums = [self._total(one) for one in sums]
        with code.loop(code.plus(grouped, self.lane), depth, WARP, sums) as single:
            single.yields = self._added(starts, [single.variable], 1, single.values)
        return [self._of_warp(value) for value in single.results]

    def _are_aligned(self) -> SSAValue:
        """Whether rows, and columns, begin at multiples of `LANES` elements."""
        code = self.code
        rest = code.constant(0)
        for matrix, stride in ((self.a, self.a.strides[0]), (self.b, self.b.strides[1])):
            size = code.constant(byte_size(matrix.element_type))
            parts = [code.times(one, size) for one in (matrix.offset, code.value(stride))]
            parts.append(code.add(memref.ExtractAlignedPointerAsIndexOp.get(matrix.base)))
            for part in parts:
                low = code.constant(alignment(matrix.base) - 1)
                rest = code.add(arith.OrIOp(rest, code.add(arith.AndIOp(part, low))))
        return code.equal(rest, code.constant(0))

    def _added(
        self,
        starts: Sequence[SSAValue],
        places: Sequence[SSAValue],
        lanes: int,
        sums: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """The sums with the products at places along K, of so many elements each, which are all loaded before."""
        bases = [*[self.a.base] * ROWS, self.b.base]
        groups = [
            [
                self._loaded(base, self.code.plus(start, place), lanes)
                for base, start in zip(bases, starts, strict=True)
            ]
            for place in places
        ]
        found = list(sums)
        for *rows, column in groups:
            for row, values in enumerate(rows):
                for lane, (x, y) in enumerate(zip(values, column, strict=True)):
                    at = row * lanes + lane
                    found[at] = multiplied(self.code, x, y, found[at])
        return found

    def _loaded(self, base: SSAValue, at: SSAValue, lanes: int) -> list[SSAValue]:
        """Neighbouring elements, as what is added up."""
        values = loaded(self.code, base, at, lanes)
        if values[0].type == self.element:
            return values
        return [self.code.add(arith.ExtFOp(value, self.element)) for value in values]

    def _total(self, values: Sequence[SSAValue]) -> SSAValue:
        total = values[0]
        for value in values[1:]:
            total = self._sum(total, value)
        return total

    def _of_warp(self, value: SSAValue) -> SSAValue:
        """What the threads of the warp have, added up."""
        offset = WARP // 2
        while offset:
            value = self._sum(value, shuffled(self.code.add, value, offset))
            offset //= 2
        return value

    def _sum(self, one: SSAValue, other: SSAValue) -> SSAValue:
        if isinstance(self.element, AnyFloat):
            return self.code.add_floats(one, other)
        return self.code.add(arith.AddiOp(one, other))
