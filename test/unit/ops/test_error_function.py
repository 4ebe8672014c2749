"""erf and erfc against the C library's."""

import math

import numpy as np

from torchscript_dialect.ops.special.error_function import erf, erfc

X = np.concatenate([np.linspace(-7, 27, 4001), np.random.default_rng(0).normal(size=2000)])


def test_float64() -> None:
    for ours, theirs, ulps in ((erf, math.erf, 2), (erfc, math.erfc, 8)):
        expected = np.array([theirs(x) for x in X])
        normal = np.abs(expected) > 1e-300
        error = np.abs(ours(X) - expected)[normal] / np.spacing(np.abs(expected[normal]))
        assert error.max() <= ulps


def test_few_elements_are_those_of_many() -> None:
    for x in (
        X[:60].reshape(3, 20),
        X[:60].reshape(3, 20).T,
        X[:64].astype(np.float32),
        X[7:8].reshape(()),
    ):
        for ours, theirs in ((erf, math.erf), (erfc, math.erfc)):
            expected = np.vectorize(theirs)(x).astype(x.dtype)
            assert ours(x).dtype == x.dtype
            np.testing.assert_array_equal(ours(x), expected)


def test_limits() -> None:
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0], np.float32)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(erf(x), np.array([1, -1, np.nan, 0, -0.0], np.float32))
        np.testing.assert_array_equal(erfc(x), np.array([0, 2, np.nan, 1, 1], np.float32))
        assert math.copysign(1, erf(x)[4]) == -1
