"""Multiply-adds for processors that have no such instruction, where LLVM would call a function of libm for each lane.

f32: in f64, where the product is exact, so that only a sum that lies half way between two numbers may round otherwise. f64: the
product as an exact pair (T. J. Dekker, "A floating-point technique for extending the available precision", 1971), which is added with
the error of the sum (D. E. Knuth, The Art of Computer Programming 2, 4.2.2).
"""

from __future__ import annotations

from math import inf

from lowering.math.expressions import Float, where

SPLITTER = 2.0**27 + 1.0


def fma(a: Float, b: Float, c: Float) -> Float:
    """`a * b + c`, nearly as if rounded once; NaN where a product of f64 overflows and `c` is the other infinity."""
    if not a.e.double:
        return (a.widen() * b.widen() + c.widen()).narrow()
    product = a * b
    total = product + c
    added = total - product
    rest = (product - (total - added)) + (c - added) + _error(a, b, product)
    size = abs(rest)
    return where((size > 0.0) & (size < inf), total + rest, total)  # -0.0 + 0.0 would be 0.0


def unfused(a: Float, b: Float, c: Float) -> Float:
    """`a * b + c` with two roundings: for sums of many products, which are rounded often."""
    return a * b + c


def _error(a: Float, b: Float, product: Float) -> Float:
    """What `product` lacks of `a * b`; no number where a part overflows."""
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return a_high * b_high - product + a_high * b_low + a_low * b_high + a_low * b_low


def _split(x: Float) -> tuple[Float, Float]:
    """Two numbers of at most 26 bits whose sum is `x`."""
    spread = x * SPLITTER
    high = spread - (spread - x)
    return high, x - high
