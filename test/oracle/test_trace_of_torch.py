"""What is written against PyTorch is traced by PyTorch, and taken over with its memory."""

import numpy as np
import torch
from torch import nn

import torchscript_dialect as ts
from torchscript_dialect import torch as ours


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        return self.fc(x).relu() + x.shape[0]

    def double(self, x):
        return self.fc(x) * 2


def f(x, y):
    return torch.tanh(x) + y.view(y.size(0), -1)


def test_a_module() -> None:
    net = Net()
    traced = ts.trace(net, torch.rand(2, 3))
    x = torch.rand(5, 3)
    np.testing.assert_allclose(traced(x).detach(), net(x).detach(), rtol=1e-5, atol=1e-6)
    assert "self.fc" in traced.code
    with torch.no_grad():
        net.fc.weight.zero_()
    np.testing.assert_allclose(traced(x).detach(), net(x).detach(), rtol=1e-5, atol=1e-6)


def test_a_function_with_our_inputs() -> None:
    traced = ts.trace(f, (np.ones((2, 3), np.float32), ours.ones(2, 3)))
    x, y = torch.rand(4, 2), torch.rand(4, 2)
    np.testing.assert_allclose(traced(x, y), f(x, y), rtol=1e-5, atol=1e-6)


def test_methods() -> None:
    net = Net()
    traced = ts.trace_module(net, {"forward": torch.rand(2, 3), "double": torch.rand(2, 3)})
    x = torch.rand(5, 3)
    np.testing.assert_allclose(
        traced.double(x).detach(), net.double(x).detach(), rtol=1e-5, atol=1e-6
    )


def test_ours_stays_ours_while_pytorch_is_loaded() -> None:
    traced = ts.trace(lambda x: ours.relu(x) * 2, ours.ones(2))
    assert "Float(2" in str(traced.graph)
