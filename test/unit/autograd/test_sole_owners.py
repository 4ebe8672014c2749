"""Leaves take gradients without a copy where nobody else holds them, and only there."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.autograd import nodes
from torchscript_dialect.autograd.sole_owners import sole_owners
from torchscript_dialect.tensor.tensor import tensor_of


def test_what_is_held_elsewhere_is_not_taken() -> None:
    own, held, viewed, view = (tensor_of(np.zeros(4)) for _ in range(4))
    part = viewed.array[1:]
    view = tensor_of(np.zeros(4)[1:])
    again = tensor_of(np.zeros(4))
    shared = tensor_of(again.array)
    found = [own, held, viewed, view, again, shared, None]
    wanted = {id(own)}
    del own, viewed, view, again, shared
    assert sole_owners(found) == wanted
    assert part.size == 3 and held.array.size == 4
    del part
    assert len(sole_owners(found)) == 2


def _leaf(*shape: int) -> Any:
    return torch.rand(*shape).requires_grad_()


PROGRAMS = [
    "return (x * y).tanh().sum() + z.sum()",
    "return ((x + y).view(-1) + z.view(-1)).sum()",
    "a, b = x.chunk(2)\n    return (a * b).sum() + torch.cat([y, z]).exp().sum()",
    "c = x.cumsum(0)\n    return (c * y).sum() + (c + z).sum()",
    "return (x.t().contiguous().t() + y + z * 2).sum()",
    "return torch.relu(x @ y.t()).sum() + (z + x).sum()",
    "return x.sum() + y.sum() * 2 + (z * 0 + 1).sum()",
]


@pytest.mark.parametrize("body", PROGRAMS)
def test_gradients_of_leaves_share_no_memory(body: str) -> None:
    f = ts.CompilationUnit(f"def f(x: Tensor, y: Tensor, z: Tensor):\n    {body}\n").f
    leaves: Sequence[Any] = [_leaf(4, 4) for _ in range(3)]
    wanted: list[Any] = []
    for step in range(6):
        f(*leaves).backward()
        arrays = [leaf.grad.array for leaf in leaves]
        assert not any(np.shares_memory(one, other) for one, other in combinations(arrays, 2))
        if not step:
            wanted = [array.copy() for array in arrays]
        for leaf, array, expected in zip(leaves, arrays, wanted, strict=True):
            np.testing.assert_allclose(array, expected, rtol=1e-5)
            array[...] = 7  # nobody else may see it
            leaf.grad = None


def test_no_gradient_of_a_graph_of_several_kernels_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    f = ts.CompilationUnit("def f(x: Tensor, y: Tensor):\n    return (x.tanh().cumsum(0) * y).exp().cumsum(1)\n").f  # fmt: skip
    x, y = _leaf(8, 8), _leaf(8, 8)
    for _ in range(4):
        f(x, y).sum().backward()
        x.grad = y.grad = None
    copies: list[Any] = []
    monkeypatch.setattr(nodes, "_copy_for", lambda *given, **_: copies.append(given))
    f(x, y).sum().backward()
    assert not copies
    assert x.grad is not None and y.grad is not None
