"""Modules with PyTorch's parameters, compiled here: training, methods that stay Python, hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts

torch = pytest.importorskip("torch")


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(3, 4)
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        return torch.relu(self.inner(x)) * self.scale


@pytest.mark.parametrize("take", [ts.script, lambda net: ts.from_torch(torch.jit.script(net))])
@pytest.mark.parametrize("input_requires", [False, True])
def test_modules_train_by_pytorchs_optimizers(
    take: Callable[[Any], Any], input_requires: bool
) -> None:
    torch.manual_seed(0)
    theirs = Net()
    ours = Net()
    ours.load_state_dict(theirs.state_dict())
    compiled = take(ours)
    by_theirs = torch.optim.Adam(theirs.parameters(), lr=0.1)
    by_ours = torch.optim.Adam(ours.parameters(), lr=0.1)
    for _ in range(6):
        x = torch.randn(5, 3, requires_grad=input_requires)
        for model, optimizer in ((theirs, by_theirs), (compiled, by_ours)):
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x), torch.ones(5, 4)).backward()
            optimizer.step()
    for mine, right in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine, right)
        torch.testing.assert_close(mine.grad, right.grad)


def test_sparse_gradients_reach_pytorchs_parameters() -> None:
    found: list[Any] = []
    for script in (torch.jit.script, ts.script):
        torch.manual_seed(0)
        table = torch.nn.Embedding(5, 3, sparse=True)
        lookup, optimizer = script(table), torch.optim.SparseAdam(table.parameters(), lr=0.1)
        for _ in range(4):
            optimizer.zero_grad()
            lookup(torch.tensor([[1, 2, 1], [4, 2, 2]])).square().sum().backward()
            optimizer.step()
        assert table.weight.grad.is_sparse and not table.weight.grad.is_coalesced()
        found.append((table.weight, table.weight.grad.to_dense()))
    torch.testing.assert_close(found[1], found[0])


def test_modules_have_their_gradients_here_too() -> None:
    net = Net()
    compiled = ts.script(net)
    for number in range(1, 4):
        compiled(torch.ones(1, 3)).sum().backward()
        np.testing.assert_allclose(compiled.scale.grad.numpy(), net.scale.grad.numpy())
        one = torch.relu(net.inner(torch.ones(1, 3)))[0] * number
        torch.testing.assert_close(net.scale.grad, one.detach())


class WithPython(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0]))

    @torch.jit.ignore
    def penalty(self, x):
        return (self.weight * x).pow(2).sum()

    def forward(self, x):
        p: torch.Tensor = self.penalty(x)  # pyright: ignore[reportInvalidTypeForm]
        return (self.weight * x).sum() + p


def test_a_method_that_stays_python() -> None:
    net, other = WithPython(), WithPython()
    compiled = ts.script(net)
    for _ in range(4):
        x, y = (torch.tensor([3.0, -1.0], requires_grad=True) for _ in range(2))
        compiled(x).backward()
        other(y).backward()
        torch.testing.assert_close(x.grad, y.grad)
        torch.testing.assert_close(net.weight.grad, other.weight.grad)


class Hooked(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 1)
        self.register_forward_pre_hook(shifted)

    def forward(self, x, more: list[torch.Tensor]):  # pyright: ignore[reportInvalidTypeForm]
        return self.linear(x + more[0])


Inputs = tuple[torch.Tensor, list[torch.Tensor]]  # pyright: ignore[reportInvalidTypeForm]


def shifted(self, inputs: Inputs) -> Inputs:
    return inputs[0] + 1, inputs[1]


def test_modules_with_hooks_before_them_lose_no_gradient() -> None:
    """What a hook gave was ours, and so was the result of the module, whose `backward` did not reach PyTorch's parameters."""
    module = Hooked()
    ours, theirs = ts.script(module), torch.jit.script(module)
    x, more = torch.tensor([[1.0, 2.0]]), [torch.ones(1, 2)]
    theirs(x, more).sum().backward()
    expected = module.linear.weight.grad.clone()
    for _ in range(3):
        module.zero_grad()
        result = ours(x, more)
        assert isinstance(result, torch.Tensor) and torch.equal(result, theirs(x, more))
        result.sum().backward()
        assert torch.equal(module.linear.weight.grad, expected)
    with torch.no_grad():
        assert ours(x.numpy(), more).tolist() == theirs(x, more).tolist()
