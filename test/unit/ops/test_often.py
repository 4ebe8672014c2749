"""Operators that Python code calls often: Note [Operators that are called often] in ops/eager/often.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager import often
from torchscript_dialect.ops.eager.call_cache import CachedCall, cached_calls, forget_cached_calls
from torchscript_dialect.runtime.kernels.small_kernels import (
    CONSTANTS,
    KINDS,
    ListKernels,
    ReorderedKernels,
    SmallKernels,
    small_kernels,
)
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable
from torchscript_dialect.tensor import tracked
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
F = torch.nn.functional
OFTEN = 3
X = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A few calls are many, and gradients are not in use: what writes in place is recorded otherwise."""
    monkeypatch.setattr(often, "OFTEN", OFTEN)
    monkeypatch.setattr(tracked._Use, "is_on", False)  # pyright: ignore[reportPrivateUsage]
    forget_cached_calls()
    yield
    forget_cached_calls()


def cached(name: str, *classes: type) -> CachedCall:
    return cached_calls(f"aten::{name}")[classes]


def native_of(name: str, *classes: type) -> NativeCallable:
    kernel = cached(name, *classes).kernel
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
    x = as_tensor(X)
    with ts.fuser("none"):
        expected = run(x)
    often_called(lambda: run(x))
    native = native_of(name, *classes)
    before = native.native_calls
    found = run(x)
    assert native.native_calls == before + 1
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-6)
    assert found.dtype is expected.dtype and found.stride() == expected.stride()


@pytest.mark.parametrize(
    ("name", "run", "classes"),
    [
        ("relu_", lambda x, y: x.relu_(), (T,)),
        ("add_", lambda x, y: x.add_(y), (T, T)),
        ("mul_", lambda x, y: x.mul_(0.5), (T, float)),
        ("lerp_", lambda x, y: x.lerp_(y, 0.25), (T, T, float)),
        ("clamp_", lambda x, y: x.clamp_(-1.0, 1.0), (T, float, float)),
        ("sigmoid_", lambda x, y: x.sigmoid_(), (T,)),
    ],
)
def test_a_kernel_in_place_writes_every_element_once(
    name: str, run: Callable[[Any, Any], Any], classes: tuple[type, ...]
) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal((2, 3, columns), np.float32) for columns in range(2, 70)]
    with ts.fuser("none"):
        expected = [run(as_tensor(x.copy()), as_tensor(y)) for x, y in arrays]
    often_called(lambda: run(as_tensor(X.copy()), as_tensor(X)))
    native = native_of(name, *classes)
    before = native.native_calls
    for (array, other), wanted in zip(arrays, expected, strict=True):
        x = as_tensor(array)
        assert run(x, as_tensor(other)) is x
        np.testing.assert_allclose(x.numpy(), wanted.numpy(), rtol=1e-6)
    assert native.native_calls == before + len(arrays)


def test_memory_that_operands_share_is_seen_in_place() -> None:
    memory = np.arange(40, dtype=np.float32)
    often_called(lambda: as_tensor(X.copy()).add_(as_tensor(X)))
    native = native_of("add_", T, T)

    def tensor(start: int, shape: tuple[int, ...] = (2, 5)) -> ts.Tensor:
        return as_tensor(memory[start:][: int(np.prod(shape))].reshape(shape))

    x = tensor(10)
    for start in (5, 11):
        with pytest.raises(RuntimeError, match="some elements of the input tensor"):
            x.add_(tensor(start))
    x.add_(tensor(0))
    np.testing.assert_array_equal(memory[10:20], np.arange(10, 30, 2))
    x.add_(x)
    np.testing.assert_array_equal(memory[10:20], np.arange(20, 60, 4))
    with pytest.raises(RuntimeError, match="some elements of the input tensor"):
        x.add_(tensor(10, (5,)))  # a row of its own
    x.add_(tensor(0, (5,)))
    with pytest.raises(RuntimeError, match="single memory location"):
        as_tensor(np.broadcast_to(np.zeros(5, np.float32), (2, 5))).add_(x)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        tensor(0, (1, 5)).add_(x)
    y = as_tensor(X.copy()).t()
    assert y.add_(1.0) is y
    assert native.native_calls >= 2


def test_a_write_in_place_is_seen_by_gradients() -> None:
    often_called(lambda: as_tensor(X.copy()).mul_(as_tensor(X)))
    weight = torch.ones(4, 6, requires_grad=True)
    x = as_tensor(X.copy())
    y = (weight * x).sum()
    for _ in range(OFTEN + 3):
        x.mul_(x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_few_calls_compile_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(often, "COMPILED", "nothing.that.is.there")
    for _ in range(OFTEN - 1):
        torch.tanh(as_tensor(X))


def test_other_kinds_of_arguments_are_counted_and_get_kernels_of_their_own() -> None:
    kinds = [X, X[0], X.astype(np.float64), X.T, X[:, None], X.astype(np.int32)]
    often_called(lambda: torch.tanh(as_tensor(X)))
    native = native_of("tanh", T)
    for array in kinds:
        for _ in range(OFTEN + 2):
            found = torch.tanh(as_tensor(array))
            np.testing.assert_allclose(found.numpy(), np.tanh(array, dtype=found.array.dtype), 1e-5)
    assert 1 < native.num_specializations <= KINDS


def test_constants_have_kernels_of_their_own() -> None:
    x = as_tensor(X)
    often_called(lambda: x.sum(1))
    for _ in range(OFTEN + 2):
        for dim in (1, 0, -1):
            np.testing.assert_allclose(x.sum(dim).numpy(), X.sum(dim), 1e-5, 1e-6)
    kernels = cached("sum", T, int).kernel
    assert isinstance(kernels, SmallKernels) and len(kernels.natives) == 3


def test_a_zero_and_its_negative_are_two_constants() -> None:
    x, mask = as_tensor(X), as_tensor(X > 0)
    for _ in range(3 * OFTEN):
        for value in (0.0, -0.0):
            found = x.masked_fill(mask, value).numpy()[X > 0]
            assert np.all(np.signbit(found) == np.signbit(value))


def test_many_constants_are_forgotten() -> None:
    x, mask = as_tensor(X), as_tensor(X > 0)
    often_called(lambda: x.masked_fill(mask, 1.0))
    kernels = cached("masked_fill", T, T, float).kernel
    assert isinstance(kernels, SmallKernels)
    for value in range(3 * CONSTANTS):
        found = x.masked_fill(mask, float(value)).numpy()
        np.testing.assert_array_equal(found, np.where(X > 0, np.float32(value), X))
        assert len(kernels.natives) <= CONSTANTS


def test_errors_are_those_of_the_operator() -> None:
    x = as_tensor(X)
    often_called(lambda: x + x)
    with pytest.raises(RuntimeError, match="must match the size"):
        _ = x + as_tensor(X[:, :4])
    often_called(lambda: x.sum(1))
    with pytest.raises(IndexError, match="Dimension out of range"):
        x.sum(2)


def test_the_default_dtype_and_the_fuser_are_those_of_the_call() -> None:
    x = as_tensor(np.arange(6))
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
        assert native.native_calls == before and not native.num_specializations
        often_called(lambda: torch.expm1(x))
    often_called(lambda: torch.expm1(x))
    assert native_of("expm1", T).num_specializations


def test_tensors_that_require_gradients_are_recorded() -> None:
    x = as_tensor(X)
    often_called(lambda: torch.tanh(x))
    y = torch.ones(2, requires_grad=True)
    for _ in range(OFTEN + 2):
        assert torch.tanh(y).requires_grad


def test_a_trace_sees_operators_that_are_called_often() -> None:
    x = as_tensor(X)
    often_called(lambda: torch.tanh(x))

    def program(x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(x)

    assert "aten::tanh(" in str(ts.trace(program, (x,)).graph)


def test_what_has_no_kernel_is_counted_no_more() -> None:
    x = as_tensor(X.astype(np.complex64))
    for _ in range(OFTEN + 2):
        np.testing.assert_allclose(torch.acosh(x).numpy(), np.arccosh(x.array), rtol=1e-5)
    assert not isinstance(cached("acosh", T).kernel, (NativeCallable, SmallKernels))


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("mm", lambda x: torch.mm(x, x.t())),
        ("matmul", lambda x: x @ x.t()),
        ("linear", lambda x: F.linear(x, x, None)),
        ("addmm", lambda x: torch.addmm(x.sum(1), x, x.t())),
    ],
)
def test_products_of_small_matrices_have_kernels(name: str, run: Callable[[Any], Any]) -> None:
    often_called(lambda: run(as_tensor(X)))
    rng = np.random.default_rng(0)
    for shape in ((4, 6), (2, 3), (1, 3), (3, 1), (1, 1), (0, 3), (3, 0), (33, 70)):
        array = rng.standard_normal(shape, np.float32)
        with ts.fuser("none"):
            expected = run(as_tensor(array)).numpy()
        for x in (array, np.repeat(array, 2, 1)[:, ::2], np.asfortranarray(array)):
            found = run(as_tensor(x))
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(RuntimeError):
        torch.mm(as_tensor(X), as_tensor(X))
    with pytest.raises(RuntimeError):
        torch.mm(as_tensor(X), as_tensor(X.T.astype(np.float64)))


@pytest.mark.parametrize("run", [torch.cat, torch.stack])
def test_lists_of_tensors_have_kernels(run: Callable[..., Any]) -> None:
    x, y = as_tensor(X), as_tensor(X * 2)
    often_called(lambda: run([x, y]))
    kernels = cached(run.__name__, list).kernel
    assert isinstance(kernels, ListKernels)
    native = kernels.of_length[2].natives["(0,)"]
    before = native.native_calls
    assert run([x, y]).tolist() == np.array([X, X * 2]).reshape(run([x, y]).shape).tolist()
    assert native.native_calls == before + 2
    many = [as_tensor(X + place) for place in range(20)]
    for tensors in ([x], [y, x, y], many, [x[:, ::2], y[:, ::2]], [x[:0], y[:0]]):
        with ts.fuser("none"):
            expected = [run(tensors, dim).tolist() for dim in (0, 1, -1)]
        assert [run(tensors, dim).tolist() for dim in (0, 1, -1)] == expected
    assert run([x, y.to(torch.float64)]).dtype is torch.float64
    assert run((x, torch.ones(4, 6, requires_grad=True))).requires_grad
    for wrong in ([], [x, None], [x, torch.ones(2, 3, 1)], [x, as_tensor(np.ones((4, 6, 2)))]):
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            run(wrong)


def test_lists_as_long_as_the_first_go_to_its_kernel_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x, y = as_tensor(X), as_tensor(X * 2)
    often_called(lambda: torch.cat([x, y]))
    asked: list[int] = []
    by_length = ListKernels.__call__

    def noted(self: ListKernels, tensors: list[Any], *constants: Any) -> Any:
        asked.append(len(tensors))
        return by_length(self, tensors, *constants)

    monkeypatch.setattr(ListKernels, "__call__", noted)
    assert torch.cat([y, x]).tolist() == np.concatenate([X * 2, X]).tolist() and not asked
    assert torch.cat([x, y, x]).shape == (12, 6) and asked == [3]
    assert torch.cat([x, y], 1).shape == (4, 12)
    tracked_one = torch.ones(4, 6, requires_grad=True)
    assert torch.cat([x, tracked_one]).requires_grad
    with pytest.raises((RuntimeError, TypeError)):
        torch.cat([x, None])


def test_lists_of_other_lengths_than_the_kernel_is_for_are_its_business() -> None:
    """The call that is cached and the one that gets the kernel may have lists of other lengths."""
    x, y = as_tensor(X), as_tensor(X * 2)
    torch.cat([x, y])
    for _ in range(OFTEN + 3):
        assert torch.cat([x]).shape == (4, 6)
    assert torch.cat([x, y]).tolist() == np.concatenate([X, X * 2]).tolist()
    assert torch.cat([x]).tolist() == X.tolist()


def test_operators_outside_of_groups_have_kernels_in_compiled_functions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[SmallKernels] = []

    def noted(*arguments: Any) -> Any:
        found = small_kernels(*arguments)
        made.extend([found] if isinstance(found, SmallKernels) else [])
        return found

    monkeypatch.setattr("torchscript_dialect.runtime.kernels.small_kernels.small_kernels", noted)
    unit = ts.CompilationUnit(
        "def f(x, factor: float):\n"
        "    while x.size(0) > 1:\n"  # sizes that nobody knows before
        "        x = torch.exp((x[x[:, 0] > 0] * factor).clamp(-1.0, 1.0))[:-1]\n"
        "    return x\n"
    )
    x = np.linspace(-2, 2, 24, dtype=np.float32).reshape(12, 2)
    for factor in (0.5, 0.25, 0.5) * 4:
        expected = x
        while len(expected) > 1:
            chosen = expected[expected[:, 0] > 0] * np.float32(factor)
            expected = np.exp(chosen.clip(-1, 1))[:-1]
        np.testing.assert_allclose(unit.f(x, factor).numpy(), expected, rtol=1e-5)
    names = {one.operator.name for one in made}
    assert {"aten::mul", "aten::exp", "aten::clamp"} <= names
    assert sum(native.native_calls for one in made for native in one.natives.values()) > 0


def test_tensors_of_one_number_are_made_by_kernels() -> None:
    """Of the dtype that the number or the default says; what a call gives is nobody else's."""
    for value, dtype in ((1.5, "float32"), (3, "int64"), (True, "bool"), (-0.0, "float32")):
        often_called(lambda value=value: torch.full((3, 4), value))
        one, other = torch.full((3, 4), value), torch.full((3, 4), value)
        assert str(one.dtype) == f"torch.{dtype}" and one.shape == (3, 4)
        assert repr(one.tolist()) == repr([[value] * 4] * 3)
        one.fill_(7)
        assert repr(other.tolist()) == repr([[value] * 4] * 3)
    assert isinstance(cached("full", tuple, float).kernel, SmallKernels)
    assert repr(torch.full((1,), 0.0).tolist()) == "[0.0]"
    assert repr(torch.full((1,), -0.0).tolist()) == "[-0.0]"
    often_called(lambda: torch.zeros(2, 3))
    assert native_of("zeros", int, int).native_calls > 0
    torch.set_default_dtype(torch.float64)
    try:
        assert torch.zeros(2, 3).dtype is torch.full((2,), 1.5).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    with pytest.raises(RuntimeError, match="negative dimension"):
        torch.zeros(-2, 3)


def test_tensors_of_many_sizes_are_made_without_kernels_for_each() -> None:
    for size in range(3 * CONSTANTS):
        assert torch.ones(size).tolist() == [1.0] * size
    kernel = cached("ones", int).kernel
    assert isinstance(kernel, SmallKernels) and len(kernel.natives) <= CONSTANTS


def test_conversions_have_kernels_and_the_same_dtype_gives_the_tensor_itself() -> None:
    x, y = as_tensor(X.copy()), as_tensor(X.astype(np.float64))
    often_called(lambda: x.to(torch.float64))
    assert x.to(torch.float64).tolist() == X.astype(np.float64).tolist()
    for _ in range(3 * OFTEN):
        assert x.to(torch.float32) is x and y.to(torch.float64) is y
    x.to(torch.float64)
    assert native_of("to", ts.Tensor, torch.dtype).native_calls > 0
    often_called(lambda: y.to(torch.float32))
    for _ in range(3):
        assert y.to(torch.float32).tolist() == X.tolist()


def test_slices_of_the_first_dimension_are_views() -> None:
    x = as_tensor(np.arange(12.0).reshape(4, 3))
    for key in (
        slice(1, None),
        slice(1, 3),
        slice(-3, -1),
        slice(None, 2),
        slice(0, 99),
        slice(3, 1),
    ):
        for _ in range(2 * OFTEN):
            found = x[key]
            assert found.tolist() == x.array[key].tolist() and found.stride() == (3, 1)
            if found.numel():
                assert found.data_ptr() == x.data_ptr() + 24 * range(4)[key][0]
    assert x[True:].tolist() == x[1:].tolist()


@pytest.mark.parametrize("other", ["5", "y"])
@pytest.mark.parametrize("operator", ["&", "|", "^", "<<", ">>"])
def test_operators_of_integers_write_over_nothing(operator: str, other: str) -> None:
    """Their names, `__and__` and its like, end as those of operators in place do."""
    f = eval(f"lambda x, y: x {operator} {other}")
    x, y = torch.arange(30, dtype=torch.int32).view(5, 6), torch.full((5, 6), 3, dtype=torch.int32)
    kept = [one.tolist() for one in (x, y)]
    for _ in range(4 * OFTEN):
        found = f(x, y)
        assert found.data_ptr() not in (x.data_ptr(), y.data_ptr())
        assert [one.tolist() for one in (x, y)] == kept
    script = ts.CompilationUnit(
        f"def f(x: List[Tensor], y):\n    return x[0] {operator} {other}\n"
    )["f"]
    for _ in range(4 * OFTEN):
        assert script([x], y).tolist() == found.tolist()
        assert [one.tolist() for one in (x, y)] == kept


BEHIND_CONSTANTS = (
    ("layer_norm", lambda x, w, b: F.layer_norm(x, [6], w, b), ((4, 6), (2, 3, 6), (0, 6))),
    ("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), ((4, 6), (2, 6, 3), (3, 6, 2, 2))),
)


@pytest.mark.parametrize("name, call, shapes", BEHIND_CONSTANTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_tensors_behind_constants(name: str, call: Any, shapes: Any, dtype: Any) -> None:
    """Kernels take all tensors first, whatever stands between them."""
    w, b = torch.randn(6).to(dtype), torch.randn(6).to(dtype)
    kept = [(one, other) for one in (w, None) for other in (b, None)]
    inputs = [torch.randn(*shape).to(dtype) for shape in shapes]
    inputs.append(inputs[0].t().contiguous().t())
    expected = [call(x, *given) for x in inputs for given in kept]
    for given in kept:
        often_called(lambda given=given: call(inputs[0], *given))
    found = [call(x, *given) for x in inputs for given in kept]
    for one, other in zip(found, expected, strict=True):
        assert one.dtype is other.dtype and one.stride() == other.stride()
        tolerance = {torch.float64: 1e-12, torch.float32: 1e-5}.get(dtype, 2e-2)
        np.testing.assert_allclose(
            one.double().numpy(), other.double().numpy(), tolerance, tolerance
        )
    if dtype is torch.bfloat16:
        return  # of these there are no kernels
    classes = [k for k in cached_calls(f"aten::{name}") if k.count(T) == 3]
    assert isinstance(cached_calls(f"aten::{name}")[classes[0]].kernel, ReorderedKernels)


def test_tensors_behind_constants_have_kernels_by_constants() -> None:
    x, w = torch.randn(5, 6), torch.randn(6)
    for eps in (1e-5, 1.0, 0.0, 1e-5):
        for _ in range(3 * OFTEN):
            found = F.layer_norm(x, [6], w, None, eps)
        expected = (
            (x - x.mean(1, True)) / ((x - x.mean(1, True)).square().mean(1, True) + eps).sqrt() * w
        )
        np.testing.assert_allclose(found.numpy(), expected.numpy(), 1e-5, 1e-5)


def test_numbers_beyond_64_bits_are_no_constants_of_kernels() -> None:
    """Those of graphs have 64 bits: 2**63 became the least of them."""
    x = as_tensor(X)
    often_called(lambda: torch.clamp(x, 2))
    often_called(lambda: torch.lt(x, 2))
    for _ in range(3 * OFTEN):
        assert torch.clamp(x, 2**63).min() == 2.0**63
        assert torch.lt(x, 2**63).all()
    often_called(lambda: torch.full([2], 3))
    for _ in range(3 * OFTEN):
        with pytest.raises(RuntimeError, match="without overflow"):
            torch.full([2], 2**63)


def test_kernels_made_for_an_integer_are_followed_by_those_of_floats() -> None:
    """Floats that change are inputs of kernels, and none is a constant of its own."""
    operator = registry.find("aten::mul.Scalar")
    assert operator is not None and operator.kernel is not None
    x = as_tensor(X)
    kernels = small_kernels(operator, operator.kernel, (x, 2), 4, False)
    assert isinstance(kernels, SmallKernels)
    for number in range(40):
        np.testing.assert_array_equal(kernels(x, number / 3).numpy(), X * np.float32(number / 3))
    assert len(kernels.natives) == 1
    native = kernels.of_floats.native_for(())
    assert isinstance(native, NativeCallable) and native.num_specializations
    np.testing.assert_array_equal(kernels(x, 2).numpy(), X * 2)


def test_constants_of_which_there_are_too_many_have_no_kernels_for_a_while() -> None:
    operator = registry.find("aten::roll")
    assert operator is not None and operator.kernel is not None
    x = as_tensor(X)
    kernels = SmallKernels(operator, operator.kernel, [True, False, False], 8, False)
    for shift in range(CONSTANTS + 7):
        np.testing.assert_array_equal(kernels(x, [shift], [0]).numpy(), np.roll(X, shift, 0))
    assert len(kernels.natives) == CONSTANTS
    kernels(x, [-1], [0])
    assert len(kernels.natives) == 1
