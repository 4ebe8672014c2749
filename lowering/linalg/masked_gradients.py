"""Operators that give gradients as far as a list of truth values, their last operand, asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lowering.linalg.operands import constant
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.dialects.operators import OperatorOp


class MaskedGradients(OperatorLowering):
    """The gradients of input, weight and bias; None for one that is not wanted."""

    skips_unused = True

    @classmethod
    def gives(cls, op: OperatorOp) -> list[bool]:
        """Which of the gradients are not None."""
        wanted = constant(op.operands[-1])
        return [False] * 3 if wanted is None else [*wanted.value]

    @classmethod
    def takes(cls, op: Any) -> bool:
        """Whether what is None has no use."""
        given = zip(op.results, cls.gives(op), strict=True)
        return all(is_given or result.first_use is None for result, is_given in given)

    def only_given(self, op: OperatorOp, found: Sequence[Shape]) -> list[Shape | None]:
        """The shapes of those that are given, for `shapes`."""
        given = zip(found, self.gives(op), strict=True)
        return [one if is_given else None for one, is_given in given]
