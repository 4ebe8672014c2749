"""Stages of plans: from interpretation to kernels.

Note [Stages of a plan]
A kernel that is on disk is used at once. Otherwise the first `set_num_profiled_runs` calls that return are interpreted: a function that
is called once is not worth compiling. The next call compiles, or a later one in a program of many functions (Note [Tiers] in tiers.py).
Where types are missing that propagation cannot tell, as many runs are made with `prim::profile` nodes first (profiling.py). A plan
whose optimized graph has been interpreted `HOT` times (execution_plan.py) is compiled once more, with groups of one node where these
pay: the kernel of a single operator costs little beside so many calls. One without any group may get a fast path then
(Note [Fast paths] in fast_path.py). Follows torch/csrc/jit/runtime/profiling_graph_executor_impl.cpp.

A function that has more than `SMALL` nodes, those of what it calls included, is compiled in the background (Note [In the background]
in utils/background.py). The call that begins with it is interpreted, and so are those after it, until one finds that the compilation is
over. That one hands the kernels to the native callable: a function whose settings or graph changed meanwhile has forgotten the plan,
and never sees what comes of it. A small function is compiled by the call itself, so that the next one is fast for certain. What goes
wrong in the background is a warning, once, and the function stays interpreted; what a user's pass raises is raised by the call that
finds it. With `ts.background_compilation(False)` each call waits for what it needs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.tiers import Tier
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction
from torchscript_dialect.utils.background import Job, Wanting, calls, start
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError
from torchscript_dialect.utils.properties import cached_property


class StagedPlan(Wanting, Protocol):
    """What a stage needs of its plan."""

    run: Callable[..., Any]
    runs_before: int

    @property
    def interpreted(self) -> InterpreterFunction:
        """The interpreter of the function as it is."""
        ...

    @cached_property
    def is_large(self) -> bool:
        """Whether it is compiled in the background."""
        ...

    def stage(self, make: Callable[[], Callable[..., Any]]) -> Callable[..., Any]:
        """What a stage runs, made."""
        ...

    def publish(self) -> None:
        """Tell the native callable what the plan runs."""
        ...


class Stage:
    """Runs a plan as many times as its settings say, then what comes after: Note [Stages of a plan]."""

    def __init__(
        self,
        plan: StagedPlan,
        run: Callable[..., Any],
        following: Callable[[], Callable[..., Any]],
        meanwhile: Callable[..., Any] | None = None,
        tier: Tier | None = None,
    ) -> None:
        self.plan = plan
        self.run = run
        self.following = following
        self.tier = tier
        """What may hold back what follows."""
        self.meanwhile = meanwhile or plan.interpreted
        """What runs while what follows is being compiled, and where it cannot be."""
        self.left = plan.runs_before
        self.job: Job[Callable[..., Any]] | None = None
        """What compiles in the background."""

    def __call__(self, *args: Any) -> Any:
        if self.left > 0 or self.is_early():
            result = self.run(*args)
            self.left -= 1  # a call that raised says nothing of those that a plan is for
            if self.tier is not None:
                self.tier.note(args, result)
            return result
        following = self.next_run() if self.plan.run is self else self.plan.run
        if following is None:
            with calls:
                return self.meanwhile(*args)
        return following(*args)

    def is_early(self) -> bool:
        """Whether it does not pay yet to make what follows."""
        return self.tier is not None and settings.current().tiered and self.tier.is_early()

    def next_run(self) -> Callable[..., Any] | None:
        """What the plan runs from now on; None while that is being compiled."""
        compile_ = partial(self.plan.stage, self.following)
        job = self.job
        if job is None or job.is_lost():
            in_background = settings.current().background and self.plan.is_large
            job = start(compile_, self.plan) if in_background else None
            if job is None:
                with compilation:  # what follows is made once: another thread may have been there
                    return self.use(compile_()) if self.plan.run is self else self.plan.run
            self.job = job
        elif not settings.current().background:
            job.wait()
        return self.outcome(job) if job.is_over() else None

    def outcome(self, job: Job[Callable[..., Any]]) -> Callable[..., Any]:
        """What came of the compilation in the background."""
        try:
            return self.use(job.result())
        except InternalError as error:
            if isinstance(error.__cause__, RecursionError):
                return self.use(self.plan.stage(self.following))
            warnings.warn(f"{error}\nThe function is interpreted.", RuntimeWarning, stacklevel=2)
            return self.use(self.meanwhile)
        finally:
            self.job = None

    def use(self, run: Callable[..., Any]) -> Callable[..., Any]:
        """Let the plan run that from now on."""
        self.plan.run = run
        self.plan.publish()
        return run
