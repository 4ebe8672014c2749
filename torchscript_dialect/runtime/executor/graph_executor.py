"""The graph executor: specializes a function for its arguments, optimizes it, and runs what comes out.

Note [Paths of a call]
A call that fits a kernel which is the whole function never comes to Python. Any other takes the slow path: arguments are bound, and
the plan for their kind runs them. A plan interprets at first, then types are propagated from the arguments through a copy of
the graph, passes optimize it, and groups of operators become kernels (Note [Stages of a plan] in stages.py). If all
of the function is one kernel, it is handed to the native callable; otherwise an interpreter runs the optimized graph and
calls the kernels. A kernel whose guard fails runs the nodes it was made from instead. Follows
torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp.

Note [Calls that stay]
All calls are inlined, so that operators of callers and callees share groups. In a network of fifty equal layers that means to
compile one layer fifty times. In a function that has `LARGE` nodes with all that it calls, calls of what has `REPEATED` nodes and
would be there `TIMES` times stay calls, and what they call has an executor of its own: it is compiled once, and its caller is small.
A method that is called of an interface has one, too: which it is, only the object tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.backend import LOWERING, fusing_on
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.calls import Calls, inlined_size, reached
from torchscript_dialect.ir.changes import Snapshot
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.graph import Graph
from torchscript_dialect.ir.module import find_function, function_of_block, functions_of
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.executed_function import ExecutedFunction
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan
from torchscript_dialect.runtime.executor.last_executed import NATIVE, NATIVE_AT, Last
from torchscript_dialect.runtime.executor.shown_graph import is_one_check, shown_graph
from torchscript_dialect.runtime.executor.tiers import MOST
from torchscript_dialect.runtime.interpreter.interpreter import recording
from torchscript_dialect.runtime.interpreter.node_rules import CallResolver
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.specialization.gradients import Begins, leaves_mode_changed
from torchscript_dialect.runtime.specialization.module_flags import (
    NO_FLAGS,
    Flags,
    FlagsRead,
    flags_read,
)
from torchscript_dialect.runtime.specialization.specialization import (
    Key,
    argument_key,
    device_of,
    specialized_type,
)
from torchscript_dialect.runtime.specialization.specialized_copy import specialized_copy
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.autocast_region import Casts, without_casts
from torchscript_dialect.tensor.device_array import is_device_in_use
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.inference import ENTERED, holds_refused, mark_results
from torchscript_dialect.tensor.tracked import holds_tracked, holds_watched, is_in_use
from torchscript_dialect.tensor.unstrided import holds_unstrided, is_made
from torchscript_dialect.transforms.autocast import Autocast
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils import jit_log, jit_opt_limit
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.properties import cached_property

LARGE = 4000
"""Nodes of a function, with what it calls, in which not every call is inlined."""
TIMES, REPEATED = 3, 300
"""So often a function of so many nodes is called that is compiled by itself."""

COMPILING = (
    "required",
    "before-inlining",
    "inlining",
    "decomposition",
    "before-specialization",
    "specialization",
    "runtime-optimizations",
    *LOWERING,
)
"""The pipelines that a function goes through on its way to a kernel which is the whole function."""


class GraphExecutor(ExecutedFunction):
    """Runs one function. `native` is the callable that gets the kernels which are the whole function; `methods` runs what it calls of
    an interface, where that is shared.
    """

    def __init__(
        self,
        function: FuncOp,
        native: NativeCallable | None = None,
        own_lists: PassLists | None = None,
        *,
        is_checked: bool = False,
        resolve: CallResolver | None = None,
        methods: dict[str, GraphExecutor] | None = None,
    ) -> None:
        super().__init__(function, own_lists, is_checked=is_checked, resolve=resolve)
        self.methods = {} if methods is None else methods
        """What runs methods of objects whose class only they tell, by symbol: Note [Calls that stay]."""
        self.native = native
        self.plans: dict[Key, ExecutionPlan] = {}
        self.gradient_plans: dict[Key, GradientPlan] = {}
        """The plans for arguments that require gradients, by whether gradients are wanted, and the rest of the key."""
        self.whole_graphs: list[Callable[..., Any]] = []
        """What serves calls of a function that is one differentiable graph, or gives None; see `run_whole`."""
        self.calls = 0
        """Calls that took the slow path."""
        self.followed: object = None
        """PyTorch's default dtype at the last of them."""
        self.cast: dict[tuple[Casts, *tuple[str, ...]], GraphExecutor] = {}
        """What runs the function cast, by the dtype of a region around the call."""
        self.is_cast = False
        """Whether the function is one that was cast."""
        self.is_way_back = False
        """Whether the function is the reverse graph of one that was worth compiling."""
        self.seen: Snapshot | None = None
        """The function as it was, once its ops may change without a word; see Note [Edited functions]."""
        self.reference = ref(self)
        if native is not None:
            native.note_calls_at(NATIVE_AT)
        settings.listen(self)
        changes.listen(self.module, self)

    def settings_changed(self) -> None:
        """Forget what was made under other settings."""
        for plan in (*self.plans.values(), *self.gradient_plans.values()):
            plan.is_needed = False
        self.plans.clear()
        self.gradient_plans.clear()
        self.whole_graphs.clear()
        if self.native is not None:
            self.native.clear_specializations()

    def function_edited(self) -> None:
        """Forget what was made of the function as it was."""
        self.settings_changed()
        self.cast.clear()
        self.forget_facts()
        if self.seen is not None:
            self.seen = Snapshot(self.seen.module)

    def ops_handed_out(self) -> None:
        """Look for edits at each call from now on, none of which is native."""
        if self.seen is None:
            self.settings_changed()
            self.seen = Snapshot(self.module)

    def invalidate(self) -> None:
        """Forget what was made, and look for edits no more."""
        self.seen = None
        self.function_edited()

    @cached_property
    def leaves_mode_changed(self) -> bool:
        """Whether a call that stays one in optimized graphs may leave gradients turned on or off."""
        return any(
            leaves_mode_changed(function)
            for name in self.callees
            for function in reached(name, self.called)
        )

    def is_recorded(self, args: Sequence[Any], *, is_tracked: bool) -> bool:
        """Whether a call has to be recorded for gradients; `is_tracked`: an argument requires one."""
        if not is_in_use():
            return self.begins_tracking is Begins.ITSELF
        if is_tracked or self.begins_tracking or (is_made() and holds_unstrided(args)):
            return True
        return self.may_write_arguments and (holds_watched(args) or holds_refused(args))

    def for_region(self, block: Block) -> GraphExecutor:
        """The executor of a forked region; it calls the functions that this one calls."""
        copy = self.module.clone()
        function = function_of_block(block)
        function.detach()
        function.sym_name = StringAttr(f"{self.function.sym_name.data}.fork")
        copy.body.block.add_op(function)
        return GraphExecutor(function, own_lists=self.own_lists, is_checked=self.is_checked)

    @property
    def price(self) -> int:
        """How many nodes a call has to compile; 0 where that is not held back: Note [Tiers] in tiers.py."""
        if self.is_way_back or self.lists.changed:
            return 0
        size = inlined_size(self.function)
        return size if size <= MOST else 0

    @property
    def has_loops(self) -> bool:
        """Whether the function, or one that it calls, has loops."""
        functions = reached(self.function.sym_name.data, self.called)
        ops = (op for one in functions for op in nested_ops(one.body.block))
        return any(isinstance(op, prim.LoopOp) for op in ops)

    @cached_property
    def callees(self) -> dict[str, GraphExecutor]:
        """What runs the functions that stay calls: Note [Calls that stay]."""
        calls, name = Calls(self.module), self.function.sym_name.data
        if self.seen is not None or calls.size(name) < LARGE:
            return {}
        staying = calls.repeated(name, times=TIMES, size=REPEATED)
        return {
            callee: GraphExecutor(
                calls.functions[callee],
                own_lists=self.own_lists,
                is_checked=self.is_checked,
                resolve=self.resolve,
                methods=self.methods,
            )
            for callee in sorted(staying)
        }

    @cached_property
    def resolve_optimized(self) -> CallResolver:
        """What runs the functions that an optimized graph calls."""
        return _OfOptimized(self, self.resolve)

    def method(self, name: str) -> GraphExecutor:
        """What runs a method that is called of an interface."""
        found = self.methods.get(name)
        if found is None:
            callee: Any = self.resolve(name)
            found = self.methods[name] = GraphExecutor(
                callee.function,
                own_lists=self.own_lists,
                is_checked=self.is_checked,
                resolve=self.resolve,
                methods=self.methods,
            )
        return found

    def __call__(self, *args: Any) -> Any:
        """Run the function on runtime values, in the order of its graph's inputs."""
        result = self._run(*args)
        if ENTERED:
            mark_results(result, args)
        return result

    def _run(self, *args: Any) -> Any:
        self.calls += 1
        if self.seen is not None and not self.seen.is_true():
            self.function_edited()
        torch = pytorch_state.loaded()
        if torch is not None and torch.get_default_dtype() is not self.followed:
            self.follow_pytorch(torch)
        if torch is not None and is_device_in_use():
            settings.follow_precision()
        around = pytorch_state.autocast_around(torch)
        if (around is not None or self.has_regions) and not self.is_cast:
            with without_casts():  # what it calls is cast by its own copy
                return self.cast_for(around)(*args)
        is_tracked = is_in_use() and holds_tracked(args)
        if self.is_recorded(args, is_tracked=is_tracked):
            return self.run_recorded(args, is_tracked=is_tracked)
        now = settings.current()
        if not now.specializes:
            return self.run_as_it_is(args)
        plan = self.plans.get(self.key_of(args, self.flags_of(args))) or self.plan_for(args)
        if plan is None:
            return self.run_as_it_is(args)
        result = plan.run(*args)
        Last.executor, Last.plan, NATIVE[0] = self.reference, plan.reference, 0
        return result

    def interpreted(self, *args: Any) -> Any:
        """Interpret the function, and record what it does where gradients have to do with it."""
        is_tracked = is_in_use() and holds_tracked(args)
        is_recorded = self.is_recorded(args, is_tracked=is_tracked)
        return (self.recorder if is_recorded else self.interpreter)(*args)

    def run_as_it_is(self, args: Sequence[Any]) -> Any:
        """Interpret the function without any plan."""
        result = self.interpreter(*args)
        Last.executor, Last.plan, NATIVE[0] = self.reference, None, 0
        return result

    def run_whole(self, args: tuple[Any, ...]) -> Any:
        """The result of a call as it came that one of the `whole_graphs` serves, None where none does."""
        torch = pytorch_state.loaded()
        if torch is not None and (
            torch.get_default_dtype() is not self.followed
            or pytorch_state.autocast_around(torch) is not None
        ):
            return None
        for index, run in enumerate(self.whole_graphs):
            result = run(args)
            if result is not None:
                Last.executor, Last.plan, NATIVE[0] = self.reference, index, 0
                return result
        return None

    def run_recorded(self, args: Sequence[Any], *, is_tracked: bool) -> Any:
        """Run the function where gradients have to do with it; see Note [Plans with gradients] in gradient_plan.py."""
        now = settings.current()
        if (
            not now.specializes
            or self.begins_tracking
            or not is_tracked
            or (is_made() and holds_unstrided(args))
        ):
            return self.recorder(*args)
        plan = self.gradient_plan_for(args)
        if plan is None:
            return self.recorder(*args)
        result = plan.run(*args)
        Last.executor, Last.plan, NATIVE[0] = self.reference, plan.reference, 0
        return result

    def gradient_plan_for(self, args: Sequence[Any]) -> GradientPlan | None:
        """As `plan_for`, for arguments that require gradients."""
        wants = is_grad_enabled()
        flags = self.flags_of(args)
        key = (wants, self.key_of(args, flags))
        plan = self.gradient_plans.get(key)
        if plan is None and len(self.gradient_plans) < settings.current().max_plans:
            flags = self.settled_flags(args, flags)
            key = (wants, self.key_of(args, flags))
            plan = GradientPlan(self, self.specialized_types(args), key, flags, wants=wants)
            self.gradient_plans[key] = plan
        return plan

    def plans_in_order(self) -> list[ExecutionPlan]:
        """The plans in the order in which they were made."""
        plans = [*self.plans.values(), *self.gradient_plans.values()]
        return sorted(plans, key=lambda plan: plan.number)

    def plans_after(self, plan: ExecutionPlan) -> list[ExecutionPlan]:
        """The plans that were made after one."""
        return [other for other in self.plans_in_order() if other.number > plan.number]

    def plan_of_whole(self, index: int) -> ExecutionPlan | None:
        """The plan that one of the `whole_graphs` came from."""
        plans = self.gradient_plans.values()
        return next((plan for plan in plans if plan.place_of_whole == index), None)

    def plan_of(self, owner: object) -> ExecutionPlan | None:
        """The plan whose kernel, or fast path, a native call took."""
        plans = self.plans.values()
        found = next((plan for plan in plans if owner in plan.kernels), None)
        return found or next((plan for plan in plans if plan.has_fast_path), None)

    def for_gradient(self, function: FuncOp) -> GraphExecutor:
        """The executor of a reverse graph."""
        executor = GraphExecutor(function, own_lists=self.own_lists, is_checked=self.is_checked)
        executor.native = NativeCallable(executor)
        executor.is_way_back = True
        return executor

    @property
    def resolve_recorded(self) -> CallResolver:
        """What runs the functions that an optimized graph calls, and records them."""
        return _OfOptimized(self, recording(self.resolve))

    def follow_pytorch(self, torch: Any) -> None:
        """Forget what was made for another default dtype than PyTorch's, while it is loaded."""
        get_default_dtype()
        self.followed = torch.get_default_dtype()

    def cast_for(self, around: Casts | None) -> GraphExecutor:
        """What runs the function with its regions of `torch.autocast` spelled out, and those around the call.

        Raises:
            TorchScriptError: a region has no constant arguments, or an operator cannot be cast.
        """
        around = around or Casts()
        key = around, *map(pytorch_state.autocast_dtype, Casts._fields)
        found = self.cast.get(key)
        if found is None:
            with compilation:
                copy = self.module.clone()
                pipeline(self.lists, "autocasting").apply(copy)
                function = find_function(copy, self.function.sym_name.data)
                Autocast(cpu=around.cpu, cuda=around.cuda).run_deep(function, Analyses())
            found = GraphExecutor(
                function, own_lists=self.own_lists, is_checked=self.is_checked, resolve=self.resolve
            )
            found.is_cast = True
            self.cast[key] = found
        return found

    def plan_for(self, args: Sequence[Any]) -> ExecutionPlan | None:
        """The plan for these arguments, made if need be; None once there are as many as the strategy allows."""
        flags = self.flags_of(args)
        key = self.key_of(args, flags)
        plan = self.plans.get(key)
        if plan is None and len(self.plans) < settings.current().max_plans:
            flags = self.settled_flags(args, flags)
            key = self.key_of(args, flags)
            disk_key = None if self.native is None else self.disk_key(args)
            plan = ExecutionPlan(self, self.specialized_types(args), key, flags, disk_key)
            self.plans[key] = plan
        return plan

    def key_of(self, args: Sequence[Any], flags: Flags) -> Key:
        """The specialization that a call with these runtime values needs."""
        key = argument_key(args)
        return (key, *flags.values()) if flags else key

    def flags_of(self, args: Sequence[Any]) -> Flags:
        """What these runtime values have in the place of the flags that the function reads."""
        return self.flags_read.of(args[0]) if self.flags_read else NO_FLAGS

    @cached_property
    def flags_read(self) -> FlagsRead:
        """The flags of the method's module and its submodules that it reads: Note [Module flags] in module_flags.py."""
        if self.native is not None or not self.function.body.block.args:
            return FlagsRead()
        return flags_read(self.function.sym_name.data, self.called)

    def settled_flags(self, args: Sequence[Any], flags: Flags) -> Flags:
        """The flags that a new plan is for; plans for attributes that have too many values are forgotten."""
        if not self.flags_read.drop_varying(flags):
            return flags
        self.settings_changed()
        return self.flags_of(args)

    def specialized_types(self, args: Sequence[Any]) -> list[TorchScriptType]:
        """The types of the function's arguments, refined by the values of a call."""
        declared = [prim.type_of(argument) for argument in self.function.body.block.args]
        return [specialized_type(v, t) for v, t in zip(args, declared, strict=True)]

    def disk_key(self, args: Sequence[Any]) -> str | None:
        """What the kernel that is the whole function is kept under on disk; None where passes have a part in it that may be
        others under the same name in the next process, and where somebody watches or limits what passes do.
        """
        passes = self.lists.identity(*COMPILING)
        if passes is None or jit_log.is_set() or jit_opt_limit.is_set():
            return None
        functions = functions_of(self.module)
        texts = [
            print_graph(f, name=f.sym_name.data, locations=False, indented=False) for f in functions
        ]
        return cache_key(
            "function",
            settings.current().fuser,  # a device is part of the key of arguments
            passes,
            self.function.sym_name.data,
            repr(argument_key(args)),
            get_default_dtype().name,
            *texts,
        )

    def optimized_for(self, args: Sequence[Any]) -> FuncOp:
        """The optimized function for these runtime values; a plan whose types were observed has it."""
        plan = self.plan_that_runs(args)
        if plan is None:
            return self.function
        types = self.specialized_types(args)
        is_shown = plan.is_observed or isinstance(plan, GradientPlan) or plan.types == types
        return plan.function if is_shown else self.optimized(types, plan.flags)

    def plan_that_runs(self, args: Sequence[Any]) -> ExecutionPlan | None:
        """The plan for a call with these runtime values; None where the function is interpreted as it is."""
        now = settings.current()
        if not now.specializes:
            return None
        if not holds_tracked(args):
            return self.plan_for(args)
        plan = None if self.begins_tracking else self.gradient_plan_for(args)
        return None if plan is None or plan.is_recorded_whole(plan.function) else plan

    def graph_for(self, args: Sequence[Any]) -> Graph:
        """What runs for these runtime values, with the checks that guard its kernels."""
        plan = self.plan_that_runs(args)
        Last.executor, NATIVE[0] = self.reference, 0
        Last.plan = None if plan is None else plan.reference
        function = self.optimized_for(args)
        return shown_graph(function, tuple) if plan is None else plan.shown(function)

    def last_graph(self, plan: ExecutionPlan | None) -> Graph:
        """The graph of a plan that ran; where those before it are whole groups, that of the first, whose fallbacks lead there."""
        if plan is None:
            return shown_graph(self.function, tuple)
        first = plan
        for other in reversed(self.plans_in_order()[: plan.number]):
            if not is_one_check(other.graph.function):
                break
            first = other
        return first.graph

    def optimized(self, types: Sequence[TorchScriptType], flags: Flags) -> FuncOp:
        """A copy of the function, inlined, specialized for the types of arguments and flags, and optimized."""
        return self.specialized(types, "runtime-optimizations", flags)

    def specialized(
        self,
        types: Sequence[TorchScriptType],
        last: str,
        flags: Flags = NO_FLAGS,
        *,
        grad_mode: bool | None = None,
        differentiates: bool = False,
        before_last: Callable[[FuncOp], None] | None = None,
    ) -> FuncOp:
        """A copy of the function in a module of its own, inlined, with these types of arguments and run through a last pipeline;
        `before_last` is called with it before that.

        Before that it is simplified, and differentiated if it `differentiates`, with what the types say of all arguments that the same
        plan is for, and whether gradients are wanted, where that is known.
        """
        with compilation, fusing_on(device_of(types)):
            return specialized_copy(
                self.function,
                types,
                flags,
                self.lists,
                last,
                self.callees,
                grad_mode=grad_mode,
                differentiates=differentiates,
                before_last=before_last,
            )


class _OfOptimized:
    """What runs the functions that an optimized graph calls: Note [Calls that stay]."""

    def __init__(self, executor: GraphExecutor, resolve: CallResolver) -> None:
        self.executor = executor
        self.resolve = resolve

    def __call__(self, name: str) -> Callable[..., Any]:
        return self.executor.callees.get(name) or self.resolve(name)

    def of_interface(self, name: str) -> Callable[..., Any]:
        """The same for a method that is called of an interface."""
        return self.executor.method(name)
