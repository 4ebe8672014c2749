"""Why nodes are in no differentiable graph, for people."""

from __future__ import annotations

from xdsl.ir import Operation

from torchscript_dialect.autodiff.differentiability import formulas_of, may_require_gradient
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp


def cut_at(op: Operation) -> str:
    """Why no differentiable graph holds a node that gives tensors; empty for a node that gives none."""
    if not any(may_require_gradient(result.type) for result in op.results):
        return ""
    if isinstance(op, prim.LoopOp):
        return "it is no loop over differentiable nodes that only its trip count ends; the tape joins its trips"
    if isinstance(op, prim.IfOp):
        return "its blocks are differentiated by themselves, and the tape joins them"
    if not isinstance(op, OperatorOp):
        return ""
    if op.OPERATOR is not None and op.OPERATOR.schema.is_mutable:
        return "it writes to a tensor; the tape records it"
    if formulas_of(op) is None:
        return "it has no formula of its own; the tape records it"
    return "alone it is not worth a graph, or its types are not known; the tape records it"
