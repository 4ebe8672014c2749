"""The gradients of convolutions, as convolutions and products: see ops/convolution_backward.py.

With windows that move by s and have their elements d apart, the gradient of the input is

    dx[n, c, h] = sum over o, r of weight[o, c, r] * g[n, o, h + d (R - 1) - d r]

where g is the gradient with s - 1 zeros between its elements, and d (R - 1) - padding before them, and that of the weight

    dw[o, c, r] = sum over n, h' of grad[n, o, h'] * x[n, c, h' s + r d]

with x padded as the convolution pads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from lowering.linalg.channel_groups import cut, joined
from lowering.linalg.convolution import channels, places, span
from lowering.linalg.element import ONE, Element, Place, Window, along, multiply_add
from lowering.linalg.masked_gradients import MaskedGradients
from lowering.linalg.operands import (
    are_floats,
    constant,
    has_elements,
    is_dense,
    may_turn,
    sizes_of,
    value_of,
)
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import float64

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

MUCH = 1 << 22
"""Multiplications from which on zeros between the elements of a gradient cost more than they save."""


class ConvolutionGradients(MaskedGradients):
    """`aten::convolution_backward(%grad, %x, %weight, ..., [True, True, True])` of `(N, O, H', W')`, `(N, C, H, W)` and
    `(O, C, R, S)`.
    """

    follows_order = False

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.windows: dict[OperatorOp, Windows] = {}
        self.wide: dict[OperatorOp, Shape] = {}
        """The shapes of padded inputs,"""
        self.apart: dict[OperatorOp, Shape] = {}
        """and of gradients with zeros around and between their elements."""
        self.parts: dict[OperatorOp, Shape] = {}
        """How many groups there are, and of each the channels of the input and of the gradient."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        grad, x, weight, _, *arguments = op.operands
        if not all(map(constant, arguments)) or not super().takes(op):
            return False
        if value_of(arguments[3]):
            return False  # transposed
        used = [result for result in op.results if result.first_use is not None]
        if not are_floats([grad, x, weight, *used]):
            return False
        ranks = {len(_sizes(value)) for value in (grad, x, weight)}
        return len(ranks) == 1 and _fits(op)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether it is for the CPU, no channel has a filter of its own, and there are not too many zeros to multiply with."""
        tensors, used = op.operands[:3], [one for one in op.results if one.first_use is not None]
        if fusing_device() != "cpu" or not all(map(has_elements, tensors)):
            return False
        if any(map(may_turn, tensors)) or not all(map(is_dense, used)):
            return False
        windows, weight = _windows(op), _sizes(op.operands[2])
        if weight[1] == 1 and windows.groups > 1:
            return False
        reach = _reach(windows, weight[2:])
        if any(max(pad) > far for pad, far in zip(windows.pads(weight[2:]), reach, strict=True)):
            return False
        x = _sizes(op.operands[1])
        return set(windows.stride) == {1} or prod(weight) * prod(x[2:]) * x[0] <= MUCH

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        grad, x, weight = (b.shapes[value] for value in op.operands[:3])
        windows = self.windows[op] = _windows(op)
        for symbol in weight[2:]:
            symbol.unite(fixed(symbol.size))
        if (parts := channels(b, x, weight, windows.groups)) is not None:
            self.parts[op] = parts
        self.wide[op], shape = places(b, x, weight, windows)
        for one, other in zip(grad, shape, strict=True):
            one.unite(other)
        reach = _reach(windows, [symbol.size for symbol in weight[2:]])
        inner = [span(b, size, far, 1) for size, far in zip(x[2:], reach, strict=True)]
        self.apart[op] = (*grad[:2], *inner)
        return self.only_given(op, (x, weight, weight[:1]))

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        of_input, of_weight, of_bias = (result.first_use is not None for result in op.results)
        return (
            self.of_input(b, op) if of_input else None,
            self.of_weight(b, op) if of_weight else None,
            self.of_bias(b, op) if of_bias else None,
        )

    def of_input(self, b: LinalgBuilder, op: OperatorOp) -> SSAValue:
        """A convolution of the gradient, with the weight of the other channels."""
        grad, x, weight = op.operands[:3]
        of, windows, whole = b.dtype_of(x), self.windows[op], self.apart[op]
        kernel = b.shapes[weight][2:]
        rank, sizes = len(kernel), [symbol.size for symbol in kernel]
        reach, pads = _reach(windows, sizes), windows.pads(sizes)
        before = [0, 0, *(far - first for far, (first, _) in zip(reach, pads, strict=True))]
        steps = [1, 1, *windows.stride]
        if any(before) or set(steps) != {1} or any(reach):
            grad = b.padded_to(grad, whole, before, 0, of, steps)
        grad, weight = b.dense(grad, op), b.dense(weight, op)
        lead, shape = 1, b.shapes[x]
        if op in self.parts:
            groups, inputs, outputs = self.parts[op]
            grad = cut(b, grad, 1, (groups, outputs), of)
            weight = cut(b, weight, 0, (groups, outputs), of)
            lead, shape = 2, (*shape[:1], groups, inputs, *shape[2:])
        own = b.shapes[weight]
        order = [*range(lead - 1), lead, lead - 1, *range(lead + 1, len(own))]
        walked = Element(weight, of, tuple(map(order.index, range(len(own)))))
        turned = b.generic(tuple(own[axis] for axis in order), of, [walked], _element, like=op)
        inner = len(shape)  # loops of the result
        places_of: list[Place] = [
            ((lead + 1 + axis, 1), (inner + 1 + axis, -dilation), (ONE, far))
            for axis, (dilation, far) in enumerate(zip(windows.dilation, reach, strict=True))
        ]
        read = [*along(0, lead), *along(inner, 1), *places_of]
        factors = [*along(1, lead), *along(inner, 1 + rank)]
        inputs_of = [Window(grad, of, tuple(read)), Window(turned, of, tuple(factors))]
        kinds = "p" * inner + "r" * (rank + 1)
        result = b.accumulate(inputs_of, kinds, range(inner), shape, of, 0, multiply_add, like=op)
        return joined(b, result, 1, b.shapes[x], of) if op in self.parts else result

    def of_weight(self, b: LinalgBuilder, op: OperatorOp) -> SSAValue:
        """Products of the gradient and of the windows that its elements belong to."""
        grad, x, weight = op.operands[:3]
        of, windows, shape = b.dtype_of(x), self.windows[op], b.shapes[weight]
        rank = len(shape) - 2
        pads = windows.pads([symbol.size for symbol in shape[2:]])
        if any(map(any, pads)):
            x = b.padded_to(x, self.wide[op], [0, 0, *(first for first, _ in pads)], 0, of)
        grad, x = b.dense(grad, op), b.dense(x, op)
        lead = 0
        if op in self.parts:
            groups, inputs, outputs = self.parts[op]
            grad = cut(b, grad, 1, (groups, outputs), of)
            x = cut(b, x, 1, (groups, inputs), of)
            lead, shape = 1, (groups, outputs, *shape[1:])
        inner = len(shape)  # loops of the result; then the batch, and the places
        steps = zip(windows.stride, windows.dilation, strict=True)
        places_of: list[Place] = [
            ((inner + 1 + axis, stride), (lead + 2 + axis, dilation))
            for axis, (stride, dilation) in enumerate(steps)
        ]
        read = [*along(inner, 1), *along(0, lead), *along(lead + 1, 1), *places_of]
        factors = [*along(inner, 1), *along(0, lead + 1), *along(inner + 1, rank)]
        inputs_of = [Window(x, of, tuple(read)), Window(grad, of, tuple(factors))]
        kinds = "p" * inner + "r" * (rank + 1)
        result = b.accumulate(inputs_of, kinds, range(inner), shape, of, 0, multiply_add, like=op)
        return joined(b, result, 0, b.shapes[weight], of) if op in self.parts else result

    def of_bias(self, b: LinalgBuilder, op: OperatorOp) -> SSAValue:
        """The sum over all but the channels, added up in float64."""
        grad, *_ = op.operands
        of, shape = b.dtype_of(grad), b.shapes[grad]
        whole = Element(grad, of, tuple(range(len(shape))))
        axes = (0, *range(2, len(shape)))

        def add(math: ScalarBuilder, total: Scalar, element: Scalar) -> Scalar:
            return math.add(total, math.cast(element, float64.name))

        def rounded(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(elements[0], of.name)

        total = b.reduce(whole, axes, shape[1:2], (1,), float64, 0, add, op)
        axis = -1 if shape[1].find().is_static else 0
        return b.generic(shape[1:2], of, [Element(total, float64, (axis,))], rounded, like=op)


def _element(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
    return elements[0]


def _windows(op: OperatorOp) -> Windows:
    stride, padding, dilation, _, _, groups, _ = map(value_of, op.operands[4:])
    return Windows(stride, padding, dilation, groups).over(len(_sizes(op.operands[2])) - 2)


def _fits(op: OperatorOp) -> bool:
    """Whether the gradient has the sizes of the result."""
    grad, x, weight = map(_sizes, op.operands[:3])
    try:
        windows = _windows(op)
    except RuntimeError:
        return False
    if not all(x) or not all(weight) or weight[1] * windows.groups != x[1]:
        return False
    return grad == (x[0], weight[0], *windows.sizes(x[2:], weight[2:]))


def _reach(windows: Windows, kernel: Sequence[int]) -> list[int]:
    """How far the last element of a window is from the first."""
    return [d * (size - 1) for d, size in zip(windows.dilation, kernel, strict=True)]


def _sizes(value: SSAValue) -> tuple[int, ...]:
    """The sizes of a tensor, which are known."""
    return cast("tuple[int, ...]", sizes_of(value))
