"""Turns `linalg.matmul` on float memrefs into vector loops with register tiles.

Note [Matrix product kernels]
Which loops depends on the strides that the memref types show, and on the number of rows, so that a transposed operand costs no
copy of its own:

    tiles   several rows: Note [Tiles of a product] in product_tiles.py
    dots    few rows by a right operand that is contiguous along K (`x @ w.t()`): product_dot.py
    rows    one row by a right operand that is contiguous along N: product_simple.py
    plain   anything else: scalar loops

On one core these take 0.5 to 1.1 times as long as NumPy for a product, a sum and relu at 64^3 to 2048^3, with AVX2 as with AVX-512
(`python -m benchmarks.run --programs product`). So no library is called: its threads would compete with ours for the processors,
and wait for each other where another program has one, while ours take over the chunks that are left.

Code for a product takes long to compile, so kernels with several of a kind have it once, as a
function. A zero `linalg.fill` of the result just before the product is folded into it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, builtin, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from lowering.interpreter.rounding import SUMS
from lowering.kernel import LoweringError
from lowering.kernel_functions import loop_functions
from lowering.loops.code import Code
from lowering.loops.product import Kind, Matrix, Product
from lowering.loops.product_dot import Dots
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
            lower(op, func, self.width)


def choose(product: Product) -> None:
    """Writes the loops for `product`; see Note [Matrix product kernels]."""
    along_n, along_k = product.b.unit(1), product.b.unit(0)
    if not product.c.unit(1) or not (along_n or along_k):
        plain(product)
    elif along_k and product.a.unit(1):
        _dots_or_tiles(product)
    elif along_n and product.has_one_row:
        one_row(product)
    else:
        Tiles(product).write()


def _dots_or_tiles(product: Product) -> None:
    """Both operands contiguous along K: from some number of rows on it pays to transpose.

    The tiles are a function of their own, so that a few rows need no stack for panels.
    """
    if product.has_one_row:
        Dots(product).write()
        return
    code = product.code
    func = code.outer.parent_op()
    assert isinstance(func, FuncOp)
    tiles = function(product, f"{func.sym_name.data}_tiles", func, lambda one: Tiles(one).write())
    enough = code.constant(rows_worth_transposing(product))
    with code.branch(code.at_least(product.m, enough)) as branch:
        code.call(tiles, product.arguments)
        with branch.otherwise():
            Dots(product).write()


def lower(module: builtin.ModuleOp, func: FuncOp, width: int) -> None:
    """Replaces the products of `func`, and the fills before them, by loops.

    Products that have the same loops call one function. So do those of several rows, for its stack.
    """
    products = [find(op, width) for op in func.body.block.ops if isinstance(op, linalg.MatmulOp)]
    kinds = [product.kind for product in products]
    functions: dict[Kind, FuncOp] = {}
    for product, kind in zip(products, kinds, strict=True):
        op = product.code.anchor
        if product.has_one_row and kinds.count(kind) == 1:
            choose(product)
        else:
            if kind not in functions:
                name = f"{func.sym_name.data}_product_{len(functions)}"
                functions[kind] = function(product, name, func, choose)
            product.code.call(functions[kind], product.arguments)
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


def is_zero(value: SSAValue) -> bool:
    """Whether `value` is the float constant zero."""
    owner = value.owner
    return (
        isinstance(owner, arith.ConstantOp)
        and isinstance(owner.value, FloatAttr)
        and owner.value.value.data == 0.0
    )
