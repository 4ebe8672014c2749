"""The gradients of convolutions, and of transposed ones: see convolution_products.py and ops/convolution/convolution_backward.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from lowering.linalg.convolution_products import ConvolutionProducts, has_phases, makes_images
from lowering.linalg.depthwise import is_depthwise
from lowering.linalg.element import Element
from lowering.linalg.masked_gradients import MaskedGradients
from lowering.linalg.operands import (
    are_floats,
    constant,
    has_elements,
    is_packed,
    may_turn,
    static_sizes,
    value_of,
)
from lowering.linalg.symbolic_shapes import Shape, unite
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import float64

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class ConvolutionGradients(MaskedGradients):
    """`aten::convolution_backward(%grad, %x, %weight, ..., [True, True, True])` of `(N, O, H', W')`, `(N, C, H, W)` and
    `(O, C, R, S)`.
    """

    follows_order = False

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.products: dict[OperatorOp, ConvolutionProducts] = {}

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        grad, x, weight, _, *arguments = op.operands
        if not all(map(constant, arguments)) or not super().takes(op):
            return False
        used = [result for result in op.results if result.first_use is not None]
        if not are_floats([grad, x, weight, *used]):
            return False
        ranks = {len(static_sizes(value)) for value in (grad, x, weight)}
        return len(ranks) == 1 and _fits(op)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Whether it is for the CPU, no channel has a filter of its own, and there are not too many zeros to multiply with."""
        tensors, used = op.operands[:3], [one for one in op.results if one.first_use is not None]
        if fusing_device() != "cpu" or not all(map(has_elements, tensors)):
            return False
        if any(map(may_turn, tensors)) or not all(map(is_packed, used)):
            return False
        grad, x, weight = map(static_sizes, tensors)
        windows = _windows(op)
        if _is_depthwise(op):
            return not _makes_image(op) or has_phases(windows, x, weight)
        if weight[1] == 1 and windows.groups > 1:
            return False
        return not _makes_image(op) or makes_images(windows, x, weight, grad)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape | None]:
        grad, x, weight = (b.shapes[value] for value in op.operands[:3])
        products = self.products[op] = ConvolutionProducts.of(
            b, x, weight, _windows(op), makes_image=_makes_image(op), over_taps=_is_depthwise(op)
        )
        unite(grad, products.result)
        return self.only_given(op, (x, weight, grad[1:2]))

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue | None]:
        grad, x, weight = op.operands[:3]
        products = self.products[op]
        is_transposed = products.windows.output_padding is not None
        image, features = (grad, x) if is_transposed else (x, grad)
        make_input = products.make_features if is_transposed else products.make_image
        of_input, of_weight, of_bias = (result.first_use is not None for result in op.results)

        def rounded(total: SSAValue, operand: SSAValue) -> SSAValue:
            return b.rounded(total, b.shapes[operand], b.dtype_of(operand), like=op)

        return (
            rounded(make_input(b, grad, weight, op), x) if of_input else None,
            rounded(products.make_filters(b, image, features, op), weight) if of_weight else None,
            self.of_bias(b, op) if of_bias else None,
        )

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


def _windows(op: OperatorOp) -> Windows:
    arguments = map(value_of, op.operands[4:])
    return Windows.of_either(*arguments).over(len(static_sizes(op.operands[2])) - 2)


def _makes_image(op: OperatorOp) -> bool:
    """Whether the input is an image whose gradient is wanted."""
    return op.results[0].first_use is not None and not value_of(op.operands[7])


def _is_depthwise(op: OperatorOp) -> bool:
    """Whether each channel of several has a filter of its own, of few taps."""
    filters = static_sizes(op.operands[2])
    return filters[0] > 1 and is_depthwise(_windows(op), filters)


def _fits(op: OperatorOp) -> bool:
    """Whether the gradient has the sizes of the result."""
    grad, x, weight = map(static_sizes, op.operands[:3])
    try:
        windows = _windows(op)
    except RuntimeError:
        return False
    if not all(x) or not all(weight):
        return False
    given, made = weight[1] * windows.groups, weight[0]
    if windows.output_padding is not None:
        given, made = made, given
    return x[1] == given and grad == (x[0], made, *windows.sizes(x[2:], weight[2:]))
