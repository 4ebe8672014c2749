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
