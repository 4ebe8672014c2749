"""Graphs and modules as functions: they run optimized, and are checked first."""

from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch

x = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)
TEXT = """graph(%x : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu),
      %1 : Tensor):
  %2 : int = prim::Constant[value=1]()
  %3 : Float(3, 4, strides=[4, 1], requires_grad=0, device=cpu) = aten::mul(%x, %1)
  %4 : Tensor = aten::tanh(%3)
  %5 : Tensor = aten::add(%4, %x, %2)
  return (%5)
"""


@needs_native_calls
def test_a_graph_becomes_a_native_function_for_any_sizes() -> None:
    f = ts.function_from(ts.parse_ir(TEXT), "scaled")
    assert f.name == f.__name__ == "scaled"
    assert str(f.schema) == "scaled(Tensor x, Tensor argument_1) -> Tensor"
    for data in (x, x.astype(np.float64)):
        for _ in range(3):
            result = f(data, data)
        np.testing.assert_allclose(np.asarray(result), np.tanh(data * data) + data, rtol=1e-6)
    assert f.native_calls
    np.testing.assert_array_equal(np.asarray(f(x, argument_1=x)), np.asarray(f(x, x)))
    assert "prim::TensorExprGroup" in str(f.graph_for(x, x))
    assert "torch.tanh" in f.code


def test_the_function_has_a_copy() -> None:
    graph = ts.parse_ir(TEXT)
    f = ts.function_from(graph)
    (tanh,) = graph.findAllNodes("aten::tanh")
    tanh.replaceInput(0, graph.inputs()[0])
    for _ in range(3):
        np.testing.assert_allclose(np.asarray(f(x, x)), np.tanh(x * x) + x, rtol=1e-6)
    assert f.name == "forward"


def calls(x):
    return inner(x) + x


def inner(x):
    return torch.tanh(x)


def test_a_function_s_graph_and_module_keep_what_they_call() -> None:
    made = ts.script(calls)
    expected = np.tanh(x) + x
    np.testing.assert_allclose(np.asarray(ts.function_from(made.graph)(x)), expected, rtol=1e-6)
    names = [op.sym_name.data for op in made.module_op.ops]
    assert len(names) == 2
    of_module = ts.function_from(made.module_op, made.graph.function.sym_name.data)
    np.testing.assert_allclose(np.asarray(of_module(x)), expected, rtol=1e-6)
    with pytest.raises(ValueError, match="which one is meant"):
        ts.function_from(made.module_op)


def test_several_results_and_values_that_are_no_tensors() -> None:
    text = "graph(%n : int, %s : str):\n  %m : int = aten::mul(%n, %n)\n  return (%m, %s)\n"
    f = ts.function_from(ts.parse_ir(text))
    assert f(3, "a") == (9, "a")
    with pytest.raises(ts.ArgumentError):
        f("a", 3)


def test_passes_of_its_own() -> None:
    def to_exp(graph: ts.Graph) -> None:
        for node in graph.findAllNodes("aten::tanh"):
            made = graph.create("aten::exp", node.inputs()).insertBefore(node)
            made.output().setType(node.output().type())
            node.output().replaceAllUsesWith(made.output())
            node.destroy()

    f = ts.function_from(ts.parse_ir(TEXT), pipeline=[to_exp, "runtime-optimizations"])
    for _ in range(3):
        result = f(x, x)
    np.testing.assert_allclose(np.asarray(result), np.exp(x * x) + x, rtol=1e-6)


def twice(x):
    return torch.tanh(torch.tanh(x))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph(%x : Tensor):\n  %y : int = aten::tanh(%x)\n  return (%y)\n", "aten::tanh"),
        ("graph(%x : Tensor, %s : str):\n   = aten::save(%x, %s)\n  return (%x)\n", "files"),
    ],
)
def test_a_malformed_graph_is_refused(text: str, message: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=message):
        ts.function_from(ts.parse_ir(text))


def test_what_is_no_torchscript_is_refused() -> None:
    module = ts.to_linalg(ts.script(twice), x)
    with pytest.raises(ts.TorchScriptError, match="tensor<2x3xf32>"):
        ts.function_from(module)
    with pytest.raises(TypeError, match="not of a str"):
        ts.function_from(TEXT)  # pyright: ignore[reportArgumentType]


def test_the_function_is_saved_with_what_it_calls(tmp_path: Path) -> None:
    """Only what was compiled from source could be saved."""

    def inner(x, n: int):
        return x * n

    @ts.script
    def outer(x):
        return ts.torch.relu(inner(x, 3)), inner(x, 2)

    ts.save(ts.function_from(outer.graph), tmp_path / "f.pt")
    first, second = ts.load(tmp_path / "f.pt")(np.array([-1, 1], np.float32))
    assert [first.tolist(), second.tolist()] == [[0, 3], [-2, 2]]
