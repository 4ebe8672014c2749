"""The normal distribution's functions: erfcx, erfinv, ndtr, log_ndtr, ndtri."""

from __future__ import annotations

from math import inf, nan, pi
from math import log as log_of_number
from math import sqrt as root_of_number

from torchscript_dialect.ops.special.wide_functions import (
    Real,
    at_least,
    at_most,
    erf,
    erfc,
    exp,
    log,
    log1p,
    polynomial,
    sqrt,
    where,
    wide_function,
    with_sign,
)

_ROOT_OF_2 = root_of_number(2)


def scaled_erfc(x: Real) -> Real:
    """erfc(x) e^(x^2), which does not underflow."""
    near, far = at_most(x, 10.0), at_least(x, 10.0)
    square = 1 / (2 * far * far)
    series = 1 - 15 * square
    for odd in range(13, 0, -2):
        series = 1 - odd * square * series
    return where(x > 10, series / (far * root_of_number(pi)), exp(near * near) * erfc(near))


def normal_cdf(x: Real) -> Real:
    """The share of a normal distribution that is below x."""
    return 0.5 * erfc(x / -_ROOT_OF_2)


def log_normal_cdf(x: Real) -> Real:
    """Its logarithm, also where it underflows."""
    below = log(scaled_erfc(-at_most(x, -1.0) / _ROOT_OF_2) / 2) - x * x / 2
    above = log1p(erfc(at_least(x, -1.0) / _ROOT_OF_2) / -2)
    return where(x < -1, below, above)


def inverse_normal_cdf(p: Real) -> Real:
    """Where the share p is below: a rational approximation of the smaller tail, and Halley's method."""
    tail = where(p > 0.5, 1 - p, p)
    inside = (tail > 0) & (tail <= 0.5)
    q = where(inside, tail, 0.25)
    t = sqrt(-2 * log(q))
    x = polynomial(t, _TAIL_ABOVE) / polynomial(t, _TAIL_BELOW) - t
    log_of_slope = log(q) + log_of_number(2 * pi) / 2
    for _ in range(3):
        ratio = normal_cdf(x) / q - 1
        x = x - ratio * exp(x * x / 2 + log_of_slope) / (1 + ratio / 2)
    x = where(q.equals(0.5), 0.0, x)
    edge = where(p.equals(0), -inf, where(p.equals(1), inf, nan))
    return where(inside, where(p > 0.5, -x, x), edge)


_TAIL_ABOVE = (2.515517, 0.802853, 0.010328)
_TAIL_BELOW = (1.0, 1.432788, 0.189269, 0.001308)

_GILES = (
    *(1.50140941, 0.246640727, -0.00417768164, -0.00125372503, 0.00021858087, -4.39150654e-06),
    *(-3.5233877e-06, 3.43273939e-07, 2.81022636e-08),
)
_GILES_TAIL = (
    *(2.83297682, 1.00167406, 0.00943887047, -0.0076224613, 0.00573950773, -0.00367342844),
    *(0.00134934322, 0.000100950558, -0.000200214257),
)
"""Of w = -log(1 - x^2): in w - 2.5 where w < 5, in sqrt(w) - 3 beyond."""


def inverse_erf(x: Real) -> Real:
    """Where the error function is x: polynomials that are right to single precision (M. Giles, Approximating the erfinv function,
    2012), and a step of Halley's method.
    """
    size = abs(x)
    inside = size < 1
    size = where(inside, size, 0.0)
    w = -log((1 - size) * (1 + size))
    near = polynomial(at_most(w, 5.0) - 2.5, _GILES)
    far = polynomial(sqrt(at_least(w, 5.0)) - 3, _GILES_TAIL)
    guess = where(w < 5, near, far) * size
    gap = where(guess < 1, erf(guess) - size, 1 - size - erfc(guess))
    step = gap * exp(guess * guess) * (root_of_number(pi) / 2)
    result = with_sign(guess - step / (1 + guess * step), x)
    return where(inside, result, where(abs(x).equals(1), with_sign(inf, x), nan))


wide_function("erfinv special_erfinv", inverse_erf, "erfinv_vml_cpu", ("complex",))
wide_function("special_erfcx", scaled_erfc, "erfcx_cpu")
wide_function("special_ndtr", normal_cdf, "erf_vml_cpu", ("complex",))
wide_function("special_log_ndtr", log_normal_cdf, "log_ndtr_cpu")
wide_function("special_ndtri", inverse_normal_cdf, "ndtri_cpu")
