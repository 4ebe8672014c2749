"""Group normalization: channels in groups, each of which is a row of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.channel_groups import cut, joined
from lowering.linalg.channel_norm import ChannelNorm
from lowering.linalg.element import Element
from lowering.linalg.moments import RowSums
from lowering.linalg.norm_gradients import Gradients, NormGradients, Parts
from lowering.linalg.operands import (
    are_floats,
    constant,
    is_dense,
    is_none,
    sizes_of,
)
from lowering.linalg.sizes import named_size
from lowering.linalg.symbolic_shapes import Shape, broadcast_axes, fixed, ratio, unite
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import dtype, float64

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class Groups:
    """Tensors of `(N, C, ...)` as `(N, 4, C / 4, ...)`, and of `(C)` as `(4, C / 4)`."""

    def __init__(self, b: LinalgBuilder, shape: Shape, count: int) -> None:
        channels = shape[1]
        of_each = ratio(channels.size // count, (channels,), count)
        self.b = b
        self.shape = shape
        self.parts: Shape = (b.derived(fixed(count)), b.derived(of_each))
        """The number of groups, and that of the channels of each."""
        self.whole: Shape = (shape[0], *self.parts, *shape[2:])

    def of(self, value: SSAValue, op: OperatorOp) -> SSAValue:
        """A tensor of all elements."""
        return cut(self.b, self.b.dense(value, op), 1, self.parts, self.b.dtype_of(value))

    def parameter(self, value: SSAValue, op: OperatorOp) -> Element:
        """How ops read a number of each channel."""
        of = self.b.dtype_of(value)
        return Element(cut(self.b, self.b.dense(value, op), 0, self.parts, of), of, (1, 2))

    def back(self, value: SSAValue, of: dtype) -> SSAValue:
        """A tensor of all elements with the shape that it had."""
        return joined(self.b, value, 1, self.shape, of)

    def channels(self, value: SSAValue, of: dtype) -> SSAValue:
        """What was computed of each channel, with one dimension."""
        return joined(self.b, value, 0, self.shape[1:2], of)


def _unite_given(b: LinalgBuilder, op: OperatorOp, first: int, shape: Shape) -> None:
    """Let three numbers that an operator is given, from its operand `first` on, be those of images, of channels and of elements of
    each.

    Raises:
        LoweringError: they are not.
    """
    rest = shape[2:]
    size = 1
    for symbol in rest:
        size *= symbol.size
    elements = rest[0] if len(rest) == 1 else b.derived(ratio(size, rest))
    for place, symbol in enumerate((*shape[:2], elements), first):
        given = named_size(b, op.operands[place], symbol.size)
        if given is None:
            raise LoweringError("a number of elements is not known")
        symbol.unite(given)


class GroupNorm(ChannelNorm):
    """`aten::group_norm(%x, 4, %weight, %bias, ...)` of `(N, C, ...)` becomes a `tensor.expand_shape` to `(N, 4, C / 4, ...)`, mean and
    variance of the last dimensions of that, one `linalg.generic` of `(x - mean) * rsqrt(variance + eps) * weight + bias`, and a
    `tensor.collapse_shape`.
    """

    count: ClassVar[int] = 1
    """Which operand is the number of groups."""
    weight_place = 2
    eps: ClassVar[int] = 4

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.groups: dict[Operation, Groups] = {}

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, groups = op.operands[0], constant(op.operands[cls.count])
        if groups is None or groups.value <= 0 or constant(op.operands[cls.eps]) is None:
            return False
        used = [result for result in op.results if result.first_use is not None]
        if not are_floats((source, *used, *cls.parameters(op))):
            return False
        sizes = sizes_of(source)
        if len(sizes) < 2 or sizes[1] is None or sizes[1] % groups.value:
            return False
        return all(sizes_of(one) == sizes[1:2] for one in cls.parameters(op))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        shape = b.shapes[op.operands[0]]
        for value in self.parameters(op):
            shape[1].unite(b.shapes[value][0])
        self.groups[op] = Groups(b, shape, b.constant(op.operands[self.count]))
        return [shape]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        sums, mean, scale = self.statistics(b, op)
        return [self.result(op, sums, mean, scale)]

    def statistics(self, b: LinalgBuilder, op: OperatorOp) -> tuple[RowSums, SSAValue, SSAValue]:
        """The sums of groups, the means in float64, and the inverse deviations."""
        groups = self.groups[op]
        source = groups.of(op.operands[0], op)
        sums = RowSums(b, op, range(2, len(groups.whole)), source)
        mean = sums.mean()
        squares = sums.squared_distances(mean)
        return sums, mean, sums.inverse_roots(squares, b.constant(op.operands[self.eps]))

    def result(self, op: OperatorOp, sums: RowSums, mean: SSAValue, scale: SSAValue) -> SSAValue:
        """What is normalized."""
        groups = self.groups[op]
        parameters = [groups.parameter(value, op) for value in self.parameters(op)]
        has_weight = not is_none(op.operands[self.weight_place])
        made = sums.normalized(mean, scale, parameters, has_weight=has_weight)
        return groups.back(made, sums.of)


class GroupNormWithMoments(GroupNorm):
    """`aten::native_group_norm(%x, %weight, %bias, %n, %c, %hw, 4, %eps)` gives means and inverse deviations of groups, too: reverse
    graphs ask for these alone.
    """

    skips_unused = True
    count = 6
    weight_place = 1
    eps = 7

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return is_dense(op.operands[0]) and fusing_device() == "cpu"

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        (shape,) = super().shapes(b, op)
        assert shape is not None
        for symbol in shape:  # of no elements, means are 0
            b.require(symbol, 1)
        _unite_given(b, op, 3, shape)
        of_groups = (shape[0], self.groups[op].parts[0])
        return [shape, of_groups, of_groups]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        sums, mean, scale = self.statistics(b, op)
        shape = self.groups[op].whole[:2]

        def rounded(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], sums.of.name)

        found: list[SSAValue | None] = [None, None, None]
        if op.results[0].first_use is not None:
            found[0] = self.result(op, sums, mean, scale)
        for place, value, of in ((1, mean, float64), (2, scale, sums.compute)):
            if op.results[place].first_use is not None:
                axes = (*broadcast_axes(shape, shape), *(-1 for _ in sums.rows[2:]))
                read = Element(value, of, axes)
                found[place] = b.generic(shape, sums.of, [read], rounded, like=op)
        return found


class GroupNormGradients(NormGradients):
    """`aten::native_group_norm_backward(%grad, %x, %mean, %rstd, %weight, %n, %c, %hw, 4, [True, True, True])` adds up along the
    channels and elements of groups for the gradient of the input, and along images and elements for those of the parameters.
    """

    place = 4

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.groups: dict[Operation, Groups] = {}

    @classmethod
    def statistics(cls, op: OperatorOp) -> list[SSAValue]:
        return [*op.operands[2:4]]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        count = constant(op.operands[8])
        if count is None or count.value <= 0 or not super().takes(op):
            return False
        own = sizes_of(op.operands[1])
        if len(own) < 2 or own[1] is None or own[1] % count.value:
            return False
        of_groups = (own[0], count.value)
        return all(sizes_of(one) == of_groups for one in cls.statistics(op)) and all(
            sizes_of(one) == own[1:2] for one in cls.parameters(op)
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        grad, shape = (b.shapes[value] for value in op.operands[:2])
        unite(grad, shape)
        for value in self.parameters(op):
            unite(b.shapes[value], shape[1:2])
        groups = self.groups[op] = Groups(b, shape, b.constant(op.operands[8]))
        for value in self.statistics(op):
            unite(b.shapes[value], (shape[0], groups.parts[0]))
        _unite_given(b, op, 5, shape)
        return self.only_given(op, (shape, shape[1:2], shape[1:2]))

    def parts(self, b: LinalgBuilder, op: OperatorOp) -> Parts:
        groups, of = self.groups[op], b.dtype_of(op.operands[1])
        mean, scale = (
            Element(value, of, broadcast_axes(b.shapes[value], groups.whole[:2]))
            for value in self.statistics(op)
        )
        weight = [groups.parameter(value, op) for value in self.parameters(op)]
        axes = tuple(range(len(groups.whole)))
        return Parts(mean, scale, weight[0] if weight else None, axes[2:], (0, *axes[3:]))

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        groups, of = self.groups[op], b.dtype_of(op.operands[1])
        grad, x = (groups.of(value, op) for value in op.operands[:2])
        found = Gradients(b, op, self.parts(b, op), grad, x)
        of_input, of_weight, of_bias = (result.first_use is not None for result in op.results)
        return (
            groups.back(found.of_input(is_given=False), of) if of_input else None,
            groups.channels(found.of_parameter(normal=True), of) if of_weight else None,
            groups.channels(found.of_parameter(normal=False), of) if of_bias else None,
        )
