"""Turns `linalg.matmul` on float memrefs into vector loops with register tiles.

Note [Matrix product kernels]
Which loops depends on the strides that the memref types show, and on the number of rows, so that a transposed operand costs no
copy of its own:

    tiles   several rows: Note [Tiles of a product] in product_tiles.py
    dots    few rows by a right operand that is contiguous along K (`x @ w.t()`): product_dot.py
    rows    one row by a right operand that is contiguous along N, unless AVX2 has no masks for its lanes: product_simple.py
    plain   anything else: scalar loops
    gathered  the right operand of `kernel.im2col_matmul`: Note [Tiles of windows] in product_im2col.py

On one core these take 0.5 to 1.1 times as long as NumPy for a product, a sum and relu at 64^3 to 2048^3, with AVX2 as with AVX-512
(`python -m benchmarks.run --programs product`). So no library is called: its threads would compete with ours for the processors,
and wait for each other where another program has one, while ours take over the chunks that are left.

A zero `linalg.fill` of the result just before the product is folded into it. Code for a product takes long to compile, which is why
`ts-outline-matmul` has put it into a function of its own before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.passes import ModulePass

from lowering.dialects.kernel_product import Im2colMatmulOp
from lowering.interpreter.rounding import SUMS
from lowering.kernel_functions import loop_functions
from lowering.loops.code import Code
from lowering.loops.product import Matrix, Product, erase_unused, placed, zero_fill_before
from lowering.loops.product_dot import Dots
from lowering.loops.product_im2col import gathered
from lowering.loops.product_simple import one_row, plain
from lowering.loops.product_tiles import Tiles, rows_worth_transposing


@dataclass(frozen=True)
class MatmulToLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-matmul-to-loops"
    ROUNDS_OTHERWISE: ClassVar = frozenset({SUMS})
    """Products are added in tiles, with fused multiply-adds."""

    width: int = 16

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for func in loop_functions(op, self.name):
            lower(func, self.width)


def choose(product: Product) -> None:
    """Writes the loops for `product`; see Note [Matrix product kernels]."""
    along_n, along_k = product.b.unit(1), product.b.unit(0)
    if not product.c.unit(1) or not (along_n or along_k):
        plain(product)
    elif along_k and product.a.unit(1):
        _dots_or_tiles(product)
    elif along_n and product.has_one_row and product.masks_whole_vectors:
        one_row(product)
    else:
        Tiles(product).write()


def _dots_or_tiles(product: Product) -> None:
    """Both operands contiguous along K: from some number of rows on it pays to transpose, where columns fill more than a vector.

    The tiles are a function of their own, so that a few rows need no stack for panels.
    """
    if product.has_one_row:
        Dots(product).write()
        return
    code = product.code
    func = code.outer.parent_op()
    assert isinstance(func, FuncOp)
    tiles = function(product, f"{func.sym_name.data}_tiles", func, lambda one: Tiles(one).write())
    enough, never = code.constant(rows_worth_transposing(product)), code.plus(product.m, 1)
    enough = code.select_larger(product.n, product.lanes, enough, never)
    with code.branch(code.at_least(product.m, enough)) as branch:
        code.call(tiles, product.arguments)
        with branch.otherwise():
            Dots(product).write()


def lower(func: FuncOp, width: int) -> None:
    """Replaces the products of `func`, and the fills before them, by loops."""
    for op in list(func.body.block.ops):
        if isinstance(op, linalg.MatmulOp):
            _lower(op, width)
        if isinstance(op, Im2colMatmulOp):
            _lower_gathered(op, width)


def _lower_gathered(op: Im2colMatmulOp, width: int) -> None:
    block = op.parent
    assert block is not None
    fill = zero_fill_before(op, op.c)
    if fill is not None:
        block.erase_op(fill)
    casts = [placed(value).cast for value in (op.a, op.c)]
    gathered(Code(block, op), op, width, accumulates=fill is None)
    block.erase_op(op)
    erase_unused(casts)


def _lower(op: linalg.MatmulOp, width: int) -> None:
    block = op.parent
    assert block is not None
    code = Code(block, op)
    places = [placed(value) for value in (*op.inputs, *op.outputs)]
    fill = zero_fill_before(op, op.outputs[0])
    a, b, c = (Matrix.of(code, place) for place in places)
    product = Product(code, a, b, c, width)
    if fill is not None:
        product.accumulates = False
        block.erase_op(fill)
    choose(product)
    block.erase_op(op)
    erase_unused(place.cast for place in places)


def function(like: Product, name: str, caller: FuncOp, write: Callable[[Product], None]) -> FuncOp:
    """A function after `caller`, of the arguments of `like`, that computes such a product by the loops that `write` makes."""
    func = FuncOp(name, ([value.type for value in like.arguments], []), visibility="private")
    module = caller.parent
    assert module is not None
    module.insert_op_after(func, caller)
    block = func.body.block
    terminator = ReturnOp.create()
    block.add_op(terminator)
    values = dict(zip(like.arguments, block.args, strict=True))
    code = Code(block, terminator)
    a, b, c = (one.with_values(code, values) for one in (like.a, like.b, like.c))
    product = Product(code, a, b, c, like.width)
    product.accumulates = like.accumulates
    write(product)
    return func
