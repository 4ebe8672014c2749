"""The order of the passes, and why it is that order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_spec

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.transforms._pass import FunctionPass

AFTER_FRONTEND = (
    "ts-lower-simple-tuples",  # tuples that the emitter packs only to unpack them
    "ts-constant-propagation{immutable_types=true}",  # of what cannot be changed, so that running it again changes nothing
    "ts-constant-pooling",  # folding makes new constants
    "ts-canonicalize-outputs",  # after folding, which takes uses away that decide the order
    "ts-annotate-warns",  # of the warnings that are left
)
"""What PyTorch calls `runCleanupPasses`: graphs as users see them."""

INLINING = ("ts-inline",)
"""Run on a module: what is compiled is one function, and what it called need not be optimized."""

BEFORE_SPECIALIZATION = (
    "ts-lower-simple-tuples",  # calls gave and took them
    "ts-constant-propagation",  # with the arguments of calls now constants
    "ts-constant-pooling",
    "ts-common-subexpression-elimination",  # sees equal constants as one
    "ts-dead-code-elimination",
)
"""What does not depend on arguments. May change what is shared between calls, so it is run on a copy."""

RUNTIME_OPTIMIZATIONS = (
    "ts-propagate-shapes",  # from the arguments of the call
    "ts-canonicalize-ops",  # chunks need sizes
    "ts-propagate-shapes",  # to what that made
    "ts-fuse-tensorexprs",  # needs types
    "ts-dead-code-elimination",  # views and constants that groups left behind
)
"""What depends on the types of arguments."""


OBSERVATION = ("ts-insert-profiling",)
"""What makes a graph whose runs observe types."""

AFTER_OBSERVATION = (
    "ts-remove-profiling",  # values get the types that were seen
    *RUNTIME_OPTIMIZATIONS,
)
"""What such a graph goes through when types have been observed."""


def run_passes(target: ModuleOp | FuncOp, passes: Iterable[str | ModulePass]) -> None:
    """Run passes one after the other on a module, or on one of its functions. A name may carry
    options: `ts-x{option=true}`.

    Raises:

        ValueError: there is no pass of such a name, or it works on whole modules and `target` is a function.
    """
    analyses = Analyses()
    for item in passes:
        pass_ = make_pass(item) if isinstance(item, str) else item
        if isinstance(target, ModuleOp):
            pass_.apply(Context(), target)
        elif isinstance(pass_, FunctionPass):
            pass_.run_deep(target, analyses)
        else:
            raise ValueError(f"the pass {pass_.name} works on whole modules")


@cache
def make_pass(specification: str) -> ModulePass:
    """The pass that a text such as `ts-constant-propagation{immutable_types=true}` names.

    Raises:
        ValueError: there is no such pass.
    """
    name = specification.partition("{")[0]
    if name not in pass_modules():
        raise ValueError(f"there is no pass {name}")
    module = import_module(pass_modules()[name])
    class_ = next(
        found
        for found in vars(module).values()
        if isinstance(found, type)
        and issubclass(found, ModulePass)
        and getattr(found, "name", None) == name
    )
    return class_.from_spec(parse_spec(specification))


@cache
def pass_modules() -> dict[str, str]:
    """The name of every pass of this folder, and the module that holds it."""
    folder = str(Path(__file__).parent)
    return {
        f"ts-{found.name.replace('_', '-')}": f"{__package__}.{found.name}"
        for found in iter_modules([folder])
        if not found.name.startswith("_") and found.name != "pipelines"
    }
