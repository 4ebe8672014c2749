"""Operators of `prims` that take devices, or have results that are arbitrary in part; the others have samples."""

from typing import Any

import numpy as np
import pytest

from samples.arrays import array
from torchscript_dialect import torch as ts
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.dtype import float32, int64

_CPU = device("cpu")


def _run(name: str, *operands: Any) -> Any:
    operator = registry.find(f"prims::{name}")
    assert operator is not None and operator.kernel is not None
    return operator.kernel(*operands)


def test_factories() -> None:
    options = (float32.scalar_type, _CPU, False)
    assert _run("empty", [2, 3], *options).shape == (2, 3)
    assert _run("empty_strided", [2, 3], [1, 2], *options).stride() == (1, 2)
    assert _run("empty_permuted", [2, 3], [1, 0], *options).stride() == (1, 2)
    assert _run("full", [2], 3, *options).tolist() == [3, 3]
    assert _run("full_like", ts.ones(2, 1), 3, *options).tolist() == [[3], [3]]
    assert _run("full", [2], 3, float32.scalar_type, _CPU, True).requires_grad
    assert _run("iota", 4, 1, 2, int64.scalar_type, _CPU, False).tolist() == [1, 3, 5, 7]
    assert _run("scalar_tensor", 3.0, int64.scalar_type, _CPU).item() == 3
    assert _run("device_put", ts.ones(2), _CPU, False).tolist() == [1, 1]


def test_random_numbers_are_those_of_pytorch() -> None:
    ts.manual_seed(0)
    drawn = _run("normal", [3], 0.0, 1.0, float32.scalar_type, _CPU, False, None)
    assert np.allclose(drawn.numpy(), [1.5410, -0.2934, -2.1788], atol=1e-4)
    drawn = _run("uniform", [3], 0.0, 1.0, float32.scalar_type, _CPU, [1], None)
    assert np.allclose(drawn.numpy(), [0.4556, 0.6323, 0.3489], atol=1e-4)


def test_factors() -> None:
    x = array((3, 2))
    u, s, vh = (part.numpy() for part in _run("svd", ts.tensor(x), False))
    assert np.allclose(u * s @ vh, x, atol=1e-5)


def test_operands_of_two_dtypes_or_shapes_are_refused() -> None:
    """`prims` neither promote nor broadcast."""
    x = ts.ones(2, 3)
    with pytest.raises(RuntimeError, match="different dtypes"):
        _run("add", x, x.long())
    with pytest.raises(RuntimeError, match=r"Shape \[3\] is not the expected shape \[2, 3\]"):
        _run("add", x, ts.ones(3))
    with pytest.raises(RuntimeError, match="Only complex dtype is supported"):
        _run("real", x)


def test_program_of_prims() -> None:
    source = """
def f(x: Tensor):
    y = torch.ops.prims.mul(x, x)
    y = torch.ops.prims.broadcast_in_dim(y, [2, 3], [1])
    return torch.ops.prims.sum(y, [0])
"""
    f = ts.jit.CompilationUnit(source).f
    assert f(ts.tensor([1.0, 2.0, 3.0])).tolist() == [2, 8, 18]
