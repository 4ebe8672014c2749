"""Products whose right factor is gathered: what `ts-matmul-to-loops` makes of `kernel.im2col_matmul`.

Note [Tiles of windows]
The loops are those of Note [Tiles of a product] in product_tiles.py, and all panels are packed. Where row k and column n of the
factor are is the sum of two numbers, `rows[k] + columns[n]`, which are computed for a block of k and for the columns that are
packed at a time, and stand on the stack. Neighbouring columns are mostly neighbours in memory, too: then a vector of them is
loaded. Where a row of the image ends between them, or windows are further apart, elements are gathered.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i64
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.dialects.kernel_product import DIGITS, Digits, Im2colMatmulOp
from lowering.loops.code import Code
from lowering.loops.index_builder import INDEX
from lowering.loops.product import Matrix, Product, placed
from lowering.loops.product_tiles import PANELS, Block, Tiles


def gathered(code: Code, op: Im2colMatmulOp, width: int, *, accumulates: bool) -> None:
    """Writes the loops for a product; see Note [Tiles of windows]."""
    a, c = (Matrix.of(code, placed(value)) for value in (op.a, op.c))
    b = Matrix(op.x, op.offset, (a.sizes[1], c.sizes[1]), (0, 1))
    product = Product(code, a, b, c, width)
    product.accumulates = accumulates
    GatheredTiles(product, Places(code, op.rows), Places(code, op.columns)).write()


class Places:
    """Where the rows or the columns are: indices of several digits, each of which has a step."""

    def __init__(self, code: Code, digits: Digits) -> None:
        self.code = code
        self.sizes, self.steps = digits

    def fill(self, table: SSAValue, first: SSAValue, count: SSAValue) -> None:
        """Writes where `count` of them are, from `first` on."""
        code = self.code
        one, zero = code.constant(1), code.constant(0)
        digits, place = self._split(first)
        back = [
            code.minus(step, code.times(size, inner))
            for step, size, inner in zip(self.steps, self.sizes[1:], self.steps[1:], strict=False)
        ]
        with code.loop(zero, count, 1, [place, *digits]) as loop:
            place, *digits = loop.values
            self._put(table, loop.variable, place)
            digits[-1] = code.plus(digits[-1], 1)
            place = code.plus(place, self.steps[-1])
            for axis in range(DIGITS - 1, 0, -1):
                is_over = code.at_least(digits[axis], self.sizes[axis])
                digits[axis] = code.select(is_over, zero, digits[axis])
                digits[axis - 1] = code.plus(digits[axis - 1], code.select(is_over, one, zero))
                place = code.plus(place, code.select(is_over, back[axis - 1], zero))
            loop.yields = [place, *digits]

    def _split(self, index: SSAValue) -> tuple[list[SSAValue], SSAValue]:
        """The digits of an index, and where it is. The first is asked for even of a batch of nothing, whose sums are stored, too."""
        code = self.code
        digits: list[SSAValue] = []
        for size in reversed(self.sizes[1:]):
            index, digit = code.divided(index, code.larger(size, code.constant(1)))
            digits.insert(0, digit)
        digits.insert(0, index)
        place = code.constant(0)
        for digit, step in zip(digits, self.steps, strict=True):
            place = code.plus(place, code.times(digit, step))
        return digits, place

    def _put(self, table: SSAValue, at: SSAValue, place: SSAValue) -> None:
        self.code.put(self.code.add(create(arith.IndexCastOp, [place], [i64])), table, at)

    def get(self, table: SSAValue, at: SSAValue) -> SSAValue:
        """A place that was written."""
        code = self.code
        return code.add(create(arith.IndexCastOp, [code.element(table, at)], [INDEX]))


class GatheredTiles(Tiles):
    """See Note [Tiles of windows]."""

    def __init__(self, product: Product, rows: Places, columns: Places) -> None:
        super().__init__(product)
        self.rows, self.columns = rows, columns

    def write(self) -> None:
        """The whole product."""
        code = self.code
        self.row_places = code.stack(code.constant(self.most_depth + self.lanes), i64)
        self.column_places = code.stack(code.constant(PANELS * self.panel), i64)
        super().write()

    def _first_packed(self) -> SSAValue:
        return self.code.constant(0)

    def _begin(self, first_k: SSAValue, depth: SSAValue) -> None:
        self.rows.fill(self.row_places, first_k, depth)

    def _panel(self, block: Block, column: SSAValue) -> tuple[SSAValue, SSAValue]:
        return (
            self.code.shifted(self.buffer, self._place(block, column)),
            self.code.constant(self.panel),
        )

    def _pack(self, block: Block) -> None:
        """Gathers panels, a vector of columns at a time."""
        code, lanes = self.code, self.lanes
        zero = code.constant(0)
        count = code.minus(block.end, block.column)
        self.columns.fill(self.column_places, block.column, count)
        last = code.minus(count, 1)
        with code.loop(zero, code.rounded_up(count, self.panel), lanes) as strips:
            at = [code.smaller(code.plus(strips.variable, lane), last) for lane in range(lanes)]
            places = [self.columns.get(self.column_places, one) for one in at]
            within = code.remainder(strips.variable, self.panel)
            panel = code.times(code.minus(strips.variable, within), self.depth)
            target = code.shifted(self.buffer, code.plus(panel, within))
            is_whole = code.at_least(count, code.plus(strips.variable, lanes))
            reach = code.select(is_whole, code.minus(places[-1], places[0]), zero)
            with code.branch(code.equal(reach, code.constant(lanes - 1))) as contiguous:
                self._copy(block, target, places[:1])
                with contiguous.otherwise():
                    self._copy(block, target, places)

    def _copy(self, block: Block, target: SSAValue, places: Sequence[SSAValue]) -> None:
        """Copies for each k the vector that begins at a place, or the elements at several."""
        code, x = self.code, self.product.b
        starts = [code.plus(x.offset, place) for place in places]
        with code.loop(code.constant(0), block.depth, 1) as loop:
            row = self.rows.get(self.row_places, loop.variable)
            at = [code.plus(start, row) for start in starts]
            into = code.times(loop.variable, code.constant(self.panel))
            if len(at) == 1:
                code.put_vector(self.product.load(x.base, at[0], self.lanes), target, into)
            else:
                elements = [self.product.element(x.base, one) for one in at]
                for lane, element in enumerate(elements):
                    code.put(element, target, code.plus(into, lane))
