"""Dimensions that native code resizes are those that NumPy resizes, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from torchscript_dialect.ops.images import resampling
from torchscript_dialect.ops.images.resampling import Resize, Taps

SHAPES = (((2, 3, 5, 7), 2, 9), ((2, 3, 5, 7), 3, 20), ((1, 1, 1), 2, 4), ((1, 4, 8, 8), 2, 16))
EMPTY = ((0, 3, 4), 2, 5)


@pytest.mark.parametrize(
    "make", [resampling.linear, resampling.cubic, partial(resampling.nearest, exact=True)]
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", [*SHAPES, EMPTY])
def test_native_code_resizes_as_numpy(
    make: Callable[[Resize], Taps],
    dtype: type[np.floating],
    case: tuple[tuple[int, ...], int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape, axis, count = case
    taps = make(Resize(shape[axis], count, None, False, np.dtype(dtype)))
    numbers = np.random.default_rng(0)
    x = numbers.standard_normal(shape).astype(dtype)
    x[..., :1] = -0.0
    x[..., 1:2] = np.inf
    grad = numbers.standard_normal((*shape[:axis], count, *shape[axis + 1 :])).astype(dtype)
    found: list[list[NDArray[np.floating]]] = []
    for many in (1 << 60, 0):
        monkeypatch.setattr(resampling.NATIVE, "many", many)
        for given in (x, np.asfortranarray(x)):
            slopes = [
                taps.gather_gradient(one, axis, shape[axis]) for one in (grad, grad[..., ::-1])
            ]
            found.append([taps.apply(given, axis), *slopes])
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            assert one.tobytes() == other.tobytes()
