"""The executor: what is compiled, what is not, and that results do not depend on it."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.function_schema import FunctionSchema

IOU = """
graph(%x1 : Tensor, %y1 : Tensor, %w1 : Tensor, %x2 : Tensor):
  %one : int = prim::Constant[value=1]()
  %zero : float = prim::Constant[value=0.]()
  %none : NoneType = prim::Constant()
  %a : Tensor = aten::max(%x1, %x2)
  %b : Tensor = aten::add(%a, %w1, %one)
  %c : Tensor = aten::clamp(%b, %zero, %none)
  %d : Tensor = aten::div(%c, %y1)
  return (%d)
"""
MUTATION = """
graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::mul_(%x, %a)
  %c : Tensor = aten::mul(%a, %x)
  %d : Tensor = aten::add(%c, %b, %one)
  return (%d)
"""
VIEW = """
graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %b : Tensor = aten::mul(%a, %y)
  %t : Tensor = aten::t(%b)
  %u : Tensor = aten::zero_(%t)
  %r : (Tensor, Tensor) = prim::TupleConstruct(%b, %a)
  return (%r)
"""


def compiled(text: str, names: str) -> ScriptFunction:
    function = next(iter(parse_ir_text(text).body.ops))
    arguments = ", ".join(f"Tensor {name}" for name in names.split())
    return ScriptFunction(function, FunctionSchema.parse(f"f({arguments}) -> Tensor"), "f")  # pyright: ignore[reportArgumentType]


@pytest.fixture
def iou() -> ScriptFunction:
    return compiled(IOU, "x1 y1 w1 x2")


@pytest.fixture(autouse=True)
def default_settings() -> Iterator[None]:
    before = ts.set_num_profiled_runs(0)
    with ts.fuser("llvm"):
        yield
    ts.set_num_profiled_runs(before)


RNG = np.random.default_rng(0)


def tensors(count: int, *shape: int, dtype: str = "float32") -> list[ts.Tensor]:
    return [as_tensor(RNG.standard_normal(shape).astype(dtype)) for _ in range(count)]


def expected(x1: ts.Tensor, y1: ts.Tensor, w1: ts.Tensor, x2: ts.Tensor) -> np.ndarray[Any, Any]:
    a, b, c, d = (t.array for t in (x1, y1, w1, x2))
    return np.maximum(np.maximum(a, d) + c, 0) / b


@needs_native_calls
def test_one_native_call_per_call(iou: ScriptFunction) -> None:
    args = tensors(4, 10, 10)
    iou(*args)
    for count in range(1, 5):
        np.testing.assert_array_equal(iou(*args).array, expected(*args))
        assert iou.native_calls == count
    assert iou._executor.calls == 1  # pyright: ignore[reportPrivateUsage]


@needs_native_calls
def test_new_sizes_run_the_kernel_that_is_there(iou: ScriptFunction) -> None:
    iou(*tensors(4, 10, 10))
    for shape in [(100, 3), (1000, 17), (2, 2), (0, 5)]:
        args = tensors(4, *shape)
        np.testing.assert_array_equal(iou(*args).array, expected(*args))
    assert iou.native_calls == 4
    assert iou.num_specializations == 1


@needs_native_calls
def test_new_dtype_rank_and_broadcast_make_new_kernels(iou: ScriptFunction) -> None:
    for number, args in enumerate(
        [
            tensors(4, 4, 5),
            tensors(4, 4, 5, dtype="float64"),
            tensors(4, 5),
            [*tensors(3, 4, 5), *tensors(1, 5)],
            [*tensors(3, 4, 5), *tensors(1, 4, 1)],
            tensors(4),
        ],
        start=1,
    ):
        for _ in range(3):
            np.testing.assert_array_equal(iou(*args).array, expected(*args))
        assert iou.num_specializations == number


def test_layouts_give_the_strides_of_the_interpreter(iou: ScriptFunction) -> None:
    base = tensors(4, 6, 8)
    cases = [
        [as_tensor(t.array.T) for t in base],
        [as_tensor(t.array[::2, 1:5]) for t in base],
        [as_tensor(np.broadcast_to(t.array[:1], (6, 8))) for t in base],
        [*base[:3], as_tensor(tensors(1, 8, 6)[0].array.T)],
        [as_tensor(t.array[:, ::3]) for t in base],
    ]
    for args in cases:
        with ts.fuser("none"):
            reference = iou(*args)
        for _ in range(3):
            result = iou(*args)
            assert result.stride() == reference.stride()
            np.testing.assert_array_equal(result.array, reference.array)


@needs_native_calls
def test_settings_turn_kernels_off_and_on(iou: ScriptFunction) -> None:
    args = tensors(4, 4, 4)
    iou(*args)
    with ts.optimized_execution(False):
        iou(*args)
        assert iou.native_calls == 0 and iou.num_specializations == 0
    with ts.fuser("none"):
        iou(*args)
        assert iou.native_calls == 0
    iou(*args)
    iou(*args)
    assert iou.native_calls == 1


@needs_native_calls
def test_the_fusion_strategy_bounds_specializations(iou: ScriptFunction) -> None:
    before = ts.set_fusion_strategy([("STATIC", 1), ("DYNAMIC", 1)])
    try:
        for rank in range(5):
            args = tensors(4, *[2] * rank)
            np.testing.assert_array_equal(iou(*args).array, expected(*args))
        assert iou.num_specializations == 2
    finally:
        assert ts.set_fusion_strategy(before) == [("STATIC", 1), ("DYNAMIC", 1)]


@pytest.mark.parametrize("text", [MUTATION, VIEW])
def test_mutation_is_the_interpreters(text: str) -> None:
    function = compiled(text, "x y")
    for shape in [(3, 4), (4, 4), (5, 2)]:
        x, y = tensors(2, *shape)
        x2, y2 = as_tensor(x.array.copy()), as_tensor(y.array.copy())
        with ts.optimized_execution(False):
            reference = function(x2, y2)
        result = function(x, y)
        np.testing.assert_allclose(x.array, x2.array, rtol=1e-6)
        assert isinstance(result, tuple) == isinstance(reference, tuple)
        results = result if isinstance(result, tuple) else (result,)
        references = reference if isinstance(reference, tuple) else (reference,)
        for ours, theirs in zip(results, references, strict=True):
            np.testing.assert_allclose(ours.array, theirs.array, rtol=1e-6)


def test_the_same_tensor_twice(iou: ScriptFunction) -> None:
    (x,) = tensors(1, 4, 4)
    for _ in range(3):
        np.testing.assert_array_equal(iou(x, x, x, x).array, expected(x, x, x, x))


def test_sizes_that_do_not_fit_raise_as_in_the_interpreter(iou: ScriptFunction) -> None:
    iou(*tensors(4, 4, 4))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="must match the size of tensor"):
            iou(*tensors(3, 4, 4), *tensors(1, 3))


@pytest.mark.parametrize("exponent", ["0.5", "-0.5", "e"])
def test_a_root_is_no_power_in_kernels_either(exponent: str) -> None:
    """The square root of -inf is NaN, and that of -0.0 is -0.0."""
    f = ts.CompilationUnit(f"def f(x, e: float):\n    return torch.pow(x, {exponent}) * 2.0\n").f
    number = 0.5 if exponent == "e" else float(exponent)
    for _ in range(3):
        roots = f(as_tensor(np.array([-np.inf, -0.0, 4.0])), number).array / 2
        expected = [np.nan, -0.0, 2.0] if number > 0 else [np.nan, -np.inf, 0.5]
        np.testing.assert_array_equal(roots, expected)
        assert np.signbit(roots[1])


@pytest.mark.parametrize("first", [0, 1])
def test_transposing_a_row_tells_nothing_of_the_strides_of_other_sizes(first: int) -> None:
    turned = ts.CompilationUnit("def f(x):\n    return x.t() * 2.0 + 1.0\n").f
    for _ in range(3):
        turned(*tensors(1, first, 4))
    assert [turned(*tensors(1, 3, 4)).stride() for _ in range(3)] == [(1, 4)] * 3


@pytest.mark.parametrize(
    "expression", ["torch.addmm(s, a, b) * 2.0", "torch.lerp(s, s.double(), s) * 2.0"]
)
def test_what_raises_raises_in_compiled_functions_too(expression: str) -> None:
    f = ts.CompilationUnit(f"def f(s, a, b):\n    return {expression}\n").f
    for _ in range(3):
        with pytest.raises(RuntimeError, match=r"expanded size of the tensor|expected dtype"):
            f(*tensors(1, 3), *tensors(1, 1, 4), *tensors(1, 4, 1))


def test_plans_keep_no_tensors_alive(iou: ScriptFunction) -> None:
    args = tensors(4, 3, 3)
    alive = [weakref.ref(t) for t in args]
    iou(*args)
    del args
    gc.collect()
    assert [ref() for ref in alive] == [None] * 4


def test_graph_for_shows_one_guarded_group(iou: ScriptFunction) -> None:
    args = tensors(4, 10, 10)
    graph = iou.graph_for(*args)
    assert len(graph.findAllNodes("prim::TensorExprGroup")) == 1
    assert len(graph.findAllNodes("prim::TypeCheck")) == 1
    text = str(graph)
    assert "with prim::TensorExprGroup_0 = graph(" in text
    assert "Float(10, 10, strides=[10, 1], requires_grad=0, device=cpu)" in text
    iou(*args)
    assert iou.get_debug_state().execution_plans


def test_nan_and_infinity(iou: ScriptFunction) -> None:
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45], dtype=np.float32)
    grid = [as_tensor(g.astype(np.float32)) for g in np.meshgrid(special, special)]
    args = [grid[0], grid[1], grid[1], grid[0]]
    with ts.fuser("none"):
        reference = iou(*args).array
    for _ in range(2):
        np.testing.assert_array_equal(iou(*args).array, reference)


@needs_native_calls
def test_what_is_called_once_is_not_compiled(
    iou: ScriptFunction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    gc.collect()  # a function of another test keeps its kernel where this one would find it
    ts.set_num_profiled_runs(2)
    args = tensors(4, 3, 3)
    for compiled in (0, 0, 1, 1):
        np.testing.assert_array_equal(iou(*args).array, expected(*args))
        assert iou.num_specializations == compiled
    again = compiled_again(iou)
    again(*args)
    assert again.num_specializations == 1  # the disk has it


def compiled_again(function: ScriptFunction) -> ScriptFunction:
    return ScriptFunction(function._function, function.schema, "f")  # pyright: ignore[reportPrivateUsage]


@needs_native_calls
def test_a_native_call_enters_no_python_frame(iou: ScriptFunction) -> None:
    args = tensors(4, 10, 10)
    iou(*args)
    entered: list[str] = []

    def watch(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            entered.append(frame.f_code.co_name)

    sys.setprofile(watch)
    try:
        iou(*args)
    finally:
        sys.setprofile(None)
    assert entered == []
