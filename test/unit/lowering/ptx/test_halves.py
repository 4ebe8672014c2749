"""Kernels of float16 and bfloat16 on a device, without a copy to the host: pointwise results have the bits of the host, those of
reductions and products are as close as their dtype is precise.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

DTYPES = (torch.float16, torch.bfloat16)
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2}

POINTWISE = {
    "arithmetic": "x * y + x / (y.abs() + 1)",
    "functions": "torch.tanh(x) + torch.exp(y) * torch.sigmoid(x)",
    "other_dtypes": "(x + y.float()).half() * x.long() + x.double().bfloat16()",
    "comparisons": "torch.where(x > y, x, torch.maximum(x, y)) + (x < 0)",
}
OTHERS = {
    "sum": "x.sum(1) + x.mean(1)",
    "extremes": "torch.amax(x, [1]) - torch.amin(x, [1]) + x.prod(1)",
    "softmax": "torch.softmax(x, 1) + torch.log_softmax(y, 1)",
    "variance": "torch.var(x, 1) + torch.std(y, 1)",
    "norms": "torch.linalg_vector_norm(x, 2, 1) + torch.linalg_vector_norm(x, 1, 1) + torch.logsumexp(y, 1)",
    "layer_norm": "torch.layer_norm(x, [9], x[0], y[0]) * 2",
    "mm": "torch.mm(x, y.t()).tanh()",
    "layer": "torch.nn.functional.linear(x, y, x[:, 0]) * 2",
    "sum_with_product": "torch.addmm(x[:, 0], x, y.t(), beta=0.5, alpha=2.0)",
    "batch": "torch.bmm(x.unsqueeze(0), y.t().unsqueeze(0)) + 1",
}


@pytest.fixture(autouse=True)
def compiled_at_once() -> Iterator[None]:
    before = ts.set_num_profiled_runs(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    ts.set_num_profiled_runs(before)


def both(body: str, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """What the host gives, and the device."""
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(9, 9, generator=generator).to(dtype) for _ in "xy")
    f = ts.CompilationUnit(f"def f(x, y):\n    return {body}\n")["f"]
    expected, found = f(x, y), f(x.cuda(), y.cuda())
    assert found.is_cuda and found.dtype is expected.dtype
    return expected, found.cpu()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise_results_have_the_bits_of_the_host(
    on_device: Device, name: str, dtype: torch.dtype
) -> None:
    expected, found = both(POINTWISE[name], dtype)
    assert torch.equal(expected, found), (expected - found).abs().max()
    assert on_device.launches and not on_device.faults


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", OTHERS)
def test_reductions_and_products_are_close(
    on_device: Device, name: str, dtype: torch.dtype
) -> None:
    expected, found = both(OTHERS[name], dtype)
    close = TOLERANCE[dtype]
    assert torch.allclose(expected.float(), found.float(), rtol=close, atol=close)
    assert on_device.launches and not on_device.faults
