"""Numbers that are computed beside tensors: ops of arith on i64, f64 and i1. But for sizes, they are lowered for other compilers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, is_known, rank
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Symbol
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.tensor.dtype import bool_, dtype, float64, int64
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NUMBER, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_DTYPES: dict[TorchScriptType, dtype] = {INT: int64, FLOAT: float64, BOOL: bool_}


class NumberOperator(OperatorLowering):
    """Computes one number; a subclass says how."""

    joins_groups = False

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        b.scalars[op.results[0]] = self.dtype(b, op)
        return [None]

    def dtype(self, b: LinalgBuilder, op: OperatorOp) -> dtype:
        """What the number is computed in: the type says it, or where it says any number, the operands do."""
        found = _DTYPES.get(type_of(op.results[0]))
        return _common(b, op) if found is None else found

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return [b.number(lambda math: self.number(b, op, math))]

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        """The number, recorded."""
        raise NotImplementedError


def _dtype_of(b: LinalgBuilder, value: SSAValue) -> dtype:
    """What a number is computed in."""
    if value in b.scalars:
        return b.scalars[value]
    return {bool: bool_, int: int64, float: float64}[type(b.constant(value))]


def _common(b: LinalgBuilder, op: OperatorOp) -> dtype:
    """A float among numbers makes all of them floats."""
    found = {_dtype_of(b, value) for value in op.operands}
    return next(one for one in (float64, int64, bool_) if one in found)


def _is_number(value: SSAValue) -> bool:
    type_ = type_of(value)
    if type_ is NUMBER:
        found = constant(value)
        return found is None or isinstance(found.value, int | float)
    return type_ in _DTYPES


class Arithmetic(NumberOperator):
    """`aten::mul(%a, %b)` of an int and a float becomes `arith.sitofp` and `arith.mulf`. None of these operators raises."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return all(map(_is_number, op.operands))

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        of = self.computed_in(b, op)
        first, *others = [_operand(b, value, of, math) for value in op.operands]
        match op.KIND.partition("::")[2], others:
            case "max", [other]:  # of a NaN and a number it is the second
                return math.where(math.gt(first, other), first, other)
            case "min", [other]:
                return math.where(math.lt(first, other), first, other)
            case "__derive_index", [start, step]:
                return math.add(start, math.mul(first, step))
            case name, _:
                return getattr(math, _METHODS.get(name, name))(first, *others)

    def computed_in(self, b: LinalgBuilder, op: OperatorOp) -> dtype:
        """The dtype that operands are converted to."""
        return _common(b, op)


def _operand(b: LinalgBuilder, value: SSAValue, of: dtype, math: ScalarBuilder) -> Scalar:
    if value in b.scalars:
        return math.cast(math.wrap(value, b.scalars[value]), of.name)
    return math.number(b.constant(value), of)


_METHODS = {
    "__and__": "bit_and",
    "__or__": "bit_or",
    "__xor__": "bit_xor",
    "__not__": "bit_not",
}
"""The operators whose names are not those of methods of the builder."""


class FloatFunction(Arithmetic):
    """`aten::div(%a, %b)` and `aten::sqrt(%a)` of numbers are computed in floats, whatever the numbers are."""

    def computed_in(self, b: LinalgBuilder, op: OperatorOp) -> dtype:
        return float64

    def dtype(self, b: LinalgBuilder, op: OperatorOp) -> dtype:
        return float64


class WholeQuotient(NumberOperator):
    """`aten::floordiv(%a, 2)` of an int and a positive constant becomes `arith.floordivsi`: what would raise has no form.

    So does what is made of the quotient: `aten::remainder`, and how often a loop over a range runs.
    """

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        *numbers, divisor = op.operands
        found = constant(divisor)
        return (
            all(type_of(number) is INT for number in numbers)
            and found is not None
            and isinstance(found.value, int)
            and found.value > 0
        )

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        first, *others, divisor = [_operand(b, value, int64, math) for value in op.operands]
        if op.KIND == "aten::__range_length":
            (high,) = others
            length = math.add(math.sub(high, first), math.sub(divisor, 1))
            trips = math.floor_quotient(length, divisor)
            return math.where(math.gt(trips, 0), trips, 0)
        quotient = math.floor_quotient(first, divisor)
        if op.KIND == "aten::floordiv":
            return quotient
        return math.sub(first, math.mul(quotient, divisor))


class Conversion(NumberOperator):
    """`aten::Float(%x)` of a number becomes `arith.sitofp` or nothing, that of a tensor with one element `tensor.extract`, too.

    What `aten::item` gives has the dtype of the tensor.
    """

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        (source,) = op.operands
        if not isinstance(source.type, TensorType):
            return _is_number(source)
        return is_known(source) and all(size == 1 for size in source.type.sizes or ())

    def dtype(self, b: LinalgBuilder, op: OperatorOp) -> dtype:
        found = _DTYPES.get(type_of(op.results[0]))
        if found is not None:
            return found
        of = self.given(b, op.operands[0])
        return float64 if of.is_floating_point else int64 if of is not bool_ else bool_

    def given(self, b: LinalgBuilder, source: SSAValue) -> dtype:
        """What the number is before it is converted."""
        return b.dtype_of(source) if source in b.shapes else _dtype_of(b, source)

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        (source,) = op.operands
        of = self.given(b, source)
        wanted = b.scalars[op.results[0]]
        if source not in b.shapes:
            return math.cast(math.wrap(source, of), wanted.name)
        element = b.extract(source, [b.index(0)] * len(b.shapes[source]))
        return math.cast(math.wrap(element, of), wanted.name)


class SizeOf(NumberOperator):
    """`aten::size(%x, %dim)` becomes `arith.index_cast` of what `tensor.dim` gives; `aten::numel` that of their product."""

    joins_groups = True
    is_view = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        has_dims = op.KIND == "aten::numel" or rank(op.operands[0]) > 0
        return has_dims and is_known(op.operands[0]) and all(map(constant, op.operands[1:]))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        if op.KIND != "aten::numel":
            b.size_numbers[op.results[0]] = self.symbol(b, op)
        return super().shapes(b, op)

    @classmethod
    def tensor(cls, op: OperatorOp) -> SSAValue:
        """The tensor whose size it is."""
        return op.operands[0]

    @classmethod
    def known(cls, op: OperatorOp) -> int | None:
        """The size in the specialization, of an op that is taken."""
        type_ = cls.tensor(op).type
        assert isinstance(type_, TensorType) and type_.sizes is not None
        return None if op.KIND == "aten::numel" else type_.sizes[_dim(op, len(type_.sizes))]

    def symbol(self, b: LinalgBuilder, op: OperatorOp) -> Symbol:
        """The size."""
        shape = b.shapes[self.tensor(op)]
        return shape[_dim(op, len(shape))]

    def number(self, b: LinalgBuilder, op: OperatorOp, math: ScalarBuilder) -> Scalar:
        if op.KIND == "aten::numel":
            return math.of_index(b.product(b.shapes[op.operands[0]]), int64)
        return math.of_index(b.extent(self.symbol(b, op)), int64)


def _dim(op: OperatorOp, rank: int) -> int:
    """Which of so many dimensions it is whose size an op gives."""
    found = None if op.KIND == "aten::len" else constant(op.operands[1])
    return 0 if found is None else found.value % rank
