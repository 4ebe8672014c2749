"""erf and the complementary error function.

Note [Error function]
erf: below 1 an odd polynomial, above it 1 - e^-q(x) with q a polynomial for -log erfc over [1, 4]
(f32) or [1, 6] (f64), beyond which erf is 1. erfc(x) = e^(-x^2) / (1 + 2x) * p((x - c) / (x + c))
for x >= 0 (Schonfelder 1978), x^2 as an exact sum of two floats (f64) or in f64 (f32); 2 - erfc(-x)
for x < 0.
"""

from __future__ import annotations

from lowering.math.exponential import (
    EXP2_MIDDLE,
    LOG2_E,
    exp,
    exp_sum,
    nearest_integer,
    power_of_two,
)
from lowering.math.expressions import Float, fma, polynomial, where

# erf(s) / s - 1 as a polynomial of s^2 for |s| <= 1
ERF_SINGLE = (
    0.12837916612625122,
    -0.3761262595653534,
    0.1128358244895935,
    -0.026853643357753754,
    0.005187962669879198,
    -0.0008006793214008212,
    7.842288323445246e-05,
)
ERF_DOUBLE = (
    0.1283791670955126,
    -0.37612638903183876,
    0.11283791670958743,
    -0.02686617064561954,
    0.005223977629095658,
    -0.0008548327189606624,
    0.00012055337777810952,
    -1.4925738504204218e-05,
    1.646308709483387e-06,
    -1.637063829093387e-07,
    1.4786548418167036e-08,
    -1.1830590465705277e-09,
    6.684830822627492e-11,
)
# -log(erfc(x)) for x in [1, 4] and [1, 6]
LOG_ERFC_SINGLE = (
    0.000329790695104748,
    1.1271381378173828,
    0.6380612254142761,
    0.10318152606487274,
    -0.021874958649277687,
    0.002957174787297845,
    -0.00018738101061899215,
)
LOG_ERFC_DOUBLE = (
    5.147822994831415e-07,
    1.128373976188996,
    0.6366441273820314,
    0.10270208315210688,
    -0.018987635853803954,
    -0.0004141190415247043,
    0.0019195765762269868,
    -0.0007735703513437885,
    0.00013689828461397937,
    1.934747369851258e-05,
    -2.24623069723415e-05,
    8.556615520110755e-06,
    -2.1094320369365087e-06,
    3.6858447405416417e-07,
    -4.580259440328295e-08,
    3.87807502895754e-09,
    -2.0136574236797526e-10,
    4.847835206256383e-12,
)
# e^(x^2) erfc(x) (1 + 2x) as a polynomial of (x - c) / (x + c), c = 2 and 4
ERFC_MIDDLE = (
    1.2769783825952206,
    -0.09276381796068126,
    -0.1660305124265799,
    0.16405096764828786,
    -0.054217998822217006,
    -0.008030374000524629,
    0.008710227232919227,
    0.0012516384401719297,
    -0.0014238495584750523,
    -0.00040071682660493865,
    0.0001722578602368548,
    8.081062302795062e-05,
)
ERFC_DOUBLE = (
    1.2329951186255526,
    -0.13962111684056253,
    0.01537965210261426,
    0.06809705425469295,
    -0.10103906603611015,
    0.09373283499837741,
    -0.06633036581536338,
    0.037167515536453054,
    -0.016197734029952025,
    0.005031969992145689,
    -0.0007577734349351635,
    -0.00019925679618097554,
    0.0001506221466537638,
    -2.4398789736756417e-05,
    -1.12229423738407e-05,
    5.70865601233667e-06,
    2.947710606911385e-07,
    -8.237927164970109e-07,
    7.432001736546125e-08,
    1.0869875558356328e-07,
    -1.8233779539151643e-08,
    -1.364367748805335e-08,
    2.0825679828816986e-09,
    1.2823897389195332e-09,
)


def erf(x: Float) -> Float:
    """2/sqrt(pi) times the integral of e^-t^2 from 0 to x."""
    e = x.e
    a = abs(x)
    small = fma(x, polynomial(x * x, ERF_DOUBLE if e.double else ERF_SINGLE), x)
    bounded = a.at_most(e.pick(4.0, 6.0))
    q = polynomial(bounded, LOG_ERFC_DOUBLE if e.double else LOG_ERFC_SINGLE)
    large = (1.0 - exp(-q)).copysign(x)
    return where(a < 1.0, small, large)


def erfc(x: Float) -> Float:
    """1 - erf(x), relatively accurate for large x."""
    return _erfc_double(x) if x.e.double else _erfc_single(x)


def _erfc_single(x: Float) -> Float:
    # Beyond the bound the result is zero, or 2.
    a = abs(x).at_most(10.1).widen()
    p = polynomial((a - 2.0) / (a + 2.0), ERFC_MIDDLE)
    t = a * a * -LOG2_E
    n, bits = nearest_integer(t)
    r = t - n
    decay = fma(r, polynomial(r, EXP2_MIDDLE), 1.0) * power_of_two(a.e, bits)
    result = decay * (p / fma(a, 2.0, 1.0))
    return where(x < 0.0, 2.0 - result, result).narrow()


def _erfc_double(x: Float) -> Float:
    # Beyond the bound the result is zero, or 2.
    a = abs(x).at_most(27.3)
    p = polynomial((a - 4.0) / (a + 4.0), ERFC_DOUBLE)
    square = a * a
    rest = fma(a, a, -square)
    result = exp_sum(-square, -rest) * (p / fma(a, 2.0, 1.0))
    return where(x < 0.0, 2.0 - result, result)
