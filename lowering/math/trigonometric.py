"""sin, cos, tan and their inverses."""

from __future__ import annotations

import math

from lowering.math.argument_reduction import reduce_double, reduce_single
from lowering.math.expressions import Float, Int, Mask, fma, polynomial, where

# (sin(s) - s) / s^3, (cos(s) - 1 + s^2 / 2) / s^4, (tan(s) - s) / s^3 as polynomials of s^2, |s| <=
# pi/4
SIN_SINGLE = (
    -0.16666653752326965,
    0.008332121185958385,
    -0.00019511011487338692,
)
COS_SINGLE = (
    0.04166664555668831,
    -0.0013887312961742282,
    2.4432969439658336e-05,
)
TAN_SINGLE = (
    0.33333349227905273,
    0.13332682847976685,
    0.05405769124627113,
    0.02129349298775196,
    0.010807245969772339,
    0.0001246978499693796,
    0.004359460901468992,
)
SIN_DOUBLE = (
    -0.1666666666666663,
    0.008333333333321917,
    -0.00019841269829456835,
    2.7557313581703525e-06,
    -2.505074224258262e-08,
    1.589593980958367e-10,
)
COS_DOUBLE = (
    0.041666666666666595,
    -0.001388888888887346,
    2.4801587289117357e-05,
    -2.755731425770238e-07,
    2.0875711542211635e-09,
    -1.1359087310084711e-11,
)
# (asin(s) - s) / s^3 as polynomials of s^2, |s| <= 1/2
ASIN_SINGLE = (
    0.16666752099990845,
    0.0749533399939537,
    0.04546454921364784,
    0.024211598560214043,
    0.04210871458053589,
)
ASIN_DOUBLE = (
    0.16666666666666757,
    0.07499999999971792,
    0.04464285717359249,
    0.0303819427587141,
    0.022372213519528936,
    0.017351638714397925,
    0.013980498610070365,
    0.011401549996406437,
    0.010765491205053643,
    0.0037619687896042024,
    0.02157292878367737,
    -0.02080981246775407,
    0.032511041925434414,
)
# (atan(s) - s) / s^3 as polynomials of s^2, |s| <= 1 (f32) and tan(pi/8) (f64)
ATAN_SINGLE = (
    -0.33333292603492737,
    0.1999835968017578,
    -0.1426229029893875,
    0.10942219942808151,
    -0.08374951034784317,
    0.05747894197702408,
    -0.030709004029631615,
    0.010666740126907825,
    -0.001738973194733262,
)
ATAN_DOUBLE = (
    -0.33333333333333187,
    0.1999999999995089,
    -0.14285714279944678,
    0.11111110771614496,
    -0.0909089743446564,
    0.07692054723372672,
    -0.06663044144148472,
    0.05847469349172749,
    -0.05037475695957979,
    0.03801952351361466,
    -0.017859299845983313,
)

HALF_PI_SINGLE = (float.fromhex("0x1.921fb6p0"), float.fromhex("-0x1.777a5cp-25"))
HALF_PI_DOUBLE = (float.fromhex("0x1.921fb54442d18p0"), float.fromhex("0x1.1a62633145c07p-54"))


def _reduced_sin_cos(x: Float) -> tuple[Float, Float, Int]:
    """sin(r), cos(r) and n for x = r + n pi/2 modulo 2 pi."""
    if not x.e.double:
        remainder, n = reduce_single(x)
        r = remainder.narrow()
        z = r * r
        sin = fma(r * z, polynomial(z, SIN_SINGLE), r)
        cos = fma(z * z, polynomial(z, COS_SINGLE), fma(z, -0.5, 1.0))
        return sin, cos, n
    r, rest, n = reduce_double(x)
    z = r * r
    half = z * 0.5
    sin = r + fma(r * z, polynomial(z, SIN_DOUBLE), rest * (1.0 - half))
    whole = 1.0 - half
    lost = (1.0 - whole) - half
    cos = whole + fma(z * z, polynomial(z, COS_DOUBLE), lost - r * rest)
    return sin, cos, n


def _negate_where(x: Float, n: Int) -> Float:
    """-x where bit 1 of n is set."""
    return (x.bits() ^ ((n & 2) << (62 if x.e.double else 30))).float_bits()


def _is_odd(n: Int) -> Mask:
    return (n & 1).differs(0)


def sin(x: Float) -> Float:
    """The sine, for arguments of any size."""
    e = x.e
    s, c, n = _reduced_sin_cos(x)
    result = _negate_where(where(_is_odd(n), c, s), n)
    return where(abs(x) < e.pick(2.0**-13, 2.0**-28), x, result)


def cos(x: Float) -> Float:
    """The cosine, for arguments of any size."""
    s, c, n = _reduced_sin_cos(x)
    # Quarters 1 and 2 are negative.
    return _negate_where(where(_is_odd(n), s, c), n + 1)


def tan(x: Float) -> Float:
    """The tangent, for arguments of any size."""
    e = x.e
    if e.double:
        s, c, n = _reduced_sin_cos(x)
        odd = _is_odd(n)
        result = where(odd, -c, s) / where(odd, s, c)
    else:
        remainder, n = reduce_single(x)
        r = remainder.narrow()
        rest = (remainder - r.widen()).narrow()
        z = r * r
        t = r + fma(r * z, polynomial(z, TAN_SINGLE), rest)
        odd = _is_odd(n)
        result = where(odd, -1.0, t) / where(odd, t, 1.0)
    return where(abs(x) < e.pick(2.0**-13, 2.0**-28), x, result)


def _asin_parts(x: Float) -> tuple[Float, Float, Float]:
    """(s, tail, |x|): asin(s) = s + tail, where s = |x|, or sqrt((1 - |x|) / 2) for |x| > 1/2.

    For |x| > 1 both are NaN.
    """
    a = abs(x)
    large = a > 0.5
    z = where(large, fma(a, -0.5, 0.5), a * a)
    s = where(large, z.sqrt(), a)
    return s, s * z * polynomial(z, ASIN_DOUBLE if x.e.double else ASIN_SINGLE), a


def asin(x: Float) -> Float:
    """The inverse sine; NaN outside [-1, 1]."""
    e = x.e
    s, tail, a = _asin_parts(x)
    high, low = HALF_PI_DOUBLE if e.double else HALF_PI_SINGLE
    angle = s + tail
    result = where(a > 0.5, high - (angle + angle - low), angle).copysign(x)
    return where(a < e.pick(2.0**-13, 2.0**-28), x, result)


def acos(x: Float) -> Float:
    """The inverse cosine; NaN outside [-1, 1]."""
    s, tail, a = _asin_parts(x)
    high, low = HALF_PI_DOUBLE if x.e.double else HALF_PI_SINGLE
    angle = s + tail
    double = angle + angle
    far = where(x < 0.0, (2.0 * high) - (double - 2.0 * low), double)
    near = high - (angle.copysign(x) - low)
    return where(a > 0.5, far, near)


def _atan_of_ratio(y: Float, x: Float) -> Float:
    """atan(y / x) for 0 <= y <= x, x > 0."""
    if not x.e.double:
        q = y / x
        z = q * q
        return fma(q * z, polynomial(z, ATAN_SINGLE), q)
    # Above tan(pi/8): atan(q) = pi/4 + atan((q - 1) / (q + 1)).
    turned = y > x * 0.41421356237309503
    q = where(turned, y - x, y) / where(turned, y + x, x)
    z = q * q
    tail = q * z * polynomial(z, ATAN_DOUBLE)
    high, low = (0.5 * part for part in HALF_PI_DOUBLE)
    return where(turned, high + (q + (tail + low)), q + tail)


def atan(x: Float) -> Float:
    """The inverse tangent."""
    e = x.e
    a = abs(x)
    large = a > 1.0
    angle = _atan_of_ratio(where(large, 1.0, a), where(large, a, 1.0))
    high, low = HALF_PI_DOUBLE if e.double else HALF_PI_SINGLE
    result = where(large, high - (angle - low), angle).copysign(x)
    return where(a < e.pick(2.0**-13, 2.0**-28), x, result)


def atan2(y: Float, x: Float) -> Float:
    """The angle of (x, y), in [-pi, pi], with C's results for zeros and infinities."""
    a, b = abs(x), abs(y)
    steep = b > a
    numerator, denominator = where(steep, a, b), where(steep, b, a)
    # Equal infinities count as 1 / 1, zeros as 0 / 1.
    infinite = numerator.equals(math.inf)
    numerator = where(infinite, 1.0, numerator)
    denominator = where(infinite | denominator.equals(0.0), 1.0, denominator)
    angle = _atan_of_ratio(numerator, denominator)
    high, low = HALF_PI_DOUBLE if x.e.double else HALF_PI_SINGLE
    angle = where(steep, high - (angle - low), angle)
    # The sign bit decides, so that a zero x counts as its sign says.
    left = x.bits() < 0
    angle = where(left, 2.0 * high - (angle - 2.0 * low), angle)
    return where(x.unordered(y), math.nan, angle).copysign(y)
