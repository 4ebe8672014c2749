"""Templates and tails: what is refused, what is read again, and that a tail takes what it needs and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp

import torchscript_dialect as ts
from support import corpus
from torchscript_dialect.cli.mlir_text import MLIRParser
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.context import make_context
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.graph import Graph, standing_alone
from torchscript_dialect.runtime.interpreter.bailout_graph import bailout_graph

GUARDED = "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)"
BRANCH = f"""
graph(%x : Tensor, %y : Tensor, %c : bool):
  %a : Tensor = prim::If(%c)
    block0():
      %b : {GUARDED} = prim::Guard(%x)
      %d : Tensor = aten::neg(%b)
      -> (%d)
    block1():
      %z : Tensor = aten::mul(%y, %y)
      -> (%z)
  %e : Tensor = aten::tanh(%a)
  return (%e)
"""
LOOP = f"""
graph(%x : Tensor, %n : int):
  %t : bool = prim::Constant[value=1]()
  %1 : int = prim::Constant[value=1]()
  %a : Tensor = prim::Loop(%n, %t, %x)
    block0(%i : int, %c : Tensor):
      %b : {GUARDED} = prim::Guard(%c)
      %d : Tensor = aten::add(%b, %i, %1)
      -> (%t, %d)
  %e : Tensor = aten::tanh(%a)
  return (%e)
"""


def bailouts(function: FuncOp) -> list[prim.BailOutOp]:
    return [op for op in edit.nested_ops(function.body.block) if isinstance(op, prim.BailOutOp)]


def tail(text: str) -> str:
    graph = ts.parse_ir(text)
    ts.PassPipeline("ts-insert-bailouts").run(graph)
    return str(standing_alone(bailout_graph(bailouts(graph.function)[0])))


def test_behind_a_branch_what_it_yields_is_its_result() -> None:
    assert tail(BRANCH) == (
        "graph(%x : Tensor):\n"
        "  %d : Tensor = aten::neg(%x)\n"
        "  %e : Tensor = aten::tanh(%d)\n"
        "  return (%e)\n"
    )


def test_behind_a_body_of_a_loop_the_trips_that_are_left_are_a_loop_that_counts_on() -> None:
    assert tail(LOOP) == (
        "graph(%c : Tensor,\n"
        "      %n : int,\n"
        "      %i : int):\n"
        "  %t : bool = prim::Constant[value=1]()\n"
        "  %0 : int = prim::Constant[value=1]()\n"
        "  %d : Tensor = aten::add(%c, %i, %0)\n"
        "  %1 : int = prim::Constant[value=1]()\n"
        "  %2 : int = aten::add(%i, %1)\n"
        "  %3 : int = aten::sub(%n, %2)\n"
        "  %a : Tensor = prim::Loop(%3, %t, %d)\n"
        "    block0(%i.1 : int, %c.1 : Tensor):\n"
        "      %4 : int = aten::add(%i.1, %2)\n"
        "      %d.1 : Tensor = aten::add(%c.1, %4, %0)\n"
        "      -> (%t, %d.1)\n"
        "  %e : Tensor = aten::tanh(%a)\n"
        "  return (%e)\n"
    )


def guarded_everywhere(graph: Graph) -> None:
    """Put a guard behind every tensor of a program."""
    for op in edit.nested_ops(graph.function.body.block):
        for result in op.results:
            if prim.type_of(result).repr_str == "Tensor" and op.next_op is not None:
                guard = prim.GuardOp(result, result_types=[result.type])
                edit.replace_uses(result, guard.results[0])
                guard.operands = [result]
                edit.insert_before(op.next_op, guard)


def programs() -> Iterator[tuple[str, Graph]]:
    for area in corpus.areas()[::3]:
        for program in corpus.load(area, "ours").values():
            if isinstance(program.obj, type):
                continue
            try:
                graph = ts.script(program.obj).inlined_graph.copy()  # pyright: ignore
            except RuntimeError:
                continue
            yield f"{area}.{program.name}", graph


@pytest.mark.filterwarnings("ignore::UserWarning")  # the programs' own
def test_tails_take_what_they_need_and_no_more() -> None:
    """The values of a template that are alive are found by one walk; each tail is made, verified, and uses all that it takes."""
    count = 0
    for name, graph in programs():
        guarded_everywhere(graph)
        ts.PassPipeline("ts-insert-bailouts").run(graph, verify_each=True)
        for bailout in bailouts(graph.function):
            block = bailout_graph(bailout)
            unused = [argument for argument in block.args[1:] if not argument.uses]
            assert not unused, (name, bailout.index)
            standing_alone(block).module_op.verify()
            count += 1
    assert count > 100


TEMPLATE = """
graph(%x : Tensor, %y : Tensor, %n : int):
  %t : int = prim::BailoutTemplate_0()
  %a : Float(2) = prim::BailOut[index={index}]({operands})
  %b : Tensor = aten::mul(%a, %y)
  return ({returned})
with prim::BailoutTemplate_0 = graph(%x : Tensor, %y : Tensor):
{points}
  %b : Tensor = aten::mul(%x, %y)
  return (%b)
"""
RIGHT = {
    "index": "0",
    "operands": "%t, %x, %y",
    "returned": "%b",
    "points": "   = prim::BailOutPoint[index=0](%x, %y)",
}
WRONG = {
    "no such point": ({"index": "1"}, "has no point 1"),
    "a negative index": ({"index": "-1"}, "attribute 'index' of prim::BailOut"),
    "an index that is a list": ({"index": "[0]"}, "attribute 'index' of prim::BailOut"),
    "too few values": ({"operands": "%t, %x"}, "takes 1 values to a point where 2 are alive"),
    "too many values": ({"operands": "%t, %x, %y, %y"}, "takes 3 values to a point where 2"),
    "a value of another type": ({"operands": "%t, %x, %n"}, "an operand of prim::BailOut"),
    "no value": ({"operands": "%t"}, "takes a prim::BailoutTemplate and the value"),
    "no template": ({"operands": "%n, %x, %y"}, "takes a prim::BailoutTemplate and the value"),
    "another number of results": ({"returned": "%b, %b"}, "gives 1 values, its function 2"),
    "results of other types": ({"returned": "%n"}, "what prim::BailoutTemplate gives"),
    "two points of one index": (
        {"points": f"{RIGHT['points']}\n{RIGHT['points']}"},
        "two points of a program have the index 0",
    ),
    "a point that takes too little": (
        {"points": "   = prim::BailOutPoint[index=0](%x)", "operands": "%t, %x"},
        "prim::BailOutPoint 0 does not take all values that are alive there",
    ),
    "a point without values": (
        {"points": "   = prim::BailOutPoint[index=0]()"},
        "prim::BailOutPoint takes the value that is guarded",
    ),
    "an index of a point that is a list": (
        {"points": "   = prim::BailOutPoint[index=[0]](%x, %y)"},
        "attribute 'index' of prim::BailOutPoint",
    ),
    "a point that has no tail": (
        {
            "points": '  %g : Tensor = prim::GradOf[name="neg"](%x)\n    block0():\n'
            "       = prim::BailOutPoint[index=0](%x, %y)\n      -> (%x)"
        },
        "stands in blocks of branches and loops alone",
    ),
}


def test_a_template_as_it_should_be_runs() -> None:
    graph = ts.parse_ir(TEMPLATE.format(**RIGHT))
    x, y = np.full(2, 3, "float32"), np.full(2, 2, "float32")
    np.testing.assert_array_equal(ts.run_graph(graph, x, y, 1).numpy(), [6, 6])
    np.testing.assert_array_equal(ts.run_graph(graph, x[:1], y, 1).numpy(), [6, 6])


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused(name: str) -> None:
    spoiled, message = WRONG[name]
    text = TEMPLATE.format(**(RIGHT | spoiled))
    graph = ts.parse_ir(text)
    x = np.ones(2, "float32")
    with pytest.raises(ts.TorchScriptError, match=re.escape(message)):
        ts.run_graph(graph, x, x, 1)


def test_a_template_stands_at_the_top() -> None:
    text = (
        "graph(%x : Tensor, %c : bool):\n  %a : int = prim::If(%c)\n    block0():\n"
        "      %t : int = prim::BailoutTemplate_0()\n      -> (%t)\n    block1():\n"
        "      %z : int = prim::Constant[value=1]()\n      -> (%z)\n  return (%a)\n"
        "with prim::BailoutTemplate_0 = graph():\n  %z : int = prim::Constant[value=1]()\n  return (%z)\n"
    )
    with pytest.raises(ts.TorchScriptError, match="stands in no block of another node"):
        ts.run_graph(ts.parse_ir(text), np.ones(2, "float32"), True)


def test_a_point_outside_of_a_template_cannot_be_run() -> None:
    graph = ts.parse_ir(
        "graph(%x : Tensor):\n   = prim::BailOutPoint[index=0](%x)\n  return (%x)\n"
    )
    with pytest.raises(ts.TorchScriptError, match="has a meaning in a prim::BailoutTemplate alone"):
        ts.run_graph(graph, np.ones(2, "float32"))


def test_mlir_text_of_a_template_can_be_read_again() -> None:
    for text in (BRANCH, LOOP):
        graph = ts.parse_ir(text)
        ts.PassPipeline("ts-insert-bailouts").run(graph)
        again = ts.parse_ir(str(graph))
        assert str(again) == str(graph)
        mlir = str(graph.module_op)
        assert str(MLIRParser(make_context(), mlir).parse_module()) == mlir


def test_a_second_run_takes_the_program_as_it_was() -> None:
    """Guards that come later share a template without the bail-outs that are there."""
    graph = ts.parse_ir(LOOP)
    ts.PassPipeline("ts-insert-bailouts").run(graph)
    last = graph.findNode("aten::tanh")
    tanh = last._raw_op  # pyright: ignore
    guard = prim.GuardOp(tanh.results[0], result_types=[tanh.results[0].type])
    edit.replace_uses(tanh.results[0], guard.results[0])
    guard.operands = [tanh.results[0]]
    edit.insert_before(tanh.next_op, guard)
    ts.PassPipeline("ts-insert-bailouts").run(graph, verify_each=True)
    templates = graph.findAllNodes("prim::BailoutTemplate")
    bodies = [template._raw_op.body for template in templates]  # pyright: ignore
    assert len(bodies) == 2
    for body in bodies:
        kinds = {op.name for op in edit.nested_ops(body)}
        assert not kinds & {"prim.BailOut", "prim.BailoutTemplate", "prim.Guard"}
    x = np.full((4, 1), 0.5, "float32")
    expected = ts.run_graph(
        ts.parse_ir(
            LOOP.replace("prim::Guard", "aten::clone")
            .replace("(%c)\n", "(%c, %none)\n")
            .replace("  %1 :", "  %none : NoneType = prim::Constant()\n  %1 :")
        ),
        x,
        3,
    )
    np.testing.assert_array_equal(ts.run_graph(graph, x, 3).numpy(), expected.numpy())


def test_a_function_that_bails_out_is_not_inlined() -> None:
    """Its tail would be taken for the rest of the caller."""
    text = f"""
graph @g(%x : Tensor):
  %a : {GUARDED} = prim::Guard(%x)
  %b : Tensor = aten::neg(%a)
  return (%b)

graph @main(%x : Tensor):
  %f : Function = prim::Constant[name="g"]()
  %b : Tensor = prim::CallFunction(%f, %x)
  %c : Tensor = aten::mul(%b, %b)
  return (%c)
"""
    module = ts.parse_ir(text).module_op
    ts.PassPipeline("ts-insert-bailouts,ts-inline").run(module)
    main = next(op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main")
    x = np.full(5, 3, "float32")
    np.testing.assert_array_equal(ts.run_graph(Graph(main), x).numpy(), np.full(5, 9, "float32"))
