"""A function whose graph was edited after a call runs what has become of it."""

import numpy as np
import pytest
from xdsl.rewriter import Rewriter

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.dialects import aten
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.module import functions_of

pytestmark = needs_native_calls


x = np.linspace(0, 1, 6, dtype=np.float32).reshape(2, 3)


def f(x):
    return torch.tanh(x) * x


def calls_g(x):
    return g(x) + x


def g(x):
    return torch.tanh(x) * 2.0


def called(function=f) -> ts.ScriptFunction:
    """A function after native calls."""
    made = ts.script(function)
    for _ in range(3):
        made(x)
    assert made.native_calls
    return made


def replace_tanh(graph: Graph) -> None:
    (node,) = graph.findAllNodes("aten::tanh")
    new = graph.create("aten::exp", node.inputs()).insertBefore(node)
    node.output().replaceAllUsesWith(new.output())
    node.destroy()


def same(actual, expected) -> None:
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=1e-6)


def test_edits_of_the_graph_are_run_and_are_native_again() -> None:
    made = called()
    replace_tanh(made.graph)
    before = made.native_calls
    for _ in range(3):
        same(made(x), np.exp(x) * x)
    assert made.native_calls > before


def test_edits_of_what_a_function_calls_are_run() -> None:
    made = called(calls_g)
    own = made.graph.function
    (callee,) = [op for op in functions_of(made.module_op) if op is not own]
    replace_tanh(Graph(callee))
    same(made(x), np.exp(x) * 2 + x)
    with ts.optimized_execution(False):
        same(made(x), np.exp(x) * 2 + x)


@pytest.mark.parametrize("way", ["module_op", "function", "op"])
def test_edits_of_the_ops_are_seen(way: str) -> None:
    made = called()
    if way == "module_op":
        module = made.module_op
    elif way == "function":
        module = made.graph.function.parent_op()
    else:
        module = next(made.graph.nodes()).op.parent.parent_op().parent_op()
    assert module is not None
    same(made(x), np.tanh(x) * x)
    (tanh,) = [op for op in module.walk() if isinstance(op, aten.TanhOp)]
    Rewriter.replace_op(
        tanh, aten.ExpOp.create(operands=tanh.operands, result_types=tanh.result_types)
    )
    for _ in range(3):
        same(made(x), np.exp(x) * x)
    (exp,) = [op for op in module.walk() if isinstance(op, aten.ExpOp)]
    Rewriter.replace_op(
        exp, aten.SinOp.create(operands=exp.operands, result_types=exp.result_types)
    )
    for _ in range(3):
        same(made(x), np.sin(x) * x)


def test_calls_are_native_again_after_invalidate() -> None:
    made = called()
    _ = made.module_op
    before = made.native_calls
    for _ in range(3):
        made(x)
    assert made.native_calls == before
    made.invalidate()
    for _ in range(3):
        same(made(x), np.tanh(x) * x)
    assert made.native_calls > before


def test_looking_at_the_graph_leaves_calls_native() -> None:
    made = called()
    assert [node.kind() for node in made.graph.nodes()] and str(made.graph) and made.code
    before = made.native_calls
    made(x)
    assert made.native_calls == before + 1


def test_a_pipeline_that_is_run_on_a_function_changes_what_it_does() -> None:
    made = called()
    ts.PassPipeline(replace_tanh).run(made)
    same(made(x), np.exp(x) * x)
    made = called()
    ts.PassPipeline(replace_tanh).run(made.graph)
    same(made(x), np.exp(x) * x)


class M(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x) * x


def test_methods_run_what_has_become_of_them() -> None:
    module = ts.script(M())
    same(module(x), np.tanh(x) * x)
    replace_tanh(module.graph)
    for _ in range(3):
        same(module(x), np.exp(x) * x)
    (exp,) = [op for op in module.graph.function.walk() if isinstance(op, aten.ExpOp)]
    Rewriter.replace_op(
        exp, aten.SinOp.create(operands=exp.operands, result_types=exp.result_types)
    )
    for _ in range(3):
        same(module(x), np.sin(x) * x)
    module.forward.invalidate()
    same(module(x), np.sin(x) * x)
