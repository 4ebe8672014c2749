"""Distances between rows in native code, held against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.ops.products import products
from torchscript_dialect.runtime.kernels.handwritten import distance_kernels
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
            for many in (-1, 1 << 62):
                monkeypatch.setattr(products.DISTANCES, "many", many)
                found.append(_distances(given, y, p))
            for ours, other in zip(*found, strict=True):
                assert ours.dtype == other.dtype
                assert ours.strides == other.strides or not ours.size
                np.testing.assert_allclose(ours, other, tolerance)


def test_many_rows() -> None:
    x = np.random.default_rng(0).standard_normal((70, 33))
    found = torch.pdist(as_tensor(x)).numpy()
    wanted = np.sqrt(((x[:, None] - x) ** 2).sum(-1))[np.triu_indices(70, 1)]
    np.testing.assert_allclose(found, wanted, 1e-13)


def test_rows_of_several_dtypes_are_refused() -> None:
    x = np.random.default_rng(0).standard_normal((40, 33))
    with pytest.raises(RuntimeError, match="expected scalar type Float but found Double"):
        torch.cdist(as_tensor(x.astype(np.float32)), as_tensor(x), 1.0)


def _gradients(rows: list[Any], p: float, weights: Any) -> list[Any]:
    """Those of rows by their distances, of each two of one matrix where there is only one."""
    given = [as_tensor(one).clone().requires_grad_() for one in rows]
    found = torch.pdist(given[0], p) if len(given) == 1 else torch.cdist(*given, p)
    found.backward(as_tensor(weights[: found.numel()].reshape(found.shape)))
    return [one.grad for one in given]


@pytest.mark.parametrize("p", [0.0, 1.0, 2.0, INF, 3.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_native_gradients_are_those_of_operators(
    p: float, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    tolerance = 1e-5 if dtype == "float32" else 1e-13
    for sizes, width in (((2,), 1), ((5,), 17), ((0,), 3), ((3,), 0), ((2, 3, 4), 9)):
        x = random.integers(-2, 3, (*sizes, width)).astype(dtype)
        y = random.integers(-2, 3, (*sizes[:-1], 6, width)).astype(dtype)
        weights = random.standard_normal(1000).astype(dtype)
        special = x.copy()
        special[random.random(x.shape) < 0.1] = np.nan
        for first in (x, special, np.ascontiguousarray(x.T).T):
            for rows in ([first, y], [y, first], [first]):
                if len(rows) == 1 and first.ndim != 2:
                    continue
                found: list[list[Any]] = []
                for many in (-1, 1 << 62):
                    monkeypatch.setattr(products.DISTANCES, "many", many)
                    found.append(_gradients(rows, p, weights))
                for ours, other in zip(*found, strict=True):
                    assert ours.dtype is other.dtype and ours.stride() == other.stride()
                    np.testing.assert_allclose(ours.numpy(), other.numpy(), tolerance, tolerance)


@needs_native_calls
def test_steps_are_native_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products.DISTANCES, "many", -1)
    x, y = np.ones((3, 4), np.float32), np.zeros((5, 4), np.float32)
    weights = np.ones(100, np.float32)
    for rows, what, calls in (
        ([x, y], distance_kernels.BETWEEN, 2),
        ([x], distance_kernels.PAIRS, 1),
    ):
        _gradients(rows, 2.0, weights)
        natives = [
            distance_kernels.kernel(what, 2.0, "f", 2),
            distance_kernels.kernel(what, 2.0, "f", 2, back=True),
        ]
        before = [one.native_calls for one in natives]
        _gradients(rows, 2.0, weights)
        assert [one.native_calls for one in natives] == [before[0] + 1, before[1] + calls]


def test_gradients_of_gradients_where_rows_are_equal() -> None:
    x = torch.tensor([[1.0, 2.0], [1.0, 2.0], [4.0, 6.0]], dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(torch.pdist(x).sum(), x, create_graph=True)
    (second,) = torch.autograd.grad((first * first).sum(), x)
    assert bool(torch.isfinite(second).all())
