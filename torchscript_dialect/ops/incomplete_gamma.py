"""The incomplete gamma functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.gamma_functions import log_gamma_of
from torchscript_dialect.ops.wide_functions import array_function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import result_type

Array = NDArray[Any]
where: Callable[..., Any] = np.where
"""NumPy's, whose stubs leave its type open."""

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
    return total * np.exp(a * np.log(x) - x - log_gamma_of(a))


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
    return h * np.exp(a * np.log(x) - x - log_gamma_of(a))


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


def _refuse_exact(name: str) -> Callable[..., None]:
    def check(x: Tensor, y: Tensor, *_: Any) -> None:
        common = result_type([x, y])
        if not common.is_floating_point:
            raise NotImplementedError(f"\"{name}\" not implemented for '{common.type_name}'")

    return check


for _names, _function, _kernel_name in (
    ("igamma special_gammainc", lower_incomplete_gamma, "igamma_cpu"),
    ("igammac special_gammaincc", upper_incomplete_gamma, "igammac_cpu"),
):
    array_function(_names, _function, _kernel_name, (), check_operands=_refuse_exact(_kernel_name))
