"""Multiply-adds without the instruction."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from lowering.math import multiply_add
from support.math_kernels import MathKernel
from support.native_calls import needs_native_calls

RNG = np.random.default_rng(0)


def operands(dtype: str) -> list[np.ndarray]:
    """Random ones, half of which nearly cancel."""
    a, b = (
        (RNG.standard_normal(400) * 2.0 ** RNG.integers(-20, 20, 400)).astype(dtype)
        for _ in range(2)
    )
    c = np.where(RNG.random(400) < 0.5, -a * b, RNG.standard_normal(400)).astype(dtype)
    return [a, b, c * (1 + np.finfo(dtype).eps * RNG.integers(-2, 3, 400)).astype(dtype)]


@needs_native_calls
@pytest.mark.parametrize(("name", "dtype"), [("f32", "float32"), ("f64", "float64")])
def test_they_are_as_good_as_rounded_once(name: str, dtype: str) -> None:
    given = operands(dtype)
    found = MathKernel(multiply_add.fma, 3, name)(*given)
    for value, *terms in zip(found, *given, strict=True):
        a, b, c = (Fraction(float(term)) for term in terms)
        assert abs(Fraction(float(value)) - (a * b + c)) <= Fraction(float(np.spacing(abs(value))))


@needs_native_calls
@pytest.mark.parametrize(("name", "dtype"), [("f32", "float32"), ("f64", "float64")])
def test_special_operands(name: str, dtype: str) -> None:
    most = float(np.finfo(dtype).max)
    special = [0.0, -0.0, 1.0, -1.0, most, -most, np.inf, -np.inf, np.nan]
    given = [np.array(one, dtype) for one in zip(*product(special, repeat=3), strict=True)]
    found = MathKernel(multiply_add.fma, 3, name)(*given)
    with np.errstate(all="ignore"):
        a, b, c = (one.astype(np.longdouble) for one in given)
        rounded = given[0] * given[1]
        overflows = (name == "f64") & np.isinf(rounded) & np.isfinite(a) & np.isfinite(b)
        expected = (np.where(overflows, rounded, a * b) + c).astype(dtype)
    np.testing.assert_array_equal(found, expected)
    numbers = ~np.isnan(found)
    np.testing.assert_array_equal(np.signbit(found)[numbers], np.signbit(expected)[numbers])
