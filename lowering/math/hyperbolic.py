"""tanh, sinh, cosh and their inverses, through (e^x - 1)/2 and log1p."""

from __future__ import annotations

import math

from lowering.math.exponential import scaled_expm1
from lowering.math.expressions import Float, where, where_int
from lowering.math.logarithm import log1p_finite


def _odd(x: Float, magnitude: Float) -> Float:
    """`magnitude` with the sign of x, but x itself where it is tiny and f(x) = x but for
    rounding."""
    e = x.e
    tiny = abs(x) < e.pick(2.0**-13, 2.0**-28)
    return where(tiny, x, magnitude.copysign(x))


def tanh(x: Float) -> Float:
    """h / (1 + h) with h = (e^2|x| - 1) / 2."""
    e = x.e
    a = abs(x).at_most(e.pick(10.0, 20.0))
    half = scaled_expm1(a + a, 1)
    return _odd(x, half / (half + 1.0))


def sinh(x: Float) -> Float:
    """h + h / (1 + 2h) with h = (e^|x| - 1) / 2."""
    e = x.e
    quarter = scaled_expm1(abs(x).at_most(e.pick(89.6, 710.6)), 2)
    half = quarter + quarter
    # The bound keeps inf / inf away.
    divisor = (half + half + 1.0).at_most(e.pick(2.0**100, 2.0**1000))
    return _odd(x, half + half / divisor)


def cosh(x: Float) -> Float:
    """w + 1 / 4w with w = e^|x| / 2."""
    e = x.e
    quarter = scaled_expm1(abs(x).at_most(e.pick(89.6, 710.6)), 2) + 0.25
    w = quarter + quarter
    return w + 0.25 / w


def asinh(x: Float) -> Float:
    """log1p(a + a^2 / (1 + sqrt(1 + a^2))) with a = |x|; log(a) + ln 2 for large a."""
    e = x.e
    a = abs(x)
    large = a > e.pick(2.0**30, 2.0**60)
    bounded = where(large, 1.0, a)
    square = bounded * bounded
    near = bounded + square / ((square + 1.0).sqrt() + 1.0)
    result = log1p_finite(where(large, a, near), where_int(large, 1, 0))
    return _odd(x, where(a < math.inf, result, a))


def acosh(x: Float) -> Float:
    """log1p(t + sqrt(2t + t^2)) with t = x - 1; log(x) + ln 2 for large x; NaN below 1."""
    e = x.e
    large = x > e.pick(2.0**30, 2.0**60)
    t = where(large, 1.0, x) - 1.0
    near = t + (t + t + t * t).sqrt()
    result = log1p_finite(where(large, x, near), where_int(large, 1, 0))
    result = where(x < math.inf, result, x)
    return where(x < 1.0, math.nan, result)


def atanh(x: Float) -> Float:
    """log1p(2a / (1 - a)) / 2 with a = |x|; inf at 1, NaN beyond."""
    a = abs(x)
    inside = a < 1.0
    bounded = where(inside, a, 0.5)
    result = 0.5 * log1p_finite((bounded + bounded) / (1.0 - bounded))
    outside = where(a.equals(1.0), math.inf, math.nan)
    return _odd(x, where(inside, result, outside))
