"""The gradients of normalizations, from the statistics that their forward operators give: see ops/normalization/norm_gradients.py.

With x' the normalized input and g the gradient times the weight, that of the input is (g - mean(g) - x' mean(g x')) / deviation, that
of the weight the sum of the gradient times x', and that of the bias the sum of the gradient. x' is computed anew wherever it is
needed: nothing as large as the input is kept.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element
from lowering.linalg.masked_gradients import MaskedGradients
from lowering.linalg.operands import (
    are_floats,
    constant,
    is_dense,
    is_none,
    may_turn,
    sizes_of,
)
from lowering.linalg.sizes import known_sizes, named_sizes
from lowering.linalg.symbolic_shapes import Shape, broadcast_axes, unite
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import dtype, float64
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

Axes = tuple[int, ...]


@dataclass
class Parts:
    """What a normalization was made of, and where its sums go along."""

    mean: Element
    scale: Element
    """The inverse deviation."""
    weight: Element | None
    rows: Axes
    """The dimensions that share statistics."""
    batch: Axes
    """Those that share parameters."""


class Gradients:
    """What is made of the gradient of a normalized tensor and of the input, both of one shape. Elements are computed in `opmath` of
    their dtype, and added up in float64.
    """

    def __init__(
        self, b: LinalgBuilder, op: OperatorOp, parts: Parts, grad: SSAValue, x: SSAValue
    ) -> None:
        self.b = b
        self.op = op
        self.parts = parts
        self.of: dtype = b.dtype_of(op.operands[1])
        self.compute = opmath(self.of)
        self.shape: Shape = b.shapes[x]
        whole = broadcast_axes(self.shape, self.shape)
        self.grad = Element(grad, self.of, whole)
        self.normal = [Element(in_order(b, x, op), self.of, whole), parts.mean, parts.scale]
        """What x' is computed of."""
        self.weight = [] if parts.weight is None else [parts.weight]
        self.sums: dict[tuple[Axes, bool, bool], SSAValue] = {}

    def sum(self, axes: Axes, *, weighted: bool, normal: bool) -> Element:
        """The sums along dimensions of the gradient, times the weight if `weighted`, times x' if `normal`."""
        kept = [axis for axis in range(len(self.shape)) if axis not in axes]
        key = (axes, weighted and bool(self.weight), normal)
        if key not in self.sums:
            weight = self.weight if weighted else []
            others = [*weight, *(self.normal if normal else ())]

            def combine(math: ScalarBuilder, total: Scalar, *elements: Scalar) -> Scalar:
                value, *rest = (math.cast(one, self.compute.name) for one in elements)
                if weight:
                    value = math.mul(value, rest.pop(0))
                if rest:
                    value = math.mul(value, _normal(math, *rest))
                return math.add(total, math.cast(value, float64.name))

            shape = tuple(self.shape[axis] for axis in kept)
            self.sums[key] = self.b.reduce(
                self.grad, axes, shape, kept, float64, 0, combine, self.op, others
            )
        walked = tuple(-1 if self.shape[axis].find().is_static else axis for axis in kept)
        return Element(self.sums[key], float64, walked)

    def of_input(self, *, is_given: bool) -> SSAValue:
        """That of the input. `is_given`: the statistics were, and do not depend on it."""
        rows = self.parts.rows
        is_within = self.parts.weight is not None and not set(rows).isdisjoint(
            self.parts.weight.axes
        )
        """Whether elements that are added up have weights of their own."""
        inputs = [self.grad, self.parts.scale, *self.weight]
        if not is_given:
            inputs += self.normal[:2]
            inputs += [self.sum(rows, weighted=is_within, normal=one) for one in (False, True)]
        count = self.b.product([self.shape[axis] for axis in rows])

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            value, scale, *rest = (math.cast(one, self.compute.name) for one in elements)
            factor = scale
            if self.weight:
                weight = rest.pop(0)
                if is_within:
                    value = math.mul(value, weight)
                else:
                    factor = math.mul(scale, weight)
            if rest:
                number = math.of_index(count, float64)
                mean, along = (
                    math.cast(math.div(one, number), self.compute.name) for one in elements[-2:]
                )
                normal = _normal(math, rest[0], rest[1], scale)
                value = math.sub(math.sub(value, mean), math.mul(normal, along))
            return math.cast(math.mul(value, factor), self.of.name)

        return self.b.generic(self.shape, self.of, inputs, body, like=self.op)

    def of_parameter(self, *, normal: bool) -> SSAValue:
        """That of the weight if `normal`, else that of the bias."""
        total = self.sum(self.parts.batch, weighted=False, normal=normal)

        def rounded(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], self.of.name)

        shape = self.b.shapes[total.tensor]
        element = total._replace(axes=broadcast_axes(shape, shape))
        return self.b.generic(shape, self.of, [element], rounded, like=self.op)


def _normal(math: ScalarBuilder, x: Scalar, mean: Scalar, scale: Scalar) -> Scalar:
    """A normalized element."""
    return math.mul(math.sub(x, mean), scale)


def in_order(b: LinalgBuilder, value: SSAValue, op: OperatorOp) -> SSAValue:
    """A tensor, copied if its last dimension is not the one along which elements lie together: it is read several times."""
    type_ = b.type_of(value)
    strides = type_.strides if isinstance(type_, TensorType) else None
    lies = value not in b.strided or not strides or strides[-1] in (0, 1)
    return value if lies else b.dense(value, op)


class NormGradients(MaskedGradients):
    """An operator that gives the gradients of input, weight and bias; None for one that is not wanted, or of what is None itself."""

    place: ClassVar[int]
    """Which operand is the weight."""

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Those that there are."""
        return [] if is_none(op.operands[cls.place]) else [op.operands[cls.place]]

    @classmethod
    @abstractmethod
    def statistics(cls, op: OperatorOp) -> list[SSAValue]:
        """Mean, and inverse deviation or variance."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        """Whether the first operands have one size, all dtypes are equal, and what is None has no use."""
        if not super().takes(op):
            return False
        grad, x = op.operands[:2]
        used = [result for result in op.results if result.first_use is not None]
        tensors = (grad, x, *cls.statistics(op), *cls.parameters(op), *used)
        return are_floats(tensors) and sizes_of(grad) == sizes_of(x)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether it is for the CPU, as one block of a device would do what crosses rows (runtime/cuda/operators/normalizations.py),
        and what follows the order of the input is in that of indices.
        """
        result = op.results[0]
        is_free = not cls.follows_order or result.first_use is None
        lies = is_free or (is_dense(result) and not may_turn(op.operands[1]))
        return lies and fusing_device() == "cpu"

    @abstractmethod
    def parts(self, b: LinalgBuilder, op: OperatorOp) -> Parts:
        """What the gradients are made of."""

    @classmethod
    def is_training(cls, op: OperatorOp) -> bool:
        """Whether the statistics are those of the input."""
        return True

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        found = Gradients(b, op, self.parts(b, op), *op.operands[:2])
        of_input, of_weight, of_bias = (result.first_use is not None for result in op.results)
        return (
            found.of_input(is_given=not self.is_training(op)) if of_input else None,
            found.of_parameter(normal=True) if of_weight else None,
            found.of_parameter(normal=False) if of_bias else None,
        )


class LayerNormGradients(NormGradients):
    """`aten::native_layer_norm_backward(%grad, %x, [256], %mean, %rstd, %weight, %bias, [True, True, True])` adds up along rows for the
    gradient of the input, and across them for those of the parameters.
    """

    follows_order = False
    place = 5

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.first: dict[Operation, int] = {}
        """The first of the dimensions that make a row."""

    @classmethod
    def gives(cls, op: OperatorOp) -> list[bool]:
        there = (True, *(not is_none(value) for value in op.operands[5:7]))
        return [a and b for a, b in zip(there, super().gives(op), strict=True)]

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        return [value for value in op.operands[5:7] if not is_none(value)]

    @classmethod
    def statistics(cls, op: OperatorOp) -> list[SSAValue]:
        return [*op.operands[3:5]]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        wanted = known_sizes(op.operands[2])
        if not wanted or not super().takes(op):
            return False
        own = sizes_of(op.operands[1])
        of_rows = (*own[: len(own) - len(wanted)], *(1 for _ in wanted))
        return (
            own[len(own) - len(wanted) :] == wanted
            and all(sizes_of(one) == of_rows for one in cls.statistics(op))
            and all(sizes_of(one) == wanted for one in cls.parameters(op))
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        grad, shape = (b.shapes[value] for value in op.operands[:2])
        sizes = named_sizes(b, op.operands[2])
        first = self.first[op] = len(shape) - len(sizes)
        unite(grad, shape)
        for one in (sizes, *(b.shapes[value] for value in self.parameters(op))):
            unite(one, shape[first:])
        for one in (b.shapes[value] for value in self.statistics(op)):
            unite(one[:first], shape[:first])
            for symbol in one[first:]:
                symbol.find().is_static = True
        return self.only_given(op, (shape, shape[first:], shape[first:]))

    def parts(self, b: LinalgBuilder, op: OperatorOp) -> Parts:
        shape, of = b.shapes[op.operands[1]], b.dtype_of(op.operands[1])
        mean, scale, *weight = (
            Element(value, of, broadcast_axes(b.shapes[value], shape))
            for value in (*op.operands[3:5], op.operands[5])
            if not is_none(value)
        )
        first, axes = self.first[op], tuple(range(len(shape)))
        return Parts(mean, scale, weight[0] if weight else None, axes[first:], axes[:first])


class BatchNormGradients(NormGradients):
    """`aten::native_batch_norm_backward(%grad, %x, %weight, ..., [True, True, True])` of `(N, C, ...)` adds up along all dimensions but
    the channels: the gradient of the input is made of the same sums as those of the parameters.
    """

    place = 2

    @classmethod
    def is_training(cls, op: OperatorOp) -> bool:
        training = constant(op.operands[7])
        return training is not None and bool(training.value)

    @classmethod
    def statistics(cls, op: OperatorOp) -> list[SSAValue]:
        return [*(op.operands[5:7] if cls.is_training(op) else op.operands[3:5])]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        training, eps = op.operands[7:9]
        if constant(training) is None or constant(eps) is None or not super().takes(op):
            return False
        own = sizes_of(op.operands[1])
        given = (*cls.statistics(op), *cls.parameters(op))
        return len(own) >= 2 and all(sizes_of(one) == own[1:2] for one in given)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        grad, shape = (b.shapes[value] for value in op.operands[:2])
        unite(grad, shape)
        for value in (*self.statistics(op), *self.parameters(op)):
            unite(b.shapes[value], shape[1:2])
        return self.only_given(op, (shape, shape[1:2], shape[1:2]))

    def parts(self, b: LinalgBuilder, op: OperatorOp) -> Parts:
        shape, of = b.shapes[op.operands[1]], b.dtype_of(op.operands[1])
        axes = () if shape[1].find().is_static else (1,)
        mean, scale, *weight = (
            Element(value, of, axes or (-1,))
            for value in (*self.statistics(op), *self.parameters(op))
        )
        if not self.is_training(op):
            scale = self.inverse_root(b, op, scale)
        rest = (0, *range(2, len(shape)))
        return Parts(mean, scale, weight[0] if weight else None, rest, rest)

    def inverse_root(self, b: LinalgBuilder, op: OperatorOp, variance: Element) -> Element:
        """The inverse deviations of channels of given variances."""
        compute = opmath(variance.dtype)
        epsilon = b.constant(op.operands[8])
        shape = b.shapes[variance.tensor]

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            wide = math.cast(elements[0], compute.name)
            return math.div(1.0, math.sqrt(math.add(wide, epsilon)))

        read = variance._replace(axes=broadcast_axes(shape, shape))
        return variance._replace(
            tensor=b.generic(shape, compute, [read], body, like=op), dtype=compute
        )
