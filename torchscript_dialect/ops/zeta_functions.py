"""Hurwitz's zeta function, and the derivatives of digamma that are made of it."""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.gamma_functions import digamma_of
from torchscript_dialect.ops.wide_functions import array_function
from torchscript_dialect.tensor.tensor import Tensor

Array = NDArray[Any]
where: Callable[..., Any] = np.where
"""NumPy's, whose stubs leave its type open."""

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_SHIFT = 10


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
    sine = np.sin(pi * (x - np.rint(x)))
    return where(reflected, (pi / sine) ** 2 - result, result)


def polygamma(n: int, x: Array) -> Array:
    """The n-th derivative of digamma."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma_of(x)
    if n == 1:
        return _trigamma(x)
    sign = 1.0 if n % 2 else -1.0
    return sign * np.exp(lgamma(n + 1.0)) * zeta(np.asarray(n + 1.0), x)


array_function("polygamma special_polygamma", polygamma, "polygamma", ("complex",))
array_function("special_zeta special_zeta.other_scalar special_zeta.self_scalar", zeta, "zeta_cpu")


@registry.kernel("polygamma_", shape=lambda facts: facts[0])
def polygamma_(x: Tensor, n: int) -> Tensor:
    found = registry.find("aten::polygamma.out")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(n, x, x)
