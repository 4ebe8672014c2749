"""Hurwitz's zeta function, and the derivatives of digamma that are made of it."""

from __future__ import annotations

from math import inf, lgamma, nan, pi

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import INT_TO_FLOAT
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath, Value
from torchscript_dialect.ops.special.gamma_functions import digamma
from torchscript_dialect.ops.special.wide_functions import (
    Real,
    Truth,
    at_least,
    floor,
    loop,
    rounded,
    sin,
    where,
    wide_function_of_two,
)
from torchscript_dialect.tensor.tensor import Tensor

_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)
_SHIFT = 10


def zeta(s: Real, q: Real) -> Real:
    """Hurwitz's zeta function, the sum of (q + k)^-s, by Euler and Maclaurin's formula."""
    pole = (q <= 0) & q.equals(floor(q))
    undefined = (s < 1) | ((q <= 0) & s.differs(floor(s)) & ~pole)
    missing = abs(s).equals(inf) | q.equals(inf) | s.is_nan() | q.is_nan()
    is_known = pole | undefined | missing

    def goes_on(_: Real, y: Real) -> Truth:
        return (y < _SHIFT) & ~is_known

    def one_more(total: Real, y: Real) -> list[Real]:
        return [total + y**-s, at_least(y, -1e4) + 1]

    total, y = loop([q.of(0), q], goes_on, one_more)
    result = total + y ** (1 - s) / (s - 1) + 0.5 * y**-s
    term, factor = s * y ** (-s - 1), 1.0
    for order, bernoulli in enumerate(_BERNOULLI):
        factor /= (2 * order + 1) * (2 * order + 2)
        result = result + bernoulli * factor * term
        term = term * (s + 2 * order + 1) * (s + 2 * order + 2) / (y * y)
    result = where(missing, nan, result)
    return where(s.equals(1), inf, where(undefined, nan, where(pole, inf, result)))


def _trigamma(x: Real) -> Real:
    reflected = x < 0.5
    y = where(reflected, 1 - x, x)
    result = where(y.equals(inf), 0.0, zeta(y.of(2), y))
    ratio = pi / sin(pi * (x - rounded(x)))
    return where(reflected, ratio * ratio - result, result)


def polygamma(n: int, x: Real) -> Real:
    """The n-th derivative of digamma."""
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    if n == 0:
        return digamma(x)
    if n == 1:
        return _trigamma(x)
    sign = 1.0 if n % 2 else -1.0
    return float(sign * np.exp(lgamma(n + 1.0))) * zeta(x.of(n + 1.0), x)


def _polygamma(m: ScalarMath, n: int, x: Value) -> Value:
    return m.cast(polygamma(n, Real(m, m.cast(x, "float64"))).value, f"float{m.bits(x)}")


pointwise(
    "polygamma special_polygamma",
    INT_TO_FLOAT,
    _polygamma,
    check=not_implemented_for("polygamma", "complex"),
)
wide_function_of_two(
    "special_zeta special_zeta.other_scalar special_zeta.self_scalar", zeta, "zeta_cpu"
)


@registry.kernel("polygamma_", shape=lambda facts: facts[0])
def polygamma_(x: Tensor, n: int) -> Tensor:
    found = registry.find("aten::polygamma.out")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(n, x, x)
