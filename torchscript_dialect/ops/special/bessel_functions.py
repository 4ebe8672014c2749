"""Bessel functions, Airy's function: power series near 0, asymptotic series (Hankel's) or interpolated ones far from it."""

from __future__ import annotations

from functools import lru_cache, partial
from math import factorial, gamma, inf, nan, pi
from math import sqrt as root_of_number

from torchscript_dialect.ops.special.wide_functions import (
    Real,
    Truth,
    at_least,
    at_most,
    cos,
    exp,
    log,
    polynomial,
    sin,
    sqrt,
    where,
    wide_function,
    with_sign,
)

_NEAR = 16.0
"""Up to here power series keep eleven digits, and from here on asymptotic series have them."""
_TERMS = 40
_EULER = 0.5772156649015329


@lru_cache(maxsize=2)
def _series(order: int) -> tuple[float, ...]:
    """1 / (k! (k + order)!) for each power k."""
    return tuple(1 / (factorial(k) * factorial(k + order)) for k in range(_TERMS))


@lru_cache(maxsize=2)
def _harmonic_series(order: int) -> tuple[float, ...]:
    """(psi(k + 1) + psi(k + order + 1)) / (k! (k + order)!) for each power k."""
    harmonic = [0.0]
    for k in range(1, _TERMS + order):
        harmonic.append(harmonic[-1] + 1 / k)
    sums = [harmonic[k] + harmonic[k + order] - 2 * _EULER for k in range(_TERMS)]
    return tuple(sum_ * weight for sum_, weight in zip(sums, _series(order), strict=True))


@lru_cache(maxsize=2)
def _hankel_series(order: int) -> tuple[float, ...]:
    """What stands before each power of 1 / x in the asymptotic series."""
    terms = [1.0]
    for k in range(1, 24):
        terms.append(terms[-1] * (4 * order * order - (2 * k - 1) ** 2) / (8 * k))
    return tuple(terms)


def _hankel(x: Real, order: int, sign: int) -> tuple[Real, Real]:
    """The even and the odd terms of the asymptotic series in 1/x; with `sign` -1 they alternate."""
    terms = [term * sign ** (k // 2) for k, term in enumerate(_hankel_series(order))]
    inverse = 1 / x
    square = inverse * inverse
    return polynomial(square, terms[::2]), polynomial(square, terms[1::2]) * inverse


def _power(x: Real, order: int) -> Real | float:
    """x to an order of 0 or 1."""
    return x if order else 1.0


def _split(x: Real) -> tuple[Truth, Real, Real]:
    """Whether x is near 0, and |x| held to either side."""
    size = abs(x)
    near = size <= _NEAR
    return near, where(near, size, 0.0), where(near, _NEAR, size)


def _waves(x: Real, order: int) -> tuple[Real, Real]:
    """J and Y far from 0."""
    even, odd = _hankel(x, order, -1)
    angle = x - (2 * order + 1) * pi / 4
    scale = sqrt(2 / (pi * x))
    cosine, sine = cos(angle), sin(angle)
    return scale * (even * cosine - odd * sine), scale * (even * sine + odd * cosine)


def _is_finite(x: Real) -> Truth:
    return abs(x) < inf


def _bessel_j(x: Real, order: int) -> Real:
    near, low, high = _split(x)
    small = polynomial(low * low / -4, _series(order)) * _power(low / 2, order)
    result = where(near, small, _waves(high, order)[0])
    return where(_is_finite(x), result * _power(with_sign(1.0, x), order), nan)


def _bessel_y(x: Real, order: int) -> Real:
    near, low, high = _split(x)
    low = where(low > 0, low, 1.0)
    square = low * low / -4
    series, harmonic = (
        polynomial(square, _series(order)),
        polynomial(square, _harmonic_series(order)),
    )
    small = (2 * log(low / 2) * series - harmonic) * _power(low / 2, order) / pi
    if order:
        small = small - 2 / (pi * low)
    result = where(near, small, _waves(high, order)[1])
    result = where(x.equals(0), -inf, result)
    return where((x >= 0) & _is_finite(x), result, nan)


# Modified functions


def _bessel_i(x: Real, order: int, *, scaled: bool) -> Real:
    near, low, high = _split(x)
    small = polynomial(low * low / 4, _series(order)) * _power(low / 2, order)
    even, odd = _hankel(where(high.equals(inf), 1e300, high), order, 1)
    large = (even - odd) / (root_of_number(2 * pi) * sqrt(high))
    if scaled:
        small = small * exp(-low)
    else:
        large = large * exp(at_most(high, 700.0)) * exp(at_least(high, 700.0) - 700.0)
    result = where(near, small, large)
    if not scaled:
        result = where(abs(x).equals(inf), nan, result)
    return where(x.is_nan(), nan, result * _power(with_sign(1.0, x), order))


BESSEL_K0 = (
    1.2185953385133905,
    -0.03107146182488952,
    0.003032891810276116,
    -0.0004797690567660645,
    9.956054739963665e-05,
    -2.473520456623297e-05,
    7.002245893422229e-06,
    -2.191177727965883e-06,
    7.42778473419457e-07,
    -2.689070372405115e-07,
    1.0296103206751354e-07,
    -4.1337515960284095e-08,
    1.702998588360129e-08,
    -7.290931657649898e-09,
    3.83846885069686e-09,
    -1.9230556030449792e-09,
    1.3985706189905234e-11,
    1.6997633694518115e-10,
    8.36952444444937e-10,
    -5.478190187160304e-10,
    -3.2141420944355536e-10,
    2.1884666791545867e-10,
    1.1090758970075435e-10,
    -6.866253376912819e-11,
)
BESSEL_K1 = (
    1.363151890371342,
    0.10334973775386522,
    -0.005566729880076175,
    0.0007357241549090416,
    -0.00013959021952144972,
    3.284386553636715e-05,
    -8.96120788309535e-06,
    2.730041687615249e-06,
    -9.067054605578587e-07,
    3.22979534599823e-07,
    -1.2204531662945375e-07,
    4.846859868625935e-08,
    -1.9782387815574255e-08,
    8.392201291701426e-09,
    -4.392271195082331e-09,
    2.2049825542776847e-09,
    -1.592651514515956e-11,
    -2.1223422562028318e-10,
    -9.38187329643121e-10,
    6.268650444505668e-10,
    3.576106836615408e-10,
    -2.489417775930855e-10,
    -1.2260956881926037e-10,
    7.680766818486794e-11,
)
"""Of 4 / x - 1 from x = 2 on: sqrt(x) e^x K(x), a fit (tools/fit_polynomials.py)."""


def _bessel_k(x: Real, order: int, *, scaled: bool) -> Real:
    low = where((x > 0) & (x <= 2), x, 1.0)
    high = where(x > 2, x, 2.0)
    square = low * low / 4
    series, harmonic = (
        polynomial(square, _series(order)),
        polynomial(square, _harmonic_series(order)),
    )
    if order:
        small = 1 / low + low / 2 * (log(low / 2) * series - harmonic / 2)
    else:
        small = harmonic / 2 - log(low / 2) * series
    large = polynomial(4 / high - 1, BESSEL_K1 if order else BESSEL_K0) / sqrt(high)
    if scaled:
        small = small * exp(low)
    else:
        large = large * exp(-high)
    result = where(x > 2, large, small)
    result = where(x.equals(inf), 0.0, result)
    result = where(x.equals(0), inf, result)
    return where(x >= 0, result, nan)


# Others


def spherical_bessel_j0(x: Real) -> Real:
    """sin(x) / x."""
    infinite = abs(x).equals(inf)
    inside = where(x.equals(0) | infinite, 1.0, x)
    return where(infinite, 0.0, where(x.equals(0), 1.0, sin(inside) / inside))


AIRY = (
    0.2774908024616546,
    -0.004122380595849576,
    0.000398656774892933,
    -6.427592276900185e-05,
    1.367125599967323e-05,
    -3.4851094606225403e-06,
    1.0121084749196127e-06,
    -3.246961634260378e-07,
    1.127592445466961e-07,
    -4.179945749054087e-08,
    1.6353047445834263e-08,
    -6.657027980391804e-09,
    2.8538347943098334e-09,
    -1.3867791719014248e-09,
    6.17935458818785e-10,
    -7.955152164888895e-11,
    5.014865702025495e-11,
    -2.5752922241914877e-10,
    1.2459556327712853e-10,
    9.787385285647763e-11,
    -5.0336464202881657e-11,
    -3.743025247231862e-11,
    2.0241611849710533e-11,
)
"""Of 2 z / y - 1 for y = 2/3 x^(3/2) from x = 2 on, where y = z: x^(1/4) e^y Ai(x), a fit (tools/fit_polynomials.py)."""
_AIRY_START = 2 / 3 * 2**1.5
_AIRY_COUNT = 14


def _root_of_cube(x: Real) -> Real:
    """2/3 x^(3/2)."""
    return 2 / 3 * x * sqrt(x)


@lru_cache(maxsize=2)
def _airy_series(start: int) -> tuple[float, ...]:
    """What stands before each power of x^3 in the solution that begins with 1 or x."""
    terms = [1.0]
    for k in range(1, _TERMS):
        terms.append(terms[-1] / ((3 * k - 1 + start) * (3 * k + start)))
    return tuple(terms)


@lru_cache(maxsize=2)
def _airy_waves() -> tuple[float, ...]:
    """What stands before each power of 1 / y in the asymptotic series, whose signs alternate by twos."""
    terms = [1.0]
    for k in range(1, _AIRY_COUNT):
        terms.append(terms[-1] * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1)))
    return tuple(term * (-1) ** (k // 2) for k, term in enumerate(terms))


def _airy_far(x: Real) -> Real:
    """Airy's function of -x, for large x."""
    angle = _root_of_cube(x)
    terms, inverse = _airy_waves(), 1 / angle
    even = polynomial(inverse * inverse, terms[::2])
    odd = polynomial(inverse * inverse, terms[1::2]) * inverse
    shifted = angle - pi / 4
    return (cos(shifted) * even + sin(shifted) * odd) / (root_of_number(pi) * sqrt(sqrt(x)))


def airy(x: Real) -> Real:
    """Airy's function Ai."""
    middle = where((x >= -7) & (x <= 2), x, 0.0)
    cube = middle * middle * middle
    f, g = polynomial(cube, _airy_series(0)), middle * polynomial(cube, _airy_series(1))
    near = f / (3 ** (2 / 3) * gamma(2 / 3)) - g / (3 ** (1 / 3) * gamma(1 / 3))
    above = where(x > 2, x, 2.0)
    y = _root_of_cube(above)
    right = polynomial(2 * _AIRY_START / y - 1, AIRY) / sqrt(sqrt(above)) * exp(-y)
    left = _airy_far(where(x < -7, -x, 7.0))
    result = where(x > 2, right, where(x < -7, left, near))
    return where(_is_finite(x), result, nan)


for _order in (0, 1):
    for _name, _function in (("j", _bessel_j), ("y", _bessel_y)):
        wide_function(
            f"special_bessel_{_name}{_order}",
            partial(_function, order=_order),
            f"bessel_{_name}{_order}_cpu",
        )
    for _names, _scaled, _refused in (
        ("i0 special_i0" if not _order else "special_i1", False, ("complex",)),
        (f"special_i{_order}e", True, ("complex",)),
        (f"special_modified_bessel_i{_order}", False, ("half", "complex")),
    ):
        wide_function(
            _names,
            partial(_bessel_i, order=_order, scaled=_scaled),
            f"{_names.rpartition('special_')[2]}_cpu".replace("i0_cpu", "i0_vml_cpu"),
            _refused,
        )
    for _name, _scaled in (("modified", False), ("scaled_modified", True)):
        wide_function(
            f"special_{_name}_bessel_k{_order}",
            partial(_bessel_k, order=_order, scaled=_scaled),
            f"{_name}_bessel_k{_order}_cpu",
        )
wide_function("special_spherical_bessel_j0", spherical_bessel_j0, "spherical_bessel_j0_cpu")
wide_function("special_airy_ai", airy, "airy_ai_cpu")
