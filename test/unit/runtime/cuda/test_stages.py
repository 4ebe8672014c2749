"""Kernels that are no loop over rows or elements: in stages, by blocks, where there are many elements, and by one where there are few."""

from __future__ import annotations

import pytest

import torchscript_dialect as ts
from support.simt.driver.device import Device
from torchscript_dialect import torch

pytestmark = pytest.mark.usefixtures("compiled_at_once")

PROGRAMS = {
    "centered": "(x - x.mean()) * y",
    "variance": "x.var() + (x + y).std() + x.norm()",
    "standardized": "(x - x.mean()) / x.std()",
    "softmax of all": "torch.softmax(x.flatten(), 0)",
    "pairs": "x.exp()[:, None, :8] - y[None, :40, :8].exp()",
    "in two": "(x.exp().view(-1, 2) * y[0, :2]).reshape(-1) + 1",
    "both": "(x * y, (x * y).sum(), x.amax() - y.amin())",
    "twice": "((x - x.mean()).abs().max(), x.sum() / x.numel())",
    "scaled": "x * y[0].exp() + y[1].mean()",
    "integers": "((x * 9).int().sum() + (y > 0).sum(), (x * 9).int() - 3)",
    "largest of far": "(x.t() + 1).amax() + x[:, 1:].sum()",
}
SHAPES = ((3, 10), (200, 180), (1, 40000), (40, 2000))


@pytest.mark.parametrize("name", PROGRAMS)
def test_stages(on_device: Device, name: str) -> None:
    f = ts.CompilationUnit(f"def f(x, y):\n    return {PROGRAMS[name]}\n")["f"]
    torch.manual_seed(0)
    for shape in SHAPES:
        if name == "scaled" and shape[0] == 1:
            continue
        x, y = torch.randn(shape), torch.randn(shape)
        expected, found = f(x, y), f(x.cuda(), y.cuda())
        pairs = zip(
            *((one,) if isinstance(one, torch.Tensor) else one for one in (expected, found))
        )
        for one, other in pairs:
            assert other.is_cuda and other.shape == one.shape and other.dtype is one.dtype
            assert torch.allclose(other.cpu(), one, rtol=2e-5, atol=1e-5)
    assert not on_device.faults


@pytest.mark.parametrize(("rows", "launches"), [(10, 1), (400, 3)])
def test_a_launch_for_each_stage(on_device: Device, rows: int, launches: int) -> None:
    """A mean, distances from it, and what comes of their sum."""
    f = ts.CompilationUnit("def f(x):\n    return x.var() * 2\n")["f"]
    x = torch.ones(rows, 100).cuda()
    f(x)
    torch.cuda.synchronize()
    before = len(on_device.launches)
    assert f(x).cpu() == 0
    assert len(on_device.launches) - before == launches
