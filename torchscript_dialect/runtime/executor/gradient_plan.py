"""Execution plans for arguments that require gradients: what runs for one specialization of a function.

Note [Plans with gradients]
While gradients are wanted, the graph is differentiated (pipeline `differentiation`): each `prim::DifferentiableGraph` runs forward by
kernels and leaves one node on the tape, whose backward is a function with an executor, plans and kernels of its own
(differentiable.py). Other nodes are recorded one by one. Under `torch.no_grad()` the graph is what it is without gradients, and only
those nodes are recorded to which the history of their tensors matters: Note [History under no_grad] in analysis/history.py. A function
that turns gradients on or off itself is interpreted and recorded whole. As with other plans, the first runs are interpreted, here
recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.analysis.history import History
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.edit import nested_ops, release
from torchscript_dialect.ir.module import module_around
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.executor.debug_state import ArgumentSpec, PlanCode
from torchscript_dialect.runtime.executor.differentiable import (
    DifferentiableGraph,
    GradientExecutor,
    Shared,
    on_tape,
    on_tape_whole,
    whole_of,
)
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan, PlannedFunction
from torchscript_dialect.runtime.executor.group_runners import group_callables
from torchscript_dialect.runtime.executor.scalar_loops import loop_callables
from torchscript_dialect.runtime.executor.tiers import RECORDED, WITH_GRADIENTS
from torchscript_dialect.runtime.interpreter.interpreter import (
    InterpreterFunction,
    interpret,
    task_starter,
)
from torchscript_dialect.runtime.interpreter.python_source import CallResolver
from torchscript_dialect.runtime.kernels.kernels import without_history
from torchscript_dialect.runtime.specialization.gradients import turns_gradients
from torchscript_dialect.runtime.specialization.module_flags import Flags, said
from torchscript_dialect.runtime.specialization.profiling import is_worth_observing
from torchscript_dialect.runtime.specialization.specialization import of_any_size
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.properties import cached_property


class RecordedFunction(PlannedFunction, Protocol):
    """What such a plan needs of the executor besides."""

    @cached_property
    def recorder(self) -> InterpreterFunction:
        """The interpreter of the function as it is, which records what it does for gradients."""
        ...

    @property
    def whole_graphs(self) -> list[Callable[..., Any]]:
        """What serves calls of a function that is one differentiable graph, without looking for a plan."""
        ...

    @property
    def resolve_recorded(self) -> CallResolver:
        """What runs the functions that an optimized graph calls, and records them."""
        ...

    @cached_property
    def leaves_mode_changed(self) -> bool:
        """Whether a call that stays one in optimized graphs may leave gradients turned on or off."""
        ...

    def for_gradient(self, function: FuncOp) -> GradientExecutor:
        """The executor of a reverse graph."""
        ...


class GradientPlan(ExecutionPlan):
    """See Note [Plans with gradients]. `wants`: gradients are wanted."""

    executor: RecordedFunction
    TAKES_TRACKED = True

    def __init__(
        self,
        executor: RecordedFunction,
        types: Sequence[TorchScriptType],
        key: object,
        flags: Flags,
        *,
        wants: bool,
    ) -> None:
        self.wants = wants
        self.graphs: dict[Operation, DifferentiableGraph] = {}
        """What runs the differentiable graphs of the function."""
        self.whole: Callable[..., Any] | None = None
        """What runs the function where one of them is all of it, until the executor has it: at `place_of_whole`."""
        self.place_of_whole: int | None = None
        super().__init__(executor, types, key, flags, None)

    @property
    def spec(self) -> ArgumentSpec:
        note = ", gradients wanted" if self.wants else ", no gradients wanted"
        types = [of_any_size(one) for one in self.types]
        return ArgumentSpec(types, self.key, said(self.flags) + note)

    @property
    def code(self) -> PlanCode:
        return PlanCode(self.function, [graph.executor for graph in self.graphs.values()])

    def shown(self, function: FuncOp) -> Graph:
        for graph in self.graphs.values():
            graph.show_reverse()
        return super().shown(function)

    @property
    def interpreted(self) -> InterpreterFunction:
        return self.executor.recorder

    def _optimized_at_first(self) -> FuncOp:
        """As it is, where its runs are worth observing: it is differentiated when they have been."""
        if not self.wants:
            return super()._optimized_at_first()
        if self.runs_before and self.flags:
            function = super()._optimized_at_first()
            if is_worth_observing(function):
                return function
            release(module_around(function))
            if self.unfinished is not None:
                release(module_around(self.unfinished))
                self.unfinished = None
        return self._optimized()

    def _optimized(self) -> FuncOp:
        return self.executor.specialized(
            self.types,
            "runtime-optimizations",
            self.flags,
            grad_mode=self.wants,
            differentiates=self.wants,
        )

    def _worth_of_call(self) -> int:
        return super()._worth_of_call() * (RECORDED if self.wants else 1)

    def _price(self) -> int:
        return super()._price() * (WITH_GRADIENTS if self.wants else 1)

    @property
    def grad_mode(self) -> bool | None:
        return self.wants

    def is_recorded_whole(self, function: FuncOp) -> bool:
        return turns_gradients(function) or self.executor.leaves_mode_changed

    def publish(self) -> None:
        """Hand what serves calls without a plan's help to the executor: the graph that is all of the function, or where no gradients
        are wanted its kernel.
        """
        super().publish()
        if self.whole is not None and self.executor.seen is None:
            self.place_of_whole = len(self.executor.whole_graphs)
            self.executor.whole_graphs.append(self.whole)
            self.whole = None

    @property
    def may_be_one_kernel(self) -> bool:
        return not self.wants

    def _observing(self, observed: FuncOp) -> InterpreterFunction:
        return interpret(
            observed,
            resolve=self.executor.resolve_recorded,
            is_checked=self.executor.is_checked,
            records=True,
        )

    def _unobserved(self) -> Callable[..., Any]:
        return self._build() if self.wants else self._until_hot()

    def _use_observed(self, observed: FuncOp) -> Callable[..., Any]:
        module = module_around(observed)
        name = "after-observation-with-gradients" if self.wants else "after-observation"
        pipeline(self.executor.lists, name).apply(module)
        self.__dict__["function"] = observed
        self.is_observed = True
        return self._unobserved()

    def _add_fast_path(self, run: Callable[..., Any]) -> None:
        """Native calls take no tensors with a history."""

    def _build(self) -> Callable[..., Any]:
        lists, for_gradient = self.executor.lists, self.executor.for_gradient
        block, name = self.function.body.block, self.function.sym_name.data
        inside: set[Operation] = set()
        shared = Shared(lists, for_gradient, name)
        for op in nested_ops(block):
            if isinstance(op, prim.DifferentiableGraphOp):
                self.graphs[op] = DifferentiableGraph(op, shared)
                inside.update(op.walk())
        groups = [
            op
            for op in nested_ops(block)
            if isinstance(op, prim.TensorExprGroupOp) and op not in inside
        ]
        self.groups = group_callables(groups, lists, name)
        history = None if self.wants else History(block)
        special: dict[Operation, Any] = {
            op: without_history(run) if history is None or history.is_needed_by(op) else run
            for op, run in self.groups.items()
        }
        if not self.executor.is_checked:
            self.loops = loop_callables(self.function, lists)
        special |= {op: on_tape(graph) for op, graph in self.graphs.items()} | self.loops
        for op in nested_ops(block):
            if isinstance(op, prim.ForkOp):
                special[op] = task_starter(self.executor.for_region(op.regions[0].block))
        self.is_built = True
        if len(self.graphs) == 1 and not self.groups:
            (graph,) = self.graphs.values()
            whole = whole_of(self.function, graph)
            self.whole = None if whole is None else on_tape_whole(whole)
        return interpret(
            self.function,
            special,
            self.executor.resolve_recorded,
            is_checked=self.executor.is_checked,
            records=True,
            history=history,
        )
