"""What programs ask of tensors to make others like them: the dtype, the device, the layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

OPTIONS = frozenset(("dtype", "layout", "device", "pin_memory", "memory_format"))
"""Arguments of operators that make tensors, which the types of results follow."""


class Property(OperatorLowering):
    """`prim::dtype(%x)` and `prim::device(%x)` become nothing: what takes them has the type of its result, and a kernel that is given a
    tensor of another dtype or device does not serve the call.
    """

    is_view = True
    vanishes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return is_known(op.operands[0])

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Nothing computes with the number of a dtype."""
        return all(_takes_option(use.operation, use.index) for use in op.results[0].uses)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        return [None]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return ()


def _takes_option(user: Operation, index: int) -> bool:
    """Whether an op looks at no more of an operand than what follows from the type of its result, or is in no group."""
    lowering = lowering_of(type(user))
    if lowering is None or not lowering.joins_groups:
        return True
    return lowering.takes_properties and index in _places(user)


def _places(op: Operation) -> list[int]:
    """Which operands of an operator are options of the tensor that it makes."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return []
    arguments = op.OPERATOR.schema.arguments
    return [place for place, argument in enumerate(arguments) if argument.name in OPTIONS]


def options_are_known(op: OperatorOp) -> bool:
    """Whether a kernel knows all options of the tensor that an op makes: constants, and properties of tensors, whose types it checks.

    A number that it is given may be another one in the next call.
    """
    return all(_is_known_option(op.operands[place]) for place in _places(op))


def _is_known_option(value: SSAValue) -> bool:
    if constant(value) is not None:
        return True
    owner = value.owner
    if not isinstance(owner, OperatorOp) or lowering_of(type(owner)) is not Property:
        return False
    return Property.takes(owner) and Property.suits_kernel(owner)
