"""Products as dots: few rows of a matrix by the rows of another, both contiguous along K (`x @ w.t()`).

A tile of one or four rows by several columns runs vectors along K, whose lanes are then added up by a tree of shuffles that leaves
the sums of a row in one vector. Rows take turns within columns, which stay in the first-level cache; the last rows, where they are
fewer than a tile has, go one by one. Columns beyond the last are computed from the last one and not stored. The mask along K in
every step costs nothing next to its loads and halves the code; lanes of 16 bits, which AVX2 cannot mask, have one in the last step.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from lowering.loops.product import WIDE, Product

COLUMNS = 8
"""Of a tile of one row; a tile of several has half as many."""
ROWS = 4
"""Of a tile, where there are registers for the sums of four rows."""


@dataclass
class Dots:
    """Writes the loops; see the module's docstring."""

    product: Product

    def write(self) -> None:
        """The whole product."""
        product = self.product
        zero = product.code.constant(0)
        if product.width < WIDE or product.has_one_row:
            self._within_columns(zero, product.m, 1, COLUMNS)
            return
        done = product.code.whole(product.m, ROWS)
        self._within_columns(zero, done, ROWS, COLUMNS // 2)
        self._one_by_one(done)

    def _within_columns(self, first: SSAValue, end: SSAValue, height: int, width: int) -> None:
        """The rows from `first` to `end`, a multiple of `height` of them, by tiles of so many columns."""
        product = self.product
        code = product.code
        count = min(width, product.lanes)
        zero = code.constant(0)
        columns_of_some = code.select_larger(code.minus(end, first), 0, product.n, zero)
        with code.loop(zero, columns_of_some, count) as columns:
            starts = self._columns(columns.variable, count)
            with code.loop(first, end, height) as tiles:
                rows = [code.plus(tiles.variable, i) for i in range(height)]
                self._tile(rows, columns.variable, starts)

    def _one_by_one(self, first: SSAValue) -> None:
        """The rows from `first` on, too few for a tile: one is the case that matters."""
        product = self.product
        code = product.code
        count = min(COLUMNS, product.lanes)
        with (
            code.loop(first, product.m, 1) as rows,
            code.loop(code.constant(0), product.n, count) as columns,
        ):
            starts = self._columns(columns.variable, count)
            self._tile([rows.variable], columns.variable, starts)

    def _columns(self, first: SSAValue, count: int) -> list[SSAValue]:
        """b from where each of `count` columns starts; the last one stands in for those beyond N.

        A chain of steps, each of a column or of none, because the code generator turns clamped
        numbers of columns into a loop variable each.
        """
        product = self.product
        code, b = product.code, product.b
        left = code.minus(product.n, first)
        step = code.value(b.strides[1])
        start = product.at(b, 1, first, b.offset)
        starts = [start]
        for j in range(1, count):
            start = code.plus(start, code.select_larger(left, j, step, code.constant(0)))
            starts.append(start)
        return [code.shifted(b.base, start) for start in starts]

    def _tile(self, rows: list[SSAValue], column: SSAValue, columns: list[SSAValue]) -> None:
        product = self.product
        code, a, lanes = product.code, product.a, product.lanes
        sources = [code.shifted(a.base, product.at(a, 0, row, a.offset)) for row in rows]
        count = len(columns)
        totals = [code.splat(0.0, product.vector)] * (len(rows) * count)
        begin = code.constant(0)
        for end, is_masked in product.ends(product.k, lanes):
            with code.loop(begin, end, lanes, totals) as loop:
                k = loop.variable
                mask = code.mask(code.minus(end, k), lanes) if is_masked else None
                left = [product.load(source, k, lanes, mask) for source in sources]
                right = [product.load(start, k, lanes, mask) for start in columns]
                pairs = [(x, y) for x in left for y in right]
                loop.yields = [
                    code.fma(x, y, total) for (x, y), total in zip(pairs, loop.values, strict=True)
                ]
            begin, totals = end, loop.results
        mask = code.mask(code.minus(product.n, column), count)
        sums = self._sums(totals, count)
        product.store([(value, row, column, mask) for value, row in zip(sums, rows, strict=True)])

    def _sums(self, totals: list[SSAValue], count: int) -> list[SSAValue]:
        """A vector for each row of `count` totals. As many rows as fit a vector are added up together."""
        code, lanes = self.product.code, self.product.lanes
        sums: list[SSAValue] = []
        for first in range(0, len(totals), lanes):
            some = totals[first : first + lanes]
            together = self._horizontal(some)
            if len(some) == count:
                sums.append(together)
                continue
            starts = range(0, len(some), count)
            sums += [code.shuffle(together, together, range(i, i + count)) for i in starts]
        return sums

    def _horizontal(self, vectors: list[SSAValue]) -> SSAValue:
        """A vector whose lane i is the sum of the lanes of `vectors[i]`; their number divides that
        of lanes, and is that of the result's."""
        code, lanes = self.product.code, self.product.lanes
        even = range(0, 2 * lanes, 2)
        odd = range(1, 2 * lanes, 2)
        results = len(vectors)
        while len(vectors) > 1:
            vectors = [
                code.add_floats(code.shuffle(x, y, even), code.shuffle(x, y, odd))
                for x, y in zip(vectors[::2], vectors[1::2], strict=True)
            ]
        (total,) = vectors
        while lanes > results:
            parts = [code.shuffle(total, total, range(i, lanes, 2)) for i in (0, 1)]
            total = code.add_floats(*parts)
            lanes //= 2
        return total
