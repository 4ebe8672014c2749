"""Convolutions: ops over windows, and in kernels depthwise ones over taps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.channel_groups import cut, joined
from lowering.linalg.element import Element, Place, Window, along, multiply_add
from lowering.linalg.operands import (
    are_floats,
    constant,
    has_elements,
    is_dense,
    is_none,
    may_turn,
    value_of,
)
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import (
    Definition,
    Shape,
    Symbol,
    broadcast_axes,
    fixed,
    ratio,
)
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution_plan import Windows
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_GENERAL = ("aten::convolution", "aten::_convolution")
MOST_TAPS = 64
"""Elements of a window, each of which is an operand of one op."""


class Convolution(OperatorLowering):
    """`aten::conv2d(%x, %weight, %bias, ...)` of `(N, C, H, W)` and `(O, C, R, S)`.

    A `linalg.generic` has loops over `(N, O, H', W', C, R, S)`, of which the last three reduce. In groups, C and O are cut into two
    dimensions, of which the first, the group, is a loop of its own.

    In kernels depthwise convolutions, each of whose channels has a filter of its own, are one pointwise `linalg.generic` over all taps,
    the parts of the padded tensor that each element of the filter meets.
    """

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.padded_shapes: dict[OperatorOp, Shape] = {}
        self.depthwise: set[OperatorOp] = set()
        """Those that become an op over taps."""
        self.parts: dict[OperatorOp, Shape] = {}
        """How many groups there are, and of each the channels of the input and of the result."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias, *arguments = op.operands
        if not all(map(constant, arguments)):
            return False
        if op.KIND in _GENERAL and cast(bool, value_of(arguments[3])):
            return False  # transposed
        return are_floats([x, weight] if is_none(bias) else [x, weight, bias])

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        x, weight, *_ = op.operands
        if fusing_device() != "cpu" and not cls.is_depthwise(op):
            return False
        is_plain = has_elements(x) and has_elements(weight) and not may_turn(x)
        return is_plain and is_dense(op.results[0]) and has_elements(op.results[0])

    @classmethod
    def is_depthwise(cls, op: OperatorOp) -> bool:
        """Whether each channel has a filter of its own, of few taps."""
        channels, depth, *kernel = cast(TensorType, op.operands[1].type).sizes or (None, None)
        if not kernel or depth != 1 or cls.windows(op, len(kernel)).groups != channels:
            return False
        known = [size for size in kernel if size is not None]
        return len(known) == len(kernel) and 0 < prod(known) <= MOST_TAPS

    @classmethod
    def windows(cls, op: OperatorOp, rank: int) -> Windows:
        """Where the windows are, in `rank` dimensions."""
        values = [value_of(value) for value in op.operands[3:]]
        if op.KIND in _GENERAL:
            stride, padding, dilation, _, _, groups, *_ = values
            values = [stride, padding, dilation, groups]
        return Windows(*values).over(rank)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, weight, bias, *_ = op.operands
        rank = len(b.shapes[weight]) - 2
        windows = self.windows(op, rank)
        sizes = b.shapes[x], b.shapes[weight]
        if b.computes_taps and self.is_depthwise(op):
            self.depthwise.add(op)
            for symbol in (sizes[0][-rank - 1], *sizes[1]):
                symbol.unite(fixed(symbol.size))
        elif (parts := channels(b, *sizes, windows.groups)) is not None:
            self.parts[op] = parts
        self.padded_shapes[op], shape = places(b, *sizes, windows)
        if not is_none(bias):
            b.shapes[bias][0].unite(shape[-rank - 1])
        return [shape]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, weight, *_ = op.operands
        of, kernel = b.dtype_of(source), b.shapes[weight][2:]
        windows = self.windows(op, len(kernel))
        pads = windows.pads([symbol.size for symbol in kernel])
        if any(map(any, pads)):
            before = [0] * (len(b.shapes[source]) - len(kernel)) + [first for first, _ in pads]
            source = b.padded_to(source, self.padded_shapes[op], before, 0, of)
        if op in self.depthwise:
            return self.over_taps(b, op, source, windows)
        return self.over_windows(b, op, b.dense(source, op), windows)

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
        self, b: LinalgBuilder, op: OperatorOp, source: SSAValue, windows: Windows
    ) -> Sequence[SSAValue]:
        """A convolution of the padded source as an op that accumulates."""
        _, weight, bias, *_ = op.operands
        weight = b.dense(weight, op)
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        rank = len(b.shapes[weight]) - 2
        batch = len(shape) - rank - 1
        whole = shape
        if op in self.parts:
            groups, inputs, outputs = self.parts[op]
            source = cut(b, source, batch, (groups, inputs), of)
            weight = cut(b, weight, 0, (groups, outputs), of)
            whole = (*shape[:batch], groups, outputs, *shape[batch + 1 :])
        lead = batch + (op in self.parts)  # loops over the batch and the group
        inner = len(whole)  # loops of the result

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

        windows_of = [Window(source, of, tuple(read)), Window(weight, of, tuple(factors))]
        kinds = "p" * inner + "r" * (rank + 1)
        result = b.accumulate(windows_of, kinds, range(inner), whole, of, 0, multiply_add, like=op)
        if op in self.parts:
            result = joined(b, result, batch, shape, of)
        if is_none(bias):
            return [result]
        terms = [Element(result, of, tuple(range(len(shape)))), Element(bias, of, (batch,))]

        def add(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.add(*elements)

        return [b.generic(shape, of, terms, add, like=op)]


def _sum_of_products(math: ScalarBuilder, pairs: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    first, *others = pairs
    return reduce(lambda total, pair: math.fma(*pair, total), others, math.mul(*first))


def channels(b: LinalgBuilder, x: Shape, weight: Shape, groups: int) -> Shape | None:
    """Let the channels of input `(N, C, ...)` and weight `(O, C / groups, ...)` go together; for `shapes`. How many groups there are,
    and of each the channels of input and result, None where there is one.
    """
    outputs, inputs, *kernel = weight
    total = x[-len(kernel) - 1]
    for symbol in weight:
        b.require(symbol, 1)
    if groups == 1:
        total.unite(inputs)
        return None
    parts = b.derived(fixed(groups))
    total.definitions.append(Definition("ratio", (inputs, parts)))
    return parts, inputs, b.derived(ratio(outputs.size // groups, (outputs,), groups))


def places(b: LinalgBuilder, x: Shape, weight: Shape, windows: Windows) -> tuple[Shape, Shape]:
    """The shapes of the padded input and of the result; for `shapes`."""
    outputs, _, *kernel = weight
    rank = len(kernel)
    whole, shape = [*x[:-rank]], [*x[: -rank - 1], outputs]
    for symbol in kernel:
        symbol.find().is_static |= symbol.size == 1
        if windows.padding == "same":
            symbol.unite(fixed(symbol.size))
    pads = map(sum, windows.pads([symbol.size for symbol in kernel]))
    steps = zip(windows.dilation, windows.stride, strict=True)
    for symbol, k, pad, (dilation, stride) in zip(x[-rank:], kernel, pads, steps, strict=True):
        b.require(symbol, 1)
        whole.append(span(b, symbol, pad, 1))
        shape.append(_windows(b, symbol, k, pad, dilation, stride))
    return tuple(whole), tuple(shape)


def _windows(
    b: LinalgBuilder, symbol: Symbol, kernel: Symbol, pad: int, dilation: int, stride: int
) -> Symbol:
    """How many windows of a size there are in a dimension that is padded: at least 1."""
    if kernel.size == 1:
        return span(b, symbol, pad, stride)
    whole = span(b, symbol, pad + dilation, 1)
    starts = Symbol(whole.size - dilation * kernel.size)
    starts.definitions.append(Definition("rest", (whole, kernel), dilation))
    return span(b, b.derived(starts), 0, stride)


def span(b: LinalgBuilder, symbol: Symbol, number: int, step: int) -> Symbol:
    """`(symbol + number) / step`, rounded up."""
    if (number, step) == (0, 1):
        return symbol
    made = Symbol(-(-(symbol.size + number) // step))
    made.definitions.append(Definition("span", (symbol,), step, number))
    return b.derived(made)
