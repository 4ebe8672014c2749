"""Convolutions, and transposed ones: ops over windows, and in kernels depthwise ones over taps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from lowering.linalg.convolution_products import ConvolutionProducts, makes_images
from lowering.linalg.depthwise import Inputs, is_depthwise, last_channels, sum_over_taps
from lowering.linalg.element import Element
from lowering.linalg.matmul import rows_joined
from lowering.linalg.operands import (
    are_floats,
    constant,
    has_elements,
    is_none,
    is_packed,
    may_turn,
    sizes_of,
    static_sizes,
    value_of,
)
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape, Symbol, ratio
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor.strides import inverse
from torchscript_dialect.tensor.type_promotion import opmath

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_WINDOWS: dict[str, Callable[..., Windows]] = {
    "aten::convolution": Windows.of_either,
    "aten::_convolution": Windows.of_either,
    **{f"aten::conv_transpose{rank}d": Windows.of_transposed for rank in (1, 2, 3)},
}
"""What the arguments after the bias say, where it is not what `Windows` takes."""


class Convolution(OperatorLowering):
    """`aten::conv2d(%x, %weight, %bias, ...)` of `(N, C, H, W)` and `(O, C, R, S)`.

    Or `aten::conv_transpose2d(%x, %weight, %bias, ...)` of `(N, O, H', W')` and `(O, C, R, S)`: see convolution_products.py.

    In kernels depthwise convolutions, each of whose channels has a filter of its own, are one pointwise `linalg.generic` over all taps,
    the parts of the padded tensor that each element of the filter meets.
    """

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.products: dict[OperatorOp, ConvolutionProducts] = {}
        self.pixels: dict[OperatorOp, Symbol] = {}
        """The number of pixels, where each is a row that a matrix multiplies."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias, *arguments = op.operands
        if not all(map(constant, arguments)):
            return False
        if not are_floats([x, weight] if is_none(bias) else [x, weight, bias]):
            return False
        try:
            return cls.windows(op, len(sizes_of(weight)) - 2).fits_output_padding
        except RuntimeError:
            return False

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        x, weight, *_ = op.operands
        if fusing_device() != "cpu" and not cls.is_depthwise(op):
            return False
        if not has_elements(x) or not has_elements(weight) or may_turn(x):
            return False
        _, depth, *kernel = static_sizes(weight)
        windows = cls.windows(op, len(kernel))
        if windows.output_padding is not None:
            sizes = map(static_sizes, (op.results[0], weight, x))
            if (depth == 1 and windows.groups > 1) or not makes_images(windows, *sizes):
                return False
        return is_packed(op.results[0]) and has_elements(op.results[0])

    @classmethod
    def is_depthwise(cls, op: OperatorOp) -> bool:
        """Whether each channel has a filter of its own, of few taps."""
        sizes = sizes_of(op.operands[1])
        if len(sizes) < 3 or None in sizes:
            return False
        return is_depthwise(cls.windows(op, len(sizes) - 2), static_sizes(op.operands[1]))

    @classmethod
    def windows(cls, op: OperatorOp, rank: int) -> Windows:
        """Where the windows are, in `rank` dimensions."""
        of = _WINDOWS.get(op.KIND, Windows)
        return of(*(value_of(value) for value in op.operands[3:])).over(rank)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        x, weight = (b.shapes[value] for value in op.operands[:2])
        windows = self.windows(op, len(weight) - 2)
        is_transposed = windows.output_padding is not None
        over_taps = b.computes_taps and self.is_depthwise(op)
        products = self.products[op] = ConvolutionProducts.of(
            b, x, weight, windows, makes_image=is_transposed, over_taps=over_taps
        )
        if not is_none(bias := op.operands[2]):
            b.shapes[bias][0].unite(products.result[products.batch])
        if self.is_of_pixels(b, op):
            pixels = (*products.image[: products.batch], *products.image[products.batch + 1 :])
            self.pixels[op] = b.derived(ratio(prod(one.size for one in pixels), pixels))
        return [products.result]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, weight, *_ = op.operands
        products = self.products[op]
        if products.over_taps:
            return [self.over_taps(b, op, products)]
        if op in self.pixels:
            return [self.over_pixels(b, op)]
        is_transposed = products.windows.output_padding is not None
        make = products.make_image if is_transposed else products.make_features
        return [self.shifted(b, op, make(b, source, weight, op))]

    def over_taps(
        self, b: LinalgBuilder, op: OperatorOp, products: ConvolutionProducts
    ) -> SSAValue:
        """A depthwise convolution as one pointwise op, in the order of memory of its result."""
        source, weight, bias, *_ = op.operands
        order = b.order_of(op.results[0])
        channels_last = products.suits_channels_last(order)
        kernel = [range(symbol.size) for symbol in products.filters[2:]]
        windows = products.windows
        starts = [
            [at * apart for at in taps]
            for taps, apart in zip(kernel, windows.dilation, strict=True)
        ]
        of = b.dtype_of(source)
        padded = products.padded(b, source, channels_last=channels_last)
        inputs = Inputs(padded, weight, of, channels_last)
        given = None if is_none(bias) else bias
        shape, steps = products.result, windows.stride
        return sum_over_taps(b, inputs, shape, kernel, starts, steps, of, op, given)

    def is_of_pixels(self, b: LinalgBuilder, op: OperatorOp) -> bool:
        """Whether it is a product of each pixel, a vector of channels in memory, and a matrix."""
        products = self.products[op]
        windows, rank = products.windows, len(products.result)
        if b.order_of(op.results[0]) != last_channels(products.batch, rank):
            return False
        kernel = [symbol.size for symbol in products.filters[2:]]
        if windows.output_padding is not None or any(map(any, windows.pads(kernel))):
            return False
        return {*kernel, *windows.stride, windows.groups} == {1}

    def over_pixels(self, b: LinalgBuilder, op: OperatorOp) -> SSAValue:
        """The product of the pixels of an image, as rows, and the filters."""
        image, filters, *_ = op.operands
        products, of, rows = self.products[op], b.dtype_of(image), self.pixels[op]
        rank = len(products.result)
        order, joined = last_channels(products.batch, rank), rows_joined(rank)
        turned = tuple(products.image[axis] for axis in order)
        image = b.transpose(image, turned, of, order)
        outputs, inputs, *_ = products.filters
        matrix = b.collapse_shape(b.dense(image, op, of), joined, (rows, inputs), of)
        channels = [(0,), tuple(range(1, len(products.filters)))]
        filters = b.collapse_shape(b.dense(filters, op), channels, (outputs, inputs), of)
        shape = (rows, outputs)
        filters = b.transpose(filters, (inputs, outputs), of)
        product = b.matmul(matrix, filters, shape, of, like=op)
        result = self.with_bias(b, op, product, shape, 1)
        made = tuple(products.result[axis] for axis in order)
        result = b.expand_shape(result, joined, made, of)
        return b.transpose(result, products.result, of, inverse(order))

    def shifted(self, b: LinalgBuilder, op: OperatorOp, result: SSAValue) -> SSAValue:
        """A result to which the bias is added, rounded once."""
        shape, axis = b.shapes[op.results[0]], self.products[op].batch
        return self.with_bias(b, op, result, shape, axis)

    @staticmethod
    def with_bias(
        b: LinalgBuilder, op: OperatorOp, result: SSAValue, shape: Shape, axis: int
    ) -> SSAValue:
        """A result whose channels are in this axis, and the bias, rounded once."""
        of, bias = b.dtype_of(op.results[0]), op.operands[2]
        if is_none(bias):
            return b.rounded(result, shape, of, like=op)
        compute = opmath(of)
        terms = [Element(result, compute, tuple(range(len(shape)))), Element(bias, of, (axis,))]

        def add(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            total = math.add(*(math.cast(one, compute.name) for one in elements))
            return math.cast(total, of.name)

        return b.generic(shape, of, terms, add, like=op)
