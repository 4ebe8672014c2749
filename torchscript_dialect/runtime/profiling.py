"""Observed types: what propagation cannot tell, runs do (PyTorch: runtime/profiling_record.cpp).

Types of module attributes and of results without a shape rule are not known before a function runs. Some runs are then made by the
interpreter, on a copy of the graph with `prim::profile` nodes; what they saw specializes the graph.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.transforms._fusible import is_candidate, is_fusible

WORTHWHILE = 2
"""Nodes that observed types might make fusible, from which on it is worth to observe them."""


def is_worth_observing(function: FuncOp) -> bool:
    """Whether an optimized function has nodes left that are not fused for want of types."""
    missed = 0
    for op in function.body.walk():
        missed += is_candidate(op) and not is_fusible(op)
        if missed >= WORTHWHILE:
            return True
    return False
