"""Nodes are called as PyTorch's (test/golden/node_names.json; `python tools/regenerate_gradient_goldens.py`)."""

from __future__ import annotations

import json
from functools import cache

import pytest

from support import node_names
from support.gradient_golden import Side
from torchscript_dialect import torch
from torchscript_dialect.autograd import functions
from torchscript_dialect.autograd.recording import recorded_at
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.conversion import as_tensor

recorded = cache(lambda: json.loads(node_names.GOLDEN.read_text()))
OURS = Side(
    as_tensor,
    lambda tensor: tensor.array,
    lambda operator, operands: recorded_at(operator, "")(*operands),
    functions.grad,
)
SHARDS = 3
DIFFERENT: dict[str, str] = {
    **dict.fromkeys(
        (
            "aten::_grad_sum_to_size",
            "aten::_pad_packed_sequence",
            "aten::_scaled_dot_product_attention_math",
            "aten::atleast_3d",
            "aten::atleast_3d.Sequence",
            "aten::conv_tbc_backward",
            "aten::einsum",
            "aten::linalg_cond",
            "aten::linalg_cond.p_str",
            "aten::logdet",
            "aten::norm_except_dim",
            "aten::stft",
            "aten::stft.center",
            "aten::sum_to_size",
            "aten::trace_backward",
            "aten::vander",
        ),
        "made of other operators, or otherwise, than in PyTorch, where these depend on the operands",
    ),
    **dict.fromkeys(
        ("aten::block_diag", "aten::diagonal_scatter"),
        "here the last of its parts is a write to a part of a tensor",
    ),
    **dict.fromkeys(
        ("aten::grid_sampler_2d_backward", "aten::grid_sampler_3d_backward"),
        "made of other operators here; in PyTorch one node, which has no derivative",
    ),
    "aten::_convolution_double_backward": "its parts are other operators in PyTorch",
    "aten::_neg_view_copy": "nothing is negated lazily here",
    "aten::lift": "gives its operand here",
}
"""Operators whose nodes are called otherwise."""


def differences(name: str) -> list[str]:
    operator = registry.find(name)
    assert operator is not None
    found = node_names.names(OURS, operator)
    return [
        f"{name}, sample {number}: {mine}, not {wanted}"
        for number, (mine, wanted) in enumerate(zip(found, recorded()[name], strict=True))
        if wanted and mine != wanted
    ]


@pytest.mark.parametrize("shard", range(SHARDS))
def test_nodes_have_names_of_pytorch(shard: int) -> None:
    names = sorted(recorded().keys() - DIFFERENT.keys())[shard::SHARDS]
    assert [difference for name in names for difference in differences(name)] == []


def test_names_that_are_held_to_differ_do() -> None:
    assert [name for name in DIFFERENT if not differences(name)] == []


def test_numbers_are_tensors_to_what_python_calls() -> None:
    x = torch.ones(2, requires_grad=True)
    found = [y.grad_fn.name() for y in (x * 2, x + 1, 1 - x, x - 1, x / 2, 2 * x, 1 / x, 2**x)]
    wanted = "Mul0 Add0 Rsub1 Sub0 Div0 Mul0 Mul0 Pow2"
    assert found == [f"{name[:-1]}Backward{name[-1]}" for name in wanted.split()]

    @torch.jit.script
    def f(x):
        return x * 2

    assert f(x).grad_fn.name() == "MulBackward1"
