"""Rows of broadcast tensors divided by what they add up to: kernels once read the divisor before it was there."""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

CALLS = 5


def broadcast(x, y):
    x, y = torch.broadcast_tensors(x, y[..., None])
    length = x.norm(2.0, -1, keepdim=True).clamp_min(1e-12).expand_as(x)
    x = x / length
    return x.contiguous(), torch.cat([y[..., :1], x * torch.sin(y / 2)], dim=-1)


def expanded(x, y):
    return x / x.norm(2.0, -1, keepdim=True).clamp_min(1e-12).expand_as(x) * y


def _numbers(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).random(shape).astype("float32") + np.float32(0.1)


@pytest.mark.parametrize("shapes", [((4,), (4,)), ((3,), (4,)), ((2, 1, 3), (2, 4))], ids=str)
def test_broadcast_in_the_program(shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    scripted = ts.script(broadcast)
    for call in range(CALLS):
        x, y = (_numbers(call + i, *shape) for i, shape in enumerate(shapes))
        rows, columns = np.broadcast_arrays(x, y[..., None])
        unit = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
        turned = np.concatenate([columns[..., :1], unit * np.sin(columns / 2)], axis=-1)
        for got, want in zip(scripted(as_tensor(x), as_tensor(y)), (unit, turned), strict=True):
            np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, err_msg=f"call {call}")


@pytest.mark.parametrize("shape", [(1,), (3, 1), (1, 4), (4,)], ids=str)
def test_broadcast_by_the_caller(shape: tuple[int, ...]) -> None:
    scripted = ts.script(expanded)
    for call in range(CALLS):
        x, y = np.broadcast_to(_numbers(call, *shape), (3, 4)), _numbers(call + 9, 3, 1)
        columns = np.broadcast_to(y, (3, 4))
        want = x / np.linalg.norm(x, axis=-1, keepdims=True) * columns
        operands = (torch.from_numpy(_numbers(call, *shape)), torch.from_numpy(y))
        got = scripted(*(operand.expand(3, 4) for operand in operands))
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, err_msg=f"call {call}")


def test_a_group_reads_what_another_group_became() -> None:
    """Two merged operations read the result of two others: the merged one read what was erased, memory that nobody wrote."""
    text = """def f(x: Tensor, y: Tensor):
    a = torch.relu(x * y)
    b = a.expand([2, 2, 3, 4])
    return a, (b + 1) * 2
"""
    f = ts.CompilationUnit(text).f
    for call in range(CALLS):
        x, y = _numbers(call, 2, 3, 4), _numbers(call + CALLS, 4)
        a, b = f(as_tensor(x), as_tensor(y))
        np.testing.assert_array_equal(a.array, x * y)
        np.testing.assert_array_equal(b.array, np.broadcast_to((x * y + 1) * 2, (2, 2, 3, 4)))
