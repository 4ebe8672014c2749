"""What is written against PyTorch is traced by PyTorch, and taken over with its memory."""

from typing import Any

import numpy as np
import pytest
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


@ts.script
def chosen(x, k: float = 2.0):
    if bool(x.sum() > 0):
        y = x * k
    else:
        y = x - k
    return y, torch.zeros(2)


@ts.script
def chosen_twice(x, w):
    return chosen(chosen(x)[0], k=3.0)[0] * w


class Choosing(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return chosen_twice(self.fc(x), w=x)


@pytest.mark.parametrize("trace", [torch.jit.trace, ts.trace])
def test_compiled_functions_are_called_by_traces(trace: Any) -> None:
    """What they gave was no tensor of PyTorch's tracer."""
    traced = trace(lambda x: chosen(x)[0] + 1, (torch.ones(2),))
    assert traced(torch.tensor([1.0, 2.0])).tolist() == [3.0, 5.0]
    assert traced(torch.tensor([-1.0, -2.0])).tolist() == [-2.0, -3.0]
    net = Choosing()
    traced, x = trace(net, (torch.ones(3, 2),)), torch.randn(3, 2, requires_grad=True)
    torch.testing.assert_close(traced(x), net(x))
    assert traced(x).requires_grad


def test_compiled_modules_are_not_called_by_traces() -> None:
    """Their tensors would be constants."""
    module = ts.script(nn.Linear(2, 2).requires_grad_(False))
    with pytest.raises(RuntimeError, match="is called while PyTorch traces"):
        ts.trace(lambda x: module(x) + 1, (torch.ones(2),))


def test_a_range_whose_end_is_a_size_keeps_its_overload() -> None:
    def positions(x):
        n = x.size(1)
        return torch.linspace(0, n - 1, n) + x

    x = torch.rand(2, 5)
    traced = ts.trace(positions, x)
    theirs: Any = torch.jit.trace(positions, x)
    assert traced.code == theirs.code
    assert traced(torch.zeros(1, 4)).tolist() == [[0, 1, 2, 3]]


def draw():
    return torch.rand(3)


def draw_by_another():
    return draw()


def test_a_function_without_inputs() -> None:
    traced = ts.trace(draw_by_another, (), check_trace=False)
    torch.manual_seed(0)
    expected = draw()
    torch.manual_seed(0)
    assert torch.equal(torch.from_dlpack(traced()), expected)


class Signed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.register_buffer("shift", torch.full((3,), 0.5))

    def forward(self, x):
        if bool(x.sum() > 0):
            return self.layer(x) + self.shift
        return -x


class HoldsCompiled(nn.Module):
    def __init__(self, held: Any) -> None:
        super().__init__()
        self.held = held
        self.again = nn.Sequential(held, nn.ReLU())

    def forward(self, x):
        return self.again(self.held(x) * 2)


def test_module_that_holds_a_compiled_one() -> None:
    """It ended in an AttributeError: '_backward_hooks'."""
    inner = Signed()
    module = HoldsCompiled(ts.script(inner))
    traced = ts.trace(module, (torch.ones(2, 3),))
    for x in (torch.ones(2, 3), -torch.ones(2, 3)):
        found, expected = traced(x).detach(), module(x).detach()
        np.testing.assert_allclose(found, expected, rtol=1e-6)
    traced(torch.ones(2, 3)).sum().backward()
    assert inner.layer.weight.grad is not None
    assert isinstance(module.held, ts.ScriptModule)
    assert module.held is module.again[0]


@ts.script
def resized(x):
    return torch.nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear") + torch.tensor(1)


class CallsFunction(nn.Module):
    def forward(self, x):
        return resized(torch.neg(x))


def test_module_that_calls_a_compiled_function() -> None:
    """PyTorch could not read the text of a graph that raises, or has constants of one element; names of values told of our frames."""
    traced = ts.trace(CallsFunction(), (torch.ones(1, 1, 2, 2),))
    x = torch.arange(9.0).reshape(1, 1, 3, 3)
    torch.testing.assert_close(torch.from_dlpack(traced(x)), torch.from_dlpack(resized(-x)))


def test_examples_of_methods_by_name() -> None:
    """`trace_module` did not know `example_inputs_is_kwarg`."""
    x = torch.rand(2, 3)
    examples = {"forward": {"x": x}, "double": {"x": x}}
    net = Net()
    traced = ts.trace_module(net, examples, example_inputs_is_kwarg=True)
    np.testing.assert_allclose(traced.double(x).detach(), net.double(x).detach(), rtol=1e-6)

    class Own(ours.nn.Module):
        def forward(self, x, y):
            return x - y

    one, two = ours.ones(2), ours.full((2,), 2.0)
    given = {"forward": {"y": two, "x": one}}
    own = ts.trace_module(Own(), given, example_inputs_is_kwarg=True)
    assert own(one, two).tolist() == [-1.0, -1.0]
