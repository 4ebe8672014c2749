"""What the passes share: the frame of a pass over functions."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.analysis.analyses import Analyses, Analysis
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.ir.edit import nested_ops, update_function_type
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_patterns
from torchscript_dialect.ir.requirements import require_functions, require_torchscript
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.utils import jit_log, jit_opt_limit
from torchscript_dialect.utils.background import breathe
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.nominal import Nominal
from torchscript_dialect.utils.recursion import deep_recursion

OBSERVED = "prim.observed"
"""Marks functions whose types are those that runs observed."""

RECORDED = "prim.recorded"
"""Marks functions whose nodes go on the tape of gradients, but for those in sub-graphs."""


def functions(module: ModuleOp) -> list[FuncOp]:
    """The functions of a module that have a body, as they are now."""
    return [op for op in module.ops if isinstance(op, FuncOp) and op.body.blocks]


class FunctionPass(ModulePass, metaclass=Nominal):
    """A pass that looks at one function at a time."""

    preserves: ClassVar[tuple[Analysis[Any], ...]] = ()
    """The analyses that are still true of a function which the pass has changed."""

    settles: ClassVar[bool] = False
    """Whether a function on which the pass did nothing need not go through it again: Note [Settled passes] in analyses.py."""

    @abstractmethod
    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        """Transform a function in place; whether anything changed. See Note [Analyses and passes]."""

    def run_deep(self, function: FuncOp, analyses: Analyses) -> bool:
        """As `run`, for blocks nested as deep as may be, with the function's type following its block's (a result may have
        become a value of a more refined type), and what is no longer true of the function forgotten.
        """
        is_watched = jit_log.is_set() or jit_opt_limit.is_set()
        if self.settles and not is_watched and self in analyses.settled(function):
            return False
        if jit_log.is_set():
            self._tell("Before", function)
        with deep_recursion():
            changed = self.run(function, analyses)
        update_function_type(function)
        if jit_log.is_set():
            self._tell("Changed" if changed else "Left as it is:", function)
        if changed:
            analyses.invalidate(function, self.preserves)
        elif self.settles:
            analyses.settled(function).add(self)
        return changed

    def _tell(self, what: str, function: FuncOp) -> None:
        """Tell who debugs the pass what it is given, and what it has done."""
        log = Log(type(self).__module__)
        if log.debugs:
            count = sum(1 for _ in nested_ops(function.body.block))
            log.debug(f"{what} '{function.sym_name.data}', {count} nodes")
        if what == "Before":
            log.detail(f"Before {self.name}:", lambda: print_graph(function))

    def run_on_module(self, module: ModuleOp, analyses: Analyses) -> bool:
        """Transform all functions of a module; whether anything changed."""
        changed = False
        for function in functions(module):
            breathe()
            changed |= self.run_deep(function, analyses)
        return changed

    def check(self, function: FuncOp) -> None:
        """Refuse a function with which the pass can do nothing, because it is not what the pass expects. The executor, which knows what
        it gives to which pass, does without.

        Raises:
            PassError: it is not.
        """
        require_torchscript(function, self.name)

    def check_module(self, module: ModuleOp) -> None:
        """As `check`, for all functions of a module, of which there must be one."""
        for function in require_functions(module, self.name):
            self.check(function)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        self.check_module(op)
        self.run_on_module(op, Analyses())


def rewrite(
    function: FuncOp, patterns: FrozenPatternSet, analyses: Analyses, *, limit: OptLimit, log: Log
) -> bool:
    """Run patterns on all nodes of a function but those of groups, and forget what is no longer true of it; whether one fired."""
    changed = apply_patterns(
        function.body.block,
        patterns,
        blocks_of=blocks_of,
        limit=limit,
        log=log,
        rewrites=analyses.rewrites,
    )
    if changed:
        analyses.invalidate(function)
    return changed


def dump(log: Log, message: str, function: FuncOp) -> None:
    """Log a whole function, where that is asked for."""
    log.dump(message, lambda: print_graph(function))
