"""Distances between rows of tensors on the device, and their gradients, against those of the host."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator

import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

NORMS = [0.0, 1.0, 1.5, 2.0, float("inf")]
SHAPES = {
    "few": ((3, 4), (5, 4)),
    "long": ((30, 4), (2, 4)),
    "batches": ((2, 1, 3, 4), (3, 5, 4)),
    "no columns": ((3, 0), (5, 0)),
    "no rows": ((0, 4), (5, 4)),
}


@pytest.fixture(autouse=True)
def on_the_device_alone() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def steps(f: Callable[..., Tensor], place: str, *values: Tensor) -> list[Tensor]:
    """What a function gives, and the gradients of its arguments, of both orders."""
    given = [one.to(place).detach().requires_grad_() for one in values]
    found = f(*given)
    first = torch.autograd.grad((found * found.detach()).sum(), given, create_graph=True)
    results = [found.detach(), *(one.detach() for one in first)]
    if all(one.requires_grad for one in first):
        total = sum((one * one.detach()).sum() for one in first)
        results += torch.autograd.grad(total, given, allow_unused=True)
    return [one for one in results if one is not None]


def check(f: Callable[..., Tensor], *values: Tensor) -> None:
    expected, found = steps(f, "cpu", *values), steps(f, "cuda", *values)
    assert len(expected) == len(found)
    for one, other in zip(found, expected, strict=True):
        assert one.is_cuda and one.shape == other.shape and one.dtype is other.dtype
        assert torch.allclose(one.cpu(), other, rtol=1e-4, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("p", NORMS)
@pytest.mark.parametrize("shape", ["few", "long", "batches"])
def test_cdist(on_device: Device, shape: str, p: float) -> None:
    torch.manual_seed(0)
    x, y = (torch.randn(one) for one in SHAPES[shape])
    check(lambda a, b: torch.cdist(a, b, p), x, y)
    assert not on_device.faults


@pytest.mark.parametrize("p", NORMS)
def test_pdist(on_device: Device, p: float) -> None:
    torch.manual_seed(0)
    check(lambda a: torch.nn.functional.pdist(a, p), torch.randn(6, 4))
    assert not on_device.faults


def test_equal_rows_have_no_slope(on_device: Device) -> None:
    x = torch.ones(3, 4)
    check(lambda a: torch.nn.functional.pdist(a), x)
    check(lambda a: torch.cdist(a, a, compute_mode="donot_use_mm_for_euclid_dist"), x)


def test_doubles(on_device: Device) -> None:
    torch.manual_seed(0)
    x, y = torch.randn(4, 5).double(), torch.randn(30, 5).double()
    for one in (x, y):
        expected, found = torch.cdist(one, y), torch.cdist(one.cuda(), y.cuda())
        assert found.dtype is torch.float64
        assert torch.allclose(found.cpu(), expected, atol=1e-7)


@pytest.mark.parametrize("shape", ["no columns", "no rows"])
def test_no_elements(on_device: Device, shape: str) -> None:
    x, y = (torch.ones(one) for one in SHAPES[shape])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = torch.cdist(x.cuda(), y.cuda())
        assert torch.equal(found.cpu(), torch.cdist(x, y))
        assert torch.equal(torch.pdist(x.cuda()).cpu(), torch.pdist(x))


def test_errors_are_those_of_the_host(on_device: Device) -> None:
    x = torch.ones(3, 4)
    calls: list[Callable[[Tensor], Tensor]] = [
        lambda a: torch.cdist(a, a[:, :3]),
        lambda a: torch.cdist(a, a, -1.0),
        lambda a: torch.cdist(a[0], a),
        lambda a: torch.cdist(a.long(), a.long()),
        lambda a: torch.cdist(a.half(), a.half()),
        lambda a: torch.cdist(a.expand(2, 3, 4), a.expand(3, 3, 4)),
        lambda a: torch.pdist(a[0]),
        lambda a: torch.pdist(a, -2.0),
        lambda a: torch.pdist(a.int()),
    ]
    for call in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with pytest.raises(RuntimeError) as there:
                call(x.cuda())
            with pytest.raises(RuntimeError) as here:
                call(x)
        assert str(there.value).splitlines()[0] == str(here.value).splitlines()[0]
