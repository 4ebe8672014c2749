"""Groups that compute tensors whose dimensions lie in another order in memory: kernels compute them in that order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

X = np.sin(np.arange(35, dtype=np.float32)).reshape(5, 7)
Z = np.cos(np.arange(48, dtype=np.float32)).reshape(2, 6, 4)


def result(expression: str, *args: Any) -> Any:
    """What a program with groups gives; it has to hold one."""
    f = ts.CompilationUnit(f"def f(x):\n    return {expression}\n").f
    f(*args)
    text = str(f.graph_for(*args)).split("with prim::TensorExprGroup_")[0]
    assert "prim::TensorExprGroup_0" in text
    return f(*args)


@pytest.mark.parametrize(
    ("expression", "x", "numpy"),
    [
        ("torch.exp((x + 1).t())", X, lambda x: np.exp((x + 1).T)),
        ("torch.exp(x.t()) * 2", X, lambda x: np.exp(x.T) * 2),
        (
            "torch.exp((x * 2).permute(2, 0, 1)) - 1",
            Z,
            lambda x: np.exp((x * 2).transpose(2, 0, 1)) - 1,
        ),
        ("torch.exp(x.t()).t() * x", X, lambda x: np.exp(x) * x),
        (
            "torch.exp(x.transpose(0, 2)).reshape(-1) + 1",
            Z,
            lambda x: np.exp(x.swapaxes(0, 2)).reshape(-1) + 1,
        ),
        (
            "torch.exp((x + 1).t()).add_(x[:, 0]) * 2",
            X,
            lambda x: (np.exp((x + 1).T) + x[:, 0]) * 2,
        ),
    ],
)
def test_a_turned_result_lies_in_memory_as_numpy_has_it(
    expression: str, x: Any, numpy: Any
) -> None:
    wanted = numpy(x)
    for _ in range(2):
        given = result(expression, x)
        np.testing.assert_allclose(given.numpy(), wanted, rtol=1e-5, atol=1e-6)
        assert given.stride() == tuple(step // 4 for step in wanted.strides)


def test_a_kernel_of_turned_tensors_serves_other_sizes() -> None:
    f = ts.CompilationUnit("def f(x):\n    return torch.exp((x + 1).t()) * 2\n").f
    for shape in ((5, 7), (5, 7), (3, 2), (1, 4), (4, 1), (0, 3)):
        x = np.ones(shape, np.float32)
        np.testing.assert_allclose(f(x).numpy(), np.exp(x + 1).T * 2, rtol=1e-5)


def test_observed_tensors_may_get_another_rank() -> None:
    """A permutation behind a group would not fit them."""
    source = "def f(xs: List[Tensor], i: int):\n    y = xs[i]\n    return torch.tanh(torch.exp(y.transpose(0, 1)) * 2)\n"
    f = ts.CompilationUnit(source).f
    tensors = [as_tensor(X), as_tensor(Z)]
    for i in (0, 0, 0, 1, 0):
        wanted = np.tanh(np.exp(tensors[i].numpy().swapaxes(0, 1)) * 2)
        np.testing.assert_allclose(f(tensors, i).numpy(), wanted, rtol=1e-5)
