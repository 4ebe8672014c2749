"""Programs that nobody writes: types in types without end, constants that fill the memory. They are refused in their line, or left alone.

Point 4 of docs/testing.md.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.ir import Graph
from torchscript_dialect.types.containers import DEEPEST, ListType
from torchscript_dialect.types.core import INT, TorchScriptType
from torchscript_dialect.utils.errors import NestingError, ParseError

LEVELS = 20_000
"""As many calls of `hash` in each other are more than the stack of the machine holds."""

SOURCES = {
    "tuples made one after the other": "def f(x: int):\n    y0 = (x,)\n"
    + "".join(f"    y{i + 1} = (y{i},)\n" for i in range(2 * DEEPEST))
    + "    return y0\n",
    "a literal": f"def f(x: int):\n    return {'[' * LEVELS}x{']' * LEVELS}\n",
    "an annotation": f"def f(x: {'List[' * LEVELS}int{']' * LEVELS}):\n    return x\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_types_in_types_without_end_are_refused_in_their_line(name: str) -> None:
    with pytest.raises(NestingError) as caught:
        str(ts.CompilationUnit(SOURCES[name]).f.graph)
    message = str(caught.value)
    assert message.startswith(f"types are nested more than {DEEPEST} deep:\n  File ")
    assert len(message) < 3000


@pytest.mark.parametrize("type_", ["int" + "[]" * LEVELS, "(" * LEVELS + "int" + ")" * LEVELS])
def test_types_of_graph_text_without_end_are_refused_in_their_line(type_: str) -> None:
    with pytest.raises(ParseError, match="nested") as caught:
        ts.parse_ir(f"graph(%x : {type_}):\n  return (%x)\n")
    assert "line 1" in str(caught.value) and len(str(caught.value)) < 3000


def test_types_as_deep_as_they_may_be_are_printed_read_and_run() -> None:
    text = f"def f(x: int):\n    return {'[' * (DEEPEST - 1)}x{']' * (DEEPEST - 1)}\n"
    function = ts.CompilationUnit(text).f
    assert str(ts.parse_ir(str(function.graph))) == str(function.graph)
    assert str(function.graph.module_op).count("!prim.list<") > DEEPEST
    assert re.sub(r"[\[\]]", "", str(function(3))) == "3"


def test_the_depth_of_a_type_is_known() -> None:
    type_: TorchScriptType = INT
    for depth in range(DEEPEST + 1):
        assert type_.depth == depth
        if depth < DEEPEST:
            type_ = ListType(type_)
    with pytest.raises(NestingError):
        ListType(type_)


def folded(text: str) -> Graph:
    graph = ts.parse_ir(text)
    ts.PassPipeline("ts-constant-propagation,ts-peephole").run(graph)
    return graph


def test_a_tensor_that_would_fill_the_memory_is_no_constant() -> None:
    text = """graph():
  %n : int = prim::Constant[value=30000]()
  %0 : NoneType = prim::Constant()
  %1 : int[] = prim::ListConstruct(%n, %n)
  %2 : Tensor = aten::zeros(%1, %0, %0, %0, %0)
  return (%2)
"""
    assert "aten::zeros" in str(folded(text))
    assert "aten::zeros" not in str(folded(text.replace("30000", "3")))


def test_lists_that_are_each_twice_the_one_before_are_not_written_out() -> None:
    text = "graph(%x : Tensor):\n  %l0 : Tensor[] = prim::ListConstruct(%x, %x)\n"
    text += "".join(f"  %l{i + 1} : Tensor[] = aten::add(%l{i}, %l{i})\n" for i in range(30))
    assert len(str(folded(text + "  return (%l30)\n"))) < 50_000


def test_the_factorial_of_a_large_number_is_a_matter_of_a_moment() -> None:
    """The number is PyTorch's."""
    assert (
        ts.CompilationUnit("def f(n: int):\n    return math.factorial(n)\n").f(10**8)
        == -9047731651387326464
    )


@pytest.mark.parametrize(
    "graph",
    [
        "graph(%x : str):\n  %a : Tensor, %b : Tensor = prim::ConstantChunk[chunks=2, dim=0](%x)\n",
        "graph(%x : Float(4, *)):\n  %a : Tensor, %b : Tensor = prim::ConstantChunk[chunks=2, dim=7](%x)\n",
    ],
)
def test_chunks_of_what_has_no_such_dimension_have_no_known_shape(graph: str) -> None:
    made = ts.parse_ir(graph + "  return (%a)\n")
    ts.PassPipeline("ts-propagate-shapes").run(made)
    assert re.search(r"%a : (Float)?Tensor,", str(made))


def test_an_argument_may_be_called_self() -> None:
    function = ts.CompilationUnit(
        "def f(x, args: int, kwargs: int):\n    return x * args + kwargs\n"
    ).f
    assert float(function(args=2, kwargs=3, x=np.ones(1, np.float32))) == 5.0
    with pytest.raises(RuntimeError, match=r"expected at most 3 argument\(s\) but received 4"):
        function(np.ones(1, np.float32), 2, 3, self=4)
