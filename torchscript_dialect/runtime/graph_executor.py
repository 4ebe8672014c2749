"""The graph executor: specializes a function for its arguments, optimizes it, and runs what comes out.

Note [Ways of a call]
The first call with arguments of a new kind takes the slow path: types are propagated from the arguments through a copy of the
graph, passes optimize it, groups of operators become kernels. If all of the function is one kernel, it is handed to the native
callable, and later calls that fit never come back to Python. Otherwise an interpreter runs the optimized graph and
calls the kernels. A kernel whose guard fails runs the nodes it was made from instead. Follows
torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.graph import standing_alone
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.interpreter import InterpreterFunction
from torchscript_dialect.runtime.kernels import Kernel, compile_kernel, load_kernel
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.profiling import ProfilingRun, is_worth_observing
from torchscript_dialect.runtime.specialization import Key, argument_key, specialized_type
from torchscript_dialect.runtime.whole_graph import align_to_function
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.transforms._edit import set_type, update_function_type
from torchscript_dialect.transforms.pipelines import (
    AFTER_OBSERVATION,
    BEFORE_SPECIALIZATION,
    OBSERVATION,
    RUNTIME_OPTIMIZATIONS,
    run_passes,
)
from torchscript_dialect.types.core import TorchScriptType


@dataclass
class ExecutionPlan:
    """What runs for one specialization."""

    executor: GraphExecutor
    types: Sequence[TorchScriptType]
    """The types of the arguments that the plan is for."""
    kernel: Kernel | None = None
    """The kernel that is the whole function, where there is one."""
    is_observed: bool = False
    """Whether the function was specialized by what its runs observed."""
    groups: dict[Operation, NativeCallable] = field(default_factory=dict[Operation, NativeCallable])
    """What runs the fusion groups of the function."""

    @cached_property
    def function(self) -> FuncOp:
        """The optimized function, in a module of its own."""
        return self.executor.optimized(self.types)

    @property
    def graph(self) -> Graph:
        """The optimized graph."""
        return Graph(self.function)

    @cached_property
    def observed(self) -> FuncOp:
        """A copy of the function whose runs observe types."""
        return self.executor.specialized(self.types, OBSERVATION)

    def use_observed_types(self) -> None:
        """Make the plan anew from what runs have observed."""
        module = self.observed.parent_op()
        assert isinstance(module, ModuleOp)
        run_passes(module, AFTER_OBSERVATION)
        self.is_observed = True
        self.__dict__["function"] = self.observed
        self.__dict__["run"] = self.executor.build(self)

    @cached_property
    def run(self) -> Callable[..., Any]:
        """What runs the optimized graph."""
        if self.kernel is None:
            runs = settings.current().profiled_runs
            if runs and is_worth_observing(self.function):
                return ProfilingRun(self, interpret(self.observed), runs)
            return self.executor.build(self)
        whole = NativeCallable(lambda *args: self.executor.interpreter(*args))
        self.kernel.add_to(whole)
        return whole


class GraphExecutor:
    """Runs one function. `native` is the callable that gets the kernels which are the whole function."""

    def __init__(self, function: FuncOp, native: NativeCallable | None = None) -> None:
        self.function = function
        self.native = native
        self.plans: dict[Key, ExecutionPlan] = {}
        self.calls = 0
        """Calls that took the slow path."""
        settings.listen(self)

    def settings_changed(self) -> None:
        """Forget what was made under other settings."""
        self.plans.clear()
        if self.native is not None:
            self.native.clear_specializations()

    @cached_property
    def interpreter(self) -> InterpreterFunction:
        """The interpreter of the function as it is."""
        return interpret(self.function)

    def __call__(self, *args: Any) -> Any:
        """Run the function on runtime values, in the order of its graph's inputs."""
        self.calls += 1
        now = settings.current()
        if not now.optimize or now.fuser == "none":
            return self.interpreter(*args)
        plan = self.plan_for(args)
        return self.interpreter(*args) if plan is None else plan.run(*args)

    def plan_for(self, args: Sequence[Any]) -> ExecutionPlan | None:
        """The plan for these arguments, made if need be; None once there are as many as the strategy allows."""
        key = argument_key(args)
        plan = self.plans.get(key)
        if plan is None and len(self.plans) < settings.current().max_plans:
            plan = self.plans[key] = self._new_plan(args)
        return plan

    def specialized_types(self, args: Sequence[Any]) -> list[TorchScriptType]:
        """The types of the function's arguments, refined by the values of a call."""
        declared = [prim.type_of(argument) for argument in self.function.body.block.args]
        return [specialized_type(v, t) for v, t in zip(args, declared, strict=True)]

    def _new_plan(self, args: Sequence[Any]) -> ExecutionPlan:
        plan = ExecutionPlan(self, self.specialized_types(args))
        if self.native is None:
            return plan
        key = self._disk_key(args)
        kernel = load_kernel(key) or self._compile_whole(plan, key)
        if kernel is not None:
            with suppress(NativeUnavailable):
                kernel.add_to(self.native)
                plan.kernel = kernel
        return plan

    def _disk_key(self, args: Sequence[Any]) -> str:
        module = self.function.parent_op()
        assert isinstance(module, ModuleOp)
        functions = [op for op in module.body.ops if isinstance(op, FuncOp)]
        texts = [print_graph(f, name=f.sym_name.data, locations=False) for f in functions]
        return cache_key(
            "function",
            settings.current().fuser,
            self.function.sym_name.data,
            repr(argument_key(args)),
            *texts,
        )

    def _compile_whole(self, plan: ExecutionPlan, key: str) -> Kernel | None:
        """The kernel of the whole function, where it is one group of nodes and nothing else."""
        body = align_to_function(plan.function)
        if body is None:
            return None
        try:
            return compile_kernel(body.block, settings.current().fuser, key, body.returns_tuple)
        except NotCompilable:
            return None

    def optimized_for(self, args: Sequence[Any]) -> FuncOp:
        """The optimized function for these runtime values; a plan whose types were observed has it."""
        plan = self.plans.get(argument_key(args))
        if plan is not None and plan.is_observed:
            return plan.function
        return self.optimized(self.specialized_types(args))

    def optimized(self, types: Sequence[TorchScriptType]) -> FuncOp:
        """A copy of the function, inlined, specialized for the types of arguments and optimized."""
        return self.specialized(types, RUNTIME_OPTIMIZATIONS)

    def specialized(self, types: Sequence[TorchScriptType], passes: Iterable[str]) -> FuncOp:
        """A copy of the function in a module of its own, inlined, with these types of arguments and run through passes."""
        module = self.function.parent_op()
        assert isinstance(module, ModuleOp)
        copy = module.clone()
        run_passes(copy, BEFORE_SPECIALIZATION)
        function = next(
            op
            for op in copy.body.ops
            if isinstance(op, FuncOp) and op.sym_name == self.function.sym_name
        )
        for other in list(copy.body.ops):
            if other is not function:
                copy.body.block.erase_op(other, safe_erase=False)
        for argument, type_ in zip(function.body.block.args, types, strict=True):
            set_type(argument, type_)
        update_function_type(function)
        run_passes(copy, passes)
        return function

    def build(self, plan: ExecutionPlan) -> Callable[..., Any]:
        """The interpreter of a plan's graph, its groups compiled."""
        fuser = settings.current().fuser
        special: dict[Operation, Any] = {}
        for op in plan.function.body.walk():
            if isinstance(op, prim.TensorExprGroupOp):
                special[op] = plan.groups[op] = group_callable(op, fuser)
        return interpret(plan.function, special)


def group_callable(group: prim.TensorExprGroupOp, fuser: str) -> NativeCallable:
    """What runs a group: its kernel where the operands fit, its nodes one by one where they do not."""
    callable_ = NativeCallable(interpret(standing_alone(group.body).function))
    with suppress(NotCompilable, NativeUnavailable):
        compile_kernel(group.body, fuser).add_to(callable_)
    return callable_


def interpret(
    function: FuncOp, special: dict[Operation, Any] | None = None
) -> InterpreterFunction:
    """The interpreter of a function; the functions of its module are at hand as callees."""
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    callees: dict[str, Callable[..., Any]] = {}

    def resolve(name: str) -> Callable[..., Any]:
        if name not in callees:
            callee = next(
                op
                for op in module.body.ops
                if isinstance(op, FuncOp) and op.sym_name.data == name
            )
            callees[name] = _Lazy(callee, resolve)
        return callees[name]

    return InterpreterFunction(function, resolve, special)


class _Lazy:
    """A callee, prepared when it is first called: functions may call each other."""

    def __init__(self, function: FuncOp, resolve: Callable[[str], Callable[..., Any]]) -> None:
        self.function = function
        self.resolve = resolve
        self.ready: InterpreterFunction | None = None

    def __call__(self, *args: Any) -> Any:
        if self.ready is None:
            self.ready = InterpreterFunction(self.function, self.resolve)
        return self.ready(*args)
