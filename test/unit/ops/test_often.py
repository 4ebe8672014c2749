"""Operators that Python code calls often: Note [Operators that are called often] in ops/often.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import often
from torchscript_dialect.ops.ways import Way, forget_ways, ways_of
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable
from torchscript_dialect.runtime.small_kernels import CONSTANTS, KINDS, SmallKernels

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
F = torch.nn.functional
OFTEN = 3
X = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A few calls are many."""
    monkeypatch.setattr(often, "OFTEN", OFTEN)
    forget_ways()
    yield
    forget_ways()


def way(name: str, *classes: type) -> Way:
    return ways_of(f"aten::{name}")[classes]


def native_of(name: str, *classes: type) -> NativeCallable:
    kernel = way(name, *classes).kernel
    found = kernel.latest[1] if isinstance(kernel, SmallKernels) else kernel
    assert isinstance(found, NativeCallable)
    return found


def often_called(call: Callable[[], Any]) -> None:
    for _ in range(OFTEN + 3):
        call()


T = ts.Tensor


@pytest.mark.parametrize(
    ("name", "run", "classes"),
    [
        ("add", lambda x: x + x, (T, T)),
        ("mul", lambda x: x * 0.5, (T, float)),
        ("relu", torch.relu, (T,)),
        ("lerp", lambda x: torch.lerp(x, x + 1, 0.25), (T, T, float)),
        ("clamp", lambda x: torch.clamp(x, -1.0, 1.0), (T, float, float)),
        ("gt", lambda x: x > 0, (T, int)),
        ("sum", lambda x: x.sum(1), (T, int)),
        ("amax", lambda x: x.amax([0, 1]), (T, list)),
        ("leaky_relu", lambda x: F.leaky_relu(x, 0.1), (T, float)),
    ],
)
def test_a_kernel_runs_after_many_calls(
    name: str, run: Callable[[Any], Any], classes: tuple[type, ...]
) -> None:
    x = ts.Tensor(X)
    with ts.fuser("none"):
        expected = run(x)
    often_called(lambda: run(x))
    native = native_of(name, *classes)
    before = native.native_calls
    found = run(x)
    assert native.native_calls == before + 1
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
    assert found.dtype is expected.dtype and found.stride() == expected.stride()


def test_few_calls_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(often, "COMPILED", "nothing.that.is.there")
    for _ in range(OFTEN - 1):
        torch.tanh(ts.Tensor(X))


def test_other_kinds_of_arguments_are_counted_and_get_kernels_of_their_own() -> None:
    kinds = [X, X[0], X.astype(np.float64), X.T, X[:, None], X.astype(np.int32)]
    often_called(lambda: torch.tanh(ts.Tensor(X)))
    native = native_of("tanh", T)
    for array in kinds:
        for _ in range(OFTEN + 2):
            found = torch.tanh(ts.Tensor(array))
            np.testing.assert_allclose(found.numpy(), np.tanh(array, dtype=found.array.dtype), 1e-5)
    assert 1 < native.num_specializations <= KINDS


def test_constants_have_kernels_of_their_own() -> None:
    x = ts.Tensor(X)
    often_called(lambda: x.sum(1))
    for _ in range(OFTEN + 2):
        for dim in (1, 0, -1):
            np.testing.assert_allclose(x.sum(dim).numpy(), X.sum(dim), 1e-5, 1e-6)
    kernels = way("sum", T, int).kernel
    assert isinstance(kernels, SmallKernels) and len(kernels.natives) == 3


def test_a_zero_and_its_negative_are_two_constants() -> None:
    x, mask = ts.Tensor(X), ts.Tensor(X > 0)
    for _ in range(3 * OFTEN):
        for value in (0.0, -0.0):
            found = x.masked_fill(mask, value).numpy()[X > 0]
            assert np.all(np.signbit(found) == np.signbit(value))


def test_many_constants_are_forgotten() -> None:
    x, mask = ts.Tensor(X), ts.Tensor(X > 0)
    often_called(lambda: x.masked_fill(mask, 1.0))
    kernels = way("masked_fill", T, T, float).kernel
    assert isinstance(kernels, SmallKernels)
    for value in range(3 * CONSTANTS):
        found = x.masked_fill(mask, float(value)).numpy()
        np.testing.assert_array_equal(found, np.where(X > 0, np.float32(value), X))
        assert len(kernels.natives) <= CONSTANTS


def test_errors_are_those_of_the_operator() -> None:
    x = ts.Tensor(X)
    often_called(lambda: x + x)
    with pytest.raises(RuntimeError, match="must match the size"):
        _ = x + ts.Tensor(X[:, :4])
    often_called(lambda: x.sum(1))
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.sum(2)


def test_the_default_dtype_and_the_fuser_are_those_of_the_call() -> None:
    x = ts.Tensor(np.arange(6))
    often_called(lambda: torch.sigmoid(x))
    native = native_of("sigmoid", T)
    assert torch.sigmoid(x).dtype is torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.sigmoid(x).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    with ts.fuser("none"):
        before = native.native_calls
        often_called(lambda: torch.sigmoid(x))
        assert native.native_calls == before
        assert not isinstance(way("sigmoid", T).kernel, NativeCallable)


def test_tensors_that_require_gradients_are_recorded() -> None:
    x = ts.Tensor(X)
    often_called(lambda: torch.tanh(x))
    y = torch.ones(2, requires_grad=True)
    for _ in range(OFTEN + 2):
        assert torch.tanh(y).requires_grad


def test_a_trace_sees_operators_that_are_called_often() -> None:
    x = ts.Tensor(X)
    often_called(lambda: torch.tanh(x))

    def program(x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x)

    assert "aten::tanh(" in str(ts.trace(program, (x,)).graph)


def test_what_has_no_kernel_is_counted_no_more() -> None:
    x = ts.Tensor(X.astype(np.complex64))
    for _ in range(OFTEN + 2):
        np.testing.assert_allclose(torch.tanh(x).numpy(), np.tanh(x.array), rtol=1e-5)
    assert not isinstance(way("tanh", T).kernel, (NativeCallable, SmallKernels))
