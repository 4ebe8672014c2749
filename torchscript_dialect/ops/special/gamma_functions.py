"""The gamma function's relatives that one formula gives for all numbers: log gamma, that of several dimensions, digamma.

Below 10 recurrences lead to where asymptotic series are exact to the last digits; reflections lead to the positive numbers.
"""

from __future__ import annotations

from math import inf, nan, pi
from math import log as log_of_number
from typing import Any

from torchscript_dialect.ops.special.wide_functions import (
    Real,
    floor,
    log,
    on_arrays,
    polynomial,
    rounded,
    sin,
    tan,
    where,
    wide_function,
    with_sign,
)
from torchscript_dialect.tensor.tensor import Tensor

_STIRLING = (
    1 / 12,
    -1 / 360,
    1 / 1260,
    -1 / 1680,
    1 / 1188,
    -691 / 360360,
    1 / 156,
    -3617 / 122400,
)
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12, -3617 / 8160)
_SHIFT = 10


def _from_integer(x: Real) -> Real:
    """The distance to the nearest integer, with sign."""
    return x - rounded(x)


def log_gamma(x: Real) -> Real:
    """log |gamma(x)|; infinite at 0, at the negative integers, and at both infinities."""
    reflected = x < 0.5
    y = where(reflected, 1 - x, x)
    product = where(y < _SHIFT, y, 1.0)
    y = where(y < _SHIFT, y + 1, y)
    for _ in range(_SHIFT - 1):
        small = y < _SHIFT
        product = where(small, product * y, product)
        y = where(small, y + 1, y)
    series = polynomial(1 / (y * y), _STIRLING) / y
    result = (y - 0.5) * log(y) - y + 0.5 * log_of_number(2 * pi) + series - log(product)
    sine = abs(sin(pi * _from_integer(x)))
    result = where(reflected, log(pi / sine) - result, result)
    size = abs(x)
    result = where(size < 1e-300, -log(size), result)  # where 1 / x is infinite
    result = where(x.equals(1) | x.equals(2), 0.0, result)
    pole = (x <= 0) & x.equals(floor(x))
    return where(pole | size.equals(inf), inf, result)


def digamma(x: Real) -> Real:
    """The derivative of log gamma; infinite at 0, NaN at the negative integers."""
    reflected = x < 0
    y = where(reflected, 1 - x, x)
    start = where(y < _SHIFT, -1 / y, 0.0)
    y = where(y < _SHIFT, y + 1, y)
    for _ in range(_SHIFT - 1):
        small = y < _SHIFT
        start = where(small, start - 1 / y, start)
        y = where(small, y + 1, y)
    square = 1 / (y * y)
    result = start + log(y) - 0.5 / y - square * polynomial(square, _DIGAMMA)
    result = where(reflected, result - pi / tan(pi * _from_integer(x)), result)
    result = where((x < 0) & x.equals(floor(x)), nan, result)
    return where(x.equals(0), with_sign(inf, -x), result)


log_gamma_of, digamma_of = on_arrays(log_gamma), on_arrays(digamma)
"""Of arrays."""


def multivariate_log_gamma(x: Real, p: int) -> Real:
    """log of the multivariate gamma function of dimension p."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    total = log_gamma(x)
    for place in range(1, p):
        total = total + log_gamma(x - place / 2)
    return total + p * (p - 1) / 4 * log_of_number(pi)


def _refuse_bool(x: Tensor, *_: Any) -> None:
    if x.array.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")


wide_function("lgamma special_gammaln", log_gamma, "lgamma_vml_cpu", ("complex",))
wide_function("digamma special_digamma special_psi", digamma, "digamma", ("complex",))
wide_function(
    "mvlgamma special_multigammaln",
    multivariate_log_gamma,
    "mvlgamma",
    ("complex",),
    contiguous=True,
    check_operands=_refuse_bool,
)
