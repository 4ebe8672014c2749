"""Bessel functions, Airy's function: power series near 0, asymptotic series (Hankel's) far from it, an integral in between."""

from __future__ import annotations

from functools import partial
from math import gamma, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.wide_functions import where, wide_function

Array = NDArray[Any]

_NEAR = 16.0
"""Up to here power series keep eleven digits, and from here on asymptotic series have them."""
_TERMS = 60
_EULER = 0.5772156649015329


def _series(square: Array, order: int) -> Array:
    """The sum of (square)^k / (k! (k + order)!)."""
    term = np.ones_like(square)
    total = term
    for k in range(1, _TERMS):
        term = term * square / (k * (k + order))
        total = total + term
    return total


def _hankel(x: Array, order: int, sign: int) -> tuple[Array, Array]:
    """The even and the odd terms of the asymptotic series in 1/x; with `sign` -1 they alternate."""
    even, odd = np.ones_like(x), np.zeros_like(x)
    term = np.ones_like(x)
    for k in range(1, 24):
        term = term * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
        if k % 2:
            odd = odd + term * sign ** (k // 2)
        else:
            even = even + term * sign ** (k // 2)
    return even, odd


def _split(x: Array) -> tuple[Array, Array, Array]:
    """Whether x is near 0, and |x| held to either side."""
    size = np.abs(x)
    near = size <= _NEAR
    return near, where(near, size, 0.0), where(near, _NEAR, size)


def _waves(x: Array, order: int) -> tuple[Array, Array]:
    """J and Y far from 0."""
    even, odd = _hankel(x, order, -1)
    angle = x - (2 * order + 1) * pi / 4
    scale = np.sqrt(2 / (pi * x))
    cosine, sine = np.cos(angle), np.sin(angle)
    return scale * (even * cosine - odd * sine), scale * (even * sine + odd * cosine)


def _bessel_j(x: Array, order: int) -> Array:
    near, low, high = _split(x)
    small = _series(-low * low / 4, order) * (low / 2) ** order
    result = where(near, small, _waves(high, order)[0])
    return where(np.isfinite(x), np.copysign(1.0, x) ** order * result, np.nan)


def _harmonic_series(square: Array, order: int) -> Array:
    """The sum of (psi(k + 1) + psi(k + order + 1)) square^k / (k! (k + order)!)."""
    harmonic = [0.0]
    for k in range(1, _TERMS + order + 1):
        harmonic.append(harmonic[-1] + 1 / k)
    term, total = np.ones_like(square), np.zeros_like(square)
    for k in range(_TERMS):
        if k:
            term = term * square / (k * (k + order))
        total = total + term * (harmonic[k] + harmonic[k + order] - 2 * _EULER)
    return total


def _bessel_y(x: Array, order: int) -> Array:
    near, low, high = _split(x)
    low = where(low > 0, low, 1.0)
    square = -low * low / 4
    half = (low / 2) ** order
    small = 2 * np.log(low / 2) * _series(square, order) * half - half * _harmonic_series(
        square, order
    )
    small = small / pi - (2 / (pi * low) if order else 0)
    result = where(near, small, _waves(high, order)[1])
    result = where(x == 0, -np.inf, result)
    return where((x < 0) | ~np.isfinite(x), np.nan, result)


# Modified functions


def _bessel_i(x: Array, order: int, *, scaled: bool) -> Array:
    near, low, high = _split(x)
    small = _series(low * low / 4, order) * (low / 2) ** order
    even, odd = _hankel(where(np.isinf(high), 1e300, high), order, 1)
    large = (even - odd) / (np.sqrt(2 * pi) * np.sqrt(high))
    if scaled:
        small = small * np.exp(-low)
    else:
        large = large * np.exp(np.minimum(high, 700.0)) * np.exp(np.maximum(high, 700.0) - 700.0)
    result = where(near, small, large)
    if not scaled:
        result = where(np.isinf(x), np.nan, result)
    return where(np.isnan(x), np.nan, np.copysign(1.0, x) ** order * result)


def _decaying(x: Array, order: float) -> Array:
    """e^x K(x) as the integral of e^(-x (cosh t - 1)) cosh(order t), by the trapezoidal rule, which converges fast from 2 on."""
    step = 0.1
    total = 0.5 * np.ones_like(x)
    for place in range(1, 68):
        t = place * step
        total = total + np.exp(-x * (np.cosh(t) - 1)) * np.cosh(order * t)
    return total * step


def _bessel_k(x: Array, order: int, *, scaled: bool) -> Array:
    low = where((x > 0) & (x <= 2), x, 1.0)
    high = where(x > 2, x, 2.0)
    square = low * low / 4
    if order:
        small = 1 / low + np.log(low / 2) * _series(square, 1) * low / 2
        small = small - low / 4 * _harmonic_series(square, 1)
    else:
        small = -np.log(low / 2) * _series(square, 0) + _harmonic_series(square, 0) / 2
    large = _decaying(high, float(order))
    if scaled:
        small = small * np.exp(low)
    else:
        large = large * np.exp(-high)
    result = where(x > 2, large, small)
    result = where(np.isposinf(x), 0.0, result)
    result = where(x == 0, np.inf, result)
    return where((x < 0) | np.isnan(x), np.nan, result)


# Others


def spherical_bessel_j0(x: Array) -> Array:
    """sin(x) / x."""
    inside = where((x == 0) | np.isinf(x), 1.0, x)
    return where(np.isinf(x), 0.0, where(x == 0, 1.0, np.sin(inside) / inside))


_AIRY_COUNT = 14


def _airy_far(x: Array) -> Array:
    """Airy's function of -x, for large x."""
    angle = 2 / 3 * x**1.5
    even, odd, term = np.ones_like(x), np.zeros_like(x), np.ones_like(x)
    for k in range(1, _AIRY_COUNT):
        term = term * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1)) / angle
        if k % 2:
            odd = odd + term * (-1) ** (k // 2)
        else:
            even = even + term * (-1) ** (k // 2)
    shifted = angle - pi / 4
    return (np.cos(shifted) * even + np.sin(shifted) * odd) / (sqrt(pi) * x**0.25)


def airy(x: Array) -> Array:
    """Airy's function Ai."""
    middle = where((x >= -7) & (x <= 2), x, 0.0)
    cube = middle**3
    first, second = np.ones_like(middle), middle
    f, g = first, second
    for k in range(1, 60):
        first = first * cube / ((3 * k - 1) * (3 * k))
        second = second * cube / ((3 * k) * (3 * k + 1))
        f, g = f + first, g + second
    near = f / (3 ** (2 / 3) * gamma(2 / 3)) - g / (3 ** (1 / 3) * gamma(1 / 3))
    above = where(x > 2, x, 2.0)
    angle = 2 / 3 * above**1.5
    right = np.sqrt(above / 3) / pi * _decaying(angle, 1 / 3) * np.exp(-angle)
    left = _airy_far(where(x < -7, -x, 7.0))
    result = where(x > 2, right, where(x < -7, left, near))
    return where(np.isinf(x), np.nan, where(np.isnan(x), np.nan, result))


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
