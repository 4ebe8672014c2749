"""Long differentiable graphs are cut where they repeat themselves, and give the gradients that they would give whole."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from xdsl.ir import Operation

import torchscript_dialect as ts
from support import gradient_plans
from torchscript_dialect import torch
from torchscript_dialect.autodiff import repetition
from torchscript_dialect.autodiff.equal_graphs import EqualGraphs
from torchscript_dialect.autodiff.repetition import LONGEST, SHORTEST, cut_where_repeated
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan

LAYER = ("tanh(%{0})", "mul(%{1}, %{0})", "relu(%{2})", "mul(%{3}, %{1})", "add(%{4}, %{0}, %one)")
"""A residual layer: of what comes before it, nothing but its input is alive where it begins."""


def layers(count: int) -> list[str]:
    """The lines of so many layers, one after the other."""
    lines: list[str] = []
    for layer in range(count):
        names = ["x" if layer == 0 else f"v{layer - 1}_4", *[f"v{layer}_{i}" for i in range(5)]]
        lines += [f"v{layer}_{i} = {line.format(*names)}" for i, line in enumerate(LAYER)]
    return lines


def nodes_of(lines: Sequence[str]) -> list[Operation]:
    last = lines[-1].split(" ")[0]
    body = "".join(f"  %{line}\n" for line in lines).replace(" = ", " : Tensor = aten::")
    text = (
        f"graph(%x : Tensor):\n  %one : int = prim::Constant[value=1]()\n{body}  return (%{last})\n"
    )
    return [op for op in parse_ir_text(text).walk() if op.name.startswith("aten.")]


def sizes(lines: Sequence[str]) -> list[int]:
    nodes = nodes_of(lines)
    pieces = cut_where_repeated(nodes)
    assert [op for piece in pieces for op in piece] == nodes
    return [len(piece) for piece in pieces]


def test_few_nodes_stay_together() -> None:
    assert sizes(layers(LONGEST // 5)) == [LONGEST // 5 * 5]


def test_what_does_not_repeat_itself_stays_together() -> None:
    names = random.Random(0).choices(("tanh", "relu", "sin", "neg"), k=3 * LONGEST)
    lines = [f"v{i} = {name}(%{f'v{i - 1}' if i else 'x'})" for i, name in enumerate(names)]
    assert sizes(lines) == [3 * LONGEST]


@pytest.mark.parametrize("count", [26, 41, 50, 53])
def test_layers_are_cut_into_graphs_that_are_mostly_equal(count: int) -> None:
    first, *more = sizes(layers(count))
    assert first == 5
    assert set(more[:-1]) == {more[0]}
    assert SHORTEST <= more[0] <= LONGEST
    assert more[0] % 5 == 0
    assert more[-1] <= more[0]


def test_a_cut_is_where_the_fewest_values_are_alive() -> None:
    """Two nodes stand before the first layer, and one behind the last."""
    lines = ["a = sin(%x)", "b = cos(%a)", *layers(40), "end = neg(%v39_4)"]
    lines[2:] = [line.replace("%x", "%b") for line in lines[2:]]
    first, *_, last = sizes(lines)
    assert first == 7
    assert last % 5 == 1


def test_runs_of_different_layers_are_cut_each() -> None:
    there = layers(40)
    more = [line.replace("v", "w").replace("tanh", "sigmoid") for line in there]
    more = [line.replace("%x", "%v39_4") for line in more]
    nodes = nodes_of([*there, *more])
    kinds = [
        {op.name for op in piece} & {"aten.tanh", "aten.sigmoid"}
        for piece in cut_where_repeated(nodes)
    ]
    assert kinds.count({"aten.tanh"}) > 2 < kinds.count({"aten.sigmoid"})
    assert sum(len(one) > 1 for one in kinds) <= 1


def test_no_list_of_tensors_is_cut_off_what_takes_it() -> None:
    """No gradient goes out of a graph through a list."""
    source = (
        "def f(x):\n" + "    x = torch.cat([torch.tanh(x), torch.neg(x)], 0).sum(0, True)\n" * 60
    )
    x = torch.ones(1, 3, requires_grad=True)
    function: Any = ts.CompilationUnit(f"{source}    return x\n")["f"]
    graph = function.graph_for(x)
    assert len(graph.findAllNodes("prim::DifferentiableGraph")) > 2
    outside = [node.kind() for node in graph.nodes() if node.kind().startswith("aten::")]
    assert outside == []


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(4)
        self.up = torch.nn.Linear(4, 4)

    def forward(self, x):
        h = self.up(self.norm(x))
        return x + torch.cat([h[:, 2:], torch.relu(h[:, :2])], -1)


class Network(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(30)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x.t()


def trained(monkeypatch: pytest.MonkeyPatch) -> tuple[GradientPlan, list[Any], int]:
    """The plan of a network, the gradients that its last call gave, and how many graphs were differentiated."""
    different: list[Any] = []
    real = EqualGraphs.differentiate

    def counted(
        self: EqualGraphs,
        node: Any,
        extents: Any,
        sizes: Any,
        written: Any,
        differentiate: Callable[[], None],
    ) -> None:
        def count() -> None:
            different.append(node)
            differentiate()

        real(self, node, extents, sizes, written, count)

    monkeypatch.setattr(EqualGraphs, "differentiate", counted)
    torch.manual_seed(0)
    network = type("Network", (Network,), {})()  # modules of one class share plans
    plan = gradient_plans.trained(network, torch.randn(3, 4))
    return plan, [p.grad for p in network.parameters()], len(different)


def test_equal_pieces_are_differentiated_once_and_give_what_the_whole_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan, gradients, different = trained(monkeypatch)
    monkeypatch.setattr(repetition, "LONGEST", 1 << 20)
    whole, expected, once = trained(monkeypatch)
    assert len(whole.graphs) == 1
    assert different <= once + 2 and len(plan.graphs) > 3
    for one, other in zip(gradients, expected, strict=True):
        torch.testing.assert_close(one, other)
