"""Modules of ours that hold parameters, buffers and modules of PyTorch's."""

from typing import Any

import pytest
import torch
from torch import nn

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in


class Scripted(stand_in.jit.ScriptModule):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.scale = nn.Parameter(torch.full((3,), 2.0))
        self.register_buffer("shift", torch.ones(3))
        self.shift = torch.full((3,), 0.5)
        self.kept = nn.Buffer(torch.zeros(3), persistent=False)

    @stand_in.jit.script_method
    def forward(self, x):
        return self.inner(x) * self.scale + self.shift + self.kept


class Plain(stand_in.nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.add_module("inner", inner)
        self.register_parameter("scale", nn.Parameter(torch.full((3,), 2.0)))

    def forward(self, x):
        return self.inner(x) * self.scale


@pytest.mark.parametrize("class_", [Scripted, Plain])
def test_parameters_of_pytorch_are_counted_and_trained(class_: Any) -> None:
    """They were attributes like any other: no optimizer saw them, and the state had them not."""
    inner = nn.Linear(3, 3)
    made = class_(inner)
    module = made if class_ is Scripted else ts.script(made)
    assert {"scale", "inner.weight", "inner.bias"} <= set(module.state_dict())
    before = inner.weight.detach().clone()
    step = torch.optim.SGD(module.parameters(), lr=0.5)
    x = torch.ones(3)
    module(x).sum().backward()
    step.step()
    assert torch.equal(inner.weight, before - 0.5 * 2.0)
    expected = inner(x) * torch.from_dlpack(module.scale.detach())
    if class_ is Scripted:
        expected = expected + 0.5
    torch.testing.assert_close(module(x), expected)


def test_modules_of_pytorch_follow_the_mode() -> None:
    """The output of `Dropout` stayed random after `eval()`."""
    module = Scripted(nn.Dropout(0.5))
    module.eval()
    x = torch.arange(3.0)
    torch.testing.assert_close(module(x).detach(), x * 2 + 0.5)
    plain = Plain(nn.Dropout(0.5))
    plain.eval()
    assert not plain.inner.training


def test_what_is_neither_is_refused() -> None:
    plain = Plain(nn.Dropout())
    with pytest.raises(TypeError, match="object to parameter 'other'"):
        plain.register_parameter("other", torch.ones(1))
    with pytest.raises(TypeError, match="as parameter 'scale'"):
        plain.scale = torch.ones(1)
