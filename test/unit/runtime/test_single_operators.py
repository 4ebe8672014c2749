"""Kernels of single operators: those of functions that are called often, and those for large tensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.collection import free_what_gradients_need
from torchscript_dialect import torch
from torchscript_dialect.ops import large, registry
from torchscript_dialect.ops.pointwise import pointwise_layouts
from torchscript_dialect.runtime.executor import execution_plan
from torchscript_dialect.runtime.kernels import operator_kernels
from torchscript_dialect.runtime.kernels.operator_kernels import OperatorKernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
X = np.linspace(-3, 3, 60, dtype=np.float32).reshape(6, 10)


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A few calls are many."""
    free_what_gradients_need()
    monkeypatch.setattr(execution_plan, "HOT", 3)
    yield


def function(body: str) -> ts.ScriptFunction:
    return ts.CompilationUnit(f"def f(x):\n    return {body}\n")["f"]


def test_one_operator_becomes_a_kernel_when_it_was_called_often(soon: None) -> None:
    f = function("torch.tanh(x)")
    for _ in range(5):
        f(X)
    assert f.native_calls == 0
    for _ in range(3):
        np.testing.assert_allclose(f(X).numpy(), np.tanh(X), rtol=1e-6)
    assert f.native_calls > 0
    np.testing.assert_allclose(f(X[:2, :3].copy()).numpy(), np.tanh(X[:2, :3]), rtol=1e-6)


def test_single_operators_between_others_become_kernels(soon: None) -> None:
    f = function("torch.sort(torch.tanh(x), -1)[0].exp()")
    expected = np.exp(np.sort(np.tanh(X)))
    for _ in range(8):
        np.testing.assert_allclose(f(X).numpy(), expected, rtol=1e-6)
    (plan,) = f.get_debug_state().execution_plans.values()
    assert len(plan.groups) == 2


@pytest.mark.parametrize("body", ["x.t()", "torch.mm(x, x.t()[:, :1])", "x.add_(1.0)"])
def test_what_pays_nothing_stays_interpreted(soon: None, body: str) -> None:
    f = function(body)
    for _ in range(8):
        f(as_tensor(X.copy()))
    (plan,) = f.get_debug_state().execution_plans.values()
    assert not plan.groups
    assert f.native_calls == 0


def test_a_product_alone_is_a_kernel_but_for_rows_and_columns(soon: None) -> None:
    f = function("torch.mm(x, x.t())")
    rng = np.random.default_rng(0)
    for shape in [(4, 6)] * 8 + [(3, 5), (1, 6), (4, 1), (0, 3), (2, 0), (17, 33)]:
        x = rng.standard_normal(shape, np.float32)
        np.testing.assert_allclose(f(x).numpy(), x @ x.T, rtol=1e-4, atol=1e-5)
        f(x)
    assert f.native_calls > 0


@pytest.mark.parametrize("shape", [(1, 6, 1, 1), (1, 3, 2, 2), (2, 6, 1, 1)])
def test_a_product_of_one_row_behind_a_view_is_a_kernel(soon: None, shape: tuple[int, ...]) -> None:
    """A kernel takes the sizes that it was made for."""
    source = "def f(x, w, b):\n    return torch.ops.aten.linear(torch.flatten(x, 1), w, b)\n"
    f = ts.CompilationUnit(source)["f"]
    rng = np.random.default_rng(0)
    x = rng.standard_normal(shape, np.float32)
    rows = x.reshape(shape[0], -1)
    w, b = rng.standard_normal((5, rows.shape[1]), np.float32), np.ones(5, np.float32)
    for _ in range(8):
        np.testing.assert_allclose(f(x, w, b).numpy(), rows @ w.T + 1, rtol=1e-4, atol=1e-5)
    assert f.native_calls > 0


@pytest.mark.parametrize("body", ["torch.cat([x, x * 2])", "torch.stack([x, x], 1)"])
def test_parts_are_put_together_by_a_kernel(soon: None, body: str) -> None:
    f = function(body)
    for rows in (4, 4, 4, 4, 4, 4, 1, 0, 7):
        x = np.arange(rows * 6, dtype=np.float32).reshape(rows, 6)
        expected = np.concatenate([x, x * 2]) if "cat" in body else np.stack([x, x], 1)
        np.testing.assert_array_equal(f(x).numpy(), expected)
    assert f.native_calls > 0


def test_a_function_with_passes_of_its_own_has_no_groups_of_one(soon: None) -> None:
    def program(x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x)

    f = ts.script(program, pipeline=["ts-peephole"])
    for _ in range(8):
        f(X)
    assert f.native_calls == 0


# Large tensors


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small tensors are large, and nobody waits."""
    monkeypatch.setattr(large, "LARGE", 8)
    monkeypatch.setattr(operator_kernels, "PATIENCE", 0)
    yield


def kernels_of(name: str) -> OperatorKernels:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    return OperatorKernels(operator, operator.kernel)


def natives(kernels: OperatorKernels) -> list[bool]:
    return [native is not None for native in kernels.found.values()]


def test_an_operator_on_a_large_tensor_is_compiled(small: None) -> None:
    kernels = kernels_of("aten::gelu")
    x = as_tensor(X)
    found = kernels(x, "tanh")
    assert natives(kernels) == [True]
    np.testing.assert_allclose(
        found.numpy(), torch.nn.functional.gelu(x, approximate="tanh").numpy(), rtol=1e-5, atol=1e-6
    )
    assert not np.array_equal(kernels(x, "none").numpy(), found.numpy())
    assert natives(kernels) == [True, True]


def test_a_kernel_serves_other_numbers_and_layouts(small: None) -> None:
    kernels = kernels_of("aten::leaky_relu")
    for slope in (0.1, 0.5):
        for x in (X, X[::2], X.T, X[:, :4]):
            expected = np.where(x > 0, x, x * np.float32(slope))
            np.testing.assert_allclose(kernels(as_tensor(x), slope).numpy(), expected)
    assert natives(kernels) == [True] * 3


def test_numbers_that_kernels_do_not_take_are_compiled_for(small: None) -> None:
    kernels = kernels_of("aten::masked_fill.Scalar")
    mask = as_tensor(X > 0)
    for value in (0.0, 2.0, 0.0):
        for _ in range(2):
            found = kernels(as_tensor(X), mask, value)
            np.testing.assert_array_equal(found.numpy(), np.where(X > 0, np.float32(value), X))
    assert not kernels.takes_numbers
    assert natives(kernels).count(True) == 2


def test_a_call_goes_by_what_kernels_took_when_it_began(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread may find in the meantime that no kernel takes numbers."""
    kernels = kernels_of("aten::hardshrink")
    load = operator_kernels.load_kernel

    def load_late(key: str, fuser: str) -> object:
        kernels.takes_numbers = False
        return load(key, fuser)

    monkeypatch.setattr(operator_kernels, "load_kernel", load_late)
    for limit in (0.5, 2.0):
        kernels.takes_numbers = True
        found = kernels(as_tensor(X), limit)
        np.testing.assert_array_equal(found.numpy(), np.where(abs(X) > limit, X, 0))
    assert natives(kernels) == [True]


def test_few_kernels_are_compiled_for_numbers(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_kernels, "MANY", 2)
    kernels = kernels_of("aten::masked_fill.Scalar")
    for value in (0.0, 0.0, 1.0, 2.0, 3.0):
        found = kernels(as_tensor(X), as_tensor(X > 0), value)
        np.testing.assert_array_equal(found.numpy(), np.where(X > 0, np.float32(value), X))
    assert len(kernels.found) == 2


def test_reductions_of_large_tensors(small: None) -> None:
    kernels = kernels_of("aten::sum.dim_IntList")
    for dim in ([0], [1], [0, 1]):
        found = kernels(as_tensor(X), dim, False, None)
        np.testing.assert_allclose(found.numpy(), X.sum(tuple(dim)), rtol=1e-5, atol=1e-5)
    assert len(natives(kernels)) == 3


def test_a_program_without_a_fuser_asks_for_no_kernels(small: None) -> None:
    kernels = kernels_of("aten::tanh")
    with ts.fuser("none"):
        np.testing.assert_array_equal(kernels(as_tensor(X)).numpy(), np.tanh(X))
    assert not kernels.found


def test_an_operator_without_such_a_kernel_runs_as_before(small: None) -> None:
    kernels = kernels_of("aten::acosh")
    x = as_tensor(X.astype(np.complex64))
    np.testing.assert_allclose(kernels(x).numpy(), np.arccosh(x.array), rtol=1e-5)
    assert natives(kernels) == [False]


def test_kernels_of_large_tensors_follow_the_default_dtype(small: None) -> None:
    kernels = kernels_of("aten::sigmoid")
    x = as_tensor(np.arange(60))
    assert kernels(x).dtype is torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert kernels(x).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_nothing_is_compiled_before_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_kernels, "PATIENCE", 3 * X.size)
    monkeypatch.setattr(operator_kernels, "LARGE", 1)
    monkeypatch.setattr(operator_kernels, "load_kernel", lambda *_: None)
    kernels = kernels_of("aten::tanh")
    seen: list[int] = []
    for _ in range(4):
        kernels(as_tensor(X))
        seen.append(len(kernels.found))
    assert seen == [0, 0, 1, 1]


@pytest.mark.parametrize("name", ["mul", "atan2"])
def test_small_operands_may_have_large_results(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a first call, which tells how large the result is. The sizes are those of no other test: layouts are remembered."""
    monkeypatch.setattr(pointwise_layouts, "LARGE", 59 * 61)
    seen: list[tuple[int, ...]] = []
    run = large.ForLarge.__call__

    def noted(self: large.ForLarge, *operands: Any) -> Any:
        found = run(self, *operands)
        seen.append(tuple(found.shape))
        return found

    monkeypatch.setattr(large.ForLarge, "__call__", noted)
    for rows, columns in ((59, 61), (58, 61)):
        x, y = torch.randn(rows, 1), torch.randn(columns)
        expected = getattr(torch, name)(x, y)
        for _ in range(2):
            found = getattr(torch, name)(x, y)
            np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
    assert set(seen) == {(59, 61)}


def test_outer_products_are_members_of_groups() -> None:
    f = ts.CompilationUnit("def f(x, y):\n    return torch.outer(x, y) * 2 + 1\n")["f"]
    for rows, columns in ((5, 7), (1, 4), (4, 1), (1, 1), (0, 3), (3, 0)):
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            x, y = torch.randn(2 * rows).to(dtype)[::2], torch.randn(columns).to(dtype)
            expected = (x[:, None] * y) * 2 + 1
            for _ in range(2):
                found = f(x, y)
            assert (found.dtype, found.stride()) == (dtype, expected.stride())
            np.testing.assert_array_equal(found.double().numpy(), expected.double().numpy())
    assert "interpreted" not in ts.explain(f)


def test_an_error_is_that_of_the_operator(small: None) -> None:
    kernels = kernels_of("aten::gelu")
    with pytest.raises(RuntimeError, match="approximate argument must be"):
        kernels(as_tensor(X), "other")


def test_small_tensors_do_not_come_here() -> None:
    operator = registry.find("aten::tanh")
    assert operator is not None and large.suits_large(operator)
    for name in ("aten::mm", "aten::t", "aten::tanh_", "aten::tanh.out", "aten::sort"):
        other = registry.find(name)
        assert other is not None and not large.suits_large(other), name
