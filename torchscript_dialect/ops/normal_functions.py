"""The normal distribution's functions: erfcx, erfinv, ndtr, log_ndtr, ndtri."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.error_function import erfc
from torchscript_dialect.ops.wide_functions import where, wide_function

Array = NDArray[Any]


def scaled_erfc(x: Array) -> Array:
    """erfc(x) e^(x^2), which does not underflow."""
    near = np.minimum(x, 10.0)
    square = 1 / (2 * np.maximum(x, 10.0) ** 2)
    series = np.ones_like(square)
    for odd in range(15, 0, -2):
        series = 1 - odd * square * series
    far = series / (np.maximum(x, 10.0) * sqrt(pi))
    return where(x > 10, far, np.exp(near * near) * erfc(near))


def normal_cdf(x: Array) -> Array:
    """The share of a normal distribution that is below x."""
    return 0.5 * erfc(-x / sqrt(2))


def log_normal_cdf(x: Array) -> Array:
    """Its logarithm, also where it underflows."""
    below = np.log(scaled_erfc(-np.minimum(x, -1.0) / sqrt(2)) / 2) - x * x / 2
    above = np.log1p(-erfc(np.maximum(x, -1.0) / sqrt(2)) / 2)
    return where(x < -1, below, above)


def inverse_normal_cdf(p: Array) -> Array:
    """Where the share p is below: a rational approximation of the smaller tail, and Newton's method."""
    tail = np.minimum(p, 1 - p)
    inside = (tail > 0) & (tail <= 0.5)
    q = where(inside, tail, 0.25)
    t = np.sqrt(-2 * np.log(q))
    top = 2.515517 + t * (0.802853 + t * 0.010328)
    bottom = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308))
    x = top / bottom - t
    for _ in range(4):
        ratio = normal_cdf(x) / q
        x = x - (ratio - 1) * q * np.exp(x * x / 2 + log(2 * pi) / 2) / (1 + (ratio - 1) / 2)
    x = where(p > 0.5, -x, x)
    edge = where(p == 0, -np.inf, where(p == 1, np.inf, np.nan))
    return where(inside, x, edge)


def inverse_erf(x: Array) -> Array:
    """Where the error function is x."""
    size = np.abs(x)
    y = -inverse_normal_cdf((1 - size) / 2) / sqrt(2)
    small = size < 0.3
    near = where(small, size, 0.0)
    guess = near * sqrt(pi) / 2
    for _ in range(4):
        error = _erf(guess) - near
        guess = guess - error * np.exp(guess * guess) * sqrt(pi) / 2
    result = np.copysign(where(small, guess, y), x)
    return where(size > 1, np.nan, result)


def _erf(x: Array) -> Array:
    """The error function near 0, by its power series."""
    term, total = x, x
    for k in range(1, 30):
        term = -term * x * x / k
        total = total + term / (2 * k + 1)
    return total * 2 / sqrt(pi)


wide_function("erfinv special_erfinv", inverse_erf, "erfinv_vml_cpu", ("complex",))
wide_function("special_erfcx", scaled_erfc, "erfcx_cpu")
wide_function("special_ndtr", normal_cdf, "erf_vml_cpu", ("complex",))
wide_function("special_log_ndtr", log_normal_cdf, "log_ndtr_cpu")
wide_function("special_ndtri", inverse_normal_cdf, "ndtri_cpu")
