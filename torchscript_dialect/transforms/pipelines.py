"""The order of the passes, and why it is that order.

The names are those by which pipelines are known to `ts.pipelines` and to `ts-opt -p`; a list may name another.
"""

from __future__ import annotations

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
    "ts-decompose-ops",  # so that what composites are made of is specialized and fused
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
    "runtime-optimizations",
)
"""What such a graph goes through when types have been observed."""

GUARDS = ("ts-insert-type-checks",)
"""What shows the checks that guard kernels: for people, `graph_for`."""

PIPELINES: dict[str, tuple[str, ...]] = {
    "after-frontend": AFTER_FRONTEND,
    "inlining": INLINING,
    "before-specialization": BEFORE_SPECIALIZATION,
    "runtime-optimizations": RUNTIME_OPTIMIZATIONS,
    "observation": OBSERVATION,
    "after-observation": AFTER_OBSERVATION,
    "guards": GUARDS,
}
