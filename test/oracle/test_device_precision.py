"""Whether products on a device round float32 is PyTorch's setting while it is loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch as pytorch

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.fixtures import device, on_device
from support.simt.moving import on_cuda
from torchscript_dialect import torch

__all__ = ["device", "on_device"]

WAYS = ["high", "medium", "allow_tf32", "fp32_precision"]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    torch.set_float32_matmul_precision("highest")


def allow(way: str, *, allowed: bool) -> None:
    products: Any = pytorch.backends.cuda.matmul
    match way:
        case "allow_tf32":
            products.allow_tf32 = allowed
        case "fp32_precision":
            products.fp32_precision = "tf32" if allowed else "ieee"
        case _:
            pytorch.set_float32_matmul_precision(way if allowed else "highest")


@pytest.mark.parametrize("way", WAYS)
def test_products_are_rounded_as_pytorch_is_told(on_device: Device, way: str) -> None:
    generator = np.random.default_rng(0)
    x, y = (generator.standard_normal(shape).astype(np.float32) for shape in ((20, 33), (33, 9)))
    f = ts.CompilationUnit("def f(x, y):\n    return torch.mm(x, y).neg()\n")["f"]
    exact = x.astype(np.float64) @ y

    def errors() -> list[float]:
        found = [f(on_cuda(x), on_cuda(y)) for _ in range(3)]
        both = (-found[-1], torch.mm(on_cuda(x), on_cuda(y)))
        return [float(np.abs(one.cpu().numpy() - exact).max()) for one in both]

    assert max(errors()) < 1e-5
    allow(way, allowed=True)
    assert torch.backends.cuda.matmul.allow_tf32
    assert min(errors()) > 1e-4
    allow(way, allowed=False)
    assert max(errors()) < 1e-5
    assert not torch.backends.cuda.matmul.allow_tf32


def test_the_stand_ins_setting_is_pytorchs(on_device: Device) -> None:
    torch.set_float32_matmul_precision("high")
    assert pytorch.get_float32_matmul_precision() == "high"
    pytorch.set_float32_matmul_precision("highest")
    assert torch.get_float32_matmul_precision() == "highest"


def test_other_kernels_stay_native(on_device: Device) -> None:
    f = ts.CompilationUnit("def f(x, y):\n    return torch.tanh(x * y)\n")["f"]
    x = on_cuda(np.ones((4, 4), np.float32))
    for _ in range(4):
        f(x, x)
    before = f.native_calls
    f(x, x)
    assert f.native_calls == before + 1
