"""The code of test/support/tour.py has the outcomes that its author shows, and where it has others they are the better ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support import tour
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.runtime import settings


@pytest.fixture(autouse=True)
def _settings() -> Iterator[None]:
    before = settings.current()
    yield
    settings.fuser(before.fuser)
    settings.set_num_profiled_runs(before.profiled_runs)


def kinds(graph: Any) -> list[str]:
    return [node.kind() for node in graph.nodes()]


def test_scripting_and_tracing() -> None:
    scripted, traced = tour.scripted_and_traced_functions()
    assert kinds(scripted.graph) == kinds(traced.graph) == ["prim::Constant", "aten::mul"]
    assert next(traced.graph.inputs()).type().str().startswith("Float(5, strides=[1]")
    assert "torch.mul(x, CONSTANTS.c0)" in traced.code
    script_fn, trace_fn = tour.scripted_and_traced_loops()
    assert "for i in range(torch.dim(x)):" in script_fn.code
    assert "for" not in trace_fn.code and trace_fn.code.count("torch.mul") == 2


def test_modules(tmp_path: Path) -> None:
    model, traced, loaded, scripted = tour.traced_model(str(tmp_path / "traced_model.pt"))
    x = torch.randn(8, 1)
    for one in (traced, loaded, scripted):
        np.testing.assert_allclose(one(x).detach().numpy(), model(x).detach().numpy(), rtol=1e-5)
    assert '_0 = getattr(self, "0")' in scripted.code
    assert kinds(scripted.forward.inlined_graph).count("prim::GetAttr") == 7
    assert "linear" in str(scripted.forward.inlined_graph)


def test_the_uniformity_loss() -> None:
    x = torch.randn(64, 16)
    x /= x.norm(p=2, dim=1, keepdim=True).requires_grad_()
    loss = tour.lunif(x)
    assert loss.grad_fn.name() == "LogBackward0"
    for function in (tour.lunif, tour.lunif2):
        (gradient,) = torch.autograd.grad(function(x), x)
        assert gradient.shape == x.shape
    doubled = x.to(torch.double)
    assert abs((tour.lunif2(doubled) - tour.lunif(doubled)).item()) < 1e-12


def test_pointwise_operators_are_one_group_under_a_check() -> None:
    scripted, graph = tour.fused()
    drawn = tour.make_graph(scripted.graph).labels
    assert drawn.count("clamp") == 3 and drawn.count("min") == 2 and "div" in drawn
    labels = tour.make_graph(graph).labels
    assert {"TypeCheck", "If", "TensorExprGroup", "call fallback_function"} <= set(labels)
    (group,) = graph.findAllNodes("prim::TensorExprGroup")
    operators = [kind for kind in kinds(group.g("Subgraph")) if kind.startswith("aten::")]
    assert len(operators) == 19


def test_gradients_make_a_differentiable_graph_and_one_that_goes_back() -> None:
    forward, reverse, running = tour.differentiated()
    assert kinds(forward) == ["prim::DifferentiableGraph"]
    assert "TensorExprGroup" in tour.make_graph(forward).labels
    found = reverse.findAllNodes("prim::GradOf")
    assert len(found) == 19 and {node.s("name") for node in found} >= {"aten::div", "aten::max"}
    assert reverse.findAllNodes("prim::AutogradAdd")
    assert running.findAllNodes("prim::TensorExprGroup")
    assert not running.findAllNodes("prim::GradOf")
    assert tour.make_graph(running).labels


def test_fallbacks_lead_to_the_next_specialization_and_end() -> None:
    _, graph = tour.fallbacks()
    assert "TensorExprGroup" in tour.make_graph(graph).labels
    assert "DifferentiableGraph" not in str(graph)
    fallback = tour.get_function_graphs(graph)["fallback_function"]
    assert kinds(fallback) == ["prim::DifferentiableGraph"]
    assert tour.make_graph(fallback).labels
    with pytest.raises(RuntimeError, match="has no optimized plan"):
        tour.get_function_graphs(fallback)
    unoptimized = tour.find_function_types(fallback)[0].optimized_graph()
    assert kinds(unoptimized).count("aten::clamp") == 3
    assert kinds(unoptimized)[-1] == "prim::TupleConstruct"


def test_all_fusers_give_the_same() -> None:
    first, *others = tour.benchmarks()
    for one in others:
        np.testing.assert_allclose(one.detach().numpy(), first.numpy(), rtol=1e-5)


def test_outputs_require_gradients_where_inputs_do() -> None:
    """PyTorch issue 49299, which the tour reports, is not made again."""
    assert tour.requires_grad_of_outputs() == [(True, True), (False, False)] * 2


@needs_native_calls
def test_profiling_that_sees_two_sizes_makes_one_kernel_for_both() -> None:
    """As with the tour's CUDA fuser; its other one gives up."""
    scripted, first, second, drawn = tour.two_sizes()
    assert "TensorExprGroup" in drawn.labels
    assert torch._C._jit_get_num_profiled_runs() == 2
    for _ in range(3):
        scripted(*first), scripted(*second)
    assert scripted.native_calls >= 3 and len(scripted.get_debug_state().execution_plans) == 1
