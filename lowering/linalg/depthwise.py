"""Depthwise convolutions, and the gradients of their inputs: pointwise ops over the taps of filters, of which each channel has one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Operation, SSAValue

from lowering.linalg.element import Element
from lowering.linalg.symbolic_shapes import Shape, Symbol, broadcast_axes
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import dtype
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
    terms: Sequence[Element] = (),
) -> SSAValue:
    """The sum of parts of a source, each times an element of the filters, and of `terms`, as one pointwise op that adds up in `opmath`
    of the dtype of its result.

    In each dimension there are `taps`, each with what its part starts at; all parts go on in the same steps.
    """
    source, filters, given = inputs
    lead, compute = len(shape) - len(steps), opmath(of).name
    parts: list[Element] = []
    factors: list[Element] = []
    one, channels = Symbol(1, is_static=True), shape[lead - 1]
    pairs_of = [list(zip(*pair, strict=True)) for pair in zip(taps, starts, strict=True)]
    for each in product(*pairs_of):
        begins = zip((start for _, start in each), steps, strict=True)
        places = {lead + axis: place for axis, place in enumerate(begins)}
        part = b.window(source, shape, places, shape, given)
        parts.append(Element(part, given, broadcast_axes(shape, shape)))
        at_tap = {2 + axis: (tap, 1) for axis, (tap, _) in enumerate(each)}
        sizes = (channels, *(one,) * (1 + len(steps)))
        factor = b.window(filters, sizes, at_tap, (channels,), given)
        factors.append(Element(factor, given, (lead - 1,)))
    row = len(taps[-1])

    def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
        """Rows of taps are added apart, which lets their sums overlap in time."""
        count = len(parts)
        elements = [math.cast(one, compute) for one in elements]
        pairs = list(zip(elements[:count], elements[count : 2 * count], strict=True))
        rows = [pairs[at : at + row] for at in range(0, count, row)]
        sums = [_sum_of_products(math, one) for one in rows]
        return math.cast(reduce(math.add, [*sums, *elements[2 * count :]]), of.name)

    return b.generic(shape, of, [*parts, *factors, *terms], body, like=like)


def _sum_of_products(math: ScalarBuilder, pairs: Sequence[tuple[Scalar, Scalar]]) -> Scalar:
    first, *others = pairs
    return reduce(lambda total, pair: math.fma(*pair, total), others, math.mul(*first))
