"""Norms of images whose channels have a weight and a bias each."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import SSAValue

from lowering.linalg.operands import is_dense, is_none, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp


class ChannelNorm(OperatorLowering):
    """A norm of `(N, C, ...)`, of which a row is a part of an image."""

    weight_place: ClassVar[int]
    """Which operand is the weight; the bias follows."""

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Weight and bias, as far as there are such."""
        first = cls.weight_place
        return [value for value in op.operands[first : first + 2] if not is_none(value)]

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether it is for the CPU, too: a device would have a block for an image, where rows are groups."""
        lies = is_dense(op.results[0]) and not may_turn(op.operands[0])
        return lies and fusing_device() == "cpu"

    @classmethod
    def pays_at_once(cls, op: OperatorOp) -> bool:
        return True
