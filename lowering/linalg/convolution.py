"""Convolutions, which are lowered for other compilers: a `linalg.generic` that multiplies and adds over windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element, Place, Window
from lowering.linalg.operands import are_floats, constant, is_none
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_GENERAL = ("aten::convolution", "aten::_convolution")


class Convolution(OperatorLowering):
    """`aten::conv2d(%x, %weight, %bias, ...)` of `(N, C, H, W)` and `(O, C, R, S)` has loops over `(N, O, H', W', C, R, S)`, of
    which the last three reduce. In groups, C and O are cut into two dimensions, of which the first, the group, is a loop of its own.

    Any size of N will do; those of the other dimensions are those of the types.
    """

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias, *arguments = op.operands
        if not all(map(constant, arguments)):
            return False
        if op.KIND in _GENERAL and cast(bool, _value(arguments[3])):
            return False  # transposed
        return are_floats([x, weight] if is_none(bias) else [x, weight, bias])

    def windows(self, op: OperatorOp, rank: int) -> Windows:
        """Where the windows are, in `rank` dimensions."""
        values = [_value(value) for value in op.operands[3:]]
        if op.KIND in _GENERAL:
            stride, padding, dilation, _, _, groups, *_ = values
            values = [stride, padding, dilation, groups]
        return Windows(*values).over(rank)

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, weight = (b.shapes[value] for value in op.operands[:2])
        batch = len(x) - len(weight) + 1
        for symbol in (*x[batch:], *weight):
            symbol.unite(fixed(symbol.size))
        sizes = cast(TensorType, op.results[0].type).sizes or ()
        return [(*x[:batch], *(fixed(cast(int, size)) for size in sizes[batch:]))]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, weight, bias, *_ = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        kernel = b.shapes[weight]
        rank = len(kernel) - 2
        batch = len(shape) - rank - 1
        windows = self.windows(op, rank)
        pads = [(0, 0)] * (batch + 1) + windows.pads([symbol.size for symbol in kernel[2:]])
        source = b.padded(source, pads, 0, of)
        whole = shape
        groups = windows.groups
        if groups > 1:
            source = _cut(b, source, batch, groups, of)
            weight = _cut(b, weight, 0, groups, of)
            whole = (*shape[:batch], *_halves(shape[batch].size, groups), *shape[batch + 1 :])
        lead = batch + (groups > 1)  # loops over the batch and the group
        inner = len(whole)  # loops of the result

        def along(first: int, count: int) -> list[Place]:
            return [((first + number, 1),) for number in range(count)]

        positions: list[Place] = [
            ((lead + 1 + axis, stride), (inner + 1 + axis, dilation))
            for axis, (stride, dilation) in enumerate(
                zip(windows.stride, windows.dilation, strict=True)
            )
        ]
        read = [*along(0, lead), ((inner, 1),), *positions]
        factors = [
            *along(batch, lead - batch),
            ((lead, 1),),
            ((inner, 1),),
            *along(inner + 1, rank),
        ]

        def step(math: ScalarBuilder, total: Scalar, elements: list[Scalar]) -> Scalar:
            return math.add(total, math.mul(*elements))

        inputs = [Window(source, of, tuple(read)), Window(weight, of, tuple(factors))]
        kinds = "p" * inner + "r" * (rank + 1)
        result = b.accumulate(inputs, kinds, range(inner), whole, of, 0, step, like=op)
        if groups > 1:
            joined = [[axis] for axis in range(batch)] + [[batch, batch + 1]]
            joined += [[axis] for axis in range(batch + 2, inner)]
            result = b.collapse_shape(result, joined, shape, of)
        if is_none(bias):
            return [result]
        terms = [Element(result, of, tuple(range(len(shape)))), Element(bias, of, (batch,))]

        def add(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.add(*elements)

        return [b.generic(shape, of, terms, add, like=op)]


def _value(value: SSAValue) -> Any:
    found = constant(value)
    assert found is not None
    return found.value


def _halves(size: int, groups: int) -> Shape:
    return fixed(groups), fixed(size // groups)


def _cut(b: ExportBuilder, source: SSAValue, axis: int, groups: int, of: dtype) -> SSAValue:
    """A tensor with a dimension cut into groups."""
    shape = b.shapes[source]
    cut = (*shape[:axis], *_halves(shape[axis].size, groups), *shape[axis + 1 :])
    dims = [[one] for one in range(axis)] + [[axis, axis + 1]]
    dims += [[one] for one in range(axis + 2, len(cut))]
    result = b.expand_shape(source, dims, cut, of)
    b.shapes[result] = cut
    return result
