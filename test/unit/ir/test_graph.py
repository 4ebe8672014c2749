"""Graph, Block, Node and Value: reading, editing, and that the module follows (test/oracle/test_graph_api.py has PyTorch's)."""

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import DiagnosticException

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir import Graph
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import FLOAT, INT, STR
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import TorchScriptError

TEXT = """graph(%x : Tensor,
      %y : Tensor,
      %c : bool):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %y, %one) # f.py:2:4
  %r : Tensor = prim::If(%c)
    block0():
      %b : Tensor = aten::mul(%a, %a)
      -> (%b)
    block1():
      %d : Tensor = prim::TensorExprGroup_0(%a)
      -> (%d)
  return (%r)
with prim::TensorExprGroup_0 = graph(%e : Tensor):
  %f : Tensor = aten::mul(%e, %e)
  return (%f)
"""


def parse(text: str = TEXT) -> Graph:
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    return Graph(function)


def find(graph: Graph, kind: str) -> Any:
    node = graph.findNode(kind)
    assert node is not None
    return node


def names(values: Any) -> list[str]:
    return [value.debugName() for value in values]


def test_reading_a_graph(capsys: pytest.CaptureFixture[str]) -> None:
    graph = parse()
    assert names(graph.inputs()) == ["x", "y", "c"]
    assert names(graph.outputs()) == ["r"]
    assert [node.kind() for node in graph.nodes()] == ["prim::Constant", "aten::add", "prim::If"]
    assert str(graph) == TEXT
    assert graph.str(False) == TEXT.replace(" # f.py:2:4", "")
    assert (
        graph.param_node().kind() == "prim::Param" and graph.return_node().kind() == "prim::Return"
    )
    assert graph == Graph(graph.function) and graph != parse()
    graph.lint()
    graph.dump()
    assert capsys.readouterr().out == TEXT + "\n"


def test_finding_nodes() -> None:
    graph = parse()
    assert len(graph.findAllNodes("aten::mul")) == 1, "a sub-graph is a graph of its own"
    assert graph.findNode("aten::mul", recurse=False) is None
    assert graph.findNode("aten::sin") is None
    assert graph.findNode("prim::TensorExprGroup") is not None


def test_reading_a_node(capsys: pytest.CaptureFixture[str]) -> None:
    add = find(parse(), "aten::add")
    assert str(add) == "%a : Tensor = aten::add(%x, %y, %one) # f.py:2:4\n"
    add.dump()
    assert capsys.readouterr().out == str(add)
    assert (
        add.schema() == "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"
    )
    assert add.sourceRange() == "f.py:2:4"
    assert names(add.inputs()) == ["x", "y", "one"] and names(add.outputs()) == ["a"]
    assert (add.inputsSize(), add.outputsSize(), add.hasMultipleOutputs(), add.hasUses()) == (
        3,
        1,
        False,
        True,
    )
    assert add.inputsAt(1).debugName() == "y" and add.outputsAt(0) == add.output()
    assert add.namedInput("other").debugName() == "y"
    assert add.is_constant("alpha") and not add.is_constant("self")
    assert add.get("alpha") == 1 and add.get("self") is None
    with pytest.raises(TorchScriptError, match="aten::add has no input named 'beta'"):
        add.namedInput("beta")
    with pytest.raises(ValueError):
        add.input()


def test_nodes_know_their_place() -> None:
    graph = parse()
    one, add, if_ = graph.nodes()
    assert one.isBefore(add) and if_.isAfter(add)
    assert one.next() == add and add.prev() == one and one.prev() is None
    mul = find(graph, "aten::mul")
    assert mul.owningBlock() == if_.blocks()[0] and mul.owningBlock().owningNode() == if_
    assert mul.owningGraph() == graph and add.owningBlock().owningNode() is None
    assert str(mul) == "%b : Tensor = aten::mul(%a, %a)\n"


def test_reading_a_value() -> None:
    graph = parse()
    a = find(graph, "aten::add").output()
    assert a.type() == TENSOR and a.node().kind() == "aten::add" and a.offset() == 0
    assert sorted((use.user.kind(), use.offset) for use in a.uses()) == [
        ("aten::mul", 0),
        ("aten::mul", 1),
        ("prim::TensorExprGroup", 0),
    ]
    assert a.owningGraph() == graph
    y = graph.inputs()[1]
    assert y.node().kind() == "prim::Param" and y.offset() == 1 and not y.requires_grad()
    assert repr(a) == "a defined in (%a : Tensor = aten::add(%x, %y, %one) # f.py:2:4)"
    assert find(graph, "prim::Constant").output().toIValue() == 1 and y.toIValue() is None
    assert a == find(graph, "aten::add").output() and a.unique() != y.unique() and len({a, a}) == 1


def test_inputs_and_outputs_of_a_graph_change_the_function_s_type() -> None:
    graph = parse("graph(%x : Tensor):\n  return (%x)\n")
    n = graph.addInput("n").setType(INT)
    first = graph.insertInput(0)
    assert names(graph.inputs()) == ["0", "x", "n"]
    assert graph.registerOutput(n) == 1
    graph.lint()
    graph.eraseOutput(0)
    graph.eraseInput(1)
    graph.lint()
    assert str(graph) == "graph(%0 : Tensor,\n      %n : int):\n  return (%n)\n"
    with pytest.raises(TorchScriptError, match="input 1 is used and cannot be erased"):
        graph.eraseInput(1)
    n.replaceAllUsesWith(first)
    graph.lint()
    graph.return_node().replaceInput(0, n)
    graph.lint()
    n.setType(STR)
    graph.lint()
    assert graph.function.function_type.outputs.data == (STR,)


def test_building_a_graph() -> None:
    graph = Graph()
    x = graph.addInput("x")
    scaled = graph.insert("aten::mul", [x, 2.5])
    total = graph.insert("aten::add", [scaled, x], {"alpha": 2})
    graph.registerOutput(total)
    graph.lint()
    assert str(graph) == (
        "graph(%x : Tensor):\n"
        "  %0 : float = prim::Constant[value=2.5]()\n"
        "  %1 : Tensor = aten::mul(%x, %0)\n"
        "  %2 : int = prim::Constant[value=2]()\n"
        "  %3 : Tensor = aten::add(%1, %x, %2)\n"
        "  return (%3)\n"
    )


def test_insert_says_what_there_is() -> None:
    graph = Graph()
    x = graph.addInput("x")
    with pytest.raises(
        TorchScriptError,
        match=r"no overload of aten::tanh takes these arguments; it has\n  aten::tanh\(",
    ):
        graph.insert("aten::tanh", [x, x])
    with pytest.raises(TorchScriptError, match="there is no operator aten::nothing"):
        graph.insert("aten::nothing", [x])
    with pytest.raises(TorchScriptError, match="has 2 results, not one"):
        graph.insert("aten::max", [x, 0])


def test_insertion_points() -> None:
    graph = parse()
    if_ = find(graph, "prim::If")
    with graph.insert_point_guard(if_):
        graph.insertConstant(1.5)
        with graph.insert_point_guard(if_.blocks()[0]):
            graph.insertNode(graph.create("aten::tanh", [graph.inputs()[0]]))
    graph.insertConstant("end")
    graph.prependNode(graph.create("prim::Constant", 1)).output().setType(INT)
    graph.appendNode(graph.create("aten::cos", [graph.inputs()[0]]))
    kinds = [node.kind() for node in graph.nodes()]
    assert kinds == [
        "prim::Constant",
        "prim::Constant",
        "aten::add",
        "prim::Constant",
        "prim::If",
        "prim::Constant",
        "aten::cos",
    ]
    assert [node.kind() for node in if_.blocks()[0].nodes()] == ["aten::mul", "aten::tanh"]
    assert graph.insertPoint() == graph.return_node()


@pytest.mark.parametrize(
    ("value", "type_"),
    [
        (1, INT),
        ("a", STR),
        ([1, 2], ListType(INT)),
        ([], ListType(TENSOR)),
        ([1, None], ListType(OptionalType(INT))),
        ((1, [2.0]), TupleType.get([INT, ListType(FLOAT)])),
    ],
)
def test_constants(value: Any, type_: Any) -> None:
    graph = Graph()
    constant = graph.insertConstant(value)
    assert constant.type() == type_ and constant.toIValue() == value
    graph.lint()


def test_tensor_constants() -> None:
    constant = Graph().insertConstant(as_tensor(np.array([1.5, 2.5])))
    assert constant.toIValue().array.tolist() == [1.5, 2.5]
    with pytest.raises(TypeError, match="a object cannot be a constant of a graph"):
        Graph().insertConstant(object())


def test_inputs_of_nodes() -> None:
    graph = parse(
        "graph(%x : Tensor, %y : Tensor):\n  %l : Tensor[] = prim::ListConstruct(%x)\n  return (%l)\n"
    )
    x, y = graph.inputs()
    node = find(graph, "prim::ListConstruct")
    node.addInput(y)
    node.insertInput(0, y)
    assert names(node.inputs()) == ["y", "x", "y"]
    assert node.replaceInput(1, y) == x
    node.replaceInputWith(y, x)
    assert names(node.inputs()) == ["x", "x", "x"]
    node.removeInput(0)
    assert node.inputsSize() == 2
    node.removeAllInputs()
    assert node.inputsSize() == 0 and not x.hasUses()


def test_outputs_of_nodes() -> None:
    graph = parse(
        "graph(%t : (Tensor, Tensor)):\n  %a : Tensor = prim::TupleUnpack(%t)\n  return (%a)\n"
    )
    node = find(graph, "prim::TupleUnpack")
    node.addOutput()
    first = node.insertOutput(0)
    assert names(node.outputs()) == ["0", "a", "1"] and names(graph.outputs()) == ["a"]
    with pytest.raises(
        TorchScriptError, match="output 1 of prim::TupleUnpack is used and cannot be erased"
    ):
        node.eraseOutput(1)
    assert first.offset() == 0
    node.eraseOutput(2)
    graph.lint()
    assert find(graph, "prim::TupleUnpack").outputsSize() == 2


def test_moving_and_destroying() -> None:
    graph = parse(
        "graph(%x : Tensor):\n  %a : Tensor = aten::sin(%x)\n  %b : Tensor = aten::cos(%x)\n  return (%a)\n"
    )
    sin, cos = graph.nodes()
    sin.moveAfter(cos)
    assert [node.kind() for node in graph.nodes()] == ["aten::cos", "aten::sin"]
    sin.moveBefore(cos)
    cos.moveAfter(graph.param_node())
    assert [node.kind() for node in graph.nodes()] == ["aten::cos", "aten::sin"]
    with pytest.raises(TorchScriptError, match="aten::sin is still used and cannot be destroyed"):
        sin.destroy()
    sin.replaceAllUsesWith(cos)
    for node in graph.nodes():
        if not node.hasUses():
            node.destroy()
    assert names(graph.outputs()) == ["b"] and len(list(graph.nodes())) == 1


def test_replacing_uses_after_a_node() -> None:
    graph = parse("""graph(%x : Tensor, %y : Tensor):
  %a : Tensor = aten::sin(%x)
  %b : Tensor = aten::cos(%x)
  %c : Tensor = aten::tanh(%x)
  return (%x)
""")
    x, y = graph.inputs()
    x.replaceAllUsesAfterNodeWith(find(graph, "aten::cos"), y)
    assert [names(node.inputs()) for node in graph.nodes()] == [["x"], ["x"], ["y"]]
    assert graph.outputs() == [y]
    graph.lint()


def test_blocks() -> None:
    graph = parse("graph(%c : bool, %x : Tensor):\n  return (%x)\n")
    node = graph.insertNode(graph.create("prim::If", [graph.inputs()[0]]))
    for _ in range(2):
        block = node.addBlock()
        assert block.registerOutput(graph.inputs()[1]) == 0
        assert (
            block.param_node() == block.paramNode() and block.returnNode().kind() == "prim::Return"
        )
    graph.lint()
    inner = node.blocks()[0].addInputToBlock()
    assert node.blocks()[0].inputs() == [inner]
    node.blocks()[0].eraseInput(0)
    node.blocks()[0].eraseOutput(0)
    with pytest.raises(DiagnosticException, match="block0 yields 0 values for 1 results"):
        graph.lint()
    node.eraseBlock(0)
    assert len(node.blocks()) == 1


def test_attributes() -> None:
    node = Graph().create("foo::bar", 0)
    assert not node.hasAttributes()
    node.i_("i", 3).fs_("fs", [1.5]).s_("s", "a").ty_("ty", INT).t_("t", as_tensor(np.array(1.0)))
    assert node.attributeNames() == ["i", "fs", "s", "ty", "t"] and node.hasAttribute("s")
    assert (node.i("i"), node.fs("fs"), node.s("s"), node.ty("ty")) == (3, [1.5], "a", INT)
    assert node.t("t").array == 1.0
    assert node.removeAttribute("i").attributeNames() == ["fs", "s", "ty", "t"]
    with pytest.raises(TorchScriptError, match="foo::bar has no attribute 'i'"):
        node.i("i")


def test_sub_graphs() -> None:
    node = find(parse(), "prim::TensorExprGroup")
    assert node.hasAttribute("Subgraph") and node.attributeNames() == ["Subgraph"]
    assert (
        str(node.g("Subgraph"))
        == "graph(%e : Tensor):\n  %f : Tensor = aten::mul(%e, %e)\n  return (%f)\n"
    )
    with pytest.raises(TorchScriptError, match="prim::TensorExprGroup has no sub-graph 'Other'"):
        node.g("Other")


def test_copies_are_independent() -> None:
    graph = parse()
    copy = graph.copy()
    assert str(copy) == str(graph)
    copy.addInput("z")
    assert str(graph) == TEXT
    clone = graph.createClone(find(graph, "aten::add"))
    assert clone.kind() == "aten::add" and str(clone).startswith(
        "%a : Tensor = aten::add(%x, %y, %one)"
    )


def test_clones_use_what_a_map_gives() -> None:
    graph = parse(
        "graph(%x : int, %y : int, %c : bool):\n  %z : int = prim::If(%c)\n    block0():\n"
        "      %n : int = aten::neg(%x)\n      %m : int = aten::neg(%n)\n      -> (%m)\n"
        "    block1():\n      -> (%x)\n  return (%z)\n"
    )
    x, y, _ = graph.inputs()
    clone = graph.createClone(find(graph, "prim::If"), lambda value: y if value == x else value)
    graph.appendNode(clone)
    first, second = clone.blocks()
    negated, twice = first.nodes()
    assert negated.inputs() == [y] and twice.inputs() == [negated.output()]
    assert second.outputs() == [y] and clone.input().debugName() == "c"


def test_floats_of_attributes_may_be_written_as_ints() -> None:
    graph = parse("graph():\n  return ()\n")
    node = graph.create("foo::bar").f_("alpha", 5).fs_("betas", [1, 2]).c_("gamma", 1)
    assert [node.kindOf(name) for name in ("alpha", "betas", "gamma")] == ["f", "fs", "c"]
    assert repr(node.f("alpha")) == "5.0"


def test_names() -> None:
    graph = parse("graph(%x : Tensor):\n  %a : Tensor = aten::sin(%x)\n  return (%a)\n")
    (x,) = graph.inputs()
    a = graph.outputs()[0]
    a.setDebugName("x")
    assert names([x, a]) == ["x", "x.1"]
    with pytest.raises(ValueError, match="'12' cannot be the name of a value"):
        a.setDebugName("12")
    assert a.hasDebugName() and not graph.addInput().hasDebugName()


def test_tensor_types_of_values() -> None:
    x = Graph().addInput("x")
    assert not x.isCompleteTensor()
    x.inferTypeFrom(as_tensor(np.zeros((2, 3), "float32")))
    assert x.isCompleteTensor() and x.type() == TensorType.of("Float", (2, 3), (3, 1), "cpu", False)
    x.setType(INT)
    assert not x.isCompleteTensor() and not x.requiresGrad()


def test_kinds_of_attributes() -> None:
    graph = parse("""graph(%x : Tensor):
  %a : int[] = prim::Constant[value=[1, 2]]()
  %b : float = prim::Constant[value=2.5]()
  %c : str = prim::Constant[value="s"]()
  %d : Tensor = prim::Constant[value={1}]()
  %e : NoneType = prim::Constant()
  %f : Tensor, %g : Tensor = prim::ConstantChunk[chunks=2, dim=0](%x)
  return (%x)
""")
    *constants, none, chunk = graph.nodes()
    assert [node.kindOf("value") for node in constants] == ["ival", "f", "s", "t"]
    assert none.mustBeNone() and not none.hasAttributes() and not chunk.mustBeNone()
    assert [chunk.kindOf(name) for name in chunk.attributeNames()] == ["i", "i"]
    chunk.setAttribute("sizes", [1, 2])
    assert chunk.kindOf("sizes") == "is"
    assert parse().findNode("prim::TensorExprGroup").kindOf("Subgraph") == "g"  # pyright: ignore[reportOptionalMemberAccess]
    with pytest.raises(TorchScriptError, match="prim::Constant has no attribute 'value'"):
        none.kindOf("value")


def test_a_graph_is_inserted_into_another() -> None:
    graph, callee = parse(), parse()
    known: dict[Any, Any] = {}
    made = graph.insertGraph(callee, graph.inputs(), known)
    graph.registerOutput(made[0])
    graph.makeMultiOutputIntoTuple()
    graph.lint()
    assert [value.type() for value in graph.outputs()] == [TupleType.get([TENSOR, TENSOR])]
    assert known[callee.outputs()[0]] == made[0]
    assert len(graph.findAllNodes("prim::If")) == 2 and len(callee.findAllNodes("prim::If")) == 1


def test_inputs_are_permuted() -> None:
    graph = parse()
    graph.permuteInputs([2, 1, 0])
    graph.lint()
    assert [value.debugName() for value in graph.inputs()] == ["c", "y", "x"]
    with pytest.raises(TorchScriptError, match="does not name each of 3 inputs once"):
        graph.permuteInputs([0, 0, 1])


def test_values_are_given_one_after_the_other() -> None:
    """PyTorch's `inputs()` and `outputs()` are iterators."""
    graph = parse()
    inputs = graph.inputs()
    assert [next(inputs).debugName(), next(inputs).debugName()] == ["x", "y"]
    assert [value.debugName() for value in inputs] == ["x", "y", "c"]
    assert next(graph.findAllNodes("aten::mul")[0].inputs()).node().kind() == "aten::add"
    assert [value.type().kind() for value in inputs] == ["TensorType", "TensorType", "BoolType"]
    with pytest.raises(StopIteration):
        next(graph.param_node().inputs())


def test_types_answer_as_those_of_pytorch() -> None:
    type_ = TupleType.get([OptionalType(INT), ListType(FLOAT)])
    assert type_.kind() == "TupleType" and type_.str() == "(int?, float[])"
    assert [inner.kind() for inner in type_.containedTypes()] == ["OptionalType", "ListType"]
