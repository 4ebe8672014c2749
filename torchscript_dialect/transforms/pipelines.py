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

AFTER_TRACING = (
    "ts-lower-simple-tuples",  # results that calls gave together
    "ts-dead-code-elimination",  # what was asked of tensors and not used
)
"""What PyTorch's tracer runs on what it has recorded: graphs as users see them, with the types of the example."""

BEFORE_INLINING = ("ts-specialize-functions",)
"""What makes less of what is inlined. It is not run where graphs are shown inlined, which PyTorch does without."""

REQUIRED = (
    "ts-use-numbers",  # before folding makes constants of tensors that the program makes
    "ts-specialize-autogradzero",  # of the arguments
    "ts-lower-grad-of",
)
"""What a graph needs before anything else, one that computes gradients most of all (PyTorch: `runRequiredPasses`)."""

INLINING = ("ts-inline",)
"""Run on a module: what is compiled is one function, and what it called need not be optimized."""

AFTER_FREEZING = (
    "ts-constant-propagation",  # of what is read of attributes
    "ts-peephole{disable_shape_peepholes=true}",
    "ts-common-subexpression-elimination",
    "ts-dead-code-elimination",  # modules that nothing is read of any more
)
"""What a method goes through when attributes have become constants (PyTorch: `freeze_module`)."""

FROZEN_NUMERICS = (
    "ts-fold-frozen-conv-bn",
    "ts-fold-frozen-conv-add-or-sub",
    "ts-fold-frozen-conv-mul-or-div",
    "ts-dead-code-elimination",  # the constants that are in others now
)
"""What rounds otherwise where weights are constants (PyTorch: `optimize_frozen_graph`)."""

GENERALIZATION = ("ts-erase-shape-information",)
"""What a function goes through whose types are those of the run that it was traced in (PyTorch: `prepareGraph`)."""

AUTOCASTING = (
    "inlining",
    "ts-constant-propagation",  # what regions were given
    "ts-dead-code-elimination",
)
"""What a function goes through before its regions of `torch.autocast` are spelled out (PyTorch: `preoptimizeGraph`)."""

DECOMPOSITION = ("ts-decompose-ops",)
"""So that what composites are made of is specialized and fused."""

DECOMPOSITION_WITH_GRADIENTS = ("ts-decompose-ops{differentiable=false}",)
"""The same where gradients are wanted: formulas round like PyTorch's, and ask for less than the gradients of parts do."""

BEFORE_SPECIALIZATION = (
    "ts-lower-simple-tuples",  # calls gave and took them
    "ts-constant-propagation",  # with the arguments of calls now constants
    "ts-dead-code-elimination",
    "ts-common-subexpression-elimination",
    "ts-constant-pooling",  # what was folded, and what callees held
    "ts-peephole{disable_shape_peepholes=true}",
    "ts-dead-code-elimination",
    "ts-lower-simple-tuples",  # that were in lists
)
"""What does not depend on arguments (PyTorch: `runProfilingInsensitiveOptimizations`). May change what is shared between calls, so
it is run on a copy.
"""

SIMPLIFICATION = (
    "ts-common-subexpression-elimination",
    "ts-peephole",  # dtypes and ranks are known now
    "ts-constant-propagation",  # and what follows from them
    "ts-constant-pooling",
    "ts-loop-unrolling{constant_only=true max_nodes=128}",  # more than that does not fit into the cache of code
    "ts-remove-list-mutation",  # lists that a loop filled
    "ts-peephole",  # or read
    "ts-constant-propagation",  # what counted the trips
    "ts-common-subexpression-elimination",  # what the trips have in common
    "ts-dead-code-elimination",
)
"""What PyTorch calls `runOptimization`."""

SPECIALIZATION = (
    "ts-propagate-shapes{ranks=true}",
    "ts-canonicalize-ops",
    "simplification",
)
"""What depends on the types of arguments, but not on their sizes: one plan serves all sizes, so types do not show them here
(PyTorch: `runPreAutodiffPassPipeline`).
"""

RUNTIME_OPTIMIZATIONS = (
    "ts-lower-simple-tuples",  # what unrolling brought together
    "ts-loop-invariant-code-motion",  # of loops that were not unrolled
    "ts-propagate-shapes{numbers=true}",  # from the arguments of the call, or what runs observed; kernels check sizes
    "ts-fuse-tensorexprs",  # needs types
    "ts-outline-scalar-loops",  # which were not unrolled
    "ts-dead-code-elimination",  # views and constants that groups left behind
)
"""What makes groups, which check the types of what they are given (PyTorch: `runNoGradOptimizations`)."""

EXPORT = (
    "ts-decompose-ops{all=true}",  # other compilers know no operators of PyTorch's
    "ts-lower-simple-tuples",  # that operators with several results became
    "ts-propagate-shapes{numbers=true}",
    "ts-peephole",  # the sizes of the example are those of what is exported
    "ts-constant-propagation",  # trips that depend on sizes
)
"""What makes a function one that other compilers can take: of operators that have a form there."""

SETTLING = (
    "ts-remove-tensor-mutation",  # asks for types
    "ts-decompose-ops{all=true}",  # of operators that make a new tensor now
    "ts-loop-unrolling{constant_only=true}",
    "simplification",
    "ts-lower-simple-tuples",  # what unrolling brought together
    "ts-propagate-shapes{numbers=true}",  # of what simplification made
    "ts-dead-code-elimination",
)
"""What makes an exported function straight, with all shapes known. It is run until nothing changes any more: a list that a loop has
filled says how often another one runs, and that how large a tensor is.
"""

BEFORE_DIFFERENTIATION = (
    "ts-use-saving-forms",
    "ts-propagate-shapes",
    "ts-remove-differentiable-mutation",  # asks for types
)
"""What makes more of a graph differentiable, where gradients are wanted; before simplification, which does more without writes."""

DIFFERENTIATION = (
    "ts-propagate-shapes{ranks=true}",  # of what simplification made
    "ts-use-saving-forms",  # of attention, which asks for ranks
    "ts-loop-invariant-code-motion",  # so that a product which all trips have is differentiated once
    "ts-create-autodiff-subgraphs",
    "ts-differentiate",
    "ts-inline-autodiff-subgraphs",  # those that are not worth it
)
"""What makes graphs that go back, where arguments require gradients; before sizes are known, as gradients are of all sizes."""

OBSERVATION = ("ts-insert-profiling",)
"""What makes a graph whose runs observe types."""

AFTER_OBSERVATION = (
    "ts-remove-profiling",  # values get the types that were seen
    "runtime-optimizations",
)
"""What such a graph goes through when types have been observed."""

AFTER_OBSERVATION_WITH_GRADIENTS = (
    "ts-remove-profiling",
    "differentiation",  # which asks dtypes
    "runtime-optimizations",
)
"""The same where gradients are wanted."""

GUARDS = (
    "ts-insert-type-checks",
    "ts-lower-fallback-graphs",
)
"""What shows the checks that guard kernels: for people, `graph_for`."""

BAILOUTS = (
    "ts-insert-guards",  # of what profiles saw
    "ts-coalesce-guards",
    "ts-guard-elimination",
    "ts-insert-bailouts",  # of the guards that are left
)
"""What holds a graph to what runs observed, by bailing out of it: a form that the executor does without, as each of its kernels checks
its arguments and goes back to nodes alone (PyTorch: `InsertGuards` to `InsertBailOuts`).
"""

PIPELINES: dict[str, tuple[str, ...]] = {
    "after-frontend": AFTER_FRONTEND,
    "after-tracing": AFTER_TRACING,
    "before-inlining": BEFORE_INLINING,
    "required": REQUIRED,
    "inlining": INLINING,
    "after-freezing": AFTER_FREEZING,
    "frozen-numerics": FROZEN_NUMERICS,
    "generalization": GENERALIZATION,
    "autocasting": AUTOCASTING,
    "decomposition": DECOMPOSITION,
    "decomposition-with-gradients": DECOMPOSITION_WITH_GRADIENTS,
    "before-specialization": BEFORE_SPECIALIZATION,
    "simplification": SIMPLIFICATION,
    "specialization": SPECIALIZATION,
    "runtime-optimizations": RUNTIME_OPTIMIZATIONS,
    "export": EXPORT,
    "settling": SETTLING,
    "before-differentiation": BEFORE_DIFFERENTIATION,
    "differentiation": DIFFERENTIATION,
    "observation": OBSERVATION,
    "after-observation": AFTER_OBSERVATION,
    "after-observation-with-gradients": AFTER_OBSERVATION_WITH_GRADIENTS,
    "guards": GUARDS,
    "bailouts": BAILOUTS,
}
