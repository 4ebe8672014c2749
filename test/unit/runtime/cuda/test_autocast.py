"""`torch.autocast("cuda")` of the stand-in: eager operators on tensors of a device, programs, and calls of programs in a region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

F = torch.nn.functional


def square() -> Tensor:
    return torch.tensor([[0.5, 1.0], [-1.0, 2.0]], device="cuda")


def dtypes(results: Any) -> list[str]:
    return [result.dtype.name for result in results]


def test_eager_operators_are_cast(on_device: Device) -> None:
    """What all lists give is compared with PyTorch elsewhere: oracle/test_autocast_of_devices.py."""
    x = square()
    h = x.half()
    with torch.autocast("cuda"):
        assert torch.is_autocast_enabled("cuda")
        assert not torch.is_autocast_enabled("cpu")
        found = x @ x, h.exp(), h.sum(), h * h
        assert dtypes(found) == ["float16", "float32", "float32", "float16"]
        assert all(one.is_cuda for one in found)
    assert found[0].tolist() == [[-0.75, 2.5], [-2.5, 3.0]]
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert torch.get_autocast_dtype("cuda") == torch.bfloat16
        assert dtypes([h @ x, x.double() @ x.double()]) == ["bfloat16", "float64"]


def test_what_a_region_may_not_hold(on_device: Device) -> None:
    x = square().sigmoid()
    with torch.autocast("cuda"):
        with pytest.raises(RuntimeError, match="are unsafe to autocast"):
            F.binary_cross_entropy(x, x)
        with pytest.raises(RuntimeError, match="Unexpected floating ScalarType"):
            torch.addcmul(x.bfloat16(), x, x)


def test_regions_are_for_a_kind_of_device(on_device: Device) -> None:
    here, there = torch.ones(2, 2), square()

    def found() -> list[str]:
        return dtypes([here @ here, there @ there])

    with torch.autocast("cuda"):
        assert found() == ["float32", "float16"]
        with torch.autocast("cpu"):
            assert found() == ["bfloat16", "float16"]
            with torch.autocast("cuda", enabled=False):
                assert found() == ["bfloat16", "float32"]
        with torch.autocast("cuda", dtype=torch.bfloat16):
            assert found() == ["float32", "bfloat16"]
        assert found() == ["float32", "float16"]


def multiplied(x: Tensor, h: Tensor):
    return torch.mm(x, x), torch.exp(h)


def in_a_region(x: Tensor, h: Tensor):
    with torch.autocast("cuda"):
        a = torch.mm(x, x)
        with torch.autocast("cuda", enabled=False):
            b = torch.mm(x, x)
        c = torch.exp(h)
    return a, b, c, torch.mm(x, x), torch.exp(h)


AROUND = ["float16", "float32"]
OUTSIDE = ["float32", "float16"]
INSIDE = ["float16", "float32", "float32", "float32", "float16"]


def test_programs(on_device: Device) -> None:
    """What was compiled outside of a region, or in one, is not used elsewhere."""
    x = square()
    f, g = ts.script(multiplied), ts.script(in_a_region)
    for _ in range(3):
        assert dtypes(f(x, x.half())) == OUTSIDE
        with torch.autocast("cuda"):
            assert dtypes(f(x, x.half())) == AROUND
            with torch.autocast("cuda", enabled=False):
                assert dtypes(f(x, x.half())) == OUTSIDE
        assert dtypes(g(x, x.half())) == INSIDE
    with torch.autocast("cuda"):
        here = torch.ones(2, 2)
        assert dtypes(f(here, here)) == ["float32"] * 2
        assert f(x, x.half())[0].tolist() == [[-0.75, 2.5], [-2.5, 3.0]]


def refused(x: Tensor):
    return F.binary_cross_entropy(x, x)


def test_programs_that_a_region_may_not_hold(on_device: Device) -> None:
    x = square().sigmoid()
    with torch.autocast("cuda"), pytest.raises(RuntimeError, match="unsafe to autocast"):
        ts.script(refused)(x)


@pytest.mark.parametrize("make", [lambda net: net, ts.script])
def test_training(on_device: Device, make: Callable[[Any], Any]) -> None:
    torch.manual_seed(0)
    net = make(torch.nn.Linear(2, 2).cuda())
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", init_scale=8.0)
    losses: list[float] = []
    for _ in range(2):
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            out = net(square())
            loss = F.mse_loss(out, square())
        assert dtypes([out, loss]) == ["float16", "float32"]
        scaler.scale(loss).backward()
        assert dtypes([p.grad for p in net.parameters()]) == ["float32"] * 2
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    assert losses[1] < losses[0]


def test_states_that_are_set(on_device: Device) -> None:
    x = square()
    torch.set_autocast_enabled("cuda", True)
    torch.set_autocast_dtype("cuda", torch.bfloat16)
    try:
        assert torch.is_autocast_enabled()
        assert (x @ x).dtype == torch.bfloat16
        assert ts.script(multiplied)(x, x)[0].dtype == torch.bfloat16
    finally:
        torch.set_autocast_dtype("cuda", torch.float16)
        torch.set_autocast_enabled("cuda", False)
    assert (x @ x).dtype == torch.float32
