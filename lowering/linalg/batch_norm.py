"""Batch normalization by running statistics: each channel times a number, plus another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, constant, is_dense, is_none, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, broadcast_axes
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class BatchNorm(OperatorLowering):
    """`aten::batch_norm(%x, %weight, %bias, %mean, %var, False, ...)` of `(N, C, ...)` becomes `scale` and `shift` of `(C)`, and one
    `linalg.generic` of `x * scale + shift`.
    """

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Weight, bias, mean and variance, as far as there are such."""
        return [value for value in op.operands[1:5] if not is_none(value)]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, _, _, mean, var, training, _, eps, _ = op.operands
        flag = constant(training)
        if flag is None or flag.value or constant(eps) is None or is_none(mean) or is_none(var):
            return False
        if not are_floats((source, op.results[0], *cls.parameters(op))):
            return False
        sizes = cast(TensorType, source.type).sizes or ()
        given = [cast(TensorType, value.type).sizes for value in cls.parameters(op)]
        return len(sizes) >= 2 and all(one == (sizes[1],) for one in given)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return is_dense(op.results[0]) and not may_turn(op.operands[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        for value in self.parameters(op):
            (channels,) = b.shapes[value]
            source[1].unite(channels)
        return [source]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, weight, bias, mean, var, _, _, eps, _ = op.operands
        shape, of = b.shapes[source], b.dtype_of(source)
        compute = opmath(of)
        channels, epsilon = (shape[1],), b.constant(eps)

        def of_channels(*values: SSAValue) -> list[Element]:
            return [Element(one, of, (0,)) for one in values if not is_none(one)]

        def inverse_root(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            variance, *factors = (math.cast(one, compute.name) for one in elements)
            inverse = math.div(1.0, math.sqrt(math.add(variance, epsilon)))
            return math.mul(inverse, *factors) if factors else inverse

        def minus_mean(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            mean, scale, *terms = (math.cast(one, compute.name) for one in elements)
            product = math.mul(mean, scale)
            return math.sub(terms[0], product) if terms else math.neg(product)

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            element, scale, shift = elements
            product = math.mul(math.cast(element, compute.name), scale)
            return math.cast(math.add(product, shift), of.name)

        scale = b.generic(channels, compute, of_channels(var, weight), inverse_root, like=op)
        parts = [*of_channels(mean), Element(scale, compute, (0,)), *of_channels(bias)]
        shift = b.generic(channels, compute, parts, minus_mean, like=op)
        whole = Element(source, of, broadcast_axes(shape, shape))
        inputs = [whole, Element(scale, compute, (1,)), Element(shift, compute, (1,))]
        return [b.generic(shape, of, inputs, body, like=op)]
