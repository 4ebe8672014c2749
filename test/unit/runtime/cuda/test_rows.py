"""Fused reductions of rows of all lengths: blocks of 32 to 512 threads, and two loops where dimensions do not lie side by side."""

from __future__ import annotations

import pytest

import torchscript_dialect as ts
from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL
from torchscript_dialect import torch

pytestmark = pytest.mark.usefixtures("compiled_at_once")

PROGRAMS = {
    "softmax": "torch.softmax(x * 2, -1)",
    "last": "(x * x).sum(-1)",
    "first": "(x * x).sum(0)",
    "around": "x.mean([0, 2], True)",
    "layer norm": "torch.layer_norm(x, [x.size(-1)])",
    "range": "x.amax(1) - x.amin(1)",
    "variance": "x.var(0, False) + 1",
    "batch norm": "torch.batch_norm(x, None, None, None, None, True, 0.1, 1e-5, False)",
    "whole": "(x.permute(2, 0, 1) * 2).sum() + x.transpose(1, 2).exp().sum()",
}
SHAPES = ((3, 4, 5), (2, 3, 300), (70, 3, 2), (1, 2, 5000), (1, 1, 17000), (2, 300, 3), (40, 33, 40), (5, 2, 129), (2, 2, 0))  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_rows(on_device: Device, name: str) -> None:
    f = ts.CompilationUnit(f"def f(x):\n    return {PROGRAMS[name]}\n")["f"]
    torch.manual_seed(0)
    first = list(PROGRAMS).index(name) % 2
    for shape in SHAPES if IS_LONG or IS_REAL else SHAPES[first::2]:
        x = torch.randn(shape)
        expected, found = f(x), f(x.cuda())
        assert found.is_cuda and found.shape == expected.shape
        assert torch.allclose(found.cpu(), expected, rtol=2e-5, atol=2e-6, equal_nan=True)
    assert not on_device.faults


BODIES = {
    "softmax": "torch.softmax(x * y, 1)",
    "layer norm": "torch.layer_norm(x * y, [x.size(1)]) + 1",
    "sum": "(x * y).sum(1) + 1",
    "logarithm": "torch.logsumexp(x * y, 1) * 2",
    "largest": "(x * y).amax(1) - x.amin(1)",
    "whole": "(x * y).sum() + 1",
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.float64], ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_wherever_rows_begin(on_device: Device, name: str, dtype: torch.dtype) -> None:
    """At multiples of four elements or not; rows of a length that is one or not."""
    f = ts.CompilationUnit(f"def f(x, y):\n    return {BODIES[name]}\n")["f"]
    close = 2e-2 if dtype is torch.float16 else 1e-5
    torch.manual_seed(0)
    for rows, columns in ((3, 5), (4, 64), (2, 130), (3, 1028), (5, 1)):
        for start in (0, 1, 4):
            x, y = (torch.randn(rows * columns + start).to(dtype) for _ in range(2))
            here = [one[start:].view(rows, columns) for one in (x, y)]
            there = [one.cuda()[start:].view(rows, columns) for one in (x, y)]
            expected, found = f(*here).double(), f(*there).cpu().double()
            assert torch.allclose(found, expected, rtol=close, atol=close)
    assert not on_device.faults
