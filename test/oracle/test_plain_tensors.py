"""Tensors of PyTorch's that native calls take: Note [Plain tensors of PyTorch's] in api/pytorch_arguments.py."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS


def compiled(source: str, *args: Any) -> Any:
    f = ts.CompilationUnit(f"def f{source}\n")["f"]
    with torch.no_grad():
        for _ in range(3):
            f(*args)
    return f


@pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
def test_a_kernel_serves_them() -> None:
    x, y = torch.arange(6.0).view(2, 3), torch.arange(3.0)
    f = compiled("(x, y, n: float):\n return torch.tanh(x * n) + y", x, y, 0.5)
    before = f.native_calls
    result = f(x, y, 0.5)
    assert f.native_calls == before + 1
    torch.testing.assert_close(torch.from_dlpack(result), torch.tanh(x * 0.5) + y)


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.arange(6.0).view(2, 3).t(),
        lambda: torch.arange(6, dtype=torch.bfloat16),
        lambda: torch.arange(6.0).to(torch.complex64).conj(),
        lambda: torch.full((3,), 1j, dtype=torch.complex64).conj().imag,
        lambda: torch.empty(0, 4),
        lambda: torch.tensor(2),
        lambda: torch.nn.Parameter(torch.ones(3)),
    ],
)
def test_special_ones_are_what_they_were(make: Callable[[], torch.Tensor]) -> None:
    f = compiled("(x):\n return x + x", torch.arange(6.0).view(2, 3))
    x = make()
    result = f(x)
    found = result if isinstance(result, torch.Tensor) else torch.from_dlpack(result)
    wanted = x + x
    assert (found.requires_grad, found.dtype) == (wanted.requires_grad, wanted.dtype)
    torch.testing.assert_close(found, wanted.resolve_conj().resolve_neg())


def test_one_object_is_one_tensor_and_writes_are_heard_of() -> None:
    same = compiled("(x, y):\n return x is y", torch.ones(2), torch.ones(2))
    x = torch.ones(2)
    assert same(x, x) is True and same(x, torch.ones(2)) is False
    add = compiled("(x):\n return x.add_(1)", torch.ones(2))
    before = x._version
    add(x)
    assert x._version == before + 1 and x.tolist() == [2.0, 2.0]


def test_a_trace_calls_the_function() -> None:
    f = compiled("(x):\n return x * 2", torch.ones(2))
    traced: Any = torch.jit.trace(lambda x: f(x) + 1, torch.ones(2))
    assert traced(torch.full((2,), 4.0)).tolist() == [9.0, 9.0]
