"""Images that are sampled on the device, and functions that are one kernel there: the numbers of the host, without a word about it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.fused_functions import fused
from torchscript_dialect.runtime.cuda.operators.numpy_functions import Elements
from torchscript_dialect.tensor.tensor import Tensor

sample = torch.nn.functional.grid_sample


def _numbers(seed: int, shape: Sequence[int], low: float, high: float, dtype: Any) -> Any:
    found = np.random.default_rng(seed).uniform(low, high, tuple(shape))
    return torch.tensor(found).to(dtype)


def _sampled(x: Any, grid: Any, device: str, **options: Any) -> list[Any]:
    """The values, and the gradients of image and points."""
    given = [one.clone().to(device).requires_grad_() for one in (x, grid)]
    memory().warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error" if device == "cuda" else "ignore")
        values = sample(*given, **options)
        (values * values).sum().backward()
    assert values.device.type == device
    return [one.detach().cpu().double().numpy() for one in (values, given[0].grad, given[1].grad)]


CASES = (
    (2, "bilinear", "zeros", False, torch.float32),
    (2, "bilinear", "reflection", True, torch.float16),
    (2, "nearest", "border", False, torch.float64),
    (2, "bicubic", "zeros", True, torch.float32),
    (2, "bicubic", "reflection", False, torch.bfloat16),
    (3, "bilinear", "border", True, torch.float32),
    (3, "nearest", "reflection", False, torch.float32),
)


@pytest.mark.parametrize(("rank", "mode", "padding", "corners", "dtype"), CASES)
def test_images(
    rank: int, mode: str, padding: str, corners: bool, dtype: Any, on_device: Device
) -> None:
    """Operator by operator, and as one kernel."""
    options = {"mode": mode, "padding_mode": padding, "align_corners": corners}
    near = 2e-2 if dtype in (torch.float16, torch.bfloat16) else 2e-5
    for count in (2, 2, 3):
        x = _numbers(0, [2, 3, *(4, 3, 2)[:rank]], -2, 2, dtype)
        grid = _numbers(1, [2, *[count] * rank, rank], -1.6, 1.6, dtype)
        grid.view(-1)[: 2 * rank] = torch.tensor([nan, 0.5, inf, -inf, 1.0, -1.0][: 2 * rank])
        found, expected = (_sampled(x, grid, device, **options) for device in ("cuda", "cpu"))
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=near, atol=near)


def test_few_kernels(on_device: Device) -> None:
    x, grid = torch.ones(1, 2, 5, 5).to("cuda"), torch.zeros(1, 3, 3, 2).to("cuda")
    for _ in range(3):
        torch.cuda.synchronize()
        on_device.launches.clear()
        sample(x, grid, align_corners=False)
        torch.cuda.synchronize()
    assert len(on_device.launches) <= 10


@pytest.mark.parametrize("shape", [(0, 2, 3, 3), (2, 0, 3, 3)])
def test_nothing(shape: tuple[int, ...], on_device: Device) -> None:
    found = sample(torch.ones(shape).to("cuda"), torch.zeros(shape[0], 1, 4, 2).to("cuda"))
    assert found.shape == (*shape[:2], 1, 4)
    assert not sample(torch.ones(1, 1, 2, 2).to("cuda"), torch.zeros(1, 0, 4, 2).to("cuda")).numel()


def test_what_the_host_refuses_is_refused(on_device: Device) -> None:
    x = torch.ones(1, 1, 2, 2).to("cuda")
    with pytest.raises(RuntimeError, match="same batch size"):
        sample(x, torch.zeros(2, 1, 1, 2).to("cuda"))
    with pytest.raises(RuntimeError, match="non-empty spatial"):
        sample(x[:, :, :0], torch.zeros(1, 1, 1, 2).to("cuda"))


def test_points_of_affine_maps(on_device: Device) -> None:
    found: list[Any] = []
    for device in ("cuda", "cpu"):
        theta = _numbers(2, [2, 2, 3], -1, 1, torch.float32).to(device).requires_grad_()
        with warnings.catch_warnings():
            warnings.simplefilter("error" if device == "cuda" else "ignore")
            grid = torch.nn.functional.affine_grid(theta, [2, 1, 3, 4], align_corners=False)
            (grid * grid).sum().backward()
        found.append([one.detach().cpu().numpy() for one in (grid, theta.grad)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


# Functions that are one kernel


@fused
def _both(x: Tensor, y: Tensor, *, by: float) -> list[Tensor]:
    return [call("aten::mul", (x, by)).add(y), x.gt(y)]


def test_a_function_is_a_kernel_from_the_second_time_on(on_device: Device) -> None:
    for count, launches in ((5, 3), (5, 1), (7, 1), (1, 3), (0, None)):
        x, y = torch.arange(count).float().to("cuda"), torch.ones(2, 1).to("cuda")
        torch.cuda.synchronize()
        on_device.launches.clear()
        total, is_more = _both(x, y, by=2.0)
        torch.cuda.synchronize()
        assert launches in (None, len(on_device.launches))
        expected = np.broadcast_to(np.arange(count, dtype=np.float32) * 2 + 1, (2, count))
        np.testing.assert_array_equal(total.cpu().numpy(), expected)
        assert is_more.cpu().tolist() == [[one > 1 for one in range(count)]] * 2


def test_functions_of_numpy(on_device: Device) -> None:
    def run(x: Any) -> Any:
        low, high = np.clip(np.floor(x), -1, 1), np.where(x > 0, 1.0, np.nan)
        parts: Any = np.moveaxis(np.stack([low, high, 2 - x], -1) * 2.0, -1, 0)
        first, second, third = parts
        kept = np.where(np.isnan(second) | (third == 4), -np.abs(first), np.rint(third) % 3)
        return np.where(np.isfinite(x), kept, np.zeros_like(x)).astype(np.float32)

    x = np.array([-2.5, -0.0, 0.5, 1.5, nan, inf])
    found = run(Elements(torch.tensor(x).to("cuda"))).tensor
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(found.cpu().numpy(), run(x))
    elements: Any = Elements(found)
    with pytest.raises(TypeError, match="no implementation found"):
        np.linalg.inv(elements)
