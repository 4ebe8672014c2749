"""Types that runs observed, in differentiable graphs (autodiff/observed_types.py)."""

from __future__ import annotations

from typing import Any

import pytest

import torchscript_dialect as ts
from support import gradient_plans
from torchscript_dialect import torch
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.types.tensor_type import TensorType

FLOAT, DOUBLE = 6, 7
"""The numbers of dtypes in programs."""


class Coupling(torch.nn.Module):
    """Parts of a size that is known when the module runs."""

    def __init__(self) -> None:
        super().__init__()
        self.half = torch.tensor(2)
        self.net = torch.nn.Linear(2, 4)

    def forward(self, x):
        half = int(self.half)
        a, b = x[:, :half], x[:, half:]
        scale, shift = self.net(a).chunk(2, dim=1)
        return torch.cat([a, b * scale.tanh().exp() + shift], dim=1)


def test_ranks_follow_through_parts_of_any_size_so_that_graphs_have_groups() -> None:
    plan = gradient_plans.trained(Coupling(), torch.randn(3, 4))
    (graph,) = plan.graphs
    assert isinstance(graph, prim.DifferentiableGraphOp)
    (exp,) = [op for op in nested_ops(graph.body) if isinstance(op, aten.ExpOp)]
    type_ = exp.results[0].type
    assert isinstance(type_, TensorType) and type_.dtype == "Float" and type_.dim == 2
    assert isinstance(exp.parent_op(), prim.TensorExprGroupOp)


CHANGING = """
def cast(x, dtype: int, w):
    y = (x * 2).to(dtype) * w
    return (y * y + y.exp()).sum()

def cast_as(x, dtype: int, w):
    like = torch.zeros([3], dtype=dtype)
    y = (x * 2).to(like.dtype) * w
    return (y * y + y.exp()).sum()
"""


@pytest.mark.parametrize("name", ["cast", "cast_as"])
def test_a_dtype_that_was_observed_and_changes_is_no_constant_of_a_graph(name: str) -> None:
    function: Any = ts.CompilationUnit(CHANGING)[name]
    values, weights = [0.1, 0.2, 0.3], [0.3, 0.1, 0.7]
    with ts.background_compilation(False):
        for dtype in (FLOAT,) * 6 + (DOUBLE,) * 3:
            x, w = (torch.tensor(one, requires_grad=True) for one in (values, weights))
            found = function(x, dtype, w)
            found.backward()
            assert found.dtype == (torch.float64 if dtype == DOUBLE else torch.float32)
    y = x.detach().double() * 2 * w.detach().double()
    expected = (2 * y + y.exp()) * w.detach().double() * 2
    torch.testing.assert_close(x.grad, expected.float(), rtol=0, atol=1.5e-7)


PARTS = (
    "torch.split(x, [2, x.size(1) - 2], dim=1)",
    "torch.split_with_sizes(x, [2, x.size(1) - 2], 1)",
    "torch.split(x, x.size(1) // 2, dim=1)",
    "torch.chunk(x, x.size(1) // 2, 1)",
    "torch.tensor_split(x, x.size(1) // 2, 1)",
    "torch.tensor_split(x, [x.size(1) // 2], 1)",
    "torch.unsafe_split(x, x.size(1) // 2, 1)",
    "torch.hsplit(x, x.size(1) // 2)",
    "torch.stack([x[:, :2], x[:, 2:]]).unbind(x.dim() - 4)",
    "torch.broadcast_tensors(x[:, :2], x[:, 2:])",
)


@pytest.mark.parametrize("parts", PARTS)
def test_a_gradient_goes_through_parts_whose_sizes_are_no_constants(parts: str) -> None:
    """The convolution asks for the dtype of a part, which no rule gave where the list has no known length."""
    source = f"""
def f(x, w):
    a, b = {parts}
    a = torch.conv2d(a, w)
    return torch.cat([a * b.exp(), b * a.tanh()], dim=1)
"""
    function: Any = ts.CompilationUnit(source).f
    with ts.background_compilation(False):
        for call in range(8):
            count = 1 + call % 2  # other sizes, so that sizes are left out of types
            x = torch.arange(count * 16.0).reshape(count, 4, 2, 2).cos().requires_grad_()
            w = torch.tensor([[[[0.5]], [[2.0]]], [[[-1.0]], [[0.25]]]], requires_grad=True)
            function(x, w).sum().backward()
            a, b = x.detach()[:, :2], x.detach()[:, 2:]
            mixed = torch.stack([0.5 * a[:, 0] + 2 * a[:, 1], 0.25 * a[:, 1] - a[:, 0]], 1)
            of_mixed = b.exp() + b * (1 - mixed.tanh() ** 2)
            of_a = [
                0.5 * of_mixed[:, 0] - of_mixed[:, 1],
                2 * of_mixed[:, 0] + 0.25 * of_mixed[:, 1],
            ]
            expected = torch.cat([torch.stack(of_a, 1), mixed * b.exp() + mixed.tanh()], 1)
            torch.testing.assert_close(x.grad, expected, rtol=1e-5, atol=1e-5)
