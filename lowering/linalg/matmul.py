"""Matrix products: `linalg.matmul` into a tensor of zeros, and what `addmm` and `linear` add to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.creation import fits
from lowering.linalg.element import Element
from lowering.linalg.operands import are_floats, broadcasts_to, constant, is_known, is_none
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of
from lowering.linalg.symbolic_shapes import Shape, broadcast, broadcast_axes, matrix_product
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class MatrixProduct(OperatorLowering):
    """`aten::mm(%x, %y)`, and `aten::matmul` of two matrices of one float dtype, become
    `linalg.matmul ins(%x, %y) outs(%zeros)`.
    """

    wider = "lowering.linalg.contractions:Contraction"
    follows_order = False
    pays_alone = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        a, b = op.operands
        return _are_factors(a, b) and are_floats((a, b))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(M, K), (K, N)` give `(M, N)`."""
        return [_product_shape(b, *op.operands)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return [_product(b, op, *op.operands)]


class SumWithProduct(OperatorLowering):
    """`aten::addmm(%s, %x, %y, %beta, %alpha)` with numbers that are known becomes `linalg.matmul` and a `linalg.generic` of
    `beta * s + alpha * product`; a `%s` whose beta is 0 is not looked at.
    """

    follows_order = False
    pays_alone = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        start, a, b, *factors = op.operands
        numbers = [None if (found := constant(f)) is None else found.value for f in factors]
        if not all(isinstance(one, int | float) and fits(one, op.results[0]) for one in numbers):
            return False
        if numbers[1] == 0 or not _are_factors(a, b) or not are_floats((start, a, b)):
            return False
        return broadcasts_to(start, op.results[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(M, K), (K, N)` give `(M, N)`, to which the first operand broadcasts."""
        start, x, y, *_ = op.operands
        return [broadcast([_product_shape(b, x, y), b.shapes[start]])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        start, x, y, beta, alpha = op.operands
        product = _product(b, op, x, y)
        factors = float(b.constant(beta)), float(b.constant(alpha))
        return [_sum(b, op, start, product, *factors)]


class Layer(OperatorLowering):
    """`aten::linear(%x, %weight, %bias)` of a matrix becomes `linalg.transpose` of the weight, `linalg.matmul`, and a
    `linalg.generic` that adds the bias where there is one.
    """

    follows_order = False
    pays_alone = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias = op.operands
        tensors = [x, weight] if is_none(bias) else [x, weight, bias]
        if not _are_factors(x, weight) or not are_floats(tensors):
            return False
        return is_none(bias) or broadcasts_to(bias, op.results[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(M, K), (N, K)` give `(M, N)`, to which the bias broadcasts."""
        x, weight, bias = op.operands
        rows, depth = b.shapes[weight]
        product = matrix_product(b.shapes[x], (depth, rows))
        return [product if is_none(bias) else broadcast([product, b.shapes[bias]])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        x, weight, bias = op.operands
        rows, depth = b.shapes[weight]
        turned = b.transpose(weight, (depth, rows), b.dtype_of(weight))
        product = _product(b, op, x, turned)
        return [product if is_none(bias) else _sum(b, op, bias, product, 1.0, 1.0)]


class Transposition(OperatorLowering):
    """`aten::t(%x)` becomes `linalg.transpose`, which later steps fold into the loops of its users."""

    is_view = True
    turns = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return is_known(op.operands[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """The two dimensions of a matrix in the other order."""
        return [tuple(reversed(b.shapes[op.operands[0]]))]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        (source,), shape = op.operands, b.shapes[op.results[0]]
        if len(shape) < 2:
            return [source]
        return [b.transpose(source, shape, b.dtype_of(op.results[0]))]


def _are_factors(a: SSAValue, b: SSAValue) -> bool:
    """Two matrices."""
    x, y = a.type, b.type
    if not isinstance(x, TensorType) or not isinstance(y, TensorType):
        return False
    return len(x.sizes or ()) == len(y.sizes or ()) == 2


def _product_shape(b: LinalgBuilder, x: SSAValue, y: SSAValue) -> Shape:
    if b.dtype_of(x) is not b.dtype_of(y):
        raise LoweringError("a matrix product of two dtypes")
    return matrix_product(b.shapes[x], b.shapes[y])


def _product(b: LinalgBuilder, op: OperatorOp, x: SSAValue, y: SSAValue) -> SSAValue:
    """The product of two matrices, in the shape of the result of `op`."""
    shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
    if not of.is_floating_point or of.itemsize < 4:
        raise LoweringError(f"matrix products of {of!r} are not compiled")
    return b.matmul(x, y, shape, of, like=op)


def _sum(
    b: LinalgBuilder,
    op: OperatorOp,
    start: SSAValue,
    product: SSAValue,
    beta: float,
    alpha: float,
) -> SSAValue:
    """`beta * start + alpha * product` in the shape of the result of `op`, to which `start` broadcasts."""
    if beta == 0.0 and alpha == 1.0:
        return product
    shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
    inputs = [
        Element(start, of, broadcast_axes(b.shapes[start], shape)),
        Element(product, of, (0, 1)),
    ]

    def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
        first, total = elements
        if alpha != 1.0:
            total = math.mul(total, alpha)
        if beta == 0.0:
            return total
        return math.add(first if beta == 1.0 else math.mul(first, beta), total)

    return b.generic(shape, of, inputs, body, like=op)


def is_product(op: Operation) -> bool:
    """Whether an op becomes a `linalg.matmul`."""
    return lowering_of(type(op)) in (MatrixProduct, SumWithProduct, Layer)
