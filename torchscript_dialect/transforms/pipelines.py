"""The order of the passes, and why it is that order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_spec

AFTER_FRONTEND = (
    "ts-lower-simple-tuples",  # tuples that the emitter packs only to unpack them
    "ts-constant-propagation{immutable_types=true}",  # of what cannot be changed, so that running it again changes nothing
    "ts-constant-pooling",  # folding makes new constants
    "ts-canonicalize-outputs",  # last: folding takes uses away, which decide the order
)
"""What PyTorch calls `runCleanupPasses`: graphs as users see them."""

BEFORE_SPECIALIZATION = (
    "ts-inline",  # what is compiled is one function
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


def run_passes(module: ModuleOp, names: Iterable[str]) -> None:
    """Run passes of this folder on a module, in order. A name may carry options: `ts-x{option=true}`."""
    context = Context()
    for name in names:
        _pass(name).apply(context, module)


@cache
def _pass(specification: str) -> ModulePass:
    name, _, options = specification.partition("{")
    module = import_module(f"{__package__}.{name.removeprefix('ts-').replace('-', '_')}")
    class_ = next(
        found
        for found in vars(module).values()
        if isinstance(found, type)
        and issubclass(found, ModulePass)
        and getattr(found, "name", None) == name
    )
    if not options:
        return class_()
    return class_.from_spec(parse_spec(specification))
