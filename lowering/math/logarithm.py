"""log, log2, log10 and log1p.

Note [Logarithm]
x = 2^k m with m in [2/3, 4/3) (f32) or [sqrt(1/2), sqrt(2)) (f64), split off by integer arithmetic
on the representation; f = m - 1 is exact. f32: log(1 + f) = f - f^2/2 + f^3 p(f). f64: with s = f /
(2 + f), log(1 + f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + s^2 p(s^2))). Denormals are scaled up
first; 0, negative numbers, inf and NaN are selected last.
"""

from __future__ import annotations

import math

from lowering.math.exponential import LN2_DOUBLE, LN2_SINGLE
from lowering.math.expressions import Float, Int, fma, polynomial, where, where_int

LOG_SINGLE = (
    0.3333320617675781,
    -0.24999888241291046,
    0.2001083493232727,
    -0.16676388680934906,
    0.14000104367733002,
    -0.12240840494632721,
    0.14008815586566925,
    -0.12647147476673126,
)
# (2 atanh(s) - 2 s) / s^3 as a polynomial of s^2
LOG_DOUBLE = (
    0.6666666666666737,
    0.3999999999939863,
    0.28571428745551214,
    0.22222198273544116,
    0.1818357906686337,
    0.1531368752092411,
    0.14799487338447104,
)

LOG2_E_SINGLE = float.fromhex("0x1.715476p0")
LOG2_E_DOUBLE = (float.fromhex("0x1.71547652b82fep0"), float.fromhex("0x1.777d0ffda0d24p-56"))
LOG10_E_SINGLE = float.fromhex("0x1.bcb7b2p-2")
LOG10_E_DOUBLE = (float.fromhex("0x1.bcb7b1526e50ep-2"), float.fromhex("0x1.95355baaafad3p-57"))
# log10(2) = high + low; k * high is exact for every exponent k.
LOG10_2_SINGLE = (float.fromhex("0x1.344p-2"), float.fromhex("0x1.3509f8p-18"))
LOG10_2_DOUBLE = (float.fromhex("0x1.34413509f8p-2"), float.fromhex("-0x1.80433b83b532ap-44"))


def exponent_of(x: Float) -> Int:
    """k such that x 2^-k lies in [2/3, 4/3) or [sqrt(1/2), sqrt(2)); for a positive normal x."""
    lowest = 0x3FE6A09E667F3BCD if x.e.double else 0x3F2AAAAB
    return (x.bits() - lowest) >> (52 if x.e.double else 23)


def to_float(k: Int) -> Float:
    """A small integer as a float."""
    magic_bits, magic = (
        (0x4338000000000000, float.fromhex("0x1.8p52"))
        if k.e.double
        else (0x4B400000, float.fromhex("0x1.8p23"))
    )
    return (k + magic_bits).float_bits() - magic


def divide_by_power(x: Float, k: Int) -> Float:
    """x 2^-k for a normal x and result; zeros and denormals need k = 0."""
    return (x.bits() - (k << (52 if x.e.double else 23))).float_bits()


def split_exponent(x: Float) -> tuple[Float, Float]:
    """(m - 1, k) with x = 2^k m, for a positive finite x, denormals included."""
    e = x.e
    smallest, shift = e.pick(2.0**-126, 2.0**-1022), 24 if not e.double else 54
    small = x < smallest
    scaled = where(small, x * 2.0**shift, x)
    k = exponent_of(scaled)
    m = divide_by_power(scaled, k)
    return m - 1.0, to_float(k - where_int(small, shift, 0))


def log1p_tail(f: Float) -> Float:
    """log(1 + f) - f for f in [-1/3, 1/3] (f32) or [-0.2929, 0.4143] (f64)."""
    half_square = 0.5 * f * f
    if f.e.double:
        s = f / (f + 2.0)
        z = s * s
        return s * fma(z, polynomial(z, LOG_DOUBLE), half_square) - half_square
    square = f * f
    return square * f * polynomial(f, LOG_SINGLE) - half_square


def log_sum(f: Float, k: Float, extra: Float | None = None) -> Float:
    """k ln 2 + log(1 + f) + extra."""
    high, low = LN2_DOUBLE if f.e.double else LN2_SINGLE
    rest = fma(k, low, log1p_tail(f))
    if extra is not None:
        rest = rest + extra
    return fma(k, high, f + rest)


def _with_limits(x: Float, result: Float) -> Float:
    """`result`, but the limits of a logarithm for x = 0, x < 0, inf and NaN."""
    result = where(x < math.inf, result, x)
    result = where(x < 0.0, math.nan, result)
    return where(x.equals(0.0), -math.inf, result)


def log(x: Float) -> Float:
    """The natural logarithm."""
    return _with_limits(x, log_sum(*split_exponent(x)))


def _scaled_log(f: Float, factor: tuple[float, float]) -> tuple[Float, Float]:
    """log(1 + f) * factor as an unevaluated sum (high, low)."""
    tail = log1p_tail(f)
    total = f + tail
    error = tail - (total - f)
    high = total * factor[0]
    low = fma(total, factor[0], -high) + fma(error, factor[0], total * factor[1])
    return high, low


def log2(x: Float) -> Float:
    """The logarithm to base 2; exact for powers of 2."""
    f, k = split_exponent(x)
    if not x.e.double:
        return _with_limits(x, fma(f + log1p_tail(f), LOG2_E_SINGLE, k))
    high, low = _scaled_log(f, LOG2_E_DOUBLE)
    total = k + high
    return _with_limits(x, total + (low + (high - (total - k))))


def log10(x: Float) -> Float:
    """The logarithm to base 10."""
    f, k = split_exponent(x)
    if not x.e.double:
        two_high, two_low = LOG10_2_SINGLE
        rest = fma(f, LOG10_E_SINGLE, fma(log1p_tail(f), LOG10_E_SINGLE, k * two_low))
        return _with_limits(x, fma(k, two_high, rest))
    high, low = _scaled_log(f, LOG10_E_DOUBLE)
    two_high, two_low = LOG10_2_DOUBLE
    base = k * two_high
    total = base + high
    # |base| exceeds |high| unless k = 0, when `high - (total - base)` is zero too.
    return _with_limits(x, total + fma(k, two_low, low + (high - (total - base))))


def log1p_finite(x: Float, more: Int | int = 0) -> Float:
    """log(1 + x) + more * ln 2 for a finite x > -1 that is no denormal.

    With 1 + x = 2^k m up to rounding, m - 1 = x 2^-k + (2^-k - 1), in which only the last addition
    rounds.
    """
    e = x.e
    k = exponent_of(x + 1.0)
    mantissa, bias = (52, 1023) if e.double else (23, 127)
    # 2^-k, or for a large k something as good as zero.
    capped = where_int(k > 100, 100, k)
    power = ((bias - capped) << mantissa).float_bits()
    f = divide_by_power(x, k) + (power - 1.0)
    return log_sum(f, to_float(k + more))


def log1p(x: Float) -> Float:
    """log(1 + x), accurate near zero."""
    e = x.e
    result = log1p_finite(x)
    result = where(x < math.inf, result, x)
    result = where(x < -1.0, math.nan, result)
    result = where(x.equals(-1.0), -math.inf, result)
    return where(abs(x) < e.pick(2.0**-30, 2.0**-60), x, result)
