"""Products by register tiles: what `ts-matmul-to-loops` makes of products with several rows.

Note [Tiles of a product]
A tile is a few rows of a by two vectors of columns of b; its sums stay in registers while k runs through a block of them. For
each k it takes two vectors of b and broadcasts one element of each row of a. Rows beyond the last are computed from the last
one, and store equal values there, so that no code is needed for what remains of them.

The two vectors of columns, for all k of a block, are a panel. A tile may read it where it is in b; or it is packed, that is,
copied to the stack, contiguous and padded to whole vectors. Packed are

    - all panels of a b that is contiguous along K, while they are transposed in registers;
    - all panels of a b of 16-bit floats, which are float32 there;
    - all panels of a large b, whose rows lie on too many pages;
    - the last panel where it is not whole, so that tiles need no masks.

PANELS of them are packed at a time. They stay in the second-level cache, beside a block of ROWS rows of a, each panel in
the first-level cache while the tiles go down that block:

    for rows of a by ROWS:  for k by blocks:  for columns by PANELS:  pack;  for each panel:  for each tile

Rows of 16-bit floats are copied, too, one block of k at a time, to float32.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.loops.product import WIDE, Product

VECTORS = 2
PANELS = 2
PANEL_BYTES = 24 << 10
"""What a panel may take of the first-level cache: that bounds the block of k."""
ROWS = 264
"""A multiple of the heights of tiles."""
LARGE = 1 << 18
"""Bytes of a b of which every panel is packed,"""
MANY_ROWS = 24
"""for more rows than this."""
SQUARE = 8
"""Lanes of the squares that are transposed, where vectors have as many."""
AHEAD = 16
"""Rows of b between the one that is packed and the one that is fetched from memory meanwhile."""


def height(product: Product) -> int:
    """Rows of a tile: two vectors of sums for each, two of b and one of a fit the registers."""
    return 8 if product.width >= WIDE else 6


def rows_worth_transposing(product: Product) -> int:
    """From how many rows on tiles are faster than dots where b is contiguous along K."""
    return 24 if product.width >= WIDE else 12


@dataclass
class Block:
    """The columns that are packed at a time, for the k of a block: the first k and column, and how many k there are."""

    first_k: SSAValue
    depth: SSAValue
    column: SSAValue
    end: SSAValue
    packed: SSAValue
    """The first column that is packed; where it is not below `end`, none is."""


class Tiles:
    """Writes the loops; see Note [Tiles of a product]."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.code = product.code
        self.height = height(product)
        self.lanes = product.lanes
        self.panel = VECTORS * product.lanes
        """Columns of a panel."""
        self.most_depth = PANEL_BYTES // (self.panel * byte_size(product.c.element_type))
        self.transposes = not product.b.unit(1)
        self.packs_all = self.transposes or product.widens

    def write(self) -> None:
        """The whole product."""
        code, product = self.code, self.product
        zero = code.constant(0)
        blocks = code.divided_up(product.k, self.most_depth)
        self.depth = code.rounded_up(code.divided_up(product.k, blocks), self.lanes)
        packed = self._first_packed()
        columns = code.rounded_up(code.minus(product.n, packed), self.panel)
        columns = code.smaller(columns, code.constant(PANELS * self.panel))
        self.buffer = code.stack(code.times(columns, self.depth), product.c.element_type)
        if product.widens:
            elements = code.times(code.smaller(product.m, code.constant(ROWS)), self.depth)
            self.wide_rows = code.stack(elements, product.c.element_type)
        some_depth = code.larger(product.k, code.constant(1))  # sums of nothing are stored, too
        with (
            code.loop(zero, product.m, ROWS) as rows,
            code.loop(zero, some_depth, self.depth) as depths,
        ):
            first = depths.variable
            depth = code.smaller(code.minus(product.k, first), self.depth)
            self._begin(first, depth)
            if product.widens:
                self._widen_rows(rows.variable, first, depth)
            with code.loop(zero, product.n, PANELS * self.panel) as groups:
                column = groups.variable
                end = code.smaller(code.plus(column, PANELS * self.panel), product.n)
                block = Block(first, depth, column, end, code.larger(packed, column))
                if self.transposes:
                    self._pack_transposed(block)
                else:
                    self._pack(block)
                self._tiles(block, rows.variable)

    def _begin(self, first_k: SSAValue, depth: SSAValue) -> None:
        """Computes what all columns have in common for a block of k."""

    def _tiles(self, block: Block, row: SSAValue) -> None:
        """The tiles of a block of columns, for rows from that one on."""
        code, product = self.code, self.product
        last = code.smaller(code.plus(row, ROWS), product.m)
        with code.loop(block.column, block.end, self.panel) as panels:
            source, stride = self._panel(block, panels.variable)
            with code.loop(row, last, self.height) as tiles:
                all_rows = product.rows(tiles.variable, self.height, last)
                left = self._left(block, all_rows, row)
                self._tile(block, all_rows, left, panels.variable, source, stride)

    def _left(self, block: Block, rows: list[SSAValue], first: SSAValue) -> list[SSAValue]:
        """The rows of a from the first k of a block on; `first` is the first row of those by ROWS."""
        code, product = self.code, self.product
        if product.widens:
            steps = [code.times(code.minus(row, first), self.depth) for row in rows]
            return [code.shifted(self.wide_rows, step) for step in steps]
        a = product.a
        start = product.at(a, 1, block.first_k, a.offset)
        return [code.shifted(a.base, product.at(a, 0, row, start)) for row in rows]

    def _first_packed(self) -> SSAValue:
        """The first column of the product that is packed."""
        code, product = self.code, self.product
        zero = code.constant(0)
        if self.packs_all:
            return zero
        whole = code.whole(product.n, self.panel)
        of_large = code.select_larger(product.m, MANY_ROWS, zero, whole)
        large = LARGE // byte_size(product.c.element_type)
        return code.select_larger(code.times(product.k, product.n), large, of_large, whole)

    def _place(self, block: Block, column: SSAValue) -> SSAValue:
        """Where in the buffer the panel starts that starts at `column`."""
        return self.code.times(self.code.minus(column, block.packed), self.depth)

    def _panel(self, block: Block, column: SSAValue) -> tuple[SSAValue, SSAValue]:
        """A panel, and how far its vectors for one k lie from those for the next."""
        code, product = self.code, self.product
        b = product.b
        copy, width = (
            code.shifted(self.buffer, self._place(block, column)),
            code.constant(self.panel),
        )
        if self.packs_all:
            return copy, width
        start = product.at(b, 1, column, product.at(b, 0, block.first_k, b.offset))
        original, stride = code.shifted(b.base, start), code.value(b.strides[0])
        is_packed = code.at_least(column, block.packed)
        return code.select(is_packed, copy, original), code.select(is_packed, width, stride)

    # Packing

    def _widen_rows(self, first: SSAValue, first_k: SSAValue, depth: SSAValue) -> None:
        """Copies rows of a from `first` on, for the k of a block, to floats that are added up."""
        code, product, lanes = self.code, self.product, self.lanes
        a = product.a
        end = code.smaller(code.plus(first, ROWS), product.m)
        whole = code.whole(depth, lanes) if a.unit(1) else code.constant(0)
        start = product.at(a, 1, first_k, a.offset)
        with code.loop(first, end, 1) as rows:
            row = rows.variable
            source = product.at(a, 0, row, start)
            target = code.shifted(self.wide_rows, code.times(code.minus(row, first), self.depth))
            with code.loop(code.constant(0), whole, lanes) as loop:
                k = loop.variable
                wide = product.load(a.base, code.plus(source, k), lanes)
                code.put_vector(wide, target, k)
            with code.loop(whole, depth, 1) as loop:
                k = loop.variable
                code.put(product.element(a.base, product.at(a, 1, k, source)), target, k)

    def _pack(self, block: Block) -> None:
        """Copies panels of a b that is contiguous along N, row by row through all of them."""
        code, product = self.code, self.product
        b, end = product.b, block.end
        columns = code.larger(code.minus(end, block.packed), code.constant(0))
        whole = code.minus(end, code.remainder(columns, self.panel))
        depth = code.select_larger(columns, 0, block.depth, code.constant(0))
        start = product.at(b, 0, block.first_k, b.offset)
        with code.loop(code.constant(0), depth, 1) as loop:
            row = product.at(b, 0, loop.variable, start)
            ahead = product.at(b, 0, code.plus(loop.variable, AHEAD), start)
            with code.loop(block.packed, whole, self.panel) as panels:
                code.prefetch(b.base, code.plus(ahead, panels.variable), writes=False)
                self._pack_row(block, loop.variable, row, panels.variable, [None] * VECTORS)
            with code.loop(code.larger(whole, block.packed), end, self.panel) as panels:
                masks = product.masks(panels.variable, VECTORS)
                self._pack_row(block, loop.variable, row, panels.variable, masks)

    def _pack_row(
        self,
        block: Block,
        k: SSAValue,
        row: SSAValue,
        column: SSAValue,
        masks: Sequence[SSAValue | None],
    ) -> None:
        code = self.code
        source = code.plus(row, column)
        width = code.constant(self.panel)
        target = code.plus(self._place(block, column), code.times(k, width))
        for v, mask in enumerate(masks):
            place = code.plus(source, v * self.lanes)
            value = self.product.load(self.product.b.base, place, self.lanes, mask)
            code.put_vector(value, self.buffer, code.plus(target, v * self.lanes))

    def _pack_transposed(self, block: Block) -> None:
        """Copies panels of a b that is contiguous along K, a square at a time.

        Columns beyond N repeat the last one.
        """
        code, product = self.code, self.product
        b = product.b
        size = min(SQUARE, self.lanes)
        zero, width = code.constant(0), code.constant(self.panel)
        last = code.minus(product.n, 1)
        start = product.at(b, 0, block.first_k, b.offset)
        count = code.rounded_up(code.minus(block.end, block.column), self.panel)
        with code.loop(zero, count, size) as strips:
            first = code.plus(block.column, strips.variable)
            columns = [code.smaller(code.plus(first, i), last) for i in range(size)]
            sources = [code.shifted(b.base, product.at(b, 1, one, start)) for one in columns]
            within = code.remainder(strips.variable, self.panel)
            panel = code.times(code.minus(strips.variable, within), self.depth)
            target = code.plus(panel, within)
            begin = zero
            for end, is_masked in product.ends(block.depth, size):
                with code.loop(begin, end, size) as loop:
                    k = loop.variable
                    mask = code.mask(code.minus(end, k), size) if is_masked else None
                    vectors = [product.load(one, k, size, mask) for one in sources]
                    place = code.plus(target, code.times(k, width))
                    for i, value in enumerate(transposed(code, vectors)):
                        code.put_vector(value, self.buffer, code.plus(place, i * self.panel))
                begin = end

    # Tiles

    def _tile(
        self,
        block: Block,
        rows: list[SSAValue],
        left: list[SSAValue],
        column: SSAValue,
        panel: SSAValue,
        stride: SSAValue,
    ) -> None:
        code, product = self.code, self.product
        a, c, lanes, vector = product.a, product.c, self.lanes, product.vector
        zero = code.constant(0)
        targets = [
            code.shifted(c.base, code.plus(product.at(c, 0, row, c.offset), column)) for row in rows
        ]
        for target in targets:
            code.prefetch(target, zero, writes=True)
        zeros = [code.splat(0.0, vector)] * (len(rows) * VECTORS)
        with code.loop(zero, block.depth, 1, [zero, *zeros]) as loop:
            place, *totals = loop.values
            k = loop.variable
            along = k if product.widens else product.along(a, 1, k)
            right = [code.load(panel, code.plus(place, v * lanes), vector) for v in range(VECTORS)]
            sums: list[SSAValue] = []
            for i, source in enumerate(left):
                x = code.spread(code.element(source, along), vector)
                sums += [code.fma(x, y, totals[i * VECTORS + v]) for v, y in enumerate(right)]
            loop.yields = [code.plus(place, stride), *sums]
        self._store(block, targets, column, loop.results[1:])

    def _store(
        self, block: Block, targets: list[SSAValue], column: SSAValue, sums: list[SSAValue]
    ) -> None:
        """Writes the sums of a tile, the first block's, or adds them to those before.

        Everything is read before anything is written, as rows may stand there twice.
        """
        code, product = self.code, self.product
        left = code.minus(product.n, column)
        places = [(row, code.constant(v * self.lanes)) for row in targets for v in range(VECTORS)]
        is_later = code.at_least(block.first_k, code.constant(0 if product.accumulates else 1))
        there = code.select(is_later, left, code.constant(0))
        starts = [v * self.lanes for v in range(VECTORS)]
        readable = [code.mask(code.minus(there, start), self.lanes) for start in starts]
        old = [
            code.load(*place, product.vector, readable[i % VECTORS])
            for i, place in enumerate(places)
        ]
        values = [code.add_floats(x, y) for x, y in zip(sums, old, strict=True)]
        with code.branch(code.at_least(left, code.constant(self.panel))) as whole:
            for value, place in zip(values, places, strict=True):
                code.put_vector(value, *place)
            with whole.otherwise():
                masks = product.masks(column, VECTORS)
                for i, (value, place) in enumerate(zip(values, places, strict=True)):
                    code.store(value, *place, masks[i % VECTORS])


def transposed(code: Code, vectors: list[SSAValue]) -> list[SSAValue]:
    """Vectors whose lane j of number i is lane i of number j; there are as many as lanes.

    Each step exchanges squares of lanes across the diagonal, of 1, 2, 4, ... lanes.
    """
    count = len(vectors)
    step = 1
    while step < count:
        even = [lane - step + count if lane & step else lane for lane in range(count)]
        odd = [lane + count if lane & step else lane + step for lane in range(count)]
        result = list(vectors)
        for i in range(count):
            if not i & step:
                pair = vectors[i], vectors[i + step]
                result[i] = code.shuffle(*pair, even)
                result[i + step] = code.shuffle(*pair, odd)
        vectors = result
        step *= 2
    return vectors
