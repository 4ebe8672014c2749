"""Derives the polynomial coefficients that lowering/math and ops/special/bessel_functions.py hold. Needs mpmath.

    python tools/fit_polynomials.py [NAME ...]

prints one Python tuple per fit, lowest degree first, with the largest weighted error of the rounded
polynomial (for a relative weight: the relative error of the function that the polynomial stands
in). Every fit is a weighted least squares at Chebyshev nodes; coefficients are rounded to the
target precision one by one, the remaining ones being fitted anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import mpmath
from mpmath import mpf as make_mpf

mpmath.mp.dps = 50

mpf: TypeAlias = Any
"""A number of mpmath, whose types a checker cannot see."""

Function = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Fit:
    """`function` as a polynomial of `degree` over [low, high]; errors count times `weight`.

    bits: precision of the coefficients (24 or 53).
    """

    name: str
    function: Function
    low: float | mpf
    high: float | mpf
    degree: int
    weight: Function
    bits: int


def rounded(x: mpf, bits: int) -> mpf:
    with mpmath.workprec(bits):
        return +x


def solve(fit: Fit) -> tuple[list[mpf], mpf]:
    """The rounded coefficients and the largest weighted error on a fine grid."""
    low, high = make_mpf(fit.low), make_mpf(fit.high)
    count = 3 * fit.degree + 20
    middle, half = (low + high) / 2, (high - low) / 2
    nodes = [
        middle + half * mpmath.cos(mpmath.pi * (2 * i + 1) / (2 * count)) for i in range(count)
    ]
    values = [fit.function(x) for x in nodes]
    weights = [fit.weight(x) for x in nodes]
    known: list[mpf] = []
    while len(known) <= fit.degree:
        start = len(known)
        unknowns = fit.degree + 1 - start
        rows = mpmath.matrix(count, unknowns)
        rhs = mpmath.matrix(count, 1)
        for i, (x, value, weight) in enumerate(zip(nodes, values, weights, strict=True)):
            rest = value - mpmath.polyval(known[::-1] or [make_mpf(0)], x)
            rhs[i] = rest * weight
            power = weight * x**start
            for j in range(unknowns):
                rows[i, j] = power
                power *= x
        normal = rows.T * rows
        solution = mpmath.lu_solve(normal, rows.T * rhs)
        known.append(rounded(solution[0], fit.bits))
    worst = make_mpf(0)
    for i in range(801):
        x = low + (high - low) * i / 800
        if x == 0:
            continue
        error = abs((mpmath.polyval(known[::-1], x) - fit.function(x)) * fit.weight(x))
        worst = max(worst, error)
    return known, worst


def series(function: Function, around_zero: Callable[[mpf], mpf], bound: float) -> Function:
    """`function`, replaced by its limit formula where cancellation would eat the digits."""
    return lambda x: around_zero(x) if abs(x) < bound else function(x)


def exp_tail(r: mpf) -> mpf:
    """(e^r - 1 - r) / r^2"""
    if abs(r) < make_mpf("1e-6"):
        return make_mpf(1) / 2 + r / 6 + r * r / 24 + r**3 / 120 + r**4 / 720
    return (mpmath.exp(r) - 1 - r) / r**2


def exp2_tail(r: mpf) -> mpf:
    """(2^r - 1) / r"""
    return mpmath.log(2) if r == 0 else mpmath.expm1(r * mpmath.log(2)) / r


def log_tail(f: mpf) -> mpf:
    """(log(1 + f) - f + f^2 / 2) / f^3"""
    if abs(f) < make_mpf("1e-6"):
        return make_mpf(1) / 3 - f / 4 + f * f / 5 - f**3 / 6 + f**4 / 7
    return (mpmath.log1p(f) - f + f * f / 2) / f**3


def atanh_tail(z: mpf) -> mpf:
    """(2 atanh(s) - 2 s) / s^3 with s = sqrt(z)"""
    if z < make_mpf("1e-8"):
        return 2 * (make_mpf(1) / 3 + z / 5 + z * z / 7 + z**3 / 9 + z**4 / 11)
    s = mpmath.sqrt(z)
    return 2 * (mpmath.atanh(s) - s) / s**3


def atanh_tail_precise(z: mpf) -> mpf:
    """(atanh_tail(z) - 2/3) / z"""
    if z < make_mpf("1e-8"):
        return 2 * (make_mpf(1) / 5 + z / 7 + z * z / 9 + z**3 / 11 + z**4 / 13)
    return (atanh_tail(z) - make_mpf(2) / 3) / z


def odd_tail(function: Function, cubic: mpf) -> Function:
    """(function(s) - s) / s^3 with s = sqrt(z); `cubic` is the value at zero."""

    def tail(z: mpf) -> mpf:
        if z < make_mpf("1e-16"):
            return cubic
        s = mpmath.sqrt(z)
        return (function(s) - s) / s**3

    return tail


def odd_weight(function: Function) -> Function:
    """Makes the error of `odd_tail` relative to `function(s)`."""

    def weight(z: mpf) -> mpf:
        if z < make_mpf("1e-16"):
            return z
        s = mpmath.sqrt(z)
        return s**3 / function(s)

    return weight


def cos_tail(z: mpf) -> mpf:
    """(cos(s) - 1 + z / 2) / z^2 with s = sqrt(z)"""
    if z < make_mpf("1e-8"):
        return make_mpf(1) / 24 - z / 720 + z * z / 40320
    return (mpmath.cos(mpmath.sqrt(z)) - 1 + z / 2) / z**2


def erf_ratio(z: mpf) -> mpf:
    """erf(s) / s - 1 with s = sqrt(z)"""
    if z < make_mpf("1e-16"):
        return 2 / mpmath.sqrt(mpmath.pi) * (1 - z / 3) - 1
    s = mpmath.sqrt(z)
    return mpmath.erf(s) / s - 1


def erf_weight(z: mpf) -> mpf:
    return 1 / (erf_ratio(z) + 1)


def log_erfc(t: mpf) -> mpf:
    return -mpmath.log(mpmath.erfc(t))


def scaled_erfc(center: int) -> Function:
    """e^(x^2) erfc(x) (1 + 2x) as a function of q = (x - center) / (x + center)."""

    def function(q: mpf) -> mpf:
        if q == 1:
            return 2 / mpmath.sqrt(mpmath.pi)
        x = center * (1 + q) / (1 - q)
        return mpmath.exp(x * x) * mpmath.erfc(x) * (1 + 2 * x)

    return function


def relative(function: Function) -> Function:
    return lambda x: 1 / function(x)


def decay(order: int) -> Function:
    """sqrt(x) e^x K(x) as a function of 4 / x - 1."""

    def function(s: mpf) -> mpf:
        if s == -1:
            return mpmath.sqrt(mpmath.pi / 2)
        x = 4 / (s + 1)
        return mpmath.sqrt(x) * mpmath.exp(x) * mpmath.besselk(order, x)

    return function


def airy_decay(s: mpf) -> mpf:
    """x^(1/4) e^y Ai(x) for y = 2/3 x^(3/2), as a function of 2 z / y - 1, where z is y for x = 2."""
    if s == -1:
        return 1 / (2 * mpmath.sqrt(mpmath.pi))
    y = 4 * mpmath.sqrt(8) / (3 * (s + 1))
    x = mpmath.cbrt(3 * y / 2) ** 2
    return mpmath.sqrt(mpmath.sqrt(x)) * mpmath.exp(y) * mpmath.airyai(x)


LN2_HALF = mpmath.log(2) / 2 * make_mpf("1.001")
QUARTER_PI = (mpmath.pi / 4 * make_mpf("1.0001")) ** 2
SQRT2_S = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2 * make_mpf("1.001")
TAN_PI_8 = (mpmath.sqrt(2) - 1) ** 2 * make_mpf("1.001")
SCHONFELDER = scaled_erfc(4)
SCHONFELDER_SINGLE = scaled_erfc(2)

FITS = [
    Fit("EXP_SINGLE", exp_tail, -LN2_HALF, LN2_HALF, 4, lambda r: r * r / mpmath.exp(r), 24),
    Fit(
        "EXPM1_SINGLE", exp_tail, -LN2_HALF, LN2_HALF, 5,
        lambda r: r * r / mpmath.expm1(r) if r else make_mpf(0), 24,
    ),
    Fit(
        "EXP_DOUBLE", exp_tail, -LN2_HALF, LN2_HALF, 9, lambda r: r * r / mpmath.exp(r), 53,
    ),
    Fit(
        "EXPM1_DOUBLE", exp_tail, -LN2_HALF, LN2_HALF, 10,
        lambda r: r * r / mpmath.expm1(r) if r else make_mpf(0), 53,
    ),
    Fit("EXP2_SINGLE", exp2_tail, -0.5, 0.5, 5, lambda r: r / make_mpf(2) ** r, 24),
    Fit("EXP2_DOUBLE", exp2_tail, -0.5, 0.5, 10, lambda r: r / make_mpf(2) ** r, 53),
    Fit("EXP2_MIDDLE", exp2_tail, -0.5, 0.5, 6, lambda r: r / make_mpf(2) ** r, 53),
    Fit(
        "LOG_SINGLE", log_tail, make_mpf(-1) / 3, make_mpf(1) / 3, 7,
        lambda f: f**3 / mpmath.log1p(f) if f else make_mpf(0), 24,
    ),
    Fit(
        "LOG_DOUBLE", atanh_tail, 0, SQRT2_S, 6,
        lambda z: z / 2, 53,
    ),
    Fit(
        "LOG_MIDDLE", atanh_tail, 0, SQRT2_S, 3,
        lambda z: z / 2, 53,
    ),
    Fit("LOG_PRECISE", atanh_tail_precise, 0, SQRT2_S, 7, lambda z: z * z / 2, 53),
    Fit("CBRT", mpmath.cbrt, 0.35, 2.83, 5, lambda m: 1 / mpmath.cbrt(m), 24),
    Fit(
        "SIN_SINGLE", odd_tail(mpmath.sin, make_mpf(-1) / 6), 0, QUARTER_PI, 2,
        odd_weight(mpmath.sin), 24,
    ),
    Fit("COS_SINGLE", cos_tail, 0, QUARTER_PI, 2, lambda z: z * z, 24),
    Fit(
        "SIN_DOUBLE", odd_tail(mpmath.sin, make_mpf(-1) / 6), 0, QUARTER_PI, 5,
        odd_weight(mpmath.sin), 53,
    ),
    Fit("COS_DOUBLE", cos_tail, 0, QUARTER_PI, 5, lambda z: z * z, 53),
    Fit(
        "TAN_SINGLE", odd_tail(mpmath.tan, make_mpf(1) / 3), 0, QUARTER_PI, 6,
        odd_weight(mpmath.tan), 24,
    ),
    Fit(
        "ASIN_SINGLE", odd_tail(mpmath.asin, make_mpf(1) / 6), 0, 0.25, 4,
        odd_weight(mpmath.asin), 24,
    ),
    Fit(
        "ASIN_DOUBLE", odd_tail(mpmath.asin, make_mpf(1) / 6), 0, 0.25, 12,
        odd_weight(mpmath.asin), 53,
    ),
    Fit(
        "ATAN_SINGLE", odd_tail(mpmath.atan, make_mpf(-1) / 3), 0, 1, 8,
        odd_weight(mpmath.atan), 24,
    ),
    Fit(
        "ATAN_DOUBLE", odd_tail(mpmath.atan, make_mpf(-1) / 3), 0, TAN_PI_8, 10,
        odd_weight(mpmath.atan), 53,
    ),
    Fit("BESSEL_K0", decay(0), -1, 1, 23, relative(decay(0)), 53),
    Fit("BESSEL_K1", decay(1), -1, 1, 23, relative(decay(1)), 53),
    Fit("AIRY", airy_decay, -1, 1, 22, relative(airy_decay), 53),
    Fit("ERF_SINGLE", erf_ratio, 0, 1, 6, erf_weight, 24),
    Fit("ERF_DOUBLE", erf_ratio, 0, 1, 12, erf_weight, 53),
    Fit("LOG_ERFC_SINGLE", log_erfc, 1, 4, 6, lambda t: mpmath.erfc(t) / mpmath.erf(t), 24),
    Fit("LOG_ERFC_DOUBLE", log_erfc, 1, 6, 17, lambda t: mpmath.erfc(t) / mpmath.erf(t), 53),
    Fit(
        "ERFC_MIDDLE", SCHONFELDER_SINGLE, -1, make_mpf(8.2) / make_mpf(12.2), 11,
        relative(SCHONFELDER_SINGLE), 53,
    ),
    Fit(
        "ERFC_DOUBLE", SCHONFELDER, -1, make_mpf(23.3) / make_mpf(31.3), 23,
        relative(SCHONFELDER), 53,
    ),
]  # fmt: skip


def main(names: list[str]) -> None:
    for fit in FITS:
        if names and fit.name not in names:
            continue
        coefficients, worst = solve(fit)
        print(f"# error 2^{mpmath.nstr(mpmath.log(worst, 2), 4)}")
        print(f"{fit.name} = (")
        for c in coefficients:
            print(f"    {float(c)!r},")
        print(")")


if __name__ == "__main__":
    main(sys.argv[1:])
