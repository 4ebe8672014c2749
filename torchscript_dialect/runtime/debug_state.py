"""What can be asked of an executor and its plans (PyTorch: `GraphExecutorState`, `ExecutionPlan` and `Code` of its bindings)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from xdsl.dialects.func import FuncOp

from torchscript_dialect.ir import Graph


class Inspectable(Protocol):
    """What is asked of an executor."""

    function: FuncOp

    @property
    def plans(self) -> Mapping[Any, Any]:
        """The plans of calls without gradients."""
        ...

    @property
    def gradient_plans(self) -> Mapping[Any, Any]:
        """The plans of calls with tensors that require them."""
        ...


class GraphExecutorState:
    """What an executor holds: the function's graph, and the plans made so far."""

    def __init__(self, executor: Inspectable) -> None:
        self._executor = executor

    @property
    def graph(self) -> Graph:
        """The graph before any optimization."""
        return Graph(self._executor.function)

    @property
    def execution_plans(self) -> dict[Any, Any]:
        """The plans by the specialization that they are for; each has its optimized `graph`, and `code`. Those for arguments that
        require gradients come after the others.
        """
        executor = self._executor
        return {**executor.plans, **executor.gradient_plans}


class PlanCode:
    """What runs a plan, as far as it is asked for the graphs that it goes back by."""

    def __init__(self, executors: Iterable[Inspectable]) -> None:
        self._executors = list(executors)

    def grad_executor_states(self) -> list[GraphExecutorState]:
        """For each `prim::DifferentiableGraph` of the plan's graph, the executor of its reverse graph."""
        return [GraphExecutorState(executor) for executor in self._executors]
