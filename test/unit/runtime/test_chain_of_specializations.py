"""What is shown of specializations: keys, plans, the graph that ran last, and which of them there are."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch

pytestmark = pytest.mark.usefixtures("restored_settings")

SOURCE = """
def f(x, y):
    return torch.tanh(x * y) + y

def g(x):
    return torch.relu(x) - x
"""


@pytest.fixture
def unit() -> Any:
    return ts.CompilationUnit(SOURCE)


def ones(*shape: int, dtype: str = "float32") -> np.ndarray[Any, Any]:
    return np.ones(shape, dtype)


def groups(graph: ts.Graph) -> int:
    return len(graph.findAllNodes("prim::TensorExprGroup"))


def call(function: Any, *args: Any, times: int = 4) -> None:
    for _ in range(times):
        function(*args)


@needs_native_calls
def test_states_plans_and_keys_can_be_read(unit: Any) -> None:
    call(unit.f, ones(2, 3), ones(3))
    call(unit.f, ones(2, 3, dtype="float64"), ones(3, dtype="float64"))
    state = unit.f.get_debug_state()
    first, second = state.execution_plans
    kind = "requires_grad=0, device=cpu"
    assert repr(first) == f"(Float(*, *, {kind}), Float(*, {kind}))"
    assert repr(state.execution_plans[second]) == f"<ExecutionPlan 1 for {second!r}: native>"
    assert repr(state).splitlines()[0] == "GraphExecutorState of f:"
    assert len({first, second, *state.execution_plans}) == 2


def test_the_code_of_a_plan_is_its_instructions(unit: Any) -> None:
    call(unit.f, ones(2, 3), ones(3))
    (plan,) = unit.f.get_debug_state().execution_plans.values()
    assert str(plan.code) == "0, 1 = Load\n2 = TensorExprGroup move(0), move(1)\n = Store move(2)\n"
    assert plan.code.grad_executor_states() == [] and plan.code.num_bailouts() == 0


@needs_native_calls
def test_the_graph_that_ran_last(unit: Any) -> None:
    call(unit.f, ones(2, 3), ones(3))
    assert unit.f.native_calls
    call(unit.g, ones(2))
    assert "aten::relu" in str(torch.jit.last_executed_optimized_graph())
    unit.f(ones(2, 3), ones(3))
    assert "aten::tanh" in str(torch._C._last_executed_optimized_graph())
    with ts.fuser("none"):
        unit.g(ones(2))
        graph = torch.jit.last_executed_optimized_graph()
    assert not groups(graph) and "aten::relu" in str(graph)


def test_the_graph_that_ran_last_with_gradients(unit: Any) -> None:
    x = torch.ones(3, requires_grad=True)
    call(unit.g, torch.ones(3))
    fallback = "fallback_function"
    call(unit.f, x, x, times=6)
    graph = torch.jit.last_executed_optimized_graph()
    assert graph.findAllNodes("prim::DifferentiableGraph") and fallback in str(graph)


def test_nothing_that_is_gone_is_shown() -> None:
    unit = ts.CompilationUnit(SOURCE)
    call(unit.g, ones(2))
    del unit
    gc.collect()
    with pytest.raises(RuntimeError, match="the last one is gone"):
        torch.jit.last_executed_optimized_graph()


def test_fallbacks_lead_from_one_specialization_to_the_next(unit: Any) -> None:
    for x in (ones(4), ones(4, dtype="float64"), ones(2, 2)):
        call(unit.g, x)
    graph, seen = torch.jit.last_executed_optimized_graph(), []
    while True:
        (check,) = graph.findAllNodes("prim::TypeCheck")
        seen.append(check.outputsAt(0).type().str().partition(", requires")[0])
        (call_,) = graph.findAllNodes("prim::CallFunction")
        fallback = call_.inputsAt(0).type()
        assert fallback.kind() == "FunctionType" and fallback.name() == "fallback_function"
        assert "aten::relu" in str(fallback.optimized_graph())
        if len(seen) == 3:
            break
        graph = next(iter(fallback.get_debug_state().execution_plans.values())).graph
    assert seen == ["Float(4, strides=[1]", "Double(4, strides=[1]", "Float(*, *"]
    with pytest.raises(RuntimeError, match="has no optimized plan"):
        fallback.get_debug_state()


def test_a_function_that_is_no_fallback_has_no_state() -> None:
    unit: Any = ts.CompilationUnit("def h(x):\n    return x\n\ndef f(x):\n    return h(x)\n")
    type_: Any = unit.f.graph.findNode("prim::Constant").output().type()
    assert type_.kind() == "FunctionType" and type_.name() == "h"
    with pytest.raises(ts.TorchScriptError, match="'h' is no fallback"):
        type_.get_debug_state()


def test_what_does_not_run_is_not_shown(unit: Any) -> None:
    """Groups were shown under settings that never ran them."""
    args = ones(2, 3), ones(3)
    call(unit.f, *args)
    assert groups(unit.f.graph_for(*args)) == 1
    with ts.fuser("none"):
        assert not groups(unit.f.graph_for(*args))
    with ts.optimized_execution(False):
        assert not groups(unit.f.graph_for(*args))
    ts.set_fusion_strategy([("STATIC", 0)])
    assert not groups(unit.f.graph_for(*args))


def test_static_specializations_come_before_dynamic_ones_and_then_none(unit: Any) -> None:
    ts.set_fusion_strategy([("STATIC", 1), ("DYNAMIC", 1)])
    shown: list[str] = []
    for dtype in ("float32", "float64", "float16"):
        x = ones(2, 3, dtype=dtype)
        call(unit.g, x)
        graph = unit.g.graph_for(x)
        checks = graph.findAllNodes("prim::TypeCheck")
        shown.append(checks[0].outputsAt(0).type().str() if checks else "interpreted")
    assert shown == [
        "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
        "Double(*, *, requires_grad=0, device=cpu)",
        "interpreted",
    ]
    text = ts.explain(unit.g)
    assert "specializations: 2, where the strategy allows 2" in text
    assert "0, STATIC, made by a call with (Float(2, 3" in text
    assert "1, DYNAMIC, made by a call with (Double(2, 3" in text
    assert (
        "the check of 0 failed: argument 0 is Double(*, *, requires_grad=0, device=cpu), not"
        in text
    )
    assert "calls with other types are interpreted" in text


@needs_native_calls
def test_explanations_tell_where_graphs_were_cut() -> None:
    unit = ts.CompilationUnit("""
def f(x):
    y = torch.tanh(x * 2) * x
    if bool(y.sum() > 0):
        y = torch.sin(y) * y
    y.add_(1)
    return y.relu() * 2
""")
    call(unit.f, torch.ones(3, requires_grad=True))
    text = ts.explain(unit.f)
    assert "differentiated, forward by a kernel: aten::" in text
    assert "not differentiated: prim::If at " in text
    assert "not differentiated: aten::add_ at <string>:6:4: it writes to a tensor" in text


@needs_native_calls
def test_a_check_that_fails_in_a_function_is_counted() -> None:
    """The group's result has the type that runs have shown, until it has another one."""
    unit = ts.CompilationUnit("""
def f(x, d: Dict[str, Tensor]):
    y = d["y"]
    return torch.tanh(torch.exp(y) * y), x
""")
    x = torch.ones(2)
    call(unit.f, x, {"y": torch.ones(3)})
    text = ts.explain(unit.f)
    assert "group 0, native" in text and "check failed" not in text
    found, _ = unit.f(x, {"y": torch.ones(3, dtype=torch.float64)})
    assert found.dtype == torch.float64
    assert "its check failed 1 times" in ts.explain(unit.f)
