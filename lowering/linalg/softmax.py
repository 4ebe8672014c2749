"""Softmax and its logarithm: two reductions, with what is pointwise between and after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, constant, is_dense, is_none, rank, sizes_of
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, Symbol, broadcast_axes, unite
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import dtype, float64
from torchscript_dialect.tensor.type_promotion import opmath

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class AlongRows(OperatorLowering):
    """An operator whose results have the sizes of an operand, and that adds up along one of its dimensions."""

    dim_place: ClassVar[int]
    """Which operand is the dimension; the one before it is as large as the result."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, dim = op.operands[cls.dim_place - 1], constant(op.operands[cls.dim_place])
        if not are_floats((source, op.results[0])) or dim is None:
            return False
        dims = rank(source)
        return dims > 0 and -dims <= dim.value < dims

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether rows lie along the last dimension."""
        dim, result = constant(op.operands[cls.dim_place]), op.results[0]
        assert dim is not None
        return is_dense(result) and dim.value in (rank(result) - 1, -1)

    def axis(self, b: LinalgBuilder, op: OperatorOp) -> int:
        """The dimension, counted from the first."""
        return b.constant(op.operands[self.dim_place]) % len(b.shapes[op.results[0]])


class Softmax(AlongRows):
    """`aten::softmax(%x, %dim, %none)` becomes `exp(x - max(x)) / sum(exp(x - max(x)))`, row by row.

    The graph keeps the one node, whose kernel serves calls with empty rows, too.
    """

    dim_place = 1
    is_logarithm: ClassVar[bool] = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return super().takes(op) and is_none(op.operands[2])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [b.shapes[op.operands[0]]]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, of = op.operands[0], b.dtype_of(op.operands[0])
        compute = opmath(of)
        shape = b.shapes[source]
        dim = self.axis(b, op)
        rows = (*shape[:dim], Symbol(1, True), *shape[dim + 1 :])
        walked, of_row = broadcast_axes(shape, shape), broadcast_axes(rows, shape)
        kept = tuple(axis for axis in range(len(shape)) if axis != dim)

        def reduced(value: SSAValue, given: dtype, into: dtype, start: float, how: str) -> SSAValue:
            def combine(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
                return getattr(math, how)(total, math.cast(element, into.name))

            whole = Element(value, given, walked)
            return b.reduce(whole, (dim,), rows, kept, into, start, combine, like=op)

        highest = reduced(source, of, compute, float("-inf"), "maximum")
        shifted = [Element(source, of, walked), Element(highest, compute, of_row)]

        def power(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.exp(math.sub(math.cast(elements[0], compute.name), elements[1]))

        powers = b.generic(shape, compute, shifted, power, like=op)
        total = Element(reduced(powers, compute, float64, 0, "add"), float64, of_row)
        if self.is_logarithm:
            kept_in = of if dim == len(shape) - 1 else compute
            """The dtype of sums and logarithms: see ops/reduction/norm.py."""

            def rounded(math: ScalarBuilder, value: Scalar) -> Scalar:
                return math.cast(math.cast(value, kept_in.name), compute.name)

            def logarithm(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
                x, top, sum_of_row = elements
                distance = math.sub(math.cast(x, compute.name), top)
                logs = math.log(rounded(math, math.cast(sum_of_row, compute.name)))
                return math.cast(math.sub(distance, rounded(math, logs)), of.name)

            return [b.generic(shape, of, [*shifted, total], logarithm, like=op)]

        kept_in = compute if dim == len(shape) - 1 else of

        def quotient(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            one = math.cast(math.cast(elements[0], kept_in.name), compute.name)
            return math.cast(math.div(one, math.cast(elements[1], compute.name)), of.name)

        return [b.generic(shape, of, [Element(powers, compute, walked), total], quotient, like=op)]


class LogSoftmax(Softmax):
    """`aten::log_softmax(%x, %dim, %none)` becomes `x - max(x) - log(sum(exp(x - max(x))))`."""

    is_logarithm = True


class SoftmaxGradient(AlongRows):
    """`aten::_softmax_backward_data(%grad, %result, %dim, %dtype)` becomes `grad * result - result * sum(grad * result)`, row by row:
    the product lies where the result will.
    """

    dim_place = 2

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        grad, result = op.operands[:2]
        return super().takes(op) and are_floats((grad,)) and sizes_of(grad) == sizes_of(result)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        grad, result = (b.shapes[value] for value in op.operands[:2])
        unite(grad, result)
        return [result]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        of = b.dtype_of(op.results[0])
        compute = opmath(of)
        shape = b.shapes[op.operands[1]]
        dim = self.axis(b, op)
        rows = (*shape[:dim], Symbol(1, True), *shape[dim + 1 :])
        kept = tuple(axis for axis in range(len(shape)) if axis != dim)
        walked = broadcast_axes(shape, shape)
        grad, result = (Element(value, b.dtype_of(value), walked) for value in op.operands[:2])
        slopes = self.slopes(b, op, grad, result)

        def added(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            return math.add(total, math.cast(math.cast(element, compute.name), float64.name))

        total = b.reduce(slopes, (dim,), rows, kept, float64, 0, added, op)

        def gradient(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            slope, y, along = (math.cast(one, compute.name) for one in elements)
            return math.cast(math.sub(slope, math.mul(self.share(math, y), along)), of.name)

        parts = [slopes, result, Element(total, float64, broadcast_axes(rows, shape))]
        return [b.generic(shape, of, parts, gradient, like=op)]

    def slopes(self, b: LinalgBuilder, op: OperatorOp, grad: Element, result: Element) -> Element:
        """What is added up along rows."""
        compute = opmath(grad.dtype)

        def product(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            slope, y = (math.cast(one, compute.name) for one in elements)
            return math.mul(slope, y)

        shape = b.shapes[op.operands[1]]
        return grad._replace(
            tensor=b.generic(shape, compute, [grad, result], product, like=op), dtype=compute
        )

    def share(self, math: ScalarBuilder, y: Scalar) -> Scalar:
        """The part of the sum that an element takes."""
        return y


class LogSoftmaxGradient(SoftmaxGradient):
    """`aten::_log_softmax_backward_data(%grad, %result, %dim, %dtype)` becomes `grad - exp(result) * sum(grad)`."""

    def slopes(self, b: LinalgBuilder, op: OperatorOp, grad: Element, result: Element) -> Element:
        return grad

    def share(self, math: ScalarBuilder, y: Scalar) -> Scalar:
        return math.exp(y)
