"""Observed types: what propagation cannot tell, runs do (PyTorch: runtime/profiling_record.cpp).

Types of module attributes and of results without a shape rule are not known before a function runs. Some runs are then made by the
interpreter, on a copy of the graph with `prim::profile` nodes; what they saw specializes the graph.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.backend import fusing_backend
from torchscript_dialect.ir.edit import nested_ops

WORTHWHILE = 2
"""Nodes that observed types might make fusible, from which on it is worth to observe them."""


def is_worth_observing(function: FuncOp) -> bool:
    """Whether an optimized function has nodes left that are not fused for want of types."""
    backend = fusing_backend()
    missed = 0
    for op in nested_ops(function.body.block):
        missed += backend.can_lower(op) is None
        if missed >= WORTHWHILE:
            return True
    return False
