"""Gradients of layers with no features, as `nn.Linear(8, 8 // 16)` has: they are zeros, or empty."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


@pytest.mark.parametrize("lead", [(), (2,), (2, 3)], ids=str)
@pytest.mark.parametrize(("given", "made"), [(4, 0), (0, 3), (0, 0)])
def test_linear_layers(lead: tuple[int, ...], given: int, made: int) -> None:
    unit = ts.CompilationUnit("def f(x, w, b):\n    return torch.linear(x, w, b)\n")
    for _ in range(4):
        x = torch.ones([*lead, given], requires_grad=True)
        w = torch.ones([made, given], requires_grad=True)
        b = torch.ones([made], requires_grad=True)
        y = unit.f(x, w, b)
        assert list(y.shape) == [*lead, made]
        y.sum().backward()
        assert x.grad is not None and w.grad is not None and b.grad is not None
        assert [x.grad.shape, w.grad.shape, b.grad.shape] == [x.shape, w.shape, b.shape]
        assert not x.grad.any() and not w.grad.any()
        rows = y.numel() // made if made else 0
        assert b.grad.tolist() == [float(rows)] * made
