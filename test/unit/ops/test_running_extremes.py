"""Extremes that run along a dimension are in native code those that NumPy finds, and so are their places."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.reduction import scan
from torchscript_dialect.tensor.tensor import tensor_of

SHAPES = (
    ((5, 3), 0),
    ((2, 7, 11), 1),
    ((4, 9, 2, 8), 1),
    ((1, 20), 0),
    ((3, 0, 4), 1),
    ((3, 1, 17), 1),
)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64, np.int16])
@pytest.mark.parametrize("name", ["cummax", "cummin"])
@pytest.mark.parametrize("case", SHAPES)
def test_native_extremes_are_those_of_numpy(
    dtype: type[np.generic],
    name: str,
    case: tuple[tuple[int, ...], int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape, dim = case
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None
    x = np.random.default_rng(0).integers(-3, 4, shape).astype(dtype)
    if x.dtype.kind == "f":
        x[x == 2] = np.nan
        x[x == 1] = -0.0
    found: list[list[NDArray[np.generic]]] = []
    for many in (1 << 60, 0):
        monkeypatch.setattr(scan.NATIVE, "many", many)
        for given in (x, np.asfortranarray(x), np.repeat(x, 2, -1)[..., ::2]):
            found.append([one.array for one in operator.kernel(tensor_of(given), dim)])
    for others in found[1:]:
        for one, other in zip(found[0], others, strict=True):
            assert one.dtype == other.dtype and one.strides == other.strides
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("shape", [(1, 4096), (4096, 1), (64, 1, 64)])
@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_strides_of_dimensions_of_size_1_are_usual_ones(
    dtype: type[np.generic], shape: tuple[int, ...]
) -> None:
    """Many places are repeated along another dimension, and turned back."""
    operator = registry.find("aten::cummax")
    assert operator is not None and operator.kernel is not None
    x = np.arange(4096).reshape(shape).astype(dtype)
    for dim in range(len(shape)):
        for one in operator.kernel(tensor_of(x), dim):
            assert one.array.strides == np.empty(shape, one.array.dtype).strides
