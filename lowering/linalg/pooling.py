"""Pooling, which is lowered for other compilers: a `linalg.generic` over windows, whose sizes a tensor without content gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element, Place, Window
from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.reduction import lowest
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.pooling.pool_windows import Pool
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

Combine = Callable[["ScalarBuilder", "Scalar", "list[Scalar]"], "Scalar"]


class MaxPool(OperatorLowering):
    """`aten::max_pool2d(%x, ...)` of `(N, C, H, W)` has loops over `(N, C, H', W', R, S)`, of which the last two reduce.

    The sizes of the dimensions that windows walk are those of the types.
    """

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, *arguments = op.operands
        return is_known(x) and all(map(constant, arguments)) and _dtype_name(x) != "Bool"

    def pool(self, b: ExportBuilder, op: OperatorOp) -> Pool:
        """Where the windows are."""
        kernel, stride, padding, dilation, ceil_mode = _arguments(op)
        return Pool.of(op.KIND, _rank(op), kernel, stride, padding, dilation, ceil_mode)

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        lead = len(source) - _rank(op)
        for symbol in source[lead:]:
            symbol.unite(fixed(symbol.size))
        sizes = cast(TensorType, op.results[0].type).sizes or ()
        return [(*source[:lead], *(fixed(cast(int, size)) for size in sizes[lead:]))]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        of = b.dtype_of(result)

        def largest(math: ScalarBuilder, total: Scalar, elements: list[Scalar]) -> Scalar:
            return math.maximum(total, elements[0])

        number = lowest(of, is_minimum=False)
        return [_pooled(b, op, self.pool(b, op), source, b.shapes[result], of, number, largest)]


class AveragePool(MaxPool):
    """`aten::avg_pool2d(%x, ...)`: sums over windows, divided by how many elements each has, which another such op counts where
    windows reach beyond the tensor.
    """

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return super().takes(op) and _dtype_name(op.operands[0]) in ("Float", "Double")

    def pool(self, b: ExportBuilder, op: OperatorOp) -> Pool:
        kernel, stride, padding, ceil_mode, *_ = _arguments(op)
        return Pool.of(op.KIND, _rank(op), kernel, stride, padding, [1], ceil_mode)

    def options(self, b: ExportBuilder, op: OperatorOp) -> tuple[bool, int | None]:
        """Whether padding counts, and by what sums are divided if that is one number."""
        _, _, _, _, counts_padding, *divisor = _arguments(op)
        return counts_padding, next(iter(divisor), None)

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        shape, of = b.shapes[result], b.dtype_of(result)
        pool = self.pool(b, op)
        total = _pooled(b, op, pool, source, shape, of, 0, _sum)
        counts_padding, divisor = self.options(b, op)
        inputs = [Element(total, of, tuple(range(len(shape))))]
        if divisor is None and not _is_inside(pool, b, op, counts_padding):
            inputs.append(self.counted(b, op, pool, shape, of, counts_padding))
        number = divisor or prod(pool.kernel)

        def quotient(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            first, *others = elements
            return math.div(first, others[0] if others else math.constant(number, first))

        return [b.generic(shape, of, inputs, quotient, like=op)]

    def counted(
        self,
        b: ExportBuilder,
        op: OperatorOp,
        pool: Pool,
        shape: Shape,
        of: dtype,
        counts_padding: bool,
    ) -> Element:
        """How many elements each window has."""
        rank = len(pool.kernel)
        sizes = b.shapes[op.operands[0]][-rank:]
        if counts_padding:
            sizes = tuple(fixed(s.size + 2 * p) for s, p in zip(sizes, pool.padding, strict=True))
            pool = Pool(pool.kernel, pool.stride, [0] * rank, pool.dilation, pool.ceil_mode)
        ones = b.filled(1, sizes, of)
        b.shapes[ones] = sizes
        count = _pooled(b, op, pool, ones, shape[-rank:], of, 0, _sum)
        return Element(count, of, tuple(range(len(shape) - rank, len(shape))))


class AdaptiveAveragePool(AveragePool):
    """`aten::adaptive_avg_pool2d(%x, [1, 1])`, where the windows that give the sizes do not overlap."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        if not super().takes(op):
            return False
        sizes = cast(TensorType, op.operands[0].type).sizes or ()
        wanted: list[int] = _arguments(op)[0]
        pairs = zip(sizes[len(sizes) - len(wanted) :], wanted, strict=True)
        return all(count and size is not None and size % count == 0 for size, count in pairs)

    def pool(self, b: ExportBuilder, op: OperatorOp) -> Pool:
        wanted: list[int] = _arguments(op)[0]
        given = b.shapes[op.operands[0]][-len(wanted) :]
        kernel = [symbol.size // count for symbol, count in zip(given, wanted, strict=True)]
        rank = len(wanted)
        return Pool(kernel, kernel, [0] * rank, [1] * rank, False)

    def options(self, b: ExportBuilder, op: OperatorOp) -> tuple[bool, int | None]:
        return True, prod(self.pool(b, op).kernel)


def _pooled(
    b: ExportBuilder,
    op: OperatorOp,
    pool: Pool,
    source: SSAValue,
    shape: Shape,
    of: dtype,
    number: float,
    combine: Combine,
) -> SSAValue:
    """What `combine` makes of each window, beginning with a number, which stands beyond the tensor, too."""
    rank, whole = len(pool.kernel), len(shape)
    lead = whole - rank
    pads = [(0, 0)] * lead
    for axis in range(rank):
        before, size = pool.padding[axis], b.shapes[source][lead + axis].size
        last = (shape[lead + axis].size - 1) * pool.stride[axis]
        reach = last + pool.dilation[axis] * (pool.kernel[axis] - 1) + 1
        pads.append((before, max(reach - size - before, 0)))
    source = b.padded(source, pads, number, of)
    places: list[Place] = [((axis, 1),) for axis in range(lead)]
    for axis in range(rank):
        step, dilation = pool.stride[axis], pool.dilation[axis]
        places.append(((lead + axis, step), (whole + axis, dilation)))
    window = b.empty(tuple(map(fixed, pool.kernel)), of)
    walked: tuple[Place, ...] = tuple(((whole + axis, 1),) for axis in range(rank))
    inputs = [Window(source, of, tuple(places)), Window(window, of, walked)]
    kinds = "p" * whole + "r" * rank
    return b.accumulate(inputs, kinds, range(whole), shape, of, number, combine, like=op)


def _sum(math: ScalarBuilder, total: Scalar, elements: list[Scalar]) -> Scalar:
    return math.add(total, elements[0])


def _is_inside(pool: Pool, b: ExportBuilder, op: OperatorOp, counts_padding: bool) -> bool:
    """Whether all windows have as many elements."""
    if any(pool.padding) and not counts_padding:
        return False
    rank = len(pool.kernel)
    sizes = b.shapes[op.operands[0]][-rank:]
    counts = b.shapes[op.results[0]][-rank:]
    return all(
        (count.size - 1) * pool.stride[axis] + pool.kernel[axis] <= s.size + 2 * pool.padding[axis]
        for axis, (s, count) in enumerate(zip(sizes, counts, strict=True))
    )


def _arguments(op: OperatorOp) -> list[Any]:
    return [found.value for value in op.operands[1:] if (found := constant(value)) is not None]


def _rank(op: OperatorOp) -> int:
    """In how many dimensions windows move: the operator's name tells."""
    return int(op.KIND[-2])


def _dtype_name(value: SSAValue) -> str | None:
    return cast(TensorType, value.type).dtype
