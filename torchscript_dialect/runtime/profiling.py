"""Observed types: what propagation cannot tell, runs do (PyTorch: runtime/profiling_record.cpp).

Types of module attributes and of results without a shape rule are not known before a function runs. Some runs are then made by the
interpreter, on a copy of the graph with `prim::profile` nodes; what they saw specializes the graph.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.backend import fusing_backend
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import nested_ops

WORTHWHILE = 2
"""Nodes that observed types might make fusible, from which on it is worth to observe them."""


def is_worth_observing(function: FuncOp) -> bool:
    """Whether an optimized function has nodes left that are not fused for want of types."""
    backend = fusing_backend()
    missed, inside = 0, set[Operation]()
    for op in nested_ops(function.body.block):
        if isinstance(op, prim.DifferentiableGraphOp):
            inside.update(op.walk())
        if op in inside:
            continue
        missed += backend.can_lower(op) is None
        if missed >= WORTHWHILE:
            return True
    return False
