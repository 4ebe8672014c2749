"""Depthwise convolutions, and the gradients of their inputs: pointwise ops over the taps of filters, of which each channel has one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element, unchanged
from lowering.linalg.symbolic_shapes import Shape, Symbol, broadcast_axes
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import inverse
from torchscript_dialect.tensor.type_promotion import opmath

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

MOST_TAPS = 64
"""Elements of a window, each of which is an operand of one op."""


class Inputs(NamedTuple):
    """A padded tensor, the filters `(C, 1, R, S)` for it, and the dtype of both."""

    source: SSAValue
    filters: SSAValue
    dtype: dtype
    channels_last: bool = False
    """Whether the tensor is `(N, H, W, C)`, and the result lies in memory so."""


def is_depthwise(windows: Windows, filters: Sequence[int]) -> bool:
    """Whether each channel has a filter of its own, of few taps, and the convolution is not transposed."""
    outputs, inputs, *kernel = filters
    if inputs != 1 or windows.groups != outputs or windows.output_padding is not None:
        return False
    return 0 < prod(kernel) <= MOST_TAPS


def sum_over_taps(
    b: LinalgBuilder,
    inputs: Inputs,
    shape: Shape,
    taps: Sequence[Sequence[int]],
    starts: Sequence[Sequence[int]],
    steps: Sequence[int],
    of: dtype,
    like: Operation,
    bias: SSAValue | None = None,
) -> SSAValue:
    """The sum of parts of a source, each times an element of the filters, and of the bias, as one pointwise op that adds up in
    `opmath` of the dtype of its result, whose sizes `shape` are those of `(N, C, H, W)`.

    In each dimension there are `taps`, each with what its part starts at; all parts go on in the same steps.
    """
    source, filters, given, channels_last = inputs
    spatial, compute = len(steps), opmath(of).name
    channel = len(shape) - spatial - 1
    order = last_channels(channel, len(shape)) if channels_last else tuple(range(len(shape)))
    walked, first = tuple(shape[axis] for axis in order), order.index(channel + 1)
    one, channels = Symbol(1, is_static=True), shape[channel]
    sizes, tapped = (channels, one, *(one,) * spatial), 2
    if channels_last:
        filters, sizes, tapped = _taps_first(b, filters, given, like), (*sizes[2:], channels), 0
    parts: list[Element] = []
    factors: list[Element] = []
    pairs_of = [list(zip(*pair, strict=True)) for pair in zip(taps, starts, strict=True)]
    for each in product(*pairs_of):
        begins = zip((start for _, start in each), steps, strict=True)
        places = {first + axis: place for axis, place in enumerate(begins)}
        part = b.window(source, walked, places, walked, given)
        parts.append(Element(part, given, broadcast_axes(walked, walked)))
        at_tap = {tapped + axis: (tap, 1) for axis, (tap, _) in enumerate(each)}
        factor = b.window(filters, sizes, at_tap, (channels,), given)
        factors.append(Element(factor, given, (order.index(channel),)))
    terms = [] if bias is None else [Element(bias, given, (order.index(channel),))]
    row = len(taps[-1])

    def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
        """Rows of taps are added apart, which lets their sums overlap in time."""
        count = len(parts)
        elements = [math.cast(one, compute) for one in elements]
        pairs = list(zip(elements[:count], elements[count : 2 * count], strict=True))
        rows = [pairs[at : at + row] for at in range(0, count, row)]
        sums = [_sum_of_products(math, one) for one in rows]
        return math.cast(reduce(math.add, [*sums, *elements[2 * count :]]), of.name)

    result = b.generic(walked, of, [*parts, *factors, *terms], body, like=like)
    if not channels_last:
        return result
    return b.transpose(result, shape, of, inverse(order))


def last_channels(channel: int, rank: int) -> tuple[int, ...]:
    """The order of dimensions of which that of the channels is the last."""
    return (*range(channel), *range(channel + 1, rank), channel)


def _taps_first(b: LinalgBuilder, filters: SSAValue, of: dtype, like: Operation) -> SSAValue:
    """Filters `(R, S, C)`: vectors of channels, one for each tap."""
    channels, _, *kernel = b.shapes[filters]
    read = Element(filters, of, (len(kernel), -1, *range(len(kernel))))
    return b.generic((*kernel, channels), of, [read], unchanged, like=like)


def _sum_of_products(math: ScalarBuilder, pairs: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    first, *others = pairs
    return reduce(lambda total, pair: math.fma(*pair, total), others, math.mul(*first))
