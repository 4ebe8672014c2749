"""erf and erfc of arrays, which NumPy has not: erf to one unit in the last place of float64, erfc to a few.

Note [Error function on arrays]
Where |x| < 1, erf(x) = x + x p(x^2). Elsewhere erf(x) = sign(x) (1 - erfc(|x|)). For a = |x|,
erfc(a) = e^(-a^2) q(t) / (1 + 2a) with t = (a - 4) / (a + 4) (Schonfelder 1978); e^(-a^2) is e^(-h^2) e^(-(a-h)(a+h)) with
h = a cut to 24 bits, so that h^2 is exact. p and q interpolate at Chebyshev points, q on [0, 28], beyond which erfc is 0.
float32 computes in float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SMALL = (
    0.1283791670955126,
    -0.37612638903183754,
    0.1128379167095512,
    -0.02686617064512984,
    0.0052239776254232985,
    -0.000854832702193483,
    0.00012055332902888736,
    -1.4925647567519332e-05,
    1.6462045441468418e-06,
    -1.6364642158167616e-07,
    1.4792401209404813e-08,
    -1.216456005728345e-09,
    8.709045129053106e-11,
    -4.230945824295338e-12,
)
_TAIL = (
    1.2329951186255526,
    -0.13962111684056253,
    0.015379652102620111,
    0.06809705425469303,
    -0.10103906603632955,
    0.09373283499833329,
    -0.06633036581154421,
    0.03716751553787908,
    -0.016197734067039865,
    0.005031969972225688,
    -0.0007577732147971718,
    -0.00019925664291065565,
    0.00015062131217624512,
    -2.4399505458525544e-05,
    -1.1220902504340601e-05,
    5.710769473216913e-06,
    2.916445562939141e-07,
    -8.277591913537945e-07,
    7.703495881102781e-08,
    1.1328048304274549e-07,
    -1.9106294487779176e-08,
    -1.660879467182853e-08,
    1.6868082625932292e-09,
    2.1031095817570338e-09,
    2.9111659955327447e-10,
)


_FEW = 64
"""So many elements go to the C library one by one."""
_BLOCK = 4096
"""How many elements are computed at a time, so that what is between stays in the cache."""


def erf(x: Any) -> Any:
    """2/sqrt(pi) times the integral of e^-t^2 from 0 to x, in the dtype of x."""
    if x.size <= _FEW:
        return _one_by_one(math.erf, x)
    if x.size <= _BLOCK or not x.flags.c_contiguous:
        return _erf(x)
    result: Any = np.empty_like(x)
    flat, written = x.reshape(-1), result.reshape(-1)
    for start in range(0, x.size, _BLOCK):
        written[start : start + _BLOCK] = _erf(flat[start : start + _BLOCK])
    return result


def _one_by_one(function: Callable[[float], float], x: Any) -> Any:
    found = [function(value) for value in x.reshape(-1).tolist()]
    return np.array(found, x.dtype).reshape(x.shape)


def _erf(x: Any) -> Any:
    wide = np.asarray(x, np.float64)
    magnitude = np.abs(wide)
    result = np.asarray(wide + wide * polynomial(np.minimum(wide * wide, 1.0), _SMALL))
    is_large = magnitude >= 1.0
    if is_large.any():
        large = 1.0 - _erfc_of_magnitude(np.asarray(magnitude)[is_large])
        result[is_large] = np.copysign(large, wide[is_large])
    return result.astype(x.dtype)


def erfc(x: Any) -> Any:
    """1 - erf(x) with its own relative accuracy, in the dtype of x."""
    if x.size <= _FEW:
        return _one_by_one(math.erfc, x)
    wide = np.asarray(x, np.float64)
    result = _erfc_of_magnitude(np.abs(wide))
    return np.where(wide < 0.0, 2.0 - result, result).astype(x.dtype)


def _erfc_of_magnitude(a: NDArray[Any]) -> NDArray[Any]:
    a = np.minimum(a, 28.0)
    head = a.astype(np.float32).astype(np.float64)
    gauss = np.exp(-head * head) * np.exp((head - a) * (head + a))
    return gauss * polynomial((a - 4.0) / (a + 4.0), _TAIL) / (1.0 + 2.0 * a)


def polynomial(t: NDArray[Any], coefficients: tuple[float, ...]) -> NDArray[Any]:
    """The sum of each coefficient times that power of t."""
    result = np.full_like(t, coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result *= t
        result += coefficient
    return result
