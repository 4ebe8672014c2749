"""Losses of classes in native code are those of NumPy, to the last bit, and so are their gradients and errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.runtime.kernels.handwritten import class_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
F: Any = torch.nn.functional
SHAPES = [(5, 3), (1, 1), (300, 7), (2, 3, 4, 5), (1, 4, 1, 1), (3, 2, 17, 19), (2, 3, 6)]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], tuple[Any, Any, int]]:
    """What NumPy and native code give for a call, and how many kernels the latter called."""
    made: list[Any] = []
    for name in ("picked", "spread"):
        kernel = getattr(class_kernels, name)
        monkeypatch.setattr(
            class_kernels, name, lambda *a, k=kernel: made.append(k(*a)) or made[-1]
        )

    def run(call: Callable[[], Any]) -> tuple[Any, Any, int]:
        monkeypatch.setattr(native_windows.NATIVE, "many", 1 << 62)
        expected = call()
        monkeypatch.setattr(native_windows.NATIVE, "many", -1)
        made.clear()
        found = call()
        return expected, found, sum(one is not None for one in made)

    return run


def _case(shape: Sequence[int], dtype: Any) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(len(shape))
    x = rng.standard_normal(tuple(shape))
    x.reshape(-1)[::7] = [np.nan, np.inf, -np.inf][len(shape) % 3]
    target = rng.integers(0, shape[1], (shape[0], *shape[2:]))
    weight = rng.standard_normal(shape[1])
    return torch.tensor(x).to(dtype), torch.tensor(target), torch.tensor(weight).to(dtype)


def _steps(x: Any, target: Any, weight: Any, reduction: str, ignored: int) -> list[Any]:
    given = x.detach().requires_grad_()
    loss = F.nll_loss(given, target, weight, ignore_index=ignored, reduction=reduction)
    slope = torch.arange(loss.numel(), dtype=loss.dtype).reshape(loss.shape) * 0.5 + 1
    slope.requires_grad_()
    (grad,) = torch.autograd.grad(loss, [given], slope, create_graph=True)
    (second,) = torch.autograd.grad(grad, [slope], torch.ones_like(grad))
    return [loss.detach(), grad.detach(), second]


def _same(expected: Sequence[Any], found: Sequence[Any]) -> None:
    for one, other in zip(expected, found, strict=True):
        assert one.dtype is other.dtype and one.stride() == other.stride()
        np.testing.assert_array_equal(other.numpy(), one.numpy())


@pytest.mark.parametrize("ignored", [-100, 0, 1])
@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_losses(both: Any, shape: Sequence[int], dtype: Any, reduction: str, ignored: int) -> None:
    x, target, weight = _case(shape, dtype)
    for given in (None, weight):
        expected, found, kernels = both(
            lambda given=given: _steps(x, target, given, reduction, ignored)
        )
        _same(expected, found)
        assert kernels >= 2


def test_layouts_and_bytes(both: Any) -> None:
    x, target, weight = _case((2, 3, 4, 5), torch.float32)
    last = x.permute(0, 2, 3, 1).contiguous().permute(0, 3, 1, 2)
    turned = target.transpose(1, 2).contiguous().transpose(1, 2)
    for given, places in ((last, target), (x, turned), (x, target.to(torch.uint8))):
        expected, found, _ = both(
            lambda given=given, places=places: _steps(given, places, weight, "mean", -100)
        )
        _same(expected, found)


@pytest.mark.parametrize("wrong", [3, -1, 1 << 40])
def test_targets_that_are_no_classes(both: Any, wrong: int) -> None:
    x, target, _ = _case((2, 3, 4, 5), torch.float32)
    target[1, 2, 3] = wrong

    def message() -> str:
        with pytest.raises(IndexError) as raised:
            F.nll_loss(x, target)
        return str(raised.value)

    expected, found, kernels = both(message)
    assert expected == found == f"Target {wrong} is out of bounds."
    assert not kernels


def test_nothing_is_a_mean_of_nothing(both: Any) -> None:
    x = torch.zeros(0, 3, 2, 2)
    target = torch.zeros(0, 2, 2, dtype=torch.int64)
    for reduction in ("none", "mean", "sum"):
        expected, found, _ = both(
            lambda reduction=reduction: _steps(x, target, None, reduction, -100)
        )
        _same(expected, found)
    x, target, _ = _case((5, 3), torch.float32)
    expected, found, _ = both(lambda: _steps(x, torch.ones_like(target), None, "mean", 1))
    _same(expected, found)


def test_other_dtypes_stay_in_numpy(both: Any) -> None:
    x, target, weight = _case((2, 3, 4, 5), torch.bfloat16)
    expected, found, kernels = both(lambda: _steps(x, target, weight, "mean", -100))
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(other.float().numpy(), one.float().numpy())
    assert not kernels
