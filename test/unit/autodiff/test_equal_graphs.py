"""Equal differentiable graphs are differentiated and compiled once, and are what they would be if each were by itself."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from xdsl.printer import Printer

import torchscript_dialect as ts
from support import gradient_plans
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.autodiff.equal_graphs import EqualGraphs
from torchscript_dialect.autodiff.extents import Extents
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.structure import structure_of
from torchscript_dialect.runtime.executor import differentiable
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan


class Layer(torch.nn.Module):
    __constants__ = ("scale",)

    def __init__(self, scale: float) -> None:
        super().__init__()
        self.up = torch.nn.Linear(8, 8)
        self.down = torch.nn.Linear(8, 8)
        self.scale = scale

    def forward(self, x):
        return x + self.scale * self.down(torch.relu(self.up(x)))


def checked(x):
    if x.size(0) == 0:
        print("a batch of nothing")
    return x


class Network(torch.nn.Module):
    """Each layer is a graph: what may print between them is in none."""

    def __init__(self, *scales: float) -> None:
        super().__init__()
        self.first = Layer(scales[0])
        self.second = Layer(scales[1])
        self.third = Layer(scales[2])

    def forward(self, x):
        y = checked(self.first(x))
        other = checked(self.second(y))
        return self.third(other)


def trained(*scales: float) -> tuple[GradientPlan, list[Any]]:
    """The plan of such a network, and the gradients that its last call gave."""
    torch.manual_seed(0)
    network = Network(*scales)
    plan = gradient_plans.trained(network, torch.randn(3, 8))
    return plan, [parameter.grad.tolist() for parameter in network.parameters()]


def alone(
    _: EqualGraphs,
    node: Any,
    extents: Extents,
    sizes: Any,
    written: Any,
    differentiate: Callable[[], None],
) -> None:
    """Differentiates each graph by itself."""
    differentiate()


def text_with_places(plan: GradientPlan) -> list[str]:
    ops = nested_ops(plan.function.body.block)
    names = [[result.name_hint for result in op.results] for op in ops]
    return [f"{names} {op.name} {op.location}" for op, names in zip(ops, names, strict=True)]


def test_copies_are_what_each_would_be_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    shared, gradients = trained(0.5, 0.5, 0.5)
    monkeypatch.setattr(EqualGraphs, "differentiate", alone)
    separate, expected = trained(0.5, 0.5, 0.5)
    assert gradients == expected
    assert str(shared.graph) == str(separate.graph)
    assert text_with_places(shared) == text_with_places(separate)


@needs_native_calls
def test_equal_graphs_share_what_runs_them() -> None:
    plan, _ = trained(0.5, 0.5, 0.5)
    graphs = list(plan.graphs.values())
    assert len(graphs) == 3
    # The first layer's input requires no gradient.
    assert graphs[1].executor is graphs[2].executor is not graphs[0].executor
    assert graphs[1].kernel is graphs[2].kernel is not None


@pytest.mark.parametrize(("scale", "is_equal"), [(0.5, True), (0.25, False)])
def test_another_number_makes_another_graph(scale: float, is_equal: bool) -> None:
    plan, _ = trained(0.5, 0.5, scale)
    _, second, third = (structure_of(graph.node.body) for graph in plan.graphs.values())
    assert (second == third) is is_equal


def test_copies_have_their_own_places_and_names(monkeypatch: pytest.MonkeyPatch) -> None:
    equal = differentiated()
    monkeypatch.setattr(EqualGraphs, "differentiate", alone)
    assert equal == differentiated()
    assert "loc(" in equal


def differentiated() -> str:
    """Three graphs, the first two equal, as text with the places of nodes."""
    graph = ts.parse_ir(
        """graph(%a : Float(*, *, requires_grad=1, device=cpu),
      %b : Float(*, *, requires_grad=1, device=cpu),
      %c : Float(*, *, requires_grad=1, device=cpu),
      %d : Float(*, *, requires_grad=1, device=cpu)):
  %sizes : int[] = prim::Constant[value=[4]]()
  %none : NoneType = prim::Constant()
  %eps : float = prim::Constant[value=0.001]()
  %no : bool = prim::Constant[value=0]()
  %p : Tensor = aten::mul(%a, %b) # one.py:1:2
  %q : Tensor = aten::tanh(%p) # one.py:2:2
  %i : Tensor = aten::layer_norm(%q, %sizes, %none, %none, %eps, %no)
  %r : Tensor = aten::mul(%c, %d) # two.py:3:4
  %s : Tensor = aten::tanh(%r) # two.py:4:4
  %j : Tensor = aten::layer_norm(%s, %sizes, %none, %none, %eps, %no)
  %t : Tensor = aten::mul(%d, %c) # three.py:5:6
  %u : Tensor = aten::exp(%t) # three.py:5:7
  return (%i, %j, %u)
"""
    )
    ts.PassPipeline("ts-propagate-shapes,ts-create-autodiff-subgraphs,ts-differentiate").run(graph)
    output = io.StringIO()
    Printer(output, print_debuginfo=True, print_generic_format=True).print_op(graph.module_op)
    return output.getvalue()


def test_what_runs_equal_graphs_backward_is_wrapped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped: list[Callable[..., Any]] = []
    wrap = differentiable._of_arrays  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(differentiable, "_of_arrays", lambda run: wrapped.append(run) or wrap(run))
    plan, _ = trained(0.5, 0.5, 0.5)
    assert len(wrapped) == len({id(graph.executor) for graph in plan.graphs.values()}) == 2
