"""What can be asked of an executor and its plans (PyTorch: `GraphExecutorState`, `ExecutionPlan` and `Code` of its bindings)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from xdsl.dialects.func import FuncOp

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.runtime.interpreter.code import Code
from torchscript_dialect.types.core import TorchScriptType


class Inspectable(Protocol):
    """What is asked of an executor."""

    function: FuncOp

    def plans_in_order(self) -> Sequence[Any]:
        """The plans in the order in which they were made."""
        ...


class ArgumentSpec:
    """What a specialization is for: the types of arguments, of any size that the plan serves."""

    def __init__(self, types: Sequence[TorchScriptType], key: object, note: str = "") -> None:
        self.types = tuple(types)
        self._key = key
        self._note = note

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ArgumentSpec) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"({', '.join(type_.repr_str for type_ in self.types)}){self._note}"


class GraphExecutorState:
    """What an executor holds: the function's graph, and the plans made so far."""

    def __init__(self, executor: Inspectable) -> None:
        self._executor = executor

    @property
    def graph(self) -> Graph:
        """The graph before any optimization."""
        return Graph(self._executor.function)

    @property
    def execution_plans(self) -> dict[ArgumentSpec, Any]:
        """The plans by what they are for, in the order in which they were made; each has its optimized `graph`, and `code`."""
        return {plan.spec: plan for plan in self._executor.plans_in_order()}

    def __repr__(self) -> str:
        plans = "".join(f"\n  {plan!r}" for plan in self._executor.plans_in_order())
        return f"GraphExecutorState of {self._executor.function.sym_name.data}:{plans or ' no plan yet'}"


class FallbackState:
    """The state of a fallback function: what runs for calls that do not fit the check before it."""

    def __init__(self, function: FuncOp, plans: Sequence[Any]) -> None:
        self._function = function
        self._plans = plans

    @property
    def graph(self) -> Graph:
        """The graph before any optimization."""
        return Graph(self._function)

    @property
    def execution_plans(self) -> dict[ArgumentSpec, Any]:
        """As with `GraphExecutorState`."""
        return {plan.spec: plan for plan in self._plans}


class PlanCode:
    """What runs a plan: its text is the instructions of the optimized function."""

    def __init__(self, function: FuncOp, executors: Iterable[Inspectable]) -> None:
        self._function = function
        self._executors = list(executors)

    def grad_executor_states(self) -> list[GraphExecutorState]:
        """For each `prim::DifferentiableGraph` of the plan's graph, the executor of its reverse graph."""
        return [GraphExecutorState(executor) for executor in self._executors]

    def num_bailouts(self) -> int:
        """How many `prim::BailOut`s the function has: none, unless a pass of a user's put them in."""
        ops = nested_ops(self._function.body.block)
        return sum(isinstance(op, prim.BailOutOp) for op in ops)

    def __str__(self) -> str:
        return str(Code(self._function))

    __repr__ = __str__
