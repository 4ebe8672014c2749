"""addmm, linear and matmul of matrices: whole graphs as one kernel, against the interpreter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS, NativeCallable, configure
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

RNG = np.random.default_rng(3)


def tensor(*shape: int, dtype: str = "f4") -> Tensor:
    return as_tensor(RNG.standard_normal(shape).astype(dtype))


def addmm(beta: str, alpha: str) -> str:
    return f"""graph(%s : Tensor, %a : Tensor, %b : Tensor):
  %beta : {"float" if "." in beta else "int"} = prim::Constant[value={beta}]()
  %alpha : {"float" if "." in alpha else "int"} = prim::Constant[value={alpha}]()
  %r : Tensor = aten::addmm(%s, %a, %b, %beta, %alpha)
  %t : Tensor = aten::relu(%r)
  return (%t)
"""


LINEAR = """graph(%x : Tensor, %w : Tensor, %b : Tensor, %v : Tensor):
  %none : NoneType = prim::Constant()
  %r : Tensor = aten::linear(%x, %w, %b)
  %t : Tensor = aten::tanh(%r)
  %q : Tensor = aten::linear(%t, %v, %none)
  return (%q)
"""

MATMUL = """graph(%x : Tensor, %w : Tensor):
  %r : Tensor = aten::matmul(%x, %w)
  %t : Tensor = aten::sigmoid(%r)
  return (%t)
"""


def run(text: str, *args: Tensor) -> tuple[Any, Any]:
    """What the native function and what the interpreter computes."""
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    configure(Tensor, TrackedTensor)
    native = NativeCallable.__new__(NativeCallable)
    executor = GraphExecutor(function, native)
    native.set_slow_path(executor)
    for _ in range(4):  # some calls observe, one compiles
        result = native(*args)
    assert native.native_calls or not HAS_NATIVE_CALLS, "not one kernel"
    return result.array, executor.interpreter(*args).array


@pytest.mark.parametrize(("beta", "alpha"), [("1", "1"), ("0.5", "2"), ("0", "3"), ("0", "1")])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_addmm(beta: str, alpha: str, dtype: str) -> None:
    for start in [(7,), (5, 7), (5, 1), (1,)]:
        s = tensor(*start, dtype=dtype)
        if beta == "0":
            s.array.fill(np.nan)
        got, expected = run(
            addmm(beta, alpha), s, tensor(5, 9, dtype=dtype), tensor(9, 7, dtype=dtype)
        )
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("rows", [1, 6, 40])
def test_linear(rows: int) -> None:
    got, expected = run(LINEAR, tensor(rows, 20), tensor(33, 20), tensor(33), tensor(5, 33))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_matmul() -> None:
    got, expected = run(MATMUL, tensor(6, 20), tensor(20, 35))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


ROWS = """graph(%x : Tensor, %w : Tensor, %b : Tensor, %y : Tensor):
  %r : Tensor = aten::linear(%x, %w, %b)
  %t : Tensor = aten::tanh(%r)
  %q : Tensor = aten::matmul(%t, %y)
  return (%q)
"""


@pytest.mark.parametrize("lead", [(3, 5), (1, 1), (2, 3, 4), (1, 6)])
def test_rows_of_several_dimensions(lead: tuple[int, ...]) -> None:
    got, expected = run(ROWS, tensor(*lead, 20), tensor(33, 20), tensor(33), tensor(33, 7))
    assert got.shape == (*lead, 7)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


def test_rows_of_other_sizes_and_layouts() -> None:
    text = ROWS.replace("aten::tanh(%r)", "aten::relu(%r)")
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    executor = GraphExecutor(function)
    w, b, y = tensor(33, 20), tensor(33), tensor(33, 7)
    for _ in range(4):
        executor(tensor(3, 5, 20), w, b, y)
    turned = as_tensor(np.asarray(RNG.standard_normal((5, 3, 20)), "f4").transpose(1, 0, 2))
    repeated = as_tensor(np.broadcast_to(tensor(1, 5, 20).array, (3, 5, 20)))
    for x in (tensor(4, 2, 20), tensor(1, 5, 20), tensor(0, 5, 20), turned, repeated):
        expected = executor.interpreter(x, w, b, y)
        for _ in range(4):
            got = executor(x, w, b, y)
            assert got.array.strides == expected.array.strides or not got.array.size
            np.testing.assert_allclose(got.array, expected.array, rtol=1e-5, atol=1e-5)
