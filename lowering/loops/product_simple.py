"""Products of one row, and products of matrices whose strides only the caller knows."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr

from lowering.loops.product import Product

VECTORS = 8


def one_row(product: Product) -> None:
    """A row by a matrix that is contiguous along N: its elements are broadcast to vectors of columns."""
    code, a, b = product.code, product.a, product.b
    zero = code.constant(0)
    with code.loop(zero, product.n, VECTORS * product.lanes) as columns:
        column = columns.variable
        masks = product.masks(column, VECTORS)
        first = code.plus(b.offset, column)
        with code.loop(zero, product.k, 1, [code.splat(0.0, product.vector)] * VECTORS) as loop:
            k = loop.variable
            start = product.at(b, 0, k, first)
            x = code.spread(product.element(a.base, product.at(a, 1, k, a.offset)), product.vector)
            loop.yields = [
                code.fma(x, product.load(b.base, place, product.lanes, mask), total)
                for place, mask, total in zip(
                    [code.plus(start, v * product.lanes) for v in range(VECTORS)],
                    masks,
                    loop.values,
                    strict=True,
                )
            ]
        product.store(
            [
                (value, zero, code.plus(column, v * product.lanes), mask)
                for v, (value, mask) in enumerate(zip(loop.results, masks, strict=True))
            ]
        )


def plain(product: Product) -> None:
    """Any strides, one element at a time."""
    code, a, b, c = product.code, product.a, product.b, product.c
    zero = code.constant(0)
    initial = code.add(
        arith.ConstantOp(FloatAttr(0.0, c.element_type))  # pyright: ignore
    )
    with code.loop(zero, product.m, 1) as rows, code.loop(zero, product.n, 1) as columns:
        row = product.at(a, 0, rows.variable, a.offset)
        column = product.at(b, 1, columns.variable, b.offset)
        target = product.at(c, 0, rows.variable, c.offset)
        target = product.at(c, 1, columns.variable, target)
        start = code.element(c.base, target) if product.accumulates else initial
        with code.loop(zero, product.k, 1, [start]) as depth:
            x = product.element(a.base, product.at(a, 1, depth.variable, row))
            y = product.element(b.base, product.at(b, 0, depth.variable, column))
            term = code.multiply_floats(x, y)
            depth.yields = [code.add_floats(depth.values[0], term)]
        code.put(depth.results[0], c.base, target)
