"""What a differentiated graph keeps until it goes back: what the formulas need, less what is cheap to compute once more."""

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def cell(x, h, c, w, v):
    i, f, g, o = (x.mm(w.t()) + h.mm(v.t())).chunk(4, 1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    cy = f * c + i * g
    return o * torch.tanh(cy)


def pointwise(x, y):
    return ((x * y + 1.0) * 2.0 - y) * x


def squares(x, y):
    z = torch.exp(x)
    return z * z + (x + y) * y


def intermediates(function: Any, *shapes: tuple[int, ...]) -> list[Any]:
    """The tensors that the node of a call keeps of what the graph has computed for it."""
    args: list[Any] = [torch.full(list(shape), 0.5, requires_grad=True) for shape in shapes]
    scripted = torch.jit.script(function)
    for _ in range(4):
        result = scripted(*args)
    node: Any = result.grad_fn
    kept = zip(node.graph.captures, node.saved, strict=True)
    return [one for (place, _), one in kept if ~place >= node.graph.count]


def test_a_cell_keeps_its_gates_and_the_tangent_of_its_state() -> None:
    kept = intermediates(cell, (3, 5), (3, 4), (3, 4), (16, 5), (16, 4))
    assert [tuple(one.shape) for one in kept if isinstance(one, Tensor)] == [(3, 4)] * 5


def test_sums_and_products_are_computed_once_more() -> None:
    assert intermediates(pointwise, (3, 4), (3, 4)) == []


def test_an_exponential_is_kept() -> None:
    assert len(intermediates(squares, (3, 4), (3, 4))) == 1


def test_nothing_is_kept_once_gradients_were_taken() -> None:
    x: Any = torch.ones(3, requires_grad=True)
    f = torch.jit.script(squares)
    for _ in range(4):
        y = f(x, x.detach())
    node: Any = y.grad_fn
    y.sum().backward()
    assert node.saved == []


class Scale(torch.nn.Module):
    """Adds the largest of what it has seen so far."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.register_buffer("seen", torch.tensor([1.0, 0.0, 0.5]))

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tanh(x * self.weight + self.seen.max())
        self.seen.mul_(0.5).add_(x.detach())
        return y * y


def gradients_of(module: Any, create_graph: bool) -> list[list[float]]:
    found: list[list[float]] = []
    for step in range(6):
        x: Any = torch.full([3], 0.25 * step, requires_grad=True)
        total = module(x).sum()
        gradients = torch.autograd.grad(total, [x, module.weight], create_graph=create_graph)
        found.extend(one.tolist() for one in gradients)
    return found


@pytest.mark.parametrize("create_graph", [False, True])
def test_what_only_unwanted_gradients_are_made_of_may_be_written_to(create_graph: bool) -> None:
    expected = gradients_of(Scale(), create_graph)
    found = gradients_of(torch.jit.script(Scale()), create_graph)
    np.testing.assert_allclose(found, expected, 1e-3, 1e-6)


def largest(x, y, seen):
    return torch.tanh(x * y) + seen.max()


@pytest.mark.parametrize("create_graph", [False, True])
def test_what_a_wanted_gradient_is_made_of_may_not(create_graph: bool) -> None:
    f = torch.jit.script(largest)
    x, y, seen = (torch.tensor([1.0, 2.0, number]) for number in (0.5, 1.5, 3.0))
    x.requires_grad_()
    for _ in range(4):
        f(x, y, seen).sum().backward()
    total = f(x, y, seen).sum()
    seen.mul_(2.0)
    torch.autograd.grad(total, x, retain_graph=True, create_graph=create_graph)
    y.mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(total, x, create_graph=create_graph)
