"""Operators in place, on what a group has computed itself: they make a new tensor, which stands for the old one from then on.

Fusion takes one where nothing else shows the old tensor afterwards (Note [Fusion groups] in transforms/fuse_tensorexprs.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.creation import fits
from lowering.linalg.element import Element
from lowering.linalg.operands import broadcasts_to, constant, is_dense, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.pointwise import PointwiseLowering
from lowering.linalg.symbolic_shapes import Shape, broadcast, broadcast_axes, unite
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


def _tensors(op: OperatorOp) -> list[SSAValue]:
    return [value for value in op.operands if isinstance(value.type, TensorType)]


def _stays(op: OperatorOp) -> bool:
    """Whether the first operand has room for what the others broadcast to."""
    target, *others = _tensors(op)
    return is_known(target) and all(is_known(one) and broadcasts_to(one, target) for one in others)


def _shape(b: LinalgBuilder, op: OperatorOp) -> Shape:
    """The shape of the first operand, to which all others broadcast in every call."""
    target = b.shapes[op.operands[0]]
    whole = broadcast([b.shapes[value] for value in _tensors(op)])
    unite(target, whole)
    return target


class InPlace(PointwiseLowering):
    """`aten::mul_(%x, %y)` becomes what `aten::mul(%x, %y)` does."""

    wider = None
    writes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return _stays(op) and super().takes(op) and cls.result_dtype(op) == _dtype(op.operands[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [_shape(b, op)]


def _dtype(value: SSAValue) -> str | None:
    return cast(TensorType, value.type).dtype


class FillInPlace(OperatorLowering):
    """`aten::fill_(%x, 2)` and `aten::zero_(%x)` become a `linalg.generic` that reads nothing."""

    writes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        if not is_known(op.operands[0]) or not is_dense(op.operands[0]):
            return False
        number = constant(op.operands[1]) if len(op.operands) > 1 else None
        if len(op.operands) > 1 and number is None:
            return False
        return number is None or fits(number.value, op.operands[0])

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 0

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [b.shapes[op.operands[0]]]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        target, *numbers = op.operands
        number = b.constant(numbers[0]) if numbers else 0
        return [b.full(number, b.shapes[target], b.dtype_of(target), like=op)]


class Copy(OperatorLowering):
    """`aten::copy(%x, %y)` becomes a `linalg.generic` that casts the elements of `%y`."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return _stays(op) and is_dense(op.operands[0])

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [_shape(b, op)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        target, source = op.operands[:2]
        shape, of = b.shapes[target], b.dtype_of(target)
        read = Element(source, b.dtype_of(source), broadcast_axes(b.shapes[source], shape))

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        return [b.generic(shape, of, [read], body, like=op)]


class CopyInPlace(Copy):
    """`aten::copy_(%x, %y)`."""

    writes = True


class MaskedFill(OperatorLowering):
    """`aten::masked_fill(%x, %mask, 2)` becomes a `linalg.generic` that selects."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        target, mask, number = op.operands
        found = constant(number)
        if found is None or not is_known(target) or not is_known(mask) or _dtype(mask) != "Bool":
            return False
        return fits(found.value, target)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return is_dense(op.results[0])

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [broadcast([b.shapes[value] for value in op.operands[:2]])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        target, mask, number = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(target)
        read = [
            Element(value, b.dtype_of(value), broadcast_axes(b.shapes[value], shape))
            for value in (target, mask)
        ]

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            kept, is_masked = elements
            return math.where(is_masked, math.number(b.constant(number), of), kept)

        return [b.generic(shape, of, read, body, like=op)]


class MaskedFillInPlace(MaskedFill):
    """`aten::masked_fill_(%x, %mask, 2)`."""

    writes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return _stays(op) and super().takes(op)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [_shape(b, op)]
