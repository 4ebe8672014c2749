"""The normal distribution's functions: erfcx, erfinv, ndtr, log_ndtr, ndtri."""

from __future__ import annotations

from math import log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.error_function import erf, erfc, polynomial
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


_GILES = (
    *(1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-06),
    *(-3.5233877e-06, 3.43273939e-07, 2.81022636e-08),
)
_GILES_TAIL = (
    *(2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844),
    *(0.00134934322, 0.000100950558, -0.000200214257),
)
"""Of w = -log(1 - x^2): in w - 2.5 where w < 5, in sqrt(w) - 3 beyond."""


def inverse_erf(x: Array) -> Array:
    """Where the error function is x: polynomials that are right to single precision (M. Giles, Approximating the erfinv function,
    2012), and a step of Halley's method.
    """
    size = np.abs(x)
    inside = size < 1
    size = where(inside, size, 0.0)
    w = -np.log((1 - size) * (1 + size))
    near: Array = polynomial(np.minimum(w, 5.0) - 2.5, _GILES)
    far: Array = polynomial(np.sqrt(np.maximum(w, 5.0)) - 3, _GILES_TAIL)
    guess = where(w < 5, near, far) * size
    small = guess < 1
    gap = np.empty_like(guess)
    gap[small] = erf(guess[small]) - size[small]
    gap[~small] = (1 - size[~small]) - erfc(guess[~small])
    step = gap * np.exp(guess * guess) * (sqrt(pi) / 2)
    result = np.copysign(guess - step / (1 + guess * step), x)
    return where(inside, result, where(np.abs(x) == 1, np.copysign(np.inf, x), np.nan))


wide_function("erfinv special_erfinv", inverse_erf, "erfinv_vml_cpu", ("complex",))
wide_function("special_erfcx", scaled_erfc, "erfcx_cpu")
wide_function("special_ndtr", normal_cdf, "erf_vml_cpu", ("complex",))
wide_function("special_log_ndtr", log_normal_cdf, "log_ndtr_cpu")
wide_function("special_ndtri", inverse_normal_cdf, "ndtri_cpu")
