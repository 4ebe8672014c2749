"""Group normalization: channels in groups, each of which is a row of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element
from lowering.linalg.moments import RowSums
from lowering.linalg.operands import are_floats, constant, is_dense, is_none, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, fixed, ratio
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class GroupNorm(OperatorLowering):
    """`aten::group_norm(%x, 4, %weight, %bias, ...)` of `(N, C, ...)` becomes a `tensor.expand_shape` to `(N, 4, C / 4, ...)`, mean and
    variance of the last dimensions of that, one `linalg.generic` of `(x - mean) * rsqrt(variance + eps) * weight + bias`, and a
    `tensor.collapse_shape`.
    """

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.groups: dict[Operation, Shape] = {}
        """The number of groups, and that of the channels of each."""

    @classmethod
    def parameters(cls, op: OperatorOp) -> list[SSAValue]:
        """Weight and bias, as far as there are such."""
        return [value for value in op.operands[2:4] if not is_none(value)]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, groups, eps = op.operands[0], constant(op.operands[1]), op.operands[4]
        if groups is None or groups.value <= 0 or constant(eps) is None:
            return False
        if not are_floats((source, op.results[0], *cls.parameters(op))):
            return False
        sizes = cast(TensorType, source.type).sizes or ()
        given = [cast(TensorType, value.type).sizes for value in cls.parameters(op)]
        if len(sizes) < 2 or sizes[1] is None or sizes[1] % groups.value:
            return False
        return all(one == sizes[1:2] for one in given)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether it is for the CPU, too: a device would have a block for an image, where rows are groups."""
        lies = is_dense(op.results[0]) and not may_turn(op.operands[0])
        return lies and fusing_device() == "cpu"

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        shape = b.shapes[op.operands[0]]
        channels = shape[1]
        for value in self.parameters(op):
            channels.unite(b.shapes[value][0])
        count = b.constant(op.operands[1])
        of_each = ratio(channels.size // count, (channels,), count)
        self.groups[op] = (b.derived(fixed(count)), b.derived(of_each))
        return [shape]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source = op.operands[0]
        shape, of, groups = b.shapes[source], b.dtype_of(source), self.groups[op]
        whole = (shape[0], *groups, *shape[2:])
        dims = [(0,), (1, 2), *((axis,) for axis in range(3, len(whole)))]
        grouped = b.expand_shape(b.dense(source, op), dims, whole, of)
        b.shapes[grouped] = whole
        sums = RowSums(b, op, range(2, len(whole)), grouped)
        mean = sums.mean()
        scale = sums.inverse_roots(sums.squared_distances(mean), b.constant(op.operands[4]))
        parameters = [
            Element(b.expand_shape(b.dense(value, op), [(0, 1)], groups, of), of, (1, 2))
            for value in self.parameters(op)
        ]
        has_weight = not is_none(op.operands[2])
        made = sums.normalized(mean, scale, parameters, has_weight=has_weight)
        return [b.collapse_shape(made, dims, shape, of)]
