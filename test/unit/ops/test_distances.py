"""Distances between rows in native code, held against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops import products
from torchscript_dialect.tensor.conversion import as_tensor

INF = float("inf")


def _distances(
    x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], p: float
) -> list[np.ndarray[Any, Any]]:
    between = torch.cdist(as_tensor(x), as_tensor(y), p, "donot_use_mm_for_euclid_dist")
    return [torch.pdist(as_tensor(x), p).numpy(), between.numpy()]


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, INF, 3.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_native_distances_are_those_of_numpy(
    p: float, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    tolerance = 1e-6 if dtype == "float32" else 1e-14
    for count, width in ((2, 1), (5, 7), (9, 8), (6, 20), (1, 3), (0, 3), (3, 0)):
        x = random.integers(-3, 4, (count, width)).astype(dtype)
        y = random.standard_normal((4, width)).astype(dtype)
        special = x.copy()
        chosen = random.random(x.shape) < 0.1
        special[chosen] = random.choice([np.nan, np.inf, -np.inf], int(chosen.sum()))
        for given in (x, special, np.ascontiguousarray(x.T).T, np.repeat(x, 2, 1)[:, ::2]):
            found = []
            for least in (0, 1 << 62):
                monkeypatch.setattr(products, "WORTH_A_FUNCTION", least)
                found.append(_distances(given, y, p))
            for ours, other in zip(*found, strict=True):
                assert ours.dtype == other.dtype and ours.strides == other.strides
                np.testing.assert_allclose(ours, other, tolerance)


def test_many_rows() -> None:
    x = np.random.default_rng(0).standard_normal((70, 33))
    found = torch.pdist(as_tensor(x)).numpy()
    wanted = np.sqrt(((x[:, None] - x) ** 2).sum(-1))[np.triu_indices(70, 1)]
    np.testing.assert_allclose(found, wanted, 1e-13)


def test_rows_of_several_dtypes() -> None:
    x = np.random.default_rng(0).standard_normal((40, 33))
    given = as_tensor(x.astype(np.float32)), as_tensor(x[::-1].copy())
    found = torch.cdist(*given, 1.0).numpy()
    wanted = np.abs(x.astype(np.float32)[:, None] - x[::-1]).sum(-1)
    np.testing.assert_allclose(found, wanted, 1e-6)
