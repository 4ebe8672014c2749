"""The gamma function's relatives: log gamma, digamma, polygamma, zeta, incomplete gamma functions.

Below 10 recurrences lead to where asymptotic series are exact to the last digits; reflections lead to the positive numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma as log_gamma_of_number
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.wide_functions import where, wide_function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import result_type

Array = NDArray[Any]

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
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_SHIFT = 10


def _in_powers(x: Array, coefficients: tuple[float, ...]) -> Array:
    """The polynomial in x with these coefficients, the constant one first."""
    result = np.zeros_like(x)
    for coefficient in reversed(coefficients):
        result = result * x + coefficient
    return result


def _from_integer(x: Array) -> Array:
    """The distance to the nearest integer, with sign."""
    return x - np.rint(x)


def log_gamma(x: Array) -> Array:
    """log |gamma(x)|; infinite at 0, at the negative integers, and at both infinities."""
    reflected = x < 0.5
    y = where(reflected, 1 - x, x)
    product = np.ones_like(y)
    for _ in range(_SHIFT):
        small = y < _SHIFT
        product = where(small, product * y, product)
        y = where(small, y + 1, y)
    series = _in_powers(1 / (y * y), _STIRLING) / y
    result = (y - 0.5) * np.log(y) - y + 0.5 * np.log(2 * pi) + series - np.log(product)
    sine = np.abs(np.sin(pi * _from_integer(x)))
    result = where(reflected, np.log(pi / sine) - result, result)
    pole = (x <= 0) & (x == np.floor(x))
    result = where(np.abs(x) < 1e-300, -np.log(np.abs(x)), result)  # where 1 / x is infinite
    result = where((x == 1) | (x == 2), 0.0, result)
    return where(pole | np.isinf(x), np.inf, result)


def digamma(x: Array) -> Array:
    """The derivative of log gamma; infinite at 0, NaN at the negative integers."""
    reflected = x < 0
    y = where(reflected, 1 - x, x)
    start = np.zeros_like(y)
    for _ in range(_SHIFT):
        small = y < _SHIFT
        start = where(small, start - 1 / y, start)
        y = where(small, y + 1, y)
    square = 1 / (y * y)
    result = start + np.log(y) - 0.5 / y - square * _in_powers(square, _DIGAMMA)
    result = where(reflected, result - pi / np.tan(pi * _from_integer(x)), result)
    result = where((x < 0) & (x == np.floor(x)), np.nan, result)
    return where(x == 0, np.copysign(np.inf, -x), result)


def zeta(s: Array, q: Array) -> Array:
    """Hurwitz's zeta function, the sum of (q + k)^-s, by Euler and Maclaurin's formula."""
    s, q = np.broadcast_arrays(s, q)
    y = np.array(q, np.float64)
    total = np.zeros_like(y)
    while True:
        small = y < _SHIFT
        if not small.any():
            break
        total = where(small, total + y**-s, total)
        y = where(small, np.maximum(y, -1e4) + 1, y)
    result = total + y ** (1 - s) / (s - 1) + 0.5 * y**-s
    term, factor = s * y ** (-s - 1), 1.0
    for order, bernoulli in enumerate(_BERNOULLI):
        factor /= (2 * order + 1) * (2 * order + 2)
        result = result + bernoulli * factor * term
        term = term * (s + 2 * order + 1) * (s + 2 * order + 2) / (y * y)
    pole = (q <= 0) & (q == np.floor(q))
    undefined = (s < 1) | ((q <= 0) & (s != np.floor(s)) & ~pole)
    result = where(np.isinf(s) | np.isposinf(q) | np.isnan(s) | np.isnan(q), np.nan, result)
    return where(s == 1, np.inf, where(undefined, np.nan, where(pole, np.inf, result)))


def _trigamma(x: Array) -> Array:
    reflected = x < 0.5
    y = where(reflected, 1 - x, x)
    result = where(np.isposinf(y), 0.0, zeta(np.asarray(2.0), y))
    sine = np.sin(pi * _from_integer(x))
    return where(reflected, (pi / sine) ** 2 - result, result)


def polygamma(n: int, x: Array) -> Array:
    """The n-th derivative of digamma."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(x)
    if n == 1:
        return _trigamma(x)
    sign = 1.0 if n % 2 else -1.0
    return sign * np.exp(log_gamma_of_number(n + 1.0)) * zeta(np.asarray(n + 1.0), x)


def multivariate_log_gamma(x: Array, p: int) -> Array:
    """log of the multivariate gamma function of dimension p."""
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    total = np.zeros_like(x)
    for place in range(p):
        total = total + log_gamma(x - place / 2)
    return total + p * (p - 1) / 4 * np.log(pi)


# Incomplete gamma functions

_STEPS = 2000


def _lower_series(a: Array, x: Array) -> Array:
    """The lower function by its power series, which converges fast below a + 1."""
    term = 1 / a
    total = term
    for step in range(1, _STEPS):
        term = term * x / (a + step)
        total = total + term
        if not (np.abs(term) > np.abs(total) * 1e-17).any():
            break
    return total * np.exp(a * np.log(x) - x - log_gamma(a))


def _upper_fraction(a: Array, x: Array) -> Array:
    """The upper function by Legendre's continued fraction (Lentz's method), which converges fast above a + 1."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = np.full_like(b, 1 / tiny), 1 / where(b == 0, tiny, b)
    h = d
    for step in range(1, _STEPS):
        number = -step * (step - a)
        b = b + 2
        d = number * d + b
        d = 1 / where(d == 0, tiny, d)
        c = b + number / c
        c = where(c == 0, tiny, c)
        h = h * c * d
        if not (np.abs(c * d - 1) > 1e-16).any():
            break
    return h * np.exp(a * np.log(x) - x - log_gamma(a))


def _incomplete(a: Array, x: Array, *, upper: bool) -> Array:
    a, x = np.broadcast_arrays(a, x)
    regular = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    inside_a, inside_x = where(regular, a, 1.0), where(regular, x, 1.0)
    by_series = inside_x < inside_a + 1
    series = _lower_series(inside_a, where(by_series, inside_x, inside_a))
    fraction = _upper_fraction(inside_a, where(by_series, inside_a + 1, inside_x))
    if upper:
        result = where(by_series, 1 - series, fraction)
    else:
        result = where(by_series, series, 1 - fraction)
    return where(regular, result, _limit(a, x, 1.0 if upper else 0.0))


def _limit(a: Array, x: Array, start: float) -> Array:
    """Where `a` or `x` is 0 or infinite: `start` is the result for 0 as `x`. Like PyTorch it asks for one after the other, NaN in the
    other or not.
    """
    result = where(np.isinf(x), 1 - start, np.nan)
    result = where(np.isinf(a), where(np.isinf(x), np.nan, start), result)
    result = where(x == 0, start, result)
    result = where(a == 0, where(x > 0, 1 - start, np.nan), result)
    return where((x < 0) | (a < 0), np.nan, result)


def lower_incomplete_gamma(a: Array, x: Array) -> Array:
    """The share of gamma(a) that the integral from 0 to x has."""
    return _incomplete(a, x, upper=False)


def upper_incomplete_gamma(a: Array, x: Array) -> Array:
    """The share of gamma(a) that the integral from x on has."""
    return _incomplete(a, x, upper=True)


def _refuse_bool(x: Tensor, *_: Any) -> None:
    if x.array.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")


def _refuse_exact(name: str) -> Callable[..., None]:
    def check(x: Tensor, y: Tensor, *_: Any) -> None:
        common = result_type([x, y])
        if not common.is_floating_point:
            raise NotImplementedError(f"\"{name}\" not implemented for '{common.type_name}'")

    return check


wide_function("lgamma special_gammaln", log_gamma, "lgamma_vml_cpu", ("complex",))
wide_function("digamma special_digamma special_psi", digamma, "digamma", ("complex",))
wide_function("polygamma special_polygamma", polygamma, "polygamma", ("complex",))


@registry.kernel("polygamma_", shape=lambda facts: facts[0])
def polygamma_(x: Tensor, n: int) -> Tensor:
    found = registry.find("aten::polygamma.out")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(n, x, x)


wide_function(
    "mvlgamma special_multigammaln",
    multivariate_log_gamma,
    "mvlgamma",
    ("complex",),
    contiguous=True,
    check_operands=_refuse_bool,
)
wide_function("special_zeta special_zeta.other_scalar special_zeta.self_scalar", zeta, "zeta_cpu")
for _names, _function, _kernel_name in (
    ("igamma special_gammainc", lower_incomplete_gamma, "igamma_cpu"),
    ("igammac special_gammaincc", upper_incomplete_gamma, "igammac_cpu"),
):
    wide_function(_names, _function, _kernel_name, (), check_operands=_refuse_exact(_kernel_name))
