"""Integers of 8 and 16 bits on the device: the results of the host, by kernels."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch

DTYPES = ("int8", "uint8", "int16")
CASES = [
    "x + y",
    "x - y * 3",
    "x * y",
    "-x",
    "x.abs()",
    "x & y | x ^ 5",
    "~x",
    "x > y",
    "x.eq(y)",
    "torch.maximum(x, y)",
    "torch.minimum(x, y)",
    "torch.clamp(x, 3, 90)",
    "torch.where(x > 3, x, y)",
    "x.masked_fill(x > 3, 7)",
    "x + y.long()",
    "x + 0.5",
    "x * y.float()",
    "x.float()",
    "x.to(torch.int64)",
    "x.bool()",
    "x.to(torch.int16)",
    "x.to(torch.uint8)",
    "(x.float() - 60).to(torch.uint8)",
    "x.float().abs().to(x.dtype)",
    "x.sum()",
    "x.sum(1)",
    "x.amax(1)",
    "x.amin(0)",
    "x.amax(0)",
    "(x | 1).amin(1)",
    "(x & 15).amax(1)",
    "x.sum(0, dtype=torch.int32)",
    "x.all(1)",
    "x.max()",
    "x.prod(1)",
    "x.argmax(1)",
    "x.any(1)",
    "x[x > 3]",
    "x[[1, 0]]",
    "torch.cat([x, y])",
    "x.t() + y.t()",
    "x.index_add(0, torch.tensor([0, 0]).to(x.device), y[:2])",
    "torch.cumsum(x, 1)",
    "x.clone().add_(y)",
    "x.clone().mul_(3)",
    "torch.flip(x, [1])",
    "torch.nn.functional.pad(x, [1, 2])",
]


def operands(where: str, dtype: str) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    limits = np.iinfo(dtype)
    made = {
        name: torch.tensor(
            generator.integers(limits.min, limits.max, (4, 37), endpoint=True).astype(dtype)
        ).to(where)
        for name in "xy"
    }
    return {"torch": torch} | made


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("body", CASES)
def test_the_device_gives_what_the_host_gives(on_device: Device, body: str, dtype: str) -> None:
    expected = eval(body, operands("cpu", dtype))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = eval(body, operands("cuda", dtype))
    assert found.is_cuda and found.dtype is expected.dtype
    np.testing.assert_array_equal(found.cpu().numpy(), expected.numpy())
    assert not on_device.faults


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_program_is_fused(on_device: Device, dtype: str) -> None:
    main = ts.CompilationUnit(
        "def main(x, y):\n    z = (x + y) * 3 - (x & y)\n    return torch.where(z > 4, z, y)\n"
    )["main"]
    host, there = operands("cpu", dtype), operands("cuda", dtype)
    for _ in range(3):
        expected, found = main(host["x"], host["y"]), main(there["x"], there["y"])
    np.testing.assert_array_equal(found.cpu().numpy(), expected.numpy())
    assert "TensorExprGroup" in str(main.graph_for(there["x"], there["y"]))
    assert not on_device.faults


@pytest.mark.parametrize("dtype", DTYPES)
def test_products_go_through_the_host(on_device: Device, dtype: str) -> None:
    host, there = operands("cpu", dtype), operands("cuda", dtype)
    for body in ("torch.bmm(x[None], y.t()[None])", "torch.einsum('ij,kj->ik', x, y)"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = eval(body, there)
        np.testing.assert_array_equal(found.cpu().numpy(), eval(body, host).numpy())
    with pytest.raises(RuntimeError, match="Expected a floating point or complex tensor as input"):
        there["x"].norm()
    assert not on_device.faults
