"""The pass manager: a row of passes, run on a module or on functions of it, watched where that is asked for.

`ts-opt`, the executor and the code generators run their passes with it, and so do users.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, TypeAlias, TypeGuard, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern
from xdsl.utils.exceptions import DiagnosticException

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir import changes
from torchscript_dialect.ir.verification import VerificationError, explained, verify
from torchscript_dialect.passes.custom import function_pass, pattern_pass
from torchscript_dialect.passes.foreign import XDSL, called, refusal
from torchscript_dialect.passes.lists import is_foreign, parse
from torchscript_dialect.passes.table import context_for
from torchscript_dialect.passes.timings import Timings
from torchscript_dialect.passes.watch import Callback, PrintAfter, Watch
from torchscript_dialect.transforms._pass import FunctionPass
from torchscript_dialect.utils.background import checkpoint
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.errors import PassError, is_told
from torchscript_dialect.utils.recursion import deep_recursion

Passes: TypeAlias = Any
"""What a pipeline is made of: text, a pass, a `RewritePattern`, a function (each also as a class where it is one), a pipeline,
or several of these. Patterns in a list of their own are applied together.
"""

_PACKAGES = (
    "torchscript_dialect.transforms.",
    "torchscript_dialect.frontend.",
    "lowering.",
    XDSL,
)
"""Where the passes are that are not the user's."""


class PassPipeline:
    """Passes in a row.

        PassPipeline("ts-inline,ts-peephole{disable-shape-peepholes=true},canonicalize")
        PassPipeline(["ts-inline", MyPattern, my_function])

    Text names passes with their options, and the product's pipelines (`runtime-optimizations`). `str` gives text that makes the
    same pipeline; patterns and functions are found by it as long as a pipeline holds them.

    `passes` are the passes, `timings` a table of what all runs took and did. `unverified` says of the last run with `verify_equiv`
    which functions could not be run, and why.

    Raises:
        ValueError: there is no pass of a name, or not with such an option.
        TypeError: something is no pass.
    """

    def __init__(
        self,
        passes: Passes,
        *,
        verify_each: bool = False,
        print_after: PrintAfter = False,
        before: Callback | None = None,
        after: Callback | None = None,
        verify_equiv: bool = False,
    ) -> None:
        self.passes = tuple(passes_of(passes))
        self.timings = Timings([one.name for one in self.passes])
        self.watch = Watch(verify_each, print_after, before, after, verify_equiv)
        self.unverified: dict[str, str] = {}
        self._checked = frozenset(filter(is_foreign, self.passes))
        """The passes that are not the product's: what they leave behind is verified."""

    def __str__(self) -> str:
        return ",".join(str(one.spec()) for one in self.passes)

    def __repr__(self) -> str:
        return f"PassPipeline({str(self)!r})"

    def __len__(self) -> int:
        return len(self.passes)

    def run(
        self,
        target: Any,
        *,
        verify_each: bool | None = None,
        print_after: PrintAfter | None = None,
        before: Callback | None = None,
        after: Callback | None = None,
        verify_equiv: bool | None = None,
    ) -> bool:
        """Transform a `Graph`, a script function or module, a `FuncOp` or a `ModuleOp` in place; whether anything changed.

        A function that was called before runs what has become of it. `verify_each` checks the IR after each pass; `print_after`
        prints it after each, after those named, or to the stream that is given; `before` and `after` are called with each pass
        and the module. `verify_equiv` runs functions and kernels on random inputs before the first pass and after each. What is not
        given here is as the pipeline was made.

        Raises:
            NotEquivalent: a pass changed what a function or kernel does; it is a PassError that names pass and inputs.
            PassError: a pass cannot do its work on what it is given, or left invalid IR behind.
            TypeError: the target is none of these.
        """
        watch = self.watch.but(verify_each, print_after, before, after, verify_equiv)
        analyses = Analyses()
        changed = False
        targets = _targets(target)
        try:
            for one in targets:
                changed |= self.apply(one, analyses=analyses, watch=watch)
        finally:
            for one in targets:
                changes.edited(one)
        return changed

    def apply(
        self,
        target: ModuleOp | FuncOp,
        *,
        analyses: Analyses | None = None,
        context: Context | None = None,
        watch: Watch | None = None,
        part: slice = slice(None),
    ) -> bool:
        """As `run`, for IR that belongs to no function that was called: all passes, or a part of them. Operations are counted only
        for who watches.
        """
        analyses = analyses or Analyses()
        changed = False
        equivalence = None if watch is None else watch.equivalence(target)
        for one, row in [*zip(self.passes, self.timings, strict=True)][part]:
            checkpoint(one.name)
            if watch is not None:
                _check(one, target)
                watch.begin(one, target, row)
            analyses.rewrites = row.rewrites
            start = perf_counter()
            with without_collection(), deep_recursion():
                acted = self._act(one, target, analyses, context)
            row.add(perf_counter() - start, changed=acted)
            changed |= acted
            if watch is not None:
                watch.end(one, target, row)
            if one in self._checked:
                analyses.unsettle()
            if one in self._checked or (watch is not None and watch.verify_each):
                _verify(one, target)
            if equivalence is not None:
                equivalence.after(one, target)
                self.unverified = equivalence.unverified
        return changed

    def _act(
        self,
        one: ModulePass,
        target: ModuleOp | FuncOp,
        analyses: Analyses,
        context: Context | None,
    ) -> bool:
        """Run a pass; whether anything changed. What a pass of the user's raises is the user's."""
        try:
            return _apply(one, target, analyses, context)
        except Exception as error:
            if is_told(error) or not type(one).__module__.startswith(_PACKAGES):
                raise
            if type(one).__module__.startswith(XDSL):
                raise refusal(error, one.name, target) from error
            if isinstance(error, DiagnosticException):
                raise PassError(f"{one.name}: {error}") from error
            raise explained(error, f"{one.name} runs", target) from error


def _targets(target: Any) -> list[ModuleOp | FuncOp]:
    if isinstance(target, (ModuleOp, FuncOp)):
        return [target]
    functions = getattr(target, "__torchscript_functions__", None)
    if functions is None:
        raise TypeError(
            "a pipeline runs on a Graph, a script function or module, or a ModuleOp, not on a"
            f" {type(target).__name__}"
        )
    return list(functions())


def _check(one: ModulePass, target: ModuleOp | FuncOp) -> None:
    """Ask a pass over functions whether it can do with what it gets; others ask themselves."""
    if not isinstance(one, FunctionPass):
        return
    if isinstance(target, ModuleOp):
        one.check_module(target)
    else:
        one.check(target)


def _apply(
    one: ModulePass, target: ModuleOp | FuncOp, analyses: Analyses, context: Context | None
) -> bool:
    if isinstance(one, FunctionPass):
        if isinstance(target, FuncOp):
            return one.run_deep(target, analyses)
        return one.run_on_module(target, analyses)
    context = context or context_for(one)
    if isinstance(target, FuncOp):
        _apply_alone(one, target, context)
    else:
        one.apply(context, target)
    analyses.invalidate()
    return True


def _apply_alone(one: ModulePass, function: FuncOp, context: Context) -> None:
    """Run a pass over modules on one function: in a module of its own, and back, with what has come into that."""
    home, following = function.parent, function.next_op
    function.detach()
    alone = ModuleOp([function])
    try:
        one.apply(context, alone)
        if function.parent is not alone.body.block:
            raise PassError(f"{one.name} works on whole modules: it replaces functions")
    finally:
        ops = list(alone.body.block.ops)
        for op in ops:
            op.detach()
        if home is not None and following is not None:
            home.insert_ops_before(ops, following)
        elif home is not None:
            home.add_ops(ops)


def _verify(one: ModulePass, target: ModuleOp | FuncOp) -> None:
    try:
        verify(target)
    except VerificationError as error:
        raise PassError(f"{called(one.name)} left invalid IR behind: {error}") from error


def passes_of(item: Passes) -> Iterable[ModulePass]:
    """The passes that something stands for; see `Passes`."""
    if isinstance(item, str):
        yield from parse(item)
    elif isinstance(item, ModulePass):
        yield item
    elif _is_pattern(item):
        yield pattern_pass([item])
    elif isinstance(item, PassPipeline):
        yield from item.passes
    elif isinstance(item, type) and issubclass(item, ModulePass):
        yield item()
    elif isinstance(item, Iterable):
        several = list(cast(Iterable[Any], item))
        if several and all(map(_is_pattern, several)):
            yield pattern_pass(several)
        else:
            for one in several:
                yield from passes_of(one)
    elif callable(cast(object, item)):
        yield function_pass(cast(Callable[..., Any], item))
    else:
        raise TypeError(f"{item!r} is no pass, pattern, function or name of a pass")


def _is_pattern(item: Any) -> TypeGuard[RewritePattern | type[RewritePattern]]:
    return isinstance(item, RewritePattern) or (
        isinstance(item, type) and issubclass(item, RewritePattern)
    )
