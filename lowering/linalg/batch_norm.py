"""Batch normalization: each channel times a number, plus another, by running statistics or by those of the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, constant, is_dense, is_none, is_packed, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, broadcast_axes
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import dtype, float64
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

Body = Callable[["ScalarBuilder", list["Scalar"]], "Scalar"]


class Channels:
    """What is computed of the channels of the first operand of an op: tensors of one dimension."""

    def __init__(self, b: LinalgBuilder, op: OperatorOp) -> None:
        self.b = b
        self.op = op
        self.source = op.operands[0]
        self.of: dtype = b.dtype_of(self.source)
        self.compute = opmath(self.of)
        self.shape: Shape = b.shapes[self.source]
        self.channels = self.shape[1:2]
        self.whole = Element(self.source, self.of, broadcast_axes(self.shape, self.shape))
        self.rest = (0, *range(2, len(self.shape)))
        """The dimensions that share a channel."""
        self.count = b.product([self.shape[axis] for axis in self.rest])

    def given(self, *values: SSAValue) -> list[Element]:
        """How an op over the channels reads operands, those that are None left out."""
        return [self.found(one, self.of) for one in values if not is_none(one)]

    def found(self, value: SSAValue, of: dtype) -> Element:
        """How such an op reads what another has computed."""
        return Element(value, of, broadcast_axes(self.channels, self.channels))

    def over(self, value: SSAValue, of: dtype) -> Element:
        """How an op over all elements reads what was computed of channels."""
        return Element(value, of, broadcast_axes(self.channels, self.shape[:2]))

    def each(self, of: dtype, inputs: list[Element], body: Body) -> SSAValue:
        """What `body` computes of each channel."""
        return self.b.generic(self.channels, of, inputs, body, like=self.op)

    def sum(self, combine: Callable[..., Scalar], others: Sequence[Element] = ()) -> SSAValue:
        """The sums over channels of what `combine(math, total, element, *others)` adds, in float64."""
        return self.b.reduce(
            self.whole, self.rest, self.channels, [1], float64, 0, combine, self.op, others
        )

    def mean(self, total: SSAValue, less: int = 0) -> SSAValue:
        """Sums divided by the number of the elements of a channel, less that many."""

        def divided(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            count = math.of_index(self.count, float64)
            return math.div(elements[0], math.sub(count, float(less)) if less else count)

        return self.each(float64, [self.found(total, float64)], divided)

    def rounded(self, value: SSAValue) -> SSAValue:
        """What was computed in float64, in the dtype of the operand."""

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], self.of.name)

        return self.each(self.of, [self.found(value, float64)], body)

    def normalized(self, scale: SSAValue, shift: SSAValue) -> SSAValue:
        """`x * scale + shift`."""

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            element, scale, shift = elements
            product = math.mul(math.cast(element, self.compute.name), scale)
            return math.cast(math.add(product, shift), self.of.name)

        inputs = [self.whole, self.over(scale, self.compute), self.over(shift, self.compute)]
        return self.b.in_memory_order(self.shape, self.of, inputs, body, like=self.op)


def _sum(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
    return math.add(total, math.cast(element, float64.name))


class BatchNorm(OperatorLowering):
    """`aten::batch_norm(%x, %weight, %bias, %mean, %var, False, ...)` of `(N, C, ...)` becomes `scale` and `shift` of `(C)`, and one
    `linalg.generic` of `x * scale + shift`. In training, mean and variance are those of the batch: sums of `x` along all dimensions but
    the channels. Running statistics are moved towards them.

    `aten::native_batch_norm` and `aten::_batch_norm_impl_index` give the mean and the inverse deviation besides.
    """

    skips_unused = True

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Weight, bias, mean and variance, as far as there are such."""
        return [value for value in op.operands[1:5] if not is_none(value)]

    @classmethod
    def trains(cls, op: OperatorOp) -> bool | None:
        """Whether the statistics are those of the batch; None where that is not known."""
        flag = constant(op.operands[5])
        return None if flag is None else bool(flag.value)

    @classmethod
    def updates(cls, op: OperatorOp) -> Sequence[SSAValue]:
        return [one for one in op.operands[3:5] if not is_none(one)] if cls.trains(op) else []

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, _, _, mean, var, _, momentum, eps = op.operands[:8]
        trains = cls.trains(op)
        if trains is None or constant(eps) is None or is_none(mean) != is_none(var):
            return False
        if (constant(momentum) is None) if trains else is_none(mean):
            return False
        used = [result for result in op.results if result.first_use is not None]
        if any(result in used for result in op.results[3 if trains else 1 :]):
            return False
        if not are_floats((source, *used, *cls.parameters(op))):
            return False
        sizes = cast(TensorType, source.type).sizes or ()
        given = [cast(TensorType, value.type).sizes for value in cls.parameters(op)]
        if trains and (0 in sizes or (mean is var and not is_none(mean))):
            return False
        return len(sizes) >= 2 and all(one == (sizes[1],) for one in given)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        if cls.trains(op) and not (
            fusing_device() == "cpu" and all(map(is_dense, cls.updates(op)))
        ):
            return False
        result = op.results[0]
        is_used = result.first_use is not None
        return not may_turn(op.operands[0]) and is_packed(result if is_used else op.operands[0])

    @classmethod
    def pays_at_once(cls, op: OperatorOp) -> bool:
        """In training, and where a graph is differentiated, which is not compiled once more when it has run often."""
        return bool(cls.trains(op)) or len(op.results) > 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        source = b.shapes[op.operands[0]]
        for value in self.parameters(op):
            (channels,) = b.shapes[value]
            source[1].unite(channels)
        if self.trains(op):
            for symbol in source:  # of no elements there are no statistics
                b.require(symbol, 1)
        found = [source, source[1:2], source[1:2], None, None]
        return found[: len(op.results)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        channels = Channels(b, op)
        if self.trains(op):
            return self.by_batch(b, op, channels)
        return [self.by_running_statistics(b, op, channels), *(None for _ in op.results[1:])]

    def by_running_statistics(
        self, b: LinalgBuilder, op: OperatorOp, channels: Channels
    ) -> SSAValue:
        """The result, where statistics are given."""
        _, weight, _, mean, var, _, _, eps = op.operands[:8]
        compute, epsilon = channels.compute, b.constant(eps)

        def inverse_root(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            variance, *factors = (math.cast(one, compute.name) for one in elements)
            inverse = math.div(1.0, math.sqrt(math.add(variance, epsilon)))
            return math.mul(inverse, *factors) if factors else inverse

        scale = channels.each(compute, channels.given(var, weight), inverse_root)
        return self.result(op, channels, channels.given(mean), scale)

    def result(
        self, op: OperatorOp, channels: Channels, mean: list[Element], scale: SSAValue
    ) -> SSAValue:
        """What is normalized, of the mean and the factors of channels."""
        compute = channels.compute

        def minus_mean(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            mean, scale, *terms = (math.cast(one, compute.name) for one in elements)
            product = math.mul(mean, scale)
            return math.sub(terms[0], product) if terms else math.neg(product)

        parts = [*mean, channels.found(scale, compute), *channels.given(op.operands[2])]
        return channels.normalized(scale, channels.each(compute, parts, minus_mean))

    def by_batch(
        self, b: LinalgBuilder, op: OperatorOp, channels: Channels
    ) -> Sequence[SSAValue | None]:
        """The results, and what becomes of running statistics."""
        is_used = [result.first_use is not None for result in op.results]
        found: list[SSAValue | None] = [None for _ in op.results]
        mean = channels.mean(channels.sum(_sum))
        if is_used[1:2] == [True]:
            found[1] = channels.rounded(mean)
        if not self.updates(op) and not any((is_used[0], *is_used[2:3])):
            return found
        squares = self.squares(channels, mean)
        epsilon, compute = b.constant(op.operands[7]), channels.compute

        def inverse_root(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.rsqrt(math.add(elements[0], epsilon))

        def times(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            first, *others = (math.cast(one, compute.name) for one in elements)
            return math.mul(first, *others) if others else first

        variance = channels.found(channels.mean(squares), float64)
        inverse = channels.each(float64, [variance], inverse_root)
        if is_used[0]:
            factors = [channels.found(inverse, float64), *channels.given(op.operands[1])]
            scale = channels.each(compute, factors, times)
            found[0] = self.result(op, channels, [channels.found(mean, float64)], scale)
        if is_used[2:3] == [True]:
            found[2] = channels.rounded(inverse)
        if self.updates(op):
            momentum = b.constant(op.operands[6])
            for running, to in zip(op.operands[3:5], (mean, channels.mean(squares, less=1))):
                found.append(self.moved(channels, running, to, momentum))
        return found

    @staticmethod
    def squares(channels: Channels, mean: SSAValue) -> SSAValue:
        """The sums of the squares of distances from the mean, in float64. Distances are computed in the dtype of elements, from what
        that can hold of the mean, and the sums corrected by how far that is off.
        """
        near = channels.compute.name

        def squared(math: ScalarBuilder, total: Scalar, element: Scalar, mean: Scalar) -> Scalar:
            distance = math.sub(math.cast(element, near), math.cast(mean, near))
            return math.add(total, math.cast(math.mul(distance, distance), float64.name))

        def corrected(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            total, mean = elements
            off = math.sub(mean, math.cast(math.cast(mean, near), float64.name))
            count = math.of_index(channels.count, float64)
            return math.sub(total, math.mul(count, math.mul(off, off)))

        found = channels.sum(squared, [channels.over(mean, float64)])
        if channels.compute is float64:
            return found
        inputs = [channels.found(found, float64), channels.found(mean, float64)]
        return channels.each(float64, inputs, corrected)

    @staticmethod
    def moved(channels: Channels, running: SSAValue, to: SSAValue, momentum: float) -> SSAValue:
        """Running statistics, moved towards those of the batch."""

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            kept, new = (math.cast(one, float64.name) for one in elements)
            moved = math.add(math.mul(new, momentum), math.mul(kept, 1 - momentum))
            return math.cast(moved, channels.of.name)

        inputs = [*channels.given(running), channels.found(to, float64)]
        return channels.each(channels.of, inputs, body)
