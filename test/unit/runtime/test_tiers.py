"""In a program of many functions those are compiled that are called often: Note [Tiers] in runtime/executor/tiers.py."""

from collections.abc import Iterator

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.runtime.executor import execution_plan, graph_executor, tiers
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan

X = torch.tensor([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture(autouse=True)
def program_of_many_functions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Second calls have compiled as many nodes as they may, and eight calls are worth a compilation."""
    monkeypatch.setattr(tiers._Spent, "nodes", tiers.AT_ONCE)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(tiers, "WORTH", 8)
    with ts.tiered_compilation(True):
        yield


def function(body: str, arguments: str = "x: Tensor") -> ts.ScriptFunction:
    return ts.CompilationUnit(f"def f({arguments}):\n    {body}\n")["f"]


def plan_of(f: ts.ScriptFunction) -> ExecutionPlan:
    (plan,) = f.get_debug_state().execution_plans.values()
    return plan


def calls_until_compiled(f: ts.ScriptFunction, *args: object, backward: bool = False) -> int:
    """How many calls were interpreted before the one that compiled."""
    for number in range(20):
        result = f(*args)
        if backward:
            result.backward()
        plan = plan_of(f)
        if plan.is_built or plan.kernels:
            return number
    return 20


@needs_native_calls
def test_a_function_is_interpreted_until_its_calls_were_worth_a_compilation() -> None:
    f = function("return torch.tanh(x * 2) + x * 0.125")
    assert calls_until_compiled(f, X) == 8
    assert "native: the whole function" in ts.explain(f)


def test_the_first_functions_of_a_program_are_compiled_by_their_second_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tiers._Spent, "nodes", 0)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(tiers, "AT_ONCE", 10)
    counts = [calls_until_compiled(function(f"return x * {n}.5 + {n}"), X) for n in range(4)]
    assert counts == [1, 1, 8, 8]


def test_the_first_function_is_never_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers._Spent, "nodes", 0)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(tiers, "AT_ONCE", 1)
    counts = [calls_until_compiled(function(f"return x - {n} * x"), X) for n in range(2)]
    assert counts == [1, 8]


def test_calls_with_large_tensors_count_for_several() -> None:
    f, many = function("return x * 3.5 - x"), torch.ones(tiers.ELEMENTS, 2)
    assert calls_until_compiled(f, many) == 2  # two of the argument, two of the result, and one
    listed = function("return xs[0] * 4.5", "xs: List[Tensor]")
    listed([many])
    tier = plan_of(listed).tier
    assert tier is not None and tier.worth == 5


def test_what_is_differentiated_costs_more_and_is_worth_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    x = X.clone().requires_grad_()
    assert calls_until_compiled(function("return (x * 5.5).sum()"), x, backward=True) == 2
    for first, backward, waits in ((X, False, 1), (x, True, 8)):
        monkeypatch.setattr(tiers._Spent, "nodes", tiers.AT_ONCE - 8)  # pyright: ignore[reportPrivateUsage]
        one, two = (function(f"return (x * {n}.25 * {waits}).sum()") for n in (6, 7))
        assert calls_until_compiled(one, first, backward=backward) == 1
        assert calls_until_compiled(two, X) == waits


@needs_native_calls
def test_the_way_back_of_a_function_that_was_worth_it_is_compiled_at_once() -> None:
    f, x = function("return (torch.tanh(x) * 7.5).sum()"), X.clone().requires_grad_()
    for _ in range(10):
        x.grad = None
        f(x).backward()
    (state,) = plan_of(f).code.grad_executor_states()
    (back,) = state.execution_plans.values()
    assert isinstance(back, ExecutionPlan)
    assert back.kernels
    assert x.grad is not None
    np.testing.assert_allclose(x.grad, 7.5 * (1 - np.tanh(X.numpy()) ** 2), rtol=1e-6)


def test_calls_of_functions_with_loops_count_for_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution_plan, "LOOPS", 3)
    f = function("for i in range(3):\n        x = x * 2 + i\n    return x")
    assert calls_until_compiled(f, X) == 3


def test_networks_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_executor, "MOST", 5)
    assert calls_until_compiled(function("return x * 2 + torch.exp(x * 2.25) - 1"), X) == 1


@needs_native_calls
def test_explain_says_why_a_function_is_interpreted() -> None:
    f = function("return x * 8.5 + 1")
    for _ in range(3):
        f(X)
    assert "few calls are not worth a compilation in a program of many functions" in ts.explain(f)
    with ts.tiered_compilation(False):
        f(X)
    assert "native: the whole function" in ts.explain(f)
