"""Reductions of long rows on the device by several blocks, and places of the largest elements."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.operators import long_reductions
from torchscript_dialect.tensor.tensor import Tensor


@pytest.fixture(autouse=True)
def no_copy_to_the_host() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are cut that take no time."""
    monkeypatch.setattr(long_reductions, "LONG", 64)
    monkeypatch.setattr(long_reductions, "WIDTH", 16)


CALLS = {
    "sum": lambda x: x.reshape(2, -1).sum(1, keepdim=True),
    "mean": lambda x: x.reshape(2, -1).mean(1),
    "prod": lambda x: (x * 0.01 + 1).reshape(2, -1).prod(1),
    "amin": lambda x: x.reshape(2, -1).amin(-1),
    "double": lambda x: x.reshape(2, -1).sum(1, dtype=torch.float64),
    "argmax": lambda x: x.argmax(),
    "argmin": lambda x: x.argmin(0, True),
}
WHOLE = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "prod": lambda x: (x * 0.001 + 1).double().prod(),
    "max": lambda x: x.max(),
    "amin": lambda x: x.amin(),
    "of_both": lambda x: x.reshape(2, -1).amax([0, 1], True),
    "double": lambda x: x.sum(dtype=torch.float64),
    "turned": lambda x: x.reshape(2, -1).t().sum(),
    "integers": lambda x: (x * 100).int().sum(),
    "bools": lambda x: (x > 2).sum(),
    "any": lambda x: (x > 6).any(),
    "all": lambda x: (x > -6).all(),
    "halves": lambda x: (x * 50).half().sum(),
    "means of halves": lambda x: (x * 50).half().mean(),
    "nothing": lambda x: x[:0].sum(),
}


@pytest.mark.parametrize("size", [128, 150])
@pytest.mark.parametrize("name", CALLS)
def test_pieces_of_a_row_are_reduced_by_blocks(
    on_device: Device, short: None, name: str, size: int
) -> None:
    torch.manual_seed(0)
    x = torch.randn(size)
    expected, found = CALLS[name](x), CALLS[name](x.cuda())
    assert found.is_cuda and found.shape == expected.shape and found.dtype is expected.dtype
    assert torch.allclose(found.cpu(), expected, rtol=1e-5, atol=1e-5)
    assert len(on_device.launches) > 1 and not on_device.faults


@pytest.mark.parametrize("size", [50, 32_768, 40_002])
@pytest.mark.parametrize("name", WHOLE)
def test_all_elements_are_reduced_by_blocks(on_device: Device, name: str, size: int) -> None:
    """By one launch for parts, and one for the rest, where there are many elements."""
    torch.manual_seed(0)
    x = torch.randn(size)
    expected, found = WHOLE[name](x), WHOLE[name](x.cuda())
    assert found.is_cuda and found.shape == expected.shape and found.dtype is expected.dtype
    assert torch.allclose(found.cpu(), expected, rtol=1e-5, atol=1e-5, equal_nan=True)
    assert not on_device.faults


@pytest.mark.parametrize(("size", "launches"), [(32_767, 1), (32_768, 2)])
def test_a_sum_is_one_kernel(on_device: Device, size: int, launches: int) -> None:
    x = torch.ones(size).cuda()
    torch.cuda.synchronize()
    before = len(on_device.launches)
    assert x.sum().cpu() == size
    assert len(on_device.launches) - before == launches


def test_integers_and_halves_are_cut_as_well(on_device: Device, short: None) -> None:
    numbers = torch.arange(100)
    assert numbers.cuda().sum().cpu() == numbers.sum()
    assert (numbers.cuda() > 3).sum().cpu() == 96
    halves = (numbers * 50).half()
    assert halves.cuda().sum().cpu() == halves.sum()  # more than a half holds: infinite
    assert halves.cuda().mean().cpu() == halves.mean()


def test_a_short_row_is_one_blocks(on_device: Device) -> None:
    x = torch.ones(10).cuda()
    x.sum()
    torch.cuda.synchronize()
    assert len(on_device.launches) == 1


def test_nan_and_the_first_of_equal_elements_are_found(on_device: Device, short: None) -> None:
    x: Tensor = torch.zeros(100)
    x[[70, 90]] = 1.0
    assert x.cuda().argmax().cpu() == 70
    x[80] = float("nan")
    assert x.cuda().argmax().cpu() == 80 and x.cuda().max().cpu().isnan()


@pytest.mark.parametrize("name", ["sum", "mean"])
def test_complex_numbers_are_those_of_the_host(on_device: Device, short: None, name: str) -> None:
    x = torch.randn(2, 60, dtype=torch.complex64)
    expected = getattr(x, name)(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # which says that the host computes it
        found = getattr(x.cuda(), name)(1)
    assert found.dtype is torch.complex64
    assert torch.allclose(found.cpu(), expected, rtol=1e-5, atol=1e-5)
