"""The code of PyTorch's IR document of October 2018, and each method that it lists, with the outcomes that it tells."""

# pyright: reportUndefinedVariable=false

from __future__ import annotations

import pytest

from torchscript_dialect import torch
from torchscript_dialect.ir.graph import Block, Graph, Node, Value


def f(a, b):
    c = a + b
    d = c * c
    e = torch.tanh(d * c)
    return d + (e + e)


def branch(a, b, c: bool):
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


def loop(x):
    z = x
    for i in range(x.size(0)):  # noqa: B007
        z = z * z
    return z


@torch.jit.script
def lstm_cell(input, hidden, w_ih, w_hh, b_ih, b_hh):
    # type: (Tensor, Tuple[Tensor, Tensor], Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor]
    hx, cx = hidden
    gates = torch.mm(input, w_ih.t()) + torch.mm(hx, w_hh.t()) + b_ih + b_hh

    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)

    ingate = torch.sigmoid(ingate)
    forgetgate = torch.sigmoid(forgetgate)
    cellgate = torch.tanh(cellgate)
    outgate = torch.sigmoid(outgate)

    cy = (forgetgate * cx) + (ingate * cellgate)
    hy = outgate * torch.tanh(cy)

    return hy, cy


@torch.jit.script
def simple_lstm(input, hidden, wih, whh, bih, bhh):
    # type: (Tensor, Tuple[Tensor, Tensor], Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor]
    outputs = []
    inputs = input.unbind(0)
    for seq_idx in range(len(inputs)):
        hidden = lstm_cell(inputs[seq_idx], hidden, wih, whh, bih, bhh)
        hy, _ = hidden
        outputs.append(hy)
    return hidden


def kinds(block: Graph | Block) -> list[str]:
    return [node.kind() for node in block.nodes()]


def test_programs_become_graphs() -> None:
    graph = torch.jit.script(f).graph
    arithmetic = [kind for kind in kinds(graph) if kind != "prim::Constant"]
    assert arithmetic == [
        "aten::add",
        "aten::mul",
        "aten::mul",
        "aten::tanh",
        "aten::add",
        "aten::add",
    ]
    (node,) = torch.jit.script(branch).graph.findAllNodes("prim::If")
    assert [len(list(block.inputs())) for block in node.blocks()] == [0, 0]
    assert all(kinds(block)[-1] == "aten::add" for block in node.blocks())
    (node,) = torch.jit.script(loop).graph.findAllNodes("prim::Loop")
    (body,) = node.blocks()
    assert [value.type().str() for value in body.inputs()] == ["int", "Tensor"]
    assert kinds(body) == ["aten::mul"] and len(list(body.outputs())) == 2


def test_an_rnn_can_be_inspected() -> None:
    """Calls are nodes now, which `inlined_graph` shows inlined; memory needs no `World`, and a list that nobody reads goes."""
    graph = simple_lstm.inlined_graph
    (node,) = graph.findAllNodes("prim::Loop")
    inside = [kind for kind in kinds(node.blocks()[0]) if kind != "prim::Constant"]
    assert inside[:3] == ["aten::__getitem__", "prim::TupleUnpack", "aten::t"]
    assert inside.count("aten::sigmoid") == 3 and inside.count("aten::tanh") == 2
    assert {"aten::chunk", "prim::ListUnpack", "prim::TupleConstruct"} <= {*inside}


def test_types_are_told() -> None:
    graph = torch.jit.script(branch).graph
    assert [value.type().kind() for value in graph.inputs()] == [
        "TensorType",
        "TensorType",
        "BoolType",
    ]


def test_methods_of_graphs() -> None:
    graph = torch.jit.script(f).graph
    some = next(graph.inputs())
    added = graph.addInput("more")
    assert next(reversed(list(graph.inputs()))) == added
    first = graph.insertInput(0)
    assert next(graph.inputs()) == first
    graph.eraseInput(0)
    made = graph.insert("aten::add", [some, 3])
    assert made.node().kind() == "aten::add" and made.node().get("other") == 3
    place = graph.registerOutput(made)
    assert len(list(graph.outputs())) == place + 1 == 2
    graph.eraseOutput(place)
    graph.lint()
    assert graph.block().owningNode() is None


def test_methods_of_values(capsys: pytest.CaptureFixture[str]) -> None:
    graph = torch.jit.script(f).graph
    node = graph.findNode("aten::tanh")
    assert node is not None
    value = node.output()
    assert isinstance(value, Value) and value.node() == node and value.offset() == 0
    assert [use.user.kind() for use in value.uses()] == ["aten::add", "aten::add"]
    assert {use.offset for use in value.uses()} == {0, 1}
    assert value.owningGraph() == graph
    value.replaceAllUsesWith(node.input())
    assert not value.hasUses()
    node.dump()
    graph.dump()
    text = capsys.readouterr().out
    assert "aten::tanh" in text and text.count("graph(") == 1
    node.destroy()
    assert "aten::tanh" not in str(graph)


def test_methods_of_nodes() -> None:
    graph = torch.jit.script(f).graph
    node = graph.findNode("aten::add")
    assert node is not None
    self_, other = graph.inputs()
    assert node.kind() == "aten::add" and next(node.outputs()).node() == node
    assert node.namedInput("self") == self_ and node.namedInput("other") == other
    assert node.is_constant("alpha") and node.get("alpha") == 1 and not node.is_constant("self")
    assert (
        node.kindOf("value")
        if node.hasAttribute("value")
        else node.schema().startswith("aten::add")
    )
    node.replaceInput(0, other)
    node.replaceInputWith(other, self_)
    assert list(node.inputs())[:2] == [self_, self_]
    assert node.owningBlock() == graph.block() and node.owningGraph() == graph


def test_nodes_get_inputs_outputs_and_blocks() -> None:
    graph = torch.jit.script(f).graph
    self_, other = graph.inputs()
    node = graph.insertNode(graph.create("prim::TupleConstruct", [self_]))
    assert node.addInput(other) == other
    node.insertInput(0, other)
    assert list(node.inputs()) == [other, self_, other]
    assert node.addOutput() == list(node.outputs())[1]
    node.insertOutput(0)
    node.eraseOutput(0)
    assert node.outputsSize() == 2
    assert isinstance(node.addBlock(), Block) and len(list(node.blocks())) == 1
    node.eraseBlock(0)
    assert isinstance(node, Node) and not list(node.blocks())
    node.destroy()
    graph.lint()


def test_attributes_have_kinds() -> None:
    """The constants of a graph: an int, a float, text, a tensor, and None, which has no value."""
    graph = Graph()
    for value, kind in ((1, "i"), (0.5, "f"), ("text", "s"), (torch.ones(2), "t")):
        assert graph.insertConstant(value).node().kindOf("value") == kind
    node = graph.insertConstant(None).node()
    assert node.mustBeNone() and not node.hasAttribute("value")


def test_nodes_know_the_modules_that_they_came_from() -> None:
    class Inner(torch.nn.Module):
        def forward(self, x):
            return torch.tanh(x)

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return torch.neg(self.inner(x))

    def told(module):
        nodes = module.inlined_graph.nodes()
        operators = [node for node in nodes if node.kind().startswith("aten")]
        return [(node.scopeName(), node.getModuleHierarchy()) for node in operators]

    assert told(torch.jit.script(Outer())) == [("", "inner(Inner)"), ("", "")]
    traced = torch.jit.trace(Outer(), torch.ones(2))
    assert told(traced) == [("__module.inner", "inner(Inner)"), ("", "")]
