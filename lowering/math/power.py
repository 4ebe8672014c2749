"""Powers: powf with every special case of C's pow, rsqrt and cbrt.

Note [Power]
x^y = 2^(y log2 x). The error of the product counts absolutely, so log2 |x| needs some bits more
than the result: f32 is computed in f64; f64 carries the logarithm as an unevaluated sum of two
numbers with about 64 bits. y is bounded first: every power of a number other than 1 has overflowed
or vanished long before, and inf * 0 does not arise for |x| = 1.
"""

from __future__ import annotations

import math

from lowering.math.exponential import (
    EXP2_DOUBLE,
    EXP2_MIDDLE,
    nearest_integer,
    power_of_two,
    scale,
)
from lowering.math.expressions import Float, fma, polynomial, short_polynomial, where
from lowering.math.logarithm import (
    LOG2_E_DOUBLE,
    divide_by_power,
    exponent_of,
    split_exponent,
    to_float,
)

# (2 atanh(s) - 2 s) / s^3 with 37 good bits, as a polynomial of s^2
LOG_MIDDLE = (0.666666656184858, 0.4000034009816137, 0.285370374917917, 0.2358682403032119)
# ((2 atanh(s) - 2 s) / s^3 - 2/3) / s^2
LOG_PRECISE = (
    0.39999999999999974,
    0.28571428571446694,
    0.2222222221721108,
    0.18181818905015118,
    0.15384554771347336,
    0.13336390183866967,
    0.11673471560320936,
    0.1199934463524945,
)
TWO_THIRDS = (float.fromhex("0x1.5555555555555p-1"), float.fromhex("0x1.5555555555555p-55"))
# The cube root over [0.35, 2.83], to 10 bits.
CBRT = (
    0.4195742607116699,
    1.0287147760391235,
    -0.7182520627975464,
    0.3531896471977234,
    -0.09252998977899551,
    0.009732453152537346,
)


def powf(x: Float, y: Float) -> Float:
    """x^y as C defines it: 1 for y = 0 or x = 1, even with NaN; NaN for x < 0 and a fraction y."""
    a = abs(x)
    result = _power_double(a, y) if x.e.double else _power_single(a, y)
    # |x| = 0 or inf: the result is 0 or inf.
    at_zero = a.equals(0.0)
    extreme = at_zero | a.equals(math.inf)
    grows = at_zero ^ (y > 0.0)
    result = where(extreme, where(grows, math.inf, 0.0), result)
    rounded = y.round_even()
    fraction = rounded.differs(y)
    half = y * 0.5
    odd = rounded.equals(y) & half.round_even().differs(half)
    result = where(odd, result.copysign(x), result)
    result = where((x < 0.0) & (x > -math.inf) & fraction, math.nan, result)
    result = where(x.unordered(y), math.nan, result)
    return where(y.equals(0.0) | x.equals(1.0), 1.0, result)


def _power_single(a: Float, y: Float) -> Float:
    """a^y for a finite and positive; anything where a is 0, inf or NaN, or y NaN."""
    wide = a.widen()
    k = exponent_of(wide)
    f = divide_by_power(wide, k) - 1.0
    s = f / (f + 2.0)
    z = s * s
    log = fma(s * z, polynomial(z, LOG_MIDDLE), s + s)
    exponent = fma(log, LOG2_E_DOUBLE[0], to_float(k))
    bounded = y.at_most(2.0**100).at_least(-(2.0**100)).widen()
    t = (bounded * exponent).at_most(200.0).at_least(-200.0)
    n, bits = nearest_integer(t)
    r = t - n
    return (fma(r, polynomial(r, EXP2_MIDDLE), 1.0) * power_of_two(wide.e, bits)).narrow()


def _power_double(a: Float, y: Float) -> Float:
    """a^y for a finite and positive; anything where a is 0, inf or NaN, or y NaN."""
    high, low = _log2_sum(a)
    y = y.at_most(2.0**70).at_least(-(2.0**70))
    t = y * high
    rest = fma(y, high, -t) + y * low
    rest = where(abs(t) < 1100.0, rest, 0.0)
    t = t.at_most(1100.0).at_least(-1100.0)
    n, bits = nearest_integer(t)
    r = (t - n) + rest
    return scale(fma(r, short_polynomial(r, EXP2_DOUBLE), 1.0), bits)


def _log2_sum(a: Float) -> tuple[Float, Float]:
    """log2(a) as an unevaluated sum (high, low) with a relative error near 2^-64.

    f64, a > 0 and finite. Every product (u, v) is u + v exactly or up to the low part's rounding.
    """
    f, k = split_exponent(a)
    divisor = f + 2.0
    divisor_low = f - (divisor - 2.0)
    inverse = 1.0 / divisor
    s = f * inverse
    s_low = (fma(-s, divisor, f) - s * divisor_low) * inverse
    z = s * s
    z_low = fma(s, s, -z) + (s + s) * s_low
    # 2/3 + z q(z)
    tail = z * short_polynomial(z, LOG_PRECISE)
    c = tail + TWO_THIRDS[0]
    c_low = (TWO_THIRDS[0] - c) + tail + TWO_THIRDS[1]
    u = z * c
    u_low = fma(z, c, -u) + z * c_low + z_low * c
    v = u + 2.0
    v_low = (2.0 - v) + u + u_low
    log = s * v
    log_low = fma(s, v, -log) + s * v_low + s_low * v
    g = log * LOG2_E_DOUBLE[0]
    g_low = fma(log, LOG2_E_DOUBLE[0], -g) + log * LOG2_E_DOUBLE[1] + log_low * LOG2_E_DOUBLE[0]
    high = k + g
    low = (k - high) + g + g_low
    return high, low


def rsqrt(x: Float) -> Float:
    """1 / sqrt(x), each operation rounded."""
    return 1.0 / x.sqrt()


def cbrt(x: Float) -> Float:
    """The real cube root.

    A polynomial's guess on x 8^-j in [0.35, 2.83], then one Halley step for f32, two for f64.
    """
    a = abs(x)
    f, k = split_exponent(a)
    j, j_bits = nearest_integer(k, 1.0 / 3.0)
    _, rest = nearest_integer(fma(j, -3.0, k))
    m = (f + 1.0) * power_of_two(x.e, rest)
    y = polynomial(m, CBRT)
    for _ in range(2 if x.e.double else 1):
        cube = y * y * y
        y = y - y * ((cube - m) / (cube + cube + m))
    result = (y * power_of_two(x.e, j_bits)).copysign(x)
    # Zeros, infinities and NaN are their own roots.
    return where((a > 0.0) & (a < math.inf), result, x)
