"""Convolutions: ops over windows for other compilers, depthwise ones over taps for kernels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element, Place, Window
from lowering.linalg.operands import are_floats, constant, has_elements, is_dense, is_none, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, broadcast_axes, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_GENERAL = ("aten::convolution", "aten::_convolution")
MOST_TAPS = 64
"""Elements of a window, each of which is an operand of one op."""


class Convolution(OperatorLowering):
    """`aten::conv2d(%x, %weight, %bias, ...)` of `(N, C, H, W)` and `(O, C, R, S)`.

    For other compilers a `linalg.generic` has loops over `(N, O, H', W', C, R, S)`, of which the last three reduce. In groups, C and O
    are cut into two dimensions, of which the first, the group, is a loop of its own.

    Kernels compute depthwise convolutions, each of whose channels has a filter of its own: one pointwise `linalg.generic` over all
    taps, the parts of the padded tensor that each element of the filter meets.
    """

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.padded_shapes: dict[OperatorOp, Shape] = {}

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias, *arguments = op.operands
        if not all(map(constant, arguments)):
            return False
        if op.KIND in _GENERAL and cast(bool, _value(arguments[3])):
            return False  # transposed
        return are_floats([x, weight] if is_none(bias) else [x, weight, bias])

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        x, weight, *_ = op.operands
        channels, depth, *kernel = cast(TensorType, weight.type).sizes or (None, None)
        if not kernel or depth != 1 or cls.windows(op, len(kernel)).groups != channels:
            return False
        known = [size for size in kernel if size is not None]
        is_small = len(known) == len(kernel) and 0 < prod(known) <= MOST_TAPS
        return is_small and has_elements(x) and is_dense(op.results[0]) and not may_turn(x)

    @classmethod
    def windows(cls, op: OperatorOp, rank: int) -> Windows:
        """Where the windows are, in `rank` dimensions."""
        values = [_value(value) for value in op.operands[3:]]
        if op.KIND in _GENERAL:
            stride, padding, dilation, _, _, groups, *_ = values
            values = [stride, padding, dilation, groups]
        return Windows(*values).over(rank)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, weight = (b.shapes[value] for value in op.operands[:2])
        rank = len(weight) - 2
        lead = len(x) - rank
        for symbol in (x[lead - 1], *weight):
            symbol.unite(fixed(symbol.size))
        windows = self.windows(op, rank)
        kernel = [symbol.size for symbol in weight[2:]]
        whole, sizes = [*x[:lead]], [*x[: lead - 1], fixed(weight[0].size)]
        reaches = [d * (k - 1) for d, k in zip(windows.dilation, kernel, strict=True)]
        pads = map(sum, windows.pads(kernel))
        for symbol, pad, reach, stride in zip(x[lead:], pads, reaches, windows.stride, strict=True):
            b.require(symbol, max(1, reach + 1 - pad))
            whole.append(_span(b, symbol, pad, 1))
            sizes.append(_span(b, symbol, pad - reach, stride))
        self.padded_shapes[op] = tuple(whole)
        return [tuple(sizes)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, weight, *_ = op.operands
        of, kernel = b.dtype_of(source), b.shapes[weight][2:]
        windows = self.windows(op, len(kernel))
        pads = windows.pads([symbol.size for symbol in kernel])
        if any(map(any, pads)):
            before = [0] * (len(b.shapes[source]) - len(kernel)) + [first for first, _ in pads]
            source = b.padded_to(source, self.padded_shapes[op], before, 0, of)
        if b.holds_windows:
            return self.over_windows(cast("ExportBuilder", b), op, source, windows)
        return self.over_taps(b, op, source, windows)

    def over_taps(
        self, b: LinalgBuilder, op: OperatorOp, source: SSAValue, windows: Windows
    ) -> Sequence[SSAValue]:
        """A depthwise convolution of the padded source as one pointwise op."""
        _, weight, bias, *_ = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        channels, _, *kernel = b.shapes[weight]
        lead = len(shape) - len(kernel)
        one = Symbol(1, is_static=True)
        parts: list[Element] = []
        factors: list[Element] = []
        for tap in product(*(range(symbol.size) for symbol in kernel)):
            steps = zip(tap, windows.dilation, windows.stride, strict=True)
            places = {
                lead + axis: (at * apart, stride) for axis, (at, apart, stride) in enumerate(steps)
            }
            part = b.window(source, shape, places, shape, of)
            parts.append(Element(part, of, broadcast_axes(shape, shape)))
            at_tap = {2 + axis: (at, 1) for axis, at in enumerate(tap)}
            sizes = (channels, *(one,) * (1 + len(kernel)))
            factors.append(
                Element(b.window(weight, sizes, at_tap, (channels,), of), of, (lead - 1,))
            )
        terms = [] if is_none(bias) else [Element(bias, of, (lead - 1,))]
        row = kernel[-1].size

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            """Rows of taps are added apart, which lets their sums overlap in time."""
            count = len(parts)
            pairs = list(zip(elements[:count], elements[count : 2 * count], strict=True))
            rows = [pairs[at : at + row] for at in range(0, count, row)]
            sums = [_sum_of_products(math, one) for one in rows]
            return reduce(math.add, [*sums, *elements[2 * count :]])

        return [b.generic(shape, of, [*parts, *factors, *terms], body, like=op)]

    def over_windows(
        self, b: ExportBuilder, op: OperatorOp, source: SSAValue, windows: Windows
    ) -> Sequence[SSAValue]:
        """A convolution of the padded source as an op that accumulates."""
        _, weight, bias, *_ = op.operands
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        rank = len(b.shapes[weight]) - 2
        batch = len(shape) - rank - 1
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


def _sum_of_products(math: ScalarBuilder, pairs: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    first, *others = pairs
    return reduce(lambda total, pair: math.fma(*pair, total), others, math.mul(*first))


def _span(b: LinalgBuilder, symbol: Symbol, number: int, step: int) -> Symbol:
    """`(symbol + number) / step`, rounded up."""
    if (number, step) == (0, 1):
        return symbol
    made = Symbol(-(-(symbol.size + number) // step))
    made.definitions.append(Definition("span", (symbol,), step, number))
    return b.derived(made)


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
