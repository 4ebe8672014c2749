"""Execution plans: what runs for one specialization of a function, by stages (Note [Stages of a plan] in stages.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Protocol
from weakref import ref

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.backend import Executable, NotCompilable, fusing_on
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.calls import inlined_size
from torchscript_dialect.ir.changes import Snapshot
from torchscript_dialect.ir.edit import nested_ops, release
from torchscript_dialect.ir.module import find_function, module_around
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.debug_state import ArgumentSpec, PlanCode
from torchscript_dialect.runtime.executor.fast_path import add_fast_path, is_as_good
from torchscript_dialect.runtime.executor.group_runners import LazyInterpreter, group_callables
from torchscript_dialect.runtime.executor.other_sizes import MOST_KERNELS, OtherSizes
from torchscript_dialect.runtime.executor.scalar_loops import ScalarLoop, loop_callables
from torchscript_dialect.runtime.executor.shown_graph import shown_graph
from torchscript_dialect.runtime.executor.stages import Stage
from torchscript_dialect.runtime.executor.tiers import LOOPS, Tier
from torchscript_dialect.runtime.interpreter.interpreter import (
    CallResolver,
    InterpreterFunction,
    interpret,
    task_starter,
)
from torchscript_dialect.runtime.kernels.kernels import (
    add_kernel,
    callable_of,
    compile_kernel,
    load_kernel,
    of_target,
)
from torchscript_dialect.runtime.kernels.whole_graph import SINGLE_NODES, align_to_function
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.specialization.module_flags import Flags, said
from torchscript_dialect.runtime.specialization.profiling import (
    has_unknown_types,
    is_worth_observing,
)
from torchscript_dialect.runtime.specialization.specialization import device_of, of_any_size
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import internal_error, is_told
from torchscript_dialect.utils.progress import progress
from torchscript_dialect.utils.properties import cached_property

FUSION = "ts-fuse-tensorexprs"
HOT = 256
"""Calls of a plan, after which operators that are in no group get kernels of their own."""
SMALL = 100
"""Nodes of a function that is compiled by a call."""


class PlannedFunction(Protocol):
    """What a plan needs of the executor whose function it runs."""

    native: NativeCallable | None
    function: FuncOp
    is_checked: bool
    seen: Snapshot | None

    @property
    def lists(self) -> PassLists:
        """The passes that the function goes through."""
        ...

    def plans_in_order(self) -> Sequence[ExecutionPlan]:
        """The plans in the order in which they were made."""
        ...

    def plans_after(self, plan: ExecutionPlan) -> Sequence[ExecutionPlan]:
        """The plans that were made after one."""
        ...

    @cached_property
    def interpreter(self) -> InterpreterFunction:
        """The interpreter of the function as it is."""
        ...

    @cached_property
    def resolve(self) -> CallResolver:
        """What runs the functions that the function calls."""
        ...

    @cached_property
    def resolve_optimized(self) -> CallResolver:
        """What runs the functions that an optimized graph calls."""
        ...

    def specialized_types(self, args: Sequence[Any]) -> list[TorchScriptType]:
        """The types of the function's arguments, refined by the values of a call."""
        ...

    @property
    def price(self) -> int:
        """How many nodes a call has to compile; 0 where that is not held back: Note [Tiers] in tiers.py."""
        ...

    @property
    def has_loops(self) -> bool:
        """Whether the function, or one that it calls, has loops."""
        ...

    def for_region(self, block: Block) -> Callable[..., Any]:
        """What runs a forked region."""
        ...

    def optimized(self, types: Sequence[TorchScriptType], flags: Flags) -> FuncOp:
        """A copy of the function, inlined, specialized for the types of arguments and flags, and optimized."""
        ...

    def specialized(
        self,
        types: Sequence[TorchScriptType],
        last: str,
        flags: Flags = ...,
        *,
        grad_mode: bool | None = None,
        differentiates: bool = False,
        before_last: Callable[[FuncOp], None] | None = None,
    ) -> FuncOp:
        """A copy of the function in a module of its own, inlined, with these types of arguments and run through a last pipeline;
        `before_last` is called with it before that. One that `differentiates` has graphs that go back for what requires gradients;
        `grad_mode` says whether they are wanted.
        """
        ...


class ExecutionPlan:
    """One specialization: `run` takes runtime values; see Note [Stages of a plan] in stages.py."""

    TAKES_TRACKED = False
    """Whether its kernels are given tensors that require gradients."""

    def __init__(
        self,
        executor: PlannedFunction,
        types: Sequence[TorchScriptType],
        key: object,
        flags: Flags,
        disk_key: str | None,
    ) -> None:
        self.executor = executor
        self.key = key
        """What tells it from the other plans of its function."""
        self.reference = ref(self)
        self.number = len(executor.plans_in_order())
        """How many plans of the function were made before it."""
        self.types = types
        """The types of the arguments that the plan is for."""
        self.flags = flags
        """The flags of submodules that it is for: Note [Module flags] in module_flags.py."""
        self.device = device_of(types)
        self.disk_key = disk_key
        """Where the kernel that is the whole function is kept; None where it cannot be."""
        self.kernels: list[Executable] = []
        """The kernels that are the whole function, each for other sizes: Note [Kernels for other sizes] in other_sizes.py."""
        self.unfinished: FuncOp | None = None
        """The function before its groups were made, while it may be that runs are to observe its types."""
        self.is_observed = False
        """Whether the function was specialized by what its runs observed."""
        self.groups: dict[Operation, Callable[..., Any]] = {}
        """What runs the fusion groups of the function."""
        self.loops: dict[Operation, ScalarLoop] = {}
        """What runs the loops over numbers of the function."""
        self.has_fast_path = False
        """Whether the native callable runs the function as it stands."""
        self.is_built = False
        """Whether the optimized graph is what runs, its groups compiled."""
        self.is_needed = True
        """Whether the executor has not forgotten the plan."""
        self.tier: Tier | None = None
        """What tells which call compiles."""
        self.runs_before = settings.current().runs_before
        self.run: Callable[..., Any] = self.stage(self._first_stage)
        self.publish()

    @cached_property
    def function(self) -> FuncOp:
        """The optimized function, in a module of its own."""
        return self._optimized()

    @property
    def may_be_one_kernel(self) -> bool:
        """Whether one kernel may run the function, which leaves no history."""
        return True

    @property
    def grad_mode(self) -> bool | None:
        """Whether gradients are wanted in all calls that the plan is for; None where that is not known."""
        return None

    def is_recorded_whole(self, function: FuncOp) -> bool:
        """Whether the function, optimized so, has to be interpreted and recorded node by node."""
        return False

    def _optimized_at_first(self) -> FuncOp:
        """The function as it is looked at to see whether its runs are worth observing."""
        return self.executor.specialized(
            self.types,
            "runtime-optimizations",
            self.flags,
            grad_mode=self.grad_mode,
            before_last=self._keep_unfinished,
        )

    def _keep_unfinished(self, function: FuncOp) -> None:
        """Keep a copy of the function if runs may have types to observe."""
        if self.runs_before and has_unknown_types(function):
            copy = module_around(function).clone()
            self.unfinished = find_function(copy, function.sym_name.data)

    def _optimized(self) -> FuncOp:
        return self.executor.optimized(self.types, self.flags)

    @property
    def spec(self) -> ArgumentSpec:
        """What the plan is for."""
        return ArgumentSpec([of_any_size(one) for one in self.types], self.key, said(self.flags))

    @property
    def code(self) -> PlanCode:
        """What runs the plan, and the graphs by which it goes back."""
        return PlanCode(self.function, ())

    @property
    def kernel(self) -> Executable | None:
        """The first kernel that is the whole function, where there is one."""
        return self.kernels[0] if self.kernels else None

    @property
    def stage_text(self) -> str:
        """How far the plan has come."""
        if self.kernels:
            return "native"
        if self.is_compiling:
            return "compiling in the background"
        return "compiled" if self.is_built else "interpreted so far"

    def __repr__(self) -> str:
        return f"<ExecutionPlan {self.number} for {self.spec}: {self.stage_text}>"

    @property
    def interpreted(self) -> InterpreterFunction:
        """The interpreter of the function as it is."""
        return self.executor.interpreter

    def is_native(self, group: prim.TensorExprGroupOp) -> bool:
        """Whether a kernel runs a group of the function."""
        return not isinstance(self.groups.get(group), LazyInterpreter)

    def failed_checks(self, group: prim.TensorExprGroupOp) -> int:
        """How many calls the kernel of a group did not take."""
        run = self.groups.get(group)
        fallback = getattr(run, "slow_path", run)
        return fallback.calls if isinstance(fallback, LazyInterpreter) else 0

    def compiled_groups(self) -> list[prim.TensorExprGroupOp]:
        """The groups of the function that kernels run."""
        groups = [op for op in self.groups if isinstance(op, prim.TensorExprGroupOp)]
        return [group for group in groups if self.is_native(group)]

    @property
    def is_compiling(self) -> bool:
        """Whether it is being compiled in the background."""
        return isinstance(self.run, Stage) and self.run.job is not None

    @property
    def graph(self) -> Graph:
        """The optimized graph with the checks of its kernels: Note [Chains of specializations]."""
        return self.shown(self.function)

    def shown(self, function: FuncOp) -> Graph:
        """The plan's optimized function, maybe for arguments of other sizes, as people see it."""
        is_dynamic = settings.current().kind_of(self.number) == "DYNAMIC"
        following = partial(self.executor.plans_after, self)
        return shown_graph(function, following, is_dynamic=is_dynamic)

    def stage(self, make: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
        """What a stage runs. A graph that came as data need not mean anything: what is made of it that cannot be compiled is
        interpreted, which says what is wrong with it.

        Raises:
            InternalError: a function of ours could not be compiled.
        """
        try:
            with (
                compilation,
                fusing_on(self.device),
                progress(self.executor.function.sym_name.data),
            ):
                return make()
        except Exception as error:
            if is_told(error):
                raise
            if self.executor.is_checked:
                return self.interpreted
            name = self.interpreted.name
            raise internal_error(error, f"'{name}' is compiled for its arguments") from error

    def _kept_under(self) -> str | None:
        """The key of the kernel that is the whole function, for the device of the plan."""
        return None if self.disk_key is None else of_target(self.disk_key, settings.fuser_now())

    def _first_stage(self) -> Callable[..., Any]:
        kept_under = self._kept_under()
        kernel = None if kept_under is None else load_kernel(kept_under, settings.fuser_now())
        if kernel is not None and (installed := self._install(kernel)) is not None:
            return installed
        if self.runs_before:
            self.tier = Tier(self._price, self._worth_of_call)
            return Stage(self, self.interpreted, self._compiled, tier=self.tier)
        return self._compiled()

    def _price(self) -> int:
        """What it takes to compile the function, as `PlannedFunction.price`."""
        return self.executor.price if self.device == "cpu" else 0

    def _worth_of_call(self) -> int:
        return LOOPS if self.executor.has_loops else 1

    def _compiled(self) -> Callable[..., Any]:
        asked_for: FuncOp | None = self.__dict__.get("function")
        function = asked_for or self._optimized_at_first()
        unfinished, self.unfinished = self.unfinished, None
        if self.is_recorded_whole(function):
            return self.interpreted
        kernel = (
            self._compile_whole(function, self._kept_under()) if self.may_be_one_kernel else None
        )
        installed = None if kernel is None else self._install(kernel)
        observes = installed is None and self.runs_before and is_worth_observing(function)
        self._keep(function, asked_for, is_of_use=not observes)
        if unfinished is not None and not observes:
            release(module_around(unfinished))
        if installed is not None:
            return installed
        if observes:
            observed = unfinished
            if observed is None:
                observed = self.executor.specialized(
                    self.types, "observation", self.flags, grad_mode=self.grad_mode
                )
            else:
                pipeline(self.executor.lists, "observation").apply(module_around(observed))
            return Stage(self, self._observing(observed), partial(self._use_observed, observed))
        return self._unobserved()

    def _observing(self, observed: FuncOp) -> InterpreterFunction:
        """What runs a function that takes note of what it meets."""
        return interpret(
            observed,
            resolve=self.executor.resolve_optimized,
            is_checked=self.executor.is_checked,
        )

    def _unobserved(self) -> Callable[..., Any]:
        """What runs the optimized function where nothing is to be learned of its runs."""
        return self._until_hot()

    def _keep(self, function: FuncOp, asked_for: FuncOp | None, *, is_of_use: bool) -> None:
        """Keep an optimized function that is of use, and take any other apart, unless it was asked for before."""
        module = function.parent_op()
        if is_of_use:
            self.__dict__["function"] = function
        elif asked_for is None and module is not None:
            release(module)

    def _compile_whole(self, function: FuncOp, kept_under: str | None) -> Executable | None:
        """The kernel of the whole optimized function, where it is one group of nodes and nothing else; `kept_under` is its key where
        that is not made from the group.
        """
        body = None if self.executor.native is None else align_to_function(function)
        if body is None:
            return None
        with suppress(NotCompilable):
            fuser = settings.fuser_now()
            return compile_kernel(body, fuser, self.executor.lists, kept_under)
        return None

    def _install(
        self, kernel: Executable, otherwise: Callable[..., Any] | None = None
    ) -> Callable[..., Any] | None:
        """What runs a kernel that is the whole function, and the calls that it refuses `otherwise`; None where native calls are
        impossible.
        """
        with suppress(NativeUnavailable):
            refused = otherwise or OtherSizes(
                self.interpreted, self.runs_before, self.add_kernel_for
            )
            whole = callable_of(kernel, refused, takes_tracked=self.TAKES_TRACKED)
            self.kernels.append(kernel)
            return whole
        return None

    def add_kernel_for(self, args: Sequence[Any]) -> bool:
        """Let a kernel that is made for such arguments run the calls that the others refuse. Whether there is one."""
        if self.is_large or not self.is_needed or len(self.kernels) >= MOST_KERNELS:
            return False
        count = len(self.kernels)
        self.run = self.stage(partial(self._with_kernel_for, args, self.run))
        if len(self.kernels) > count:
            self.publish()
            return True
        return False

    def _with_kernel_for(self, args: Sequence[Any], run: Callable[..., Any]) -> Callable[..., Any]:
        """What runs a kernel for arguments, and others by what the plan runs now; that alone where there is no other kernel."""
        types = self.executor.specialized_types(args)
        function = self.executor.specialized(
            types, "runtime-optimizations", self.flags, grad_mode=self.grad_mode
        )
        kernel = self._compile_whole(function, None)
        if kernel is None or kernel in self.kernels:
            return run
        return self._install(kernel, run) or run

    def publish(self) -> None:
        """Hand the last kernel that is the whole function to the function's callable, if there are any."""
        native = self.executor.native
        if self.kernels and native is not None and self.executor.seen is None:
            add_kernel(native, self.kernels[-1])

    @cached_property
    def is_large(self) -> bool:
        """Whether the function is compiled in the background. Passes of a user's run in the thread that calls."""
        return not self.executor.lists.changed and inlined_size(self.executor.function) > SMALL

    def _use_observed(self, observed: FuncOp) -> Callable[..., Any]:
        module = module_around(observed)
        pipeline(self.executor.lists, "after-observation").apply(module)
        self.__dict__["function"] = observed
        self.is_observed = True
        return self._until_hot()

    def _until_hot(self) -> Callable[..., Any]:
        """The interpreter of the optimized graph, until it has been called `HOT` times."""
        run = self._build()
        passes = pipeline(self.executor.lists, "runtime-optimizations").passes
        if not any(one.name == FUSION for one in passes):
            return run
        hot = Stage(self, run, partial(self._with_single_nodes, run), meanwhile=run)
        hot.left = HOT
        return hot

    def _with_single_nodes(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """What runs the optimized graph with groups of one node; `run`, which does without them, where there are none."""
        module = module_around(self.function)
        copy = module.clone()
        if not PassPipeline(SINGLE_NODES).apply(copy):
            self._add_fast_path(run)
            return run
        self.__dict__["function"] = find_function(copy, self.function.sym_name.data)
        kernel = self._compile_whole(self.function, self._kept_under())
        if kernel is not None and (installed := self._install(kernel)) is not None:
            return installed
        return self._build()

    def _add_fast_path(self, run: Callable[..., Any]) -> None:
        executor = self.executor
        interpreter = executor.interpreter if self.types else run
        if (
            self.groups
            or executor.native is None
            or executor.is_checked
            or executor.seen is not None
            or not isinstance(interpreter, InterpreterFunction)
        ):
            return
        if self.has_fast_path:
            return
        self.has_fast_path = add_fast_path(
            executor.native, interpreter, executor.function, self.function, self.types
        )
        if not self.has_fast_path and self.types and is_as_good(self.function, self.function):
            declared = [prim.type_of(one) for one in executor.function.body.block.args]
            inlined = executor.specialized(declared, "runtime-optimizations", self.flags)
            interpreter = interpret(inlined, resolve=executor.resolve_optimized)
            self.has_fast_path = add_fast_path(
                executor.native, interpreter, inlined, self.function, self.types
            )

    def _build(self) -> Callable[..., Any]:
        """The interpreter of the optimized graph, its groups compiled."""
        ops = nested_ops(self.function.body.block)
        groups = [op for op in ops if isinstance(op, prim.TensorExprGroupOp)]
        name = self.function.sym_name.data
        self.groups = group_callables(groups, self.executor.lists, name)
        if not self.executor.is_checked:
            self.loops = loop_callables(self.function, self.executor.lists)
        special: dict[Operation, Any] = {**self.groups, **self.loops}
        for op in ops:
            if isinstance(op, prim.ForkOp):
                special[op] = task_starter(self.executor.for_region(op.regions[0].block))
        self.is_built = True
        is_checked = self.executor.is_checked
        resolve = self.executor.resolve_optimized
        return interpret(self.function, special, resolve, is_checked=is_checked)
