"""Instance normalization: each channel of each image is a row of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.channel_norm import ChannelNorm
from lowering.linalg.element import Element
from lowering.linalg.moments import RowSums
from lowering.linalg.operands import are_floats, constant, is_none, sizes_of
from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import float64

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class InstanceNorm(ChannelNorm):
    """`aten::instance_norm(%x, %weight, %bias, None, None, True, ...)` of `(N, C, ...)` becomes mean and variance of the dimensions
    from the third on, `scale` and `shift` of `(N, C)`, and one `linalg.generic` of `x * scale + shift`, as a batch norm does.
    """

    weight_place = 1

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, by_input, eps = op.operands[0], constant(op.operands[5]), constant(op.operands[7])
        if by_input is None or not by_input.value or eps is None:
            return False
        if not all(map(is_none, op.operands[3:5])):
            return False
        sizes, parameters = sizes_of(source), cls.parameters(op)
        if not are_floats((source, op.results[0], *parameters)) or len(sizes) < 3 or 0 in sizes:
            return False
        return all(sizes_of(one) == sizes[1:2] for one in parameters)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        shape = b.shapes[op.operands[0]]
        for value in self.parameters(op):
            shape[1].unite(b.shapes[value][0])
        for symbol in shape:  # of no elements there are no statistics
            b.require(symbol, 1)
        return [shape]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        sums = RowSums(b, op, range(2, len(b.shapes[op.operands[0]])), b.dense(op.operands[0], op))
        eps, compute = b.constant(op.operands[7]), sums.compute
        mean = sums.mean()
        squares = sums.squared_distances(mean)
        weight, bias = (
            [] if is_none(one) else [Element(b.dense(one, op), b.dtype_of(one), (1,))]
            for one in op.operands[1:3]
        )

        def scaled(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            variance = math.div(elements[0], math.of_index(sums.count, float64))
            inverse = math.cast(math.rsqrt(math.add(variance, eps)), compute.name)
            factors = [math.cast(one, compute.name) for one in elements[1:]]
            return math.mul(inverse, *factors) if factors else inverse

        def shifted(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            mean, scale, *terms = (math.cast(one, compute.name) for one in elements)
            product = math.mul(mean, scale)
            return math.sub(terms[0], product) if terms else math.neg(product)

        def normalized(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            element, scale, shift = (math.cast(one, compute.name) for one in elements)
            return math.cast(math.add(math.mul(element, scale), shift), sums.of.name)

        each = tuple(range(len(sums.shape)))
        inputs = [Element(squares, float64, each), *weight]
        scale = b.generic(sums.rows, compute, inputs, scaled, like=op)
        inputs = [Element(mean, float64, each), Element(scale, compute, each), *bias]
        shift = b.generic(sums.rows, compute, inputs, shifted, like=op)
        inputs = [sums.whole, sums.row(scale, compute), sums.row(shift, compute)]
        return [b.generic(sums.shape, sums.of, inputs, normalized, like=op)]
