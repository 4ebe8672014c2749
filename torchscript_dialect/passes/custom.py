"""Passes made of what is no pass: rewrite patterns, and functions of a graph, a function or a module.

Each gets a name, by which it can be written in a pipeline's text as long as it lives.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_patterns
from torchscript_dialect.ir.requirements import why_not_torchscript
from torchscript_dialect.passes.table import all_names, custom_passes
from torchscript_dialect.transforms._pass import FunctionPass
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code


class CustomPass(ModulePass):
    """A pass that a user made of something else, what is in `subject`."""

    subject: ClassVar[tuple[Any, ...]]


class PatternPass(FunctionPass, CustomPass):
    """Applies patterns to a function, or to a module of whatever dialects, until none fires. What that leaves dead of functions of
    TorchScript is removed.
    """

    preserves = (AliasDb,)

    patterns: ClassVar[FrozenPatternSet]

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = apply_patterns(function, self.patterns, rewrites=analyses.rewrites)
        if changed:
            analyses.invalidate(function)
            if why_not_torchscript(function) is None:
                eliminate_dead_code(function, analyses)
        return changed

    def run_on_module(self, module: ModuleOp, analyses: Analyses) -> bool:
        changed = super().run_on_module(module, analyses)
        return apply_patterns(module, self.patterns, rewrites=analyses.rewrites) or changed

    def check(self, function: FuncOp) -> None:
        """A pattern says itself what it matches."""

    def check_module(self, module: ModuleOp) -> None:
        """A pattern says itself what it matches."""


class GraphFunctionPass(FunctionPass, CustomPass):
    """Calls a Python function with each function of a module, as a graph or as it is."""

    call: ClassVar[Callable[[Any], Any]]
    takes_graph: ClassVar[bool]

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        return type(self).call(Graph(function) if self.takes_graph else function) is not False

    def check(self, function: FuncOp) -> None:
        if self.takes_graph:
            super().check(function)


class ModuleFunctionPass(CustomPass):
    """Calls a Python function with the module."""

    call: ClassVar[Callable[[ModuleOp], Any]]

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        type(self).call(op)


def pattern_pass(given: Sequence[RewritePattern | type[RewritePattern]]) -> ModulePass:
    """The pass that applies patterns together."""
    patterns = [one() if isinstance(one, type) else one for one in given]
    name = "-".join(_kebab(type(pattern).__name__) for pattern in patterns)
    return _made(name, tuple(given), PatternPass, patterns=FrozenPatternSet(patterns))


def function_pass(function: Callable[..., Any]) -> ModulePass:
    """The pass that calls a function. It gets what its argument is annotated with: a `Graph`, which is also what it gets
    without annotation, a `FuncOp` or a `ModuleOp`. It returns False where it has changed nothing.
    """
    name = _kebab(getattr(function, "__name__", type(function).__name__))
    takes = _argument(function)
    call = staticmethod(function)
    if "ModuleOp" in takes:
        return _made(name, (function,), ModuleFunctionPass, call=call)
    return _made(name, (function,), GraphFunctionPass, call=call, takes_graph="FuncOp" not in takes)


def _argument(function: Callable[..., Any]) -> str:
    """The annotation of a function's argument, as text; empty where it has none."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        return ""
    if not parameters:
        raise TypeError(f"{function!r} takes no argument: a pass is called with what it transforms")
    annotation = parameters[0].annotation
    if annotation is inspect.Parameter.empty:
        return ""
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")


def _kebab(name: str) -> str:
    """`DoubleTranspose`, `double_transpose`: `double-transpose`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).replace("_", "-").lower()
    return re.sub(r"[^a-z0-9-]", "", words).strip("-") or "custom"


def _made(
    name: str, subject: tuple[Any, ...], class_: type[ModulePass], **members: Any
) -> ModulePass:
    """The pass of that subject, made unless there is one; its name ends with a number where another has it."""
    taken = set(all_names())
    unique, count = name, 1
    while unique in taken:
        known = custom_passes.get(unique)
        if isinstance(known, CustomPass) and known.subject == subject:
            return known
        count += 1
        unique = f"{name}-{count}"
    members |= {"name": unique, "subject": subject}
    made: ModulePass = type(class_.__name__, (class_,), members)()
    custom_passes[unique] = made
    return made
