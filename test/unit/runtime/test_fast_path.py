"""Functions that the native entry hands to the interpreter as they stand: Note [Fast paths] in runtime/executor/fast_path.py."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops.eager import often
from torchscript_dialect.runtime.executor import execution_plan
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
X = np.linspace(-3, 3, 24, dtype=np.float32).reshape(4, 6)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few calls are many."""
    monkeypatch.setattr(execution_plan, "HOT", 2)


def executor_of(f: ts.ScriptFunction) -> GraphExecutor:
    return f._executor  # pyright: ignore[reportPrivateUsage]


def hot(source: str, *args: object) -> ts.ScriptFunction:
    f = ts.CompilationUnit(f"def f{source}\n")["f"]
    for _ in range(6):
        f(*args)
    return f


def has_fast_path(f: ts.ScriptFunction, *args: object) -> bool:
    """Whether a call with these arguments does not come to the executor."""
    before = executor_of(f).calls
    f(*args)
    return executor_of(f).calls == before


@pytest.mark.parametrize(
    "source",
    [
        "(x):\n return x.size(1)",
        "(x):\n return x.shape",
        "(x):\n return x.t()",
        "(x):\n return x.view(-1)",
        "(x):\n return x[1:, 2]",
        "(x):\n return x.split(2)",
        "(x):\n return (x.dim(), x.is_floating_point())",
    ],
)
def test_what_asks_for_sizes_or_makes_views_takes_the_fast_path(source: str) -> None:
    f = ts.CompilationUnit(f"def f{source}\n")["f"]
    x = as_tensor(X)
    expected = f(x)
    for _ in range(5):
        f(x)
    assert has_fast_path(f, x) and bool(f.native_calls) == (".size(" in source)
    assert str(f(x)) == str(expected)


def test_a_view_of_a_fast_path_is_a_view() -> None:
    x = as_tensor(X.copy())
    f = hot("(x):\n return x.t()[0]", x)
    assert has_fast_path(f, x)
    f(x).add_(1.0)
    np.testing.assert_array_equal(x.array[:, 0], X[:, 0] + 1)


def test_other_sizes_and_strides_go_the_same_way_and_other_kinds_do_not() -> None:
    f = hot("(x):\n return x.size(0)", as_tensor(X))
    for array in (X[:1], X[:0], X.T, X[::2, ::3]):
        assert has_fast_path(f, as_tensor(array)) and f(as_tensor(array)) == array.shape[0]
    assert not has_fast_path(f, as_tensor(X[0]))
    assert not has_fast_path(f, as_tensor(X.astype(np.float64)))
    assert not has_fast_path(f, X)
    assert not has_fast_path(f, torch.ones(2, 3, requires_grad=True))


def test_numbers_are_what_the_schema_wants() -> None:
    f = hot("(x, n: int, k: float, b: bool):\n return x.select(0, n)", as_tensor(X), 1, 2.0, True)
    x = as_tensor(X)
    assert has_fast_path(f, x, 3, 2.0, False)
    assert not has_fast_path(f, x, 3, 2, False)
    with pytest.raises(RuntimeError, match="does not fit in 64 bits"):
        f(x, 2**63, 2.0, True)
    with pytest.raises(RuntimeError, match="missing value for argument 'k'"):
        f(x, 1)
    assert str(f(x, n=1, k=1.0, b=True)) == str(f(x, 1, 1.0, True))


def test_an_error_tells_the_place_as_before() -> None:
    f = ts.CompilationUnit("def f(x):\n return x.size(2)\n")["f"]
    good, bad = as_tensor(np.ones((2, 2, 2), np.float32)), as_tensor(X)
    with pytest.raises(IndexError) as before:
        f(bad)
    for _ in range(6):
        f(good)
    g = ts.CompilationUnit("def f(x, n: int):\n return x.size(n)\n")["f"]
    for _ in range(6):
        g(good, 2)
    assert has_fast_path(g, good, 2)
    with pytest.raises(IndexError) as after:
        g(good, 3)
    assert "in f\n" in str(before.value) and "in f\n" in str(after.value)
    assert "Dimension out of range" in str(after.value)


def test_specialized_and_fused_functions_have_no_fast_path() -> None:
    x = as_tensor(X)
    assert not has_fast_path(hot("(x):\n return x.t() if x.dim() == 2 else x", x), x)
    f = hot("(x):\n return torch.tanh(x) * 0.75", x)
    assert f.native_calls > 0


def test_calls_are_inlined_where_that_leaves_operators_alone() -> None:
    x = as_tensor(X)
    source = "def of(x, n: int):\n if n > 1:\n  return x.t()\n return x\ndef f(x):\n return of(x, 2)[0]\n"
    f = ts.CompilationUnit(source)["f"]
    for _ in range(6):
        f(x)
    assert has_fast_path(f, x)
    for array in (X, X[:1], X.T, X[::2, ::3]):
        np.testing.assert_array_equal(f(as_tensor(array)).numpy(), array.T[0])


def test_an_edit_and_a_setting_end_a_fast_path() -> None:
    x = as_tensor(X)
    f = hot("(x):\n return x.size(0)", x)
    f.invalidate()
    assert not has_fast_path(f, x)
    g = hot("(x):\n return x.size(0)", x)
    with ts.fuser("none"):
        assert not has_fast_path(g, x)


def test_a_trace_sees_a_function_with_a_fast_path() -> None:
    x = torch.ones(2, 3)
    f = hot("(x):\n return x.t()", x)

    def program(x: torch.Tensor) -> torch.Tensor:
        return f(x) + 1

    assert "aten::t(" in str(ts.trace(program, (x,)).inlined_graph)


def test_writes_are_counted_once_a_gradient_may_need_them() -> None:
    x, w = as_tensor(X.copy()), torch.ones(4, 6, requires_grad=True)
    f = hot("(x):\n return x.add_(1.0)", x)
    assert has_fast_path(f, x)
    y = (w * x).sum()
    assert not has_fast_path(f, x)
    assert has_fast_path(f, as_tensor(X.copy()))  # of other memory
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_tensors_that_require_gradients_are_not_forwarded() -> None:
    x = torch.ones(2, 3)
    f = hot("(x):\n return x.t()", x)
    assert has_fast_path(f, x)
    with torch.no_grad():
        assert not has_fast_path(f, x.requires_grad_())
    assert f(x).requires_grad


def test_an_operator_in_place_gets_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(often, "OFTEN", 3)
    f = ts.CompilationUnit("def f(x, y):\n return x.add_(y, alpha=1).mul_(0.5)\n")["f"]
    x, y = as_tensor(X.copy()), as_tensor(X + 1)
    wanted = X.copy()
    for _ in range(20):
        assert f(x, y) is x
        wanted = (wanted + y.array) * np.float32(0.5)
        np.testing.assert_array_equal(x.array, wanted)
    names = executor_of(f).interpreter.source.names.values()
    natives = [one for one in names if isinstance(one, NativeCallable)]
    assert [native.native_calls > 5 for native in natives] == [True]
    with pytest.raises(RuntimeError, match="some elements of the input tensor"):
        f(as_tensor(wanted[:2]), as_tensor(wanted[1:3]))
    with ts.fuser("none"):
        f(x, y)
        assert not natives[0].num_specializations


NUMBERS = {
    "x.size(0)": "size",
    "x.size(-1)": "size",
    "x.size(1) * 2 + x.size(0)": "computed of sizes",
    "x.dim()": "dim",
    "x.numel()": "numel",
    "len(x)": "length",
    "x[0, 0].item()": "an element",
    "x[1].select(0, 1).item()": "an element of a view",
}


@pytest.mark.parametrize("expression", NUMBERS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16", "bool", "uint8"])
def test_a_function_that_gives_a_number_is_a_native_program(expression: str, dtype: str) -> None:
    source = f"def f(x):\n    return {expression}\n"
    x = (np.arange(-5, 7).reshape(3, 4) * 1.5).astype(dtype)
    others = (x, x * x, x[:2], x.T, x[::2, 1:], np.tile(x, (2, 2)), x[:1])
    with ts.fuser("none"):
        plain = ts.CompilationUnit(source)["f"]
        wanted = [outcome_of(plain, array) for array in others]
    f = ts.CompilationUnit(source)["f"]
    for _ in range(400):
        f(as_tensor(x))
    assert f.native_calls > 0
    for array, expected in zip(others, wanted, strict=True):
        assert outcome_of(f, array) == expected


def outcome_of(f: ts.ScriptFunction, array: np.ndarray) -> tuple[type, str]:
    try:
        found = f(as_tensor(array))
    except RuntimeError as error:
        return type(error), str(error).splitlines()[-1]
    return type(found), repr(found)


def test_a_number_of_a_tensor_of_several_elements_is_an_error() -> None:
    f = ts.CompilationUnit("def f(x):\n    return x.item()\n")["f"]
    one = as_tensor(np.array([-0.0], np.float32))
    for _ in range(400):
        f(one)
    before = f.native_calls
    assert str(f(one)) == "-0.0" and f.native_calls == before + 1
    assert f(as_tensor(np.array(2.5, np.float32))) == 2.5
    assert str(f(as_tensor(np.array([np.nan], np.float32)))) == "nan"
    assert f(as_tensor(np.array([[7]]))) == 7
    for array in (np.zeros(2, np.float32), np.zeros(0, np.float32)):
        with pytest.raises(RuntimeError, match="cannot be converted to Scalar"):
            f(as_tensor(array))


def test_a_function_that_does_more_than_to_give_a_number_is_no_program() -> None:
    source = "def f(x):\n    x.add_(1)\n    return x.size(0)\n"
    f = ts.CompilationUnit(source)["f"]
    x = as_tensor(np.zeros(3, np.float32))
    for _ in range(400):
        f(x)
    assert x.tolist() == [400, 400, 400]


def test_a_function_without_arguments_gives_what_was_folded() -> None:
    """The same tensor each time, as PyTorch's does, and a new one where nothing was folded."""
    f = ts.CompilationUnit("def f():\n    return torch.full((2,), 1.5)\n")["f"]
    g = ts.CompilationUnit("def f():\n    return torch.rand(2)\n")["f"]
    found = [f() for _ in range(300)]
    assert f() is found[-1] and found[-1].tolist() == [1.5, 1.5]
    calls = f._executor.calls  # pyright: ignore[reportPrivateUsage]
    assert f() is found[-1] and f._executor.calls == calls  # pyright: ignore[reportPrivateUsage]
    for _ in range(300):
        g()
    assert g() is not g() and g().tolist() != g().tolist()
