"""Turns `linalg.matmul` on float memrefs into vector loops with register tiles.

Note [Matrix product kernels]
Which loops depends on the strides that the memref types show, so a transposed operand costs no
copy:

    dot    both operands contiguous along K (`x @ w.t()`): a tile of ROWS x COLUMNS running
           vectors along K, whose lanes are then added up by a tree of shuffles that leaves all
           sums of the tile in one vector; rows that remain go one by one against twice as many
           columns
    outer  the right operand contiguous along N: a tile of 2 ROWS x 2 vectors along N, the left
           operand's elements broadcast; rows that remain go one by one against 8 vectors
    plain  anything else: scalar loops

Columns beyond N are computed from the last column and not stored (dot) or masked (outer). The
mask along K in every step of a dot costs nothing next to its loads and halves the code.
Tiles go down a panel of rows, which stays in the second-level cache, before they go on to the next
columns. Nothing is packed: this is for products whose right operand fits a cache. Large ones belong
to a library call; `choose` is where to branch off.

Code for a product takes long to compile, so kernels with several of a kind have it once, as a
function. A zero `linalg.fill` of the result just before the product is folded into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, builtin, memref
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    VectorType,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from lowering.kernel import LoweringError, kernels
from lowering.loops.buffers import byte_size
from lowering.loops.code import Code
from lowering.shaped import element_type, is_memref, is_vector

WIDE = 16
"""From this width on (32 registers) tiles have four rows, below it two."""
COLUMNS = 4
VECTORS = 2
PANEL = 64
"""Rows; a multiple of the heights of tiles."""
F32_BYTES = 4

Kind = tuple[object, ...]


@dataclass(frozen=True)
class MatmulToLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-matmul-to-loops"

    width: int = 16

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for func in list(kernels(op)):
            lower(op, func, self.width)


@dataclass
class Matrix:
    """A matrix in a flat buffer; strides are constants where the type shows them."""

    base: SSAValue
    offset: SSAValue
    sizes: tuple[SSAValue, SSAValue]
    strides: tuple[SSAValue | int, SSAValue | int]
    cast: memref.ReinterpretCastOp | None = None

    @property
    def element_type(self) -> Attribute:
        """The type of an element."""
        assert is_memref(self.base.type)
        return element_type(self.base.type)

    def unit(self, axis: int) -> bool:
        """Whether elements next to each other along `axis` are neighbours in memory."""
        return self.strides[axis] == 1

    def values(self) -> list[SSAValue]:
        """The values that describe it, constants left out."""
        mixed = (self.base, self.offset, *self.sizes, *self.strides)
        return [v for v in mixed if not isinstance(v, int) and constant_value(v) is None]

    def with_values(self, code: Code, values: Mapping[SSAValue, SSAValue]) -> Matrix:
        """It with `values` in their places, and constants made by `code`."""

        def value(old: SSAValue) -> SSAValue:
            known = constant_value(old)
            return values[old] if known is None else code.constant(known)

        rows, columns = self.sizes
        first, second = (s if isinstance(s, int) else value(s) for s in self.strides)
        sizes = (value(rows), value(columns))
        return Matrix(value(self.base), value(self.offset), sizes, (first, second))


class Product:
    """One product `c[m, n] (+)= sum over k of a[m, k] * b[k, n]`, and the code for it."""

    def __init__(self, code: Code, a: Matrix, b: Matrix, c: Matrix, width: int) -> None:
        self.code = code
        self.width = width
        self.a, self.b, self.c = a, b, c
        self.m, self.k = a.sizes
        self.n = b.sizes[1]
        self.lanes = width * F32_BYTES // byte_size(c.element_type)
        self.rows = 4 if width >= WIDE else 2
        self.vector = VectorType(c.element_type, [self.lanes])
        self.accumulates = True

    @property
    def arguments(self) -> list[SSAValue]:
        """The values that the code for the product depends on."""
        return list(dict.fromkeys((*self.a.values(), *self.b.values(), *self.c.values())))

    @property
    def kind(self) -> Kind:
        """What it depends on besides: equal for products that can have the same code."""
        places: dict[SSAValue, int] = {}
        described: list[object] = [self.accumulates]
        for one in (self.a, self.b, self.c):
            for item in (one.base, one.offset, *one.sizes, *one.strides):
                known = item if isinstance(item, int) else constant_value(item)
                described.append(known)
                if known is None and not isinstance(item, int):
                    described.append((item.type, places.setdefault(item, len(places))))
        return tuple(described)

    # Addresses

    def at(self, matrix: Matrix, axis: int, index: SSAValue, base: SSAValue) -> SSAValue:
        """The linear index `base` moved on by `index` along `axis`."""
        code = self.code
        stride = matrix.strides[axis]
        if stride == 1:
            return code.plus(base, index)
        factor = code.constant(stride) if isinstance(stride, int) else stride
        return code.plus(base, code.times(index, factor))

    # dot

    def dot(self) -> None:
        """Both operands contiguous along K."""
        code = self.code
        zero = code.constant(0)
        done = zero
        if constant_value(self.m) != 1:
            done = code.whole(self.m, self.rows)
            count = min(COLUMNS, self.lanes)
            with code.loop(zero, done, PANEL) as panels:
                first, last = self._panel(panels.variable, done)
                with code.loop(zero, self.n, count) as columns:
                    starts = self._columns(columns.variable, count)
                    with code.loop(first, last, self.rows) as rows:
                        self._dot_tile(rows.variable, columns.variable, self.rows, starts)
        count = min(2 * COLUMNS, self.lanes)
        with code.loop(done, self.m, 1) as rows, code.loop(zero, self.n, count) as columns:
            starts = self._columns(columns.variable, count)
            self._dot_tile(rows.variable, columns.variable, 1, starts)

    def _panel(self, first: SSAValue, end: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The bounds of the panel of rows that starts at `first`."""
        return first, self.code.smaller(self.code.plus(first, PANEL), end)

    def _columns(self, first: SSAValue, count: int) -> list[SSAValue]:
        """b from where each of `count` columns starts; the last one stands in for those beyond N.

        A chain of steps, each of a column or of none, because the code generator turns clamped
        numbers of columns into a loop variable each.
        """
        code, b = self.code, self.b
        left = code.minus(self.n, first)
        stride = b.strides[1]
        step = code.constant(stride) if isinstance(stride, int) else stride
        start = self.at(b, 1, first, b.offset)
        starts = [start]
        for j in range(1, count):
            start = code.plus(start, code.select_larger(left, j, step, code.constant(0)))
            starts.append(start)
        return [code.shifted(b.base, start) for start in starts]

    def _dot_tile(
        self, row: SSAValue, column: SSAValue, rows: int, columns: list[SSAValue]
    ) -> None:
        code = self.code
        a = self.a
        starts = [
            code.shifted(a.base, self.at(a, 0, code.plus(row, i), a.offset)) for i in range(rows)
        ]
        totals = [code.splat(0.0, self.vector)] * (rows * len(columns))
        with code.loop(code.constant(0), self.k, self.lanes, totals) as loop:
            k = loop.variable
            mask = code.mask(code.minus(self.k, k), self.lanes)
            left = [code.load(start, k, self.vector, mask) for start in starts]
            right = [code.load(start, k, self.vector, mask) for start in columns]
            pairs = [(x, y) for x in left for y in right]
            loop.yields = [
                code.fma(x, y, total) for (x, y), total in zip(pairs, loop.values, strict=True)
            ]
        totals = loop.results
        mask = code.mask(code.minus(self.n, column), len(columns))
        sums: list[SSAValue] = []
        for first in range(0, len(totals), self.lanes):
            sums.append(self._horizontal(totals[first : first + self.lanes]))
        for i in range(rows):
            position = i * len(columns)
            value = sums[position // self.lanes]
            if rows > 1:
                start = position % self.lanes
                value = code.shuffle(value, value, range(start, start + len(columns)))
            self._store(value, code.plus(row, i), column, mask)

    def _horizontal(self, vectors: list[SSAValue]) -> SSAValue:
        """A vector whose lane i is the sum of the lanes of `vectors[i]`; their number divides that
        of lanes, and is that of the result's."""
        code = self.code
        even = range(0, 2 * self.lanes, 2)
        odd = range(1, 2 * self.lanes, 2)
        results = len(vectors)
        while len(vectors) > 1:
            vectors = [
                code.add_floats(code.shuffle(x, y, even), code.shuffle(x, y, odd))
                for x, y in zip(vectors[::2], vectors[1::2], strict=True)
            ]
        (total,) = vectors
        lanes = self.lanes
        while lanes > results:
            parts = [code.shuffle(total, total, range(i, lanes, 2)) for i in (0, 1)]
            total = code.add_floats(*parts)
            lanes //= 2
        return total

    def _store(self, value: SSAValue, row: SSAValue, column: SSAValue, mask: SSAValue) -> None:
        code, c = self.code, self.c
        index = code.plus(self.at(c, 0, row, c.offset), column)
        assert is_vector(value.type)
        if self.accumulates:
            value = code.add_floats(value, code.load(c.base, index, value.type, mask))
        code.store(value, c.base, index, mask)

    # outer

    def outer(self) -> None:
        """The right operand contiguous along N."""
        code = self.code
        zero = code.constant(0)
        done = zero
        if constant_value(self.m) != 1:
            height = 2 * self.rows
            done = code.whole(self.m, height)
            with code.loop(zero, done, PANEL) as panels:
                first, last = self._panel(panels.variable, done)
                with code.loop(zero, self.n, VECTORS * self.lanes) as columns:
                    masks = self._masks(columns.variable, VECTORS)
                    with code.loop(first, last, height) as rows:
                        self._outer_tile(rows.variable, columns.variable, height, masks)
        width = 4 * VECTORS
        with code.loop(zero, self.n, width * self.lanes) as columns:
            masks = self._masks(columns.variable, width)
            with code.loop(done, self.m, 1) as rows:
                self._outer_tile(rows.variable, columns.variable, 1, masks)

    def _masks(self, first: SSAValue, count: int) -> list[SSAValue]:
        """Which columns from `first` on there are, in `count` vectors."""
        code = self.code
        left = code.minus(self.n, first)
        return [code.mask(code.minus(left, v * self.lanes), self.lanes) for v in range(count)]

    def _outer_tile(
        self, row: SSAValue, column: SSAValue, rows: int, masks: list[SSAValue]
    ) -> None:
        code, a, b = self.code, self.a, self.b
        starts = [self.at(a, 0, code.plus(row, i), a.offset) for i in range(rows)]
        first = code.plus(b.offset, column)
        totals = [code.splat(0.0, self.vector)] * (rows * len(masks))
        with code.loop(code.constant(0), self.k, 1, totals) as loop:
            k = loop.variable
            start = self.at(b, 0, k, first)
            right = [
                code.load(b.base, code.plus(start, v * self.lanes), self.vector, mask)
                for v, mask in enumerate(masks)
            ]
            left = [
                code.spread(code.element(a.base, self.at(a, 1, k, s)), self.vector) for s in starts
            ]
            pairs = [(x, y) for x in left for y in right]
            loop.yields = [
                code.fma(x, y, total) for (x, y), total in zip(pairs, loop.values, strict=True)
            ]
        for i in range(rows):
            for v, mask in enumerate(masks):
                value = loop.results[i * len(masks) + v]
                where = code.plus(column, v * self.lanes)
                self._store(value, code.plus(row, i), where, mask)

    # plain

    def plain(self) -> None:
        """Any strides, one element at a time."""
        code, a, b, c = self.code, self.a, self.b, self.c
        zero = code.constant(0)
        initial = code.add(
            arith.ConstantOp(FloatAttr(0.0, c.element_type))  # pyright: ignore
        )
        with code.loop(zero, self.m, 1) as rows, code.loop(zero, self.n, 1) as columns:
            row = self.at(a, 0, rows.variable, a.offset)
            column = self.at(b, 1, columns.variable, b.offset)
            target = self.at(c, 0, rows.variable, c.offset)
            target = self.at(c, 1, columns.variable, target)
            start = code.element(c.base, target) if self.accumulates else initial
            with code.loop(zero, self.k, 1, [start]) as depth:
                x = code.element(a.base, self.at(a, 1, depth.variable, row))
                y = code.element(b.base, self.at(b, 0, depth.variable, column))
                product = code.multiply_floats(x, y)
                depth.yields = [code.add_floats(depth.values[0], product)]
            code.put(depth.results[0], c.base, target)


def choose(product: Product) -> None:
    """Writes the loops for `product`; see Note [Matrix product kernels]."""
    if not product.c.unit(1):
        product.plain()
    elif product.a.unit(1) and product.b.unit(0):
        product.dot()
    elif product.b.unit(1):
        product.outer()
    else:
        product.plain()


def lower(module: builtin.ModuleOp, func: FuncOp, width: int) -> None:
    """Replaces the products of `func`, and the fills before them, by loops.

    Products that have the same loops call one function.
    """
    products = [find(op, width) for op in func.body.block.ops if isinstance(op, linalg.MatmulOp)]
    kinds = [product.kind for product in products]
    functions: dict[Kind, FuncOp] = {}
    for product, kind in zip(products, kinds, strict=True):
        op = product.code.anchor
        if kinds.count(kind) == 1:
            choose(product)
        else:
            if kind not in functions:
                name = f"{func.sym_name.data}_product_{len(functions)}"
                functions[kind] = function(product, name)
                module.body.block.insert_op_after(functions[kind], func)
            call = CallOp(functions[kind].sym_name.data, product.arguments, [])
            product.code.outer.insert_op_before(call, op)
        product.code.outer.erase_op(op)
        for one in (product.a, product.b, product.c):
            if one.cast is not None and one.cast.parent is not None and not one.cast.result.uses:
                product.code.outer.erase_op(one.cast)


def find(op: linalg.MatmulOp, width: int) -> Product:
    """The product that `op` computes; erases the fill before it."""
    block = op.parent
    assert block is not None
    code = Code(block, op)
    a, b = (matrix(code, value) for value in op.inputs)
    c = matrix(code, op.outputs[0])
    product = Product(code, a, b, c, width)
    fill = op.prev_op
    while isinstance(fill, arith.ConstantOp):
        fill = fill.prev_op
    if isinstance(fill, linalg.FillOp) and fill.outputs[0] is op.outputs[0]:
        if not is_zero(fill.inputs[0]):
            raise LoweringError("a matrix product starts from zero or from a tensor")
        product.accumulates = False
        block.erase_op(fill)
    return product


def function(like: Product, name: str) -> FuncOp:
    """A function of the arguments of `like` that computes such a product."""
    func = FuncOp(name, ([value.type for value in like.arguments], []), visibility="private")
    block = func.body.block
    terminator = ReturnOp.create()
    block.add_op(terminator)
    values = dict(zip(like.arguments, block.args, strict=True))
    code = Code(block, terminator)
    a, b, c = (one.with_values(code, values) for one in (like.a, like.b, like.c))
    product = Product(code, a, b, c, like.width)
    product.accumulates = like.accumulates
    choose(product)
    return func


def matrix(code: Code, value: SSAValue) -> Matrix:
    """The matrix that a reinterpret_cast of a flat buffer describes."""
    cast = value.owner
    if not isinstance(cast, memref.ReinterpretCastOp):
        raise LoweringError("linalg.matmul needs memref.reinterpret_cast operands here")
    offsets = mixed(cast.static_offsets.get_values(), cast.offsets)
    sizes = mixed(cast.static_sizes.get_values(), cast.sizes)
    strides = mixed(cast.static_strides.get_values(), cast.strides)
    offset, rows, columns = (
        code.constant(item) if isinstance(item, int) else item for item in (offsets[0], *sizes)
    )
    return Matrix(cast.source, offset, (rows, columns), (strides[0], strides[1]), cast)


def mixed(static: tuple[int, ...], dynamic: tuple[SSAValue, ...]) -> list[SSAValue | int]:
    """A static/dynamic pair of lists as one."""
    rest = iter(dynamic)
    return [next(rest) if item == DYNAMIC_INDEX else item for item in static]


def constant_value(value: SSAValue) -> int | None:
    """The value of an index constant."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, builtin.IntegerAttr):
        return owner.value.value.data
    return None


def is_zero(value: SSAValue) -> bool:
    """Whether `value` is the float constant zero."""
    owner = value.owner
    return (
        isinstance(owner, arith.ConstantOp)
        and isinstance(owner.value, FloatAttr)
        and owner.value.value.data == 0.0
    )
