"""The incomplete gamma functions."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

from torchscript_dialect.ops.special.gamma_functions import log_gamma
from torchscript_dialect.ops.special.wide_functions import (
    Real,
    exp,
    log,
    loop,
    where,
    wide_function_of_two,
)
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import result_type

_STEPS = 2000


def _lower_series(a: Real, x: Real) -> Real:
    """The lower function by its power series, which converges fast below a + 1."""

    def goes_on(step: Real, term: Real, total: Real) -> Any:
        return (step < _STEPS) & (step.equals(1) | (abs(term) > abs(total) * 1e-17))

    def one_more(step: Real, term: Real, total: Real) -> list[Real]:
        term = term * x / (a + step)
        return [step + 1, term, total + term]

    first = 1 / a
    _, _, total = loop([a.of(1), first, first], goes_on, one_more)
    return total * exp(a * log(x) - x - log_gamma(a))


def _upper_fraction(a: Real, x: Real) -> Real:
    """The upper function by Legendre's continued fraction (Lentz's method), which converges fast above a + 1."""
    tiny = 1e-300

    def not_zero(value: Real) -> Real:
        return where(value.equals(0), tiny, value)

    def goes_on(step: Real, _b: Real, c: Real, d: Real, _h: Real) -> Any:
        return (step < _STEPS) & (step.equals(1) | (abs(c * d - 1) > 1e-16))

    def one_more(step: Real, b: Real, c: Real, d: Real, h: Real) -> list[Real]:
        number = -step * (step - a)
        b = b + 2
        d = 1 / not_zero(number * d + b)
        c = not_zero(b + number / c)
        return [step + 1, b, c, d, h * c * d]

    b = x + 1 - a
    d = 1 / not_zero(b)
    *_, h = loop([a.of(1), b, a.of(1 / tiny), d, d], goes_on, one_more)
    return h * exp(a * log(x) - x - log_gamma(a))


def _incomplete(a: Real, x: Real, *, upper: bool) -> Real:
    regular = (a > 0) & (x > 0) & (abs(a) < inf) & (abs(x) < inf)
    inside_a, inside_x = where(regular, a, 1.0), where(regular, x, 1.0)
    by_series = inside_x < inside_a + 1
    series = _lower_series(inside_a, where(by_series, inside_x, inside_a))
    fraction = _upper_fraction(inside_a, where(by_series, inside_a + 1, inside_x))
    if upper:
        result = where(by_series, 1 - series, fraction)
    else:
        result = where(by_series, series, 1 - fraction)
    return where(regular, result, _limit(a, x, 1.0 if upper else 0.0))


def _limit(a: Real, x: Real, start: float) -> Real:
    """Where `a` or `x` is 0 or infinite: `start` is the result for 0 as `x`. Like PyTorch it asks for one after the other, NaN in the
    other or not.
    """
    is_far = abs(x).equals(inf)
    result = where(is_far, 1 - start, nan)
    result = where(abs(a).equals(inf), where(is_far, nan, start), result)
    result = where(x.equals(0), start, result)
    result = where(a.equals(0), where(x > 0, 1 - start, nan), result)
    return where((x < 0) | (a < 0), nan, result)


def lower_incomplete_gamma(a: Real, x: Real) -> Real:
    """The share of gamma(a) that the integral from 0 to x has."""
    return _incomplete(a, x, upper=False)


def upper_incomplete_gamma(a: Real, x: Real) -> Real:
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
    wide_function_of_two(
        _names, _function, _kernel_name, (), check_operands=_refuse_exact(_kernel_name)
    )
