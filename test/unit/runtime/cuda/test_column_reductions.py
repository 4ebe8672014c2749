"""Reductions of dimensions behind which others come: one kernel, or two for pieces of many rows, that reads tensors as they lie there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

CALLS: dict[str, Callable[[Tensor, Any], Tensor]] = {
    "sum": lambda x, dim: x.sum(dim),
    "sum, kept": lambda x, dim: x.sum(dim, keepdim=True),
    "mean": lambda x, dim: x.mean(dim),
    "prod": lambda x, dim: x.prod(dim) if isinstance(dim, int) else x.sum(dim),
    "amax": lambda x, dim: x.amax(dim),
    "amin": lambda x, dim: x.amin(dim, keepdim=True),
}
SHAPES: dict[str, tuple[tuple[int, ...], Any]] = {
    "few rows": ((3, 40), 0),
    "one row": ((1, 33), 0),
    "middle": ((3, 9, 70), 1),
    "two dimensions": ((5, 7, 2, 31), (0, 1)),
    "from behind": ((2, 19, 8), -2),
    "pieces": ((700, 40), 0),
    "pieces that are no whole ones": ((2, 1031, 9), 1),
}
DTYPES = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64)


def close(found: Tensor, expected: Tensor) -> bool:
    of = 1e-2 if expected.dtype.itemsize == 2 else 1e-5
    return torch.allclose(found.cpu().double(), expected.double(), rtol=of, atol=of, equal_nan=True)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", CALLS)
def test_columns_are_read_as_they_lie(on_device: Device, name: str, shape: str) -> None:
    torch.manual_seed(0)
    sizes, dim = SHAPES[shape]
    x = torch.randn(sizes)
    there = x.cuda()
    torch.cuda.synchronize()
    on_device.launches.clear()
    expected, found = CALLS[name](x, dim), CALLS[name](there, dim)
    torch.cuda.synchronize()
    assert found.is_cuda and found.shape == expected.shape and found.dtype is expected.dtype
    assert found.is_contiguous() and close(found, CALLS[name](x.double(), dim))
    assert not on_device.faults
    if not IS_REAL:
        launches = 2 if shape.startswith("pieces") else 1
        assert on_device.launches == ["column_reduction"] * launches


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(n, d) for n in CALLS for d in DTYPES if n != "mean" or d.is_floating_point],
    ids=str,
)
def test_elements_are_of_many_types(on_device: Device, name: str, dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    x = (torch.randn(20, 24) * 3).to(dtype)
    expected, found = CALLS[name](x, 0), CALLS[name](x.cuda(), 0)
    assert found.dtype is expected.dtype and close(found, expected)
    assert not on_device.faults


def test_results_of_other_types(on_device: Device) -> None:
    x = torch.arange(600).view(20, 30)
    for wanted in (torch.int32, torch.int64, torch.float32, torch.float64):
        for one in (x, x.float()):
            expected, found = one.sum(0, dtype=wanted), one.cuda().sum(0, dtype=wanted)
            assert found.dtype is wanted and close(found, expected)
    assert close(x.float().cuda().mean(0, dtype=torch.float64), x.double().mean(0))


def test_what_is_no_number_is_found(on_device: Device) -> None:
    x = torch.randn(300, 20)
    x[7, 3], x[9, 4], x[8, 5] = float("nan"), float("inf"), -float("inf")
    for name in CALLS:
        assert close(CALLS[name](x.cuda(), 0), CALLS[name](x, 0))


def test_sums_of_halves_are_rounded_once(on_device: Device) -> None:
    x = torch.ones(3000, 16, dtype=torch.float16)
    assert x.cuda().sum(0).cpu().tolist() == [3000.0] * 16


def test_wherever_the_elements_lie(on_device: Device) -> None:
    """Gaps and turned dimensions take a copy; no elements, and few columns, another kernel."""
    x = torch.randn(40, 50)
    for one in (
        x[:, ::2],
        x.t(),
        x[3:],
        x[:0],
        x[:, :0],
        x[:, :2].contiguous(),
        x.expand(3, 40, 50),
    ):
        assert close(one.cuda().sum(0), one.sum(0))
        assert close(x.cuda().sum(0), x.sum(0))
    assert not on_device.faults


def test_results_have_the_same_bits_in_every_run(on_device: Device) -> None:
    x = torch.randn(900, 40).cuda()
    assert len({x.sum(0).cpu().numpy().tobytes() for _ in range(3)}) == 1


def test_a_bias_has_its_gradient(on_device: Device) -> None:
    """Which is a sum of rows."""
    torch.manual_seed(0)
    x, weight, bias = torch.randn(50, 12), torch.randn(20, 12), torch.randn(20)
    gradients: list[Tensor] = []
    for place in ("cpu", "cuda"):
        own = bias.to(place).detach().requires_grad_()
        torch.nn.functional.linear(x.to(place), weight.to(place), own).tanh().sum().backward()
        assert own.grad is not None
        gradients.append(own.grad)
    assert close(gradients[1], gradients[0])
