"""exp, exp2, expm1 and the logistic function.

Note [Exponential]
x = n ln 2 + r with n the nearest integer, found by adding 1.5 * 2^23 (2^52): the sum's low bits are
n, so no conversion of a possible NaN or overflow to an integer takes place. e^r - 1 = r + r^2 q(r),
|r| <= ln(2)/2, with q from tools/fit_polynomials.py. The factor 2^n is applied as two factors near
2^(n/2): both are normal numbers, results that are denormal are rounded once, and overflow gives
inf.
"""

from __future__ import annotations

from lowering.math.expressions import ExpressionBuilder, Float, Int, fma, polynomial, where

EXP_SINGLE = (
    0.49999988079071045,
    0.166665181517601,
    0.041669655591249466,
    0.00836896151304245,
    0.0013744814787060022,
)
EXP_DOUBLE = (
    0.5000000000000013,
    0.16666666666666488,
    0.041666666666511976,
    0.00833333333344726,
    0.0013888888947727362,
    0.00019841269607174817,
    2.4801489318727205e-05,
    2.7557497479195075e-06,
    2.7631478385462734e-07,
    2.5027991964081563e-08,
)
EXPM1_SINGLE = (
    0.5,
    0.1666666567325592,
    0.04166647791862488,
    0.008333567529916763,
    0.001393370795994997,
    0.00019742561562452465,
)
EXPM1_DOUBLE = (
    0.5,
    0.16666666666666677,
    0.0416666666666666,
    0.008333333333321443,
    0.0013888888888928337,
    0.00019841269886570426,
    2.4801587227621047e-05,
    2.7557243776384498e-06,
    2.755736178023577e-07,
    2.5109185938735996e-08,
    2.0886684693563505e-09,
)
# (2^r - 1) / r for |r| <= 1/2; the middle one has 34 good bits, for f32 results computed in f64.
EXP2_SINGLE = (
    0.6931471824645996,
    0.24022644758224487,
    0.055503591895103455,
    0.009618841111660004,
    0.0013391136890277267,
    0.00015238006017170846,
)
EXP2_DOUBLE = (
    0.6931471805599453,
    0.24022650695910133,
    0.05550410866482226,
    0.009618129107593498,
    0.0013333558146380658,
    0.00015403530457765014,
    1.5252733805508415e-05,
    1.3215435001110848e-06,
    1.0178086773687693e-07,
    7.073826046303358e-09,
    4.449955477539561e-10,
)
EXP2_MIDDLE = (
    0.6931471807889881,
    0.2402265107197923,
    0.05550410157850253,
    0.009618037520310393,
    0.0013334079942130953,
    0.00015466918102001025,
    1.5165811795958255e-05,
)

LOG2_E = 1.4426950408889634
# ln 2 = high + low; n * high is exact for every n that occurs.
LN2_SINGLE = (float.fromhex("0x1.62ep-1"), float.fromhex("0x1.0bfbe8p-15"))
LN2_DOUBLE = (float.fromhex("0x1.62e42fefa4p-1"), float.fromhex("-0x1.8432a1b0e2634p-43"))


def nearest_integer(x: Float, factor: float = 1.0) -> tuple[Float, Int]:
    """The integer nearest to `x * factor`, as a float and as the low bits of an integer.

    Holds for |x * factor| < 2^22 (f32) or 2^51 (f64); for more, or NaN, both are arbitrary.
    """
    e = x.e
    magic = e.pick(float.fromhex("0x1.8p23"), float.fromhex("0x1.8p52"))
    shifted = x + magic if factor == 1.0 else fma(x, factor, magic)
    return shifted - magic, shifted.bits()


def power_of_two(e: ExpressionBuilder, n: Int, less: int = 0) -> Float:
    """2^(n - less) for an `n` whose low bits count, within the range of normal numbers."""
    mantissa, bias = (52, 1023) if e.double else (23, 127)
    return ((n << mantissa) + ((bias - less) << mantissa)).float_bits()


def scale(x: Float, n: Int) -> Float:
    """x * 2^n with one rounding, `n` being the second result of `nearest_integer`."""
    e = x.e
    magic_bits = 0x4338000000000000 if e.double else 0x4B400000
    half = (n - magic_bits) >> 1
    return x * power_of_two(e, half) * power_of_two(e, n - half)


def reduce_by_ln2(x: Float) -> tuple[Float, Int]:
    """x - n ln 2 and n."""
    e = x.e
    high, low = LN2_DOUBLE if e.double else LN2_SINGLE
    n, bits = nearest_integer(x, LOG2_E)
    return fma(n, -low, fma(n, -high, x)), bits


def exp(x: Float) -> Float:
    """e^x."""
    return exp_sum(x, None)


def exp_sum(x: Float, low: Float | None) -> Float:
    """e^(x + low), |low| being at most an ulp or two of x."""
    e = x.e
    x = x.at_most(e.pick(89.0, 710.0)).at_least(e.pick(-104.0, -746.0))
    r, n = reduce_by_ln2(x)
    if low is not None:
        r = r + low
    tail = polynomial(r, EXP_DOUBLE if e.double else EXP_SINGLE)
    return scale(fma(r * r, tail, r) + 1.0, n)


def exp2(x: Float) -> Float:
    """2^x; exact for integers."""
    e = x.e
    x = x.at_most(e.pick(129.0, 1025.0)).at_least(e.pick(-151.0, -1076.0))
    n, bits = nearest_integer(x)
    r = x - n
    return scale(fma(r, polynomial(r, EXP2_DOUBLE if e.double else EXP2_SINGLE), 1.0), bits)


def scaled_expm1(x: Float, halvings: int) -> Float:
    """(e^x - 1) / 2^halvings.

    Needs x >= -40 and e^x < 2^(127.5 + halvings), or 2^(1023.5 + halvings) for f64. Between the
    largest finite number and that bound the result is inf. A zero may lose its sign.
    """
    e = x.e
    r, n = reduce_by_ln2(x)
    tail = fma(r * r, polynomial(r, EXPM1_DOUBLE if e.double else EXPM1_SINGLE), r)
    power = power_of_two(e, n, less=halvings)
    return fma(tail, power, power - 2.0**-halvings)


def expm1(x: Float) -> Float:
    """e^x - 1, accurate near zero."""
    e = x.e
    half = scaled_expm1(x.at_most(e.pick(89.0, 710.0)).at_least(-40.0), 1)
    # Tiny arguments are their own results: keeps denormals and the sign of zero.
    return where(abs(x) < e.pick(2.0**-30, 2.0**-60), x, half + half)


def sigmoid(x: Float) -> Float:
    """1 / (1 + e^-x) without overflow, relatively accurate on both sides."""
    e = exp(-abs(x))
    return where(x < 0.0, e, 1.0) / (e + 1.0)
