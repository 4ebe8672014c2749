"""What groups may hold, as far as linalg has a form for it."""

from __future__ import annotations

from xdsl.ir import Operation

from lowering.linalg.operands import is_known
from lowering.linalg.operator_lowering import is_view, lowering_of
from torchscript_dialect.dialects.operators import OperatorOp

__all__ = ["can_lower", "is_lowered", "is_view"]


def is_lowered(op_class: type[Operation]) -> bool:
    """Whether ops of a class have a lowering which groups may take."""
    lowering = lowering_of(op_class)
    return lowering is not None and lowering.joins_groups


def can_lower(op: Operation) -> bool | None:
    """Whether an op that has a lowering may stand in a group; None where that follows from no more than the types of tensors, which
    are not known.
    """
    lowering = lowering_of(type(op))
    assert lowering is not None
    if all(is_known(result) for result in op.results):
        return lowering.takes(op) and lowering.suits_kernel(op)
    return None if isinstance(op, OperatorOp) else False
