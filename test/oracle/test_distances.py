"""Distances over NaN and infinities, and their gradients: few rows by NumPy, many by kernels, and in compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch as ours

pytorch = pytest.importorskip("torch")

CALLS = 3
BETWEEN = "torch.cdist(x, y, p, 'donot_use_mm_for_euclid_dist')"


def rows(count: int, width: int, *, others: bool) -> np.ndarray:
    """Small whole numbers, some of them NaN or infinite."""
    found = np.random.default_rng(count + others).integers(-2, 3, (count, width)).astype(np.float32)
    if others:
        found[[0, 1], [1, 0]], found[1, 1] = np.nan, -np.inf
    else:
        found[0, 1], found[1, 0], found[2, 1] = np.nan, np.inf, -np.inf
    return found


def outcome(torch: Any, call: Callable[..., Any], p: float, *given: np.ndarray) -> list[np.ndarray]:
    """The distances, and what the rows get of a gradient."""
    tensors = [torch.tensor(one).requires_grad_() for one in given]
    found = call(*tensors, p)
    weights = torch.arange(1.0, found.numel() + 1).reshape(found.shape)
    (found * weights).sum().backward()
    return [one.detach().numpy() for one in (found, *(tensor.grad for tensor in tensors))]


@pytest.mark.parametrize("count", (3, 20))
@pytest.mark.parametrize("p", (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float("inf")))
def test_distances(count: int, p: float) -> None:
    given = rows(count, 19, others=False), rows(count + 7, 19, others=True)
    compiled = ts.CompilationUnit(f"def f(x, y, p: float):\n    return {BETWEEN}\n").f
    eager = [eval(f"lambda x, y, p: {BETWEEN}", {"torch": one}) for one in (pytorch, ours)]
    wanted = outcome(pytorch, eager[0], p, *given)
    for call in (eager[1], *[compiled] * CALLS):
        for one, other in zip(outcome(ours, call, p, *given), wanted, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-4)
    pairs = [outcome(torch, torch.pdist, p, given[0]) for torch in (ours, pytorch)]
    for one, other in zip(*pairs, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-4)
