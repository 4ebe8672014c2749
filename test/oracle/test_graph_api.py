"""The same edits on PyTorch's Graph and on ours give the same graph."""

from collections.abc import Callable
from typing import Any, cast

import pytest
import torch
from xdsl.dialects.func import FuncOp

from support.canonical import canonical
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.types.core import INT

TEXT = """graph(%x : Tensor,
      %y : Tensor,
      %c : bool):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one)
  %r : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::mul(%a, %a)
      -> (%b)
    block1():
      -> (%a)
  %s : Tensor = aten::sub(%r, %a, %one)
  %t : (Tensor, Tensor) = prim::TupleConstruct(%s, %x)
  return (%t)
"""


def our_graph() -> Graph:
    function = parse_ir_text(TEXT).body.block.first_op
    assert isinstance(function, FuncOp)
    return Graph(function)


def listed(graph: Any) -> list[Any]:
    return list(graph.nodes())


def insert_graph(graph: Any) -> Any:
    """The graph once more, within itself."""
    x, y, c = graph.inputs()
    callee = graph.copy()
    graph.setInsertPoint(graph.return_node())
    (made,) = graph.insertGraph(callee, [y, x, c])
    return [made.node().kind(), len(listed(graph))]


def several_outputs(graph: Any) -> Any:
    graph.registerOutput(next(iter(graph.inputs())))
    graph.makeMultiOutputIntoTuple()
    graph.makeMultiOutputIntoTuple()
    return [output.type().annotation_str for output in graph.outputs()]


def permute(graph: Any) -> Any:
    graph.permuteInputs([2, 0, 1])
    return [value.debugName() for value in graph.inputs()]


def look(graph: Any) -> Any:
    constant, add, if_, *_ = listed(graph)
    schema = "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    return [
        constant.kindOf("value"),
        [node.mustBeNone() for node in listed(graph)],
        [node.matches(schema) for node in listed(graph)],
        if_.findNode("aten::mul").kind(),
        len(if_.findAllNodes("aten::mul")),
        add.findNode("aten::mul"),
        len(next(iter(if_.blocks())).findAllNodes("aten::mul")),
    ]


def metadata(graph: Any) -> Any:
    x, _, c = graph.inputs()
    add = listed(graph)[1]
    block = next(iter(listed(graph)[2].blocks()))
    new = block.addNode("aten::neg", [x])
    new.output().setTypeAs(c)
    new.copyAttributes(listed(graph)[0])
    return [
        value.type().annotation_str for value in (new.output(), add.output())
    ] + new.attributeNames()


def move(graph: Any) -> Any:
    constant, add, if_, sub, _ = listed(graph)
    constant.moveAfter(add)
    constant.moveBefore(add)
    return [add.isBefore(if_), sub.isAfter(if_), constant.isAfter(add), sub.prev().kind()]


def inputs(graph: Any) -> Any:
    *_, sub, pack = listed(graph)
    x, y, _ = graph.inputs()
    pack.addInput(y)
    pack.replaceInput(0, x)
    pack.replaceInputWith(x, y)
    counts = [pack.inputsSize(), sub.inputsSize()]
    pack.removeInput(2)
    return [counts, pack.inputsAt(1).debugName(), [use.offset for use in y.uses()], sub.hasUses()]


def uses(graph: Any) -> Any:
    add = listed(graph)[1]
    found = sorted((use.user.kind(), use.offset) for use in add.output().uses())
    x, y, _ = graph.inputs()
    add.output().replaceAllUsesAfterNodeWith(listed(graph)[2], y)
    return [found, len(list(x.uses())), len(list(y.uses()))]


def replace(graph: Any) -> Any:
    add = listed(graph)[1]
    x, y, _ = graph.inputs()
    new = graph.create("aten::mul", [x, y])
    new.insertAfter(add)
    add.output().replaceAllUsesWith(new.output())
    add.destroy()
    return [new.kind(), new.output().node() == new, new.outputsSize(), new.hasMultipleOutputs()]


def outputs(graph: Any) -> Any:
    x = next(iter(graph.inputs()))
    index = graph.registerOutput(x)
    graph.eraseOutput(0)
    return [index, [value.debugName() for value in graph.outputs()], graph.return_node().kind()]


def arguments(graph: Any) -> Any:
    added = graph.addInput("n")
    return [
        added.debugName(),
        len(list(graph.inputs())),
        added.node().kind(),
        added.offset(),
        len(list(added.uses())),
    ]


def blocks(graph: Any) -> Any:
    if_ = listed(graph)[2]
    first, second = if_.blocks()
    x = next(iter(graph.inputs()))
    first.addInputToBlock()
    second.registerOutput(x)
    inner = next(iter(first.nodes()))
    return [
        len(list(first.inputs())),
        len(list(second.outputs())),
        inner.owningBlock().owningNode().kind(),
        first.paramNode().kind(),
        first.returnNode().kind(),
    ]


def insertion(graph: Any) -> Any:
    if_ = listed(graph)[2]
    x = next(iter(graph.inputs()))
    with graph.insert_point_guard(if_):
        graph.insertNode(graph.create("aten::sin", [x]))
    with graph.insert_point_guard(next(iter(if_.blocks()))):
        graph.insertNode(graph.create("aten::cos", [x]))
    graph.appendNode(graph.create("aten::tan", [x]))
    graph.prependNode(graph.create("aten::exp", [x]))
    return [node.kind() for node in listed(graph)]


def find(graph: Any) -> Any:
    missing = graph.findNode("aten::nothing")
    return [
        missing is None,
        len(graph.findAllNodes("aten::mul")),
        graph.findNode("aten::mul", False) is None,
        graph.findNode("aten::sub").schema(),
        graph.findNode("aten::sub").namedInput("alpha").toIValue(),
        graph.findNode("prim::TupleConstruct").schema(),
    ]


def more_outputs(graph: Any) -> Any:
    node = graph.create("foo::bar", [], 1)
    graph.appendNode(node)
    node.addOutput()
    node.addOutput()
    node.eraseOutput(1)
    return (
        [len(list(node.outputs())), node.hasMultipleOutputs()]
        if isinstance(graph, torch._C.Graph)
        else [
            listed(graph)[-1].outputsSize(),
            listed(graph)[-1].hasMultipleOutputs(),
        ]
    )


def attributes(graph: Any) -> Any:
    node = graph.create("foo::bar", [], 0)
    node.i_("a", 1).f_("b", 2.5).s_("c", "x").is_("d", [1, 2]).fs_("e", [0.5]).ss_("f", ["y"])
    node.removeAttribute("c")
    graph.appendNode(node)
    return [
        node.attributeNames(),
        node.i("a"),
        node.f("b"),
        list(getattr(node, "is")("d")),
        node.hasAttribute("c"),
    ]


EDITS: list[Callable[[Any], Any]] = [
    move,
    inputs,
    uses,
    replace,
    outputs,
    arguments,
    blocks,
    insertion,
    find,
    more_outputs,
    attributes,
    insert_graph,
    several_outputs,
    permute,
    look,
    metadata,
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_edits(edit: Callable[[Any], Any]) -> None:
    ours, theirs = our_graph(), torch._C.parse_ir(TEXT)
    # The parser of PyTorch drops the names of inputs only where they are numbers.
    assert edit(ours) == edit(theirs)
    assert canonical(str(ours)) == canonical(str(theirs))


@pytest.mark.parametrize(
    "value", [1, 2.5, True, "a", None, 1j, [1, 2], [1.5], [True], ["a"], (1, (2.5, "x"))]
)
def test_constants(value: Any) -> None:
    ours, theirs = Graph(), cast(Any, torch._C.Graph())
    assert ours.insertConstant(value).toIValue() == theirs.insertConstant(value).toIValue()
    assert canonical(str(ours)) == canonical(str(theirs))


def test_insert() -> None:
    ours, theirs = Graph(), cast(Any, torch._C.Graph())
    for graph in cast(tuple[Any, ...], (ours, theirs)):
        x = graph.addInput("x")
        graph.registerOutput(graph.insert("aten::mul", [x, x]))
        graph.lint()
    assert canonical(str(ours)) == canonical(str(theirs))


def test_types_of_values() -> None:
    ours, theirs = our_graph(), torch._C.parse_ir(TEXT)
    our_x, their_x = next(iter(ours.inputs())), next(iter(theirs.inputs()))
    assert our_x.isCompleteTensor() == their_x.isCompleteTensor()
    assert our_x.type().annotation_str == their_x.type().annotation_str
    our_x.setType(INT)
    their_x.setType(torch._C.IntType.get())
    assert our_x.type().annotation_str == their_x.type().annotation_str
    assert our_x.debugName() == their_x.debugName() == "x"
