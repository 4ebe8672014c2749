"""Programs that bail out give what they give without any promise, whichever guard fails and wherever it stands."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.graph import Graph
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.tensor_type import TensorType

PROGRAMS = {
    "straight": "def f(x, n: int):\n    y = torch.tanh(x) + n\n    return y.sum() + x\n",
    "branch": """
def f(x, n: int):
    if bool(x.sum() > n):
        y = torch.tanh(x)
    else:
        y = x * 2 + n
    return y + x
""",
    "for": """
def f(x, n: int):
    for i in range(n):
        x = torch.tanh(x) + i
    return x * 2
""",
    "while": """
def f(x, n: int):
    i = 0
    while i < n:
        x = x * 0.5 + i
        i += 1
    return x, i
""",
    "nested": """
def f(x, n: int):
    total = x
    for i in range(n):
        for j in range(i + 1):
            if (i + j) % 2 == 0:
                total = total + x * j
            else:
                total = torch.sin(total) - i
        total = total * 0.5
    return total, n
""",
    "in place": """
def f(x, n: int):
    y = x.clone()
    for i in range(n):
        y.add_(x)
        y[0] = i
    return y
""",
    "sizes": """
def f(x, n: int):
    parts = []
    for i in range(n):
        parts.append(x[:i + 1].sum())
    return torch.stack(parts) if n > 0 else x
""",
}
TRIPS = (0, 1, 4)
OTHERS = [
    np.full((2, 3), 0.25, "float32"),
    np.linspace(-1, 1, 4).reshape(4, 1),
    np.arange(6, dtype="float32").reshape(3, 2).T,
]


def observed(source: str, runs: int = 1) -> Graph:
    """A program that runs with one kind of argument have been seen of."""
    graph = Graph(ts.CompilationUnit(source).f.inlined_graph.function)
    ts.PassPipeline("ts-insert-profiling").run(graph)
    for _ in range(runs):
        ts.run_graph(graph, OTHERS[0], 3)
    return graph


def bailouts(graph: Graph) -> list[prim.BailOutOp]:
    ops = edit.nested_ops(graph.function.body.block)
    return [op for op in ops if isinstance(op, prim.BailOutOp)]


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_equal(one, other)
    elif isinstance(expected, ts.Tensor):
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found.numpy(), expected.numpy())
    else:
        assert found == expected


@cache
def expected(source: str) -> list[Any]:
    """What a program gives for all arguments without any promise."""
    plain = ts.CompilationUnit(source).f.inlined_graph
    return [ts.run_graph(plain, x.copy(), n) for x in OTHERS for n in TRIPS]


def assert_runs_as(graph: Graph, source: str) -> None:
    run = interpret(graph.function)
    found = [run(as_tensor(x.copy()), n) for x in OTHERS for n in TRIPS]
    for one, other in zip(found, expected(source), strict=True):
        assert_equal(one, other)


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_bail_out_where_arguments_are_others(name: str) -> None:
    graph = observed(PROGRAMS[name])
    ts.PassPipeline("bailouts").run(graph)
    assert bailouts(graph)
    assert_runs_as(graph, PROGRAMS[name])


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_guard_may_fail(name: str) -> None:
    """Guards that nothing merged or took out, each of which in turn gets a type that no value has."""
    source = PROGRAMS[name]
    count = None
    place = 0
    while count is None or place < count:
        graph = observed(source)
        ts.PassPipeline("ts-insert-guards,ts-insert-bailouts").run(graph)
        found = bailouts(graph)
        count = len(found)
        edit.set_type(found[place].results[0], TensorType.of("Half", (7, 7), (7, 1), "cpu", False))
        edit.update_function_type(graph.function)
        assert_runs_as(graph, source)
        place += 1
    assert count > 2


def test_the_text_of_a_program_that_bails_out_can_be_read_again() -> None:
    graph = observed(PROGRAMS["nested"])
    ts.PassPipeline("bailouts").run(graph)
    again = ts.parse_ir(str(graph))
    assert str(again) == str(graph)
    assert_runs_as(again, PROGRAMS["nested"])


def test_promises_let_a_program_fuse() -> None:
    """What the pipeline is for: behind its guards types are known."""
    graph = observed(PROGRAMS["for"])
    ts.PassPipeline("bailouts,ts-fuse-tensorexprs").run(graph)
    assert graph.findAllNodes("prim::TensorExprGroup")
    assert_runs_as(graph, PROGRAMS["for"])


def test_several_runs_promise_what_they_have_in_common() -> None:
    source = "def f(x, n: int):\n    return torch.tanh(x) * n\n"
    graph = Graph(ts.CompilationUnit(source).f.graph.copy().function)
    ts.PassPipeline("ts-insert-profiling").run(graph)
    for rows in (2, 5):
        ts.run_graph(graph, np.ones((rows, 3), "float32"), 1)
    ts.PassPipeline("ts-insert-guards,ts-coalesce-guards").run(graph)
    guard = graph.findAllNodes("prim::Guard")[0]
    type_ = guard.output().type()
    assert isinstance(type_, TensorType) and type_.sizes == (None, 3)


def test_optional_values_are_counted_and_promised() -> None:
    source = """
def g(x, size: Optional[List[int]]):
    if size is None:
        return x + 1
    return x.reshape(size)

def f(x, n: int):
    size: Optional[List[int]] = None
    if n > 3:
        size = [-1]
    return g(x, size)
"""
    graph = Graph(ts.CompilationUnit(source).f.inlined_graph.function)
    ts.PassPipeline("ts-insert-profiling").run(graph)
    ts.run_graph(graph, OTHERS[0], 3)
    seen = graph.findAllNodes("prim::profile_ivalue")
    assert any((node.i("seen_none"), node.i("seen")) == (1, 0) for node in seen)
    ts.PassPipeline("bailouts").run(graph)
    assert any(op.results[0].type.repr_str == "NoneType" for op in bailouts(graph))  # pyright: ignore[reportAttributeAccessIssue]
    assert_runs_as(graph, source)


def test_a_program_that_enters_with_statements_has_no_guards() -> None:
    source = "def f(x, n: int):\n    with torch.no_grad():\n        x = x + n\n    return torch.tanh(x)\n"
    graph = observed(source)
    ts.PassPipeline("bailouts").run(graph)
    assert not bailouts(graph) and not graph.findAllNodes("prim::Guard")
    assert_runs_as(graph, source)


def test_a_guard_cannot_be_run() -> None:
    text = "graph(%x : Tensor):\n  %a : Float(2) = prim::Guard(%x)\n  return (%a)\n"
    with pytest.raises(ts.TorchScriptError, match="prim::Guard needs ts-insert-bailouts"):
        ts.run_graph(ts.parse_ir(text), np.ones(2, "float32"))
