"""Matrix products: `linalg.matmul` into a tensor of zeros, and what `addmm` and `linear` add to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.batch_products import BatchProduct
from lowering.linalg.creation import fits
from lowering.linalg.element import Element
from lowering.linalg.operands import (
    broadcasts_to,
    constant,
    has_elements,
    is_known,
    is_none,
    may_turn,
    multiply,
    rank,
)
from lowering.linalg.operator_lowering import OperatorLowering, is_view, lowering_of
from lowering.linalg.symbolic_shapes import (
    Shape,
    Symbol,
    broadcast,
    broadcast_axes,
    matrix_product,
    ratio,
)
from torchscript_dialect.backend import fusing_device
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class RowsTimesMatrix(OperatorLowering):
    """A product whose first factor may have more dimensions than two: all but the last are the rows of a matrix.

    `tensor.collapse_shape` and `tensor.expand_shape` are around what is done with matrices.
    """

    follows_order = False

    def __init__(self, root: type[Operation], builder: LinalgBuilder) -> None:
        super().__init__(root, builder)
        self.rows: dict[Operation, Symbol] = {}
        """The number of rows, where they are several dimensions."""

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        x = op.operands[0]
        return rank(x) == 2 or (has_elements(x) and not may_turn(x))

    def join_rows(self, b: LinalgBuilder, op: OperatorOp) -> Shape:
        """The shape of the first factor as a matrix; for `shapes`."""
        *lead, depth = b.shapes[op.operands[0]]
        if len(lead) == 1:
            return (*lead, depth)
        self.rows[op] = b.derived(ratio(prod(one.size for one in lead), tuple(lead)))
        return self.rows[op], depth

    def split_rows(self, b: LinalgBuilder, op: OperatorOp, columns: Symbol) -> Shape:
        """The shape of the result; for `shapes`."""
        return (*b.shapes[op.operands[0]][:-1], columns)

    def matrix(self, b: LinalgBuilder, op: OperatorOp) -> SSAValue:
        """The first factor as a matrix; for `lower`."""
        x = op.operands[0]
        if op not in self.rows:
            return x
        shape = self.rows[op], b.shapes[x][-1]
        return b.collapse_shape(b.dense(x, op), rows_joined(len(b.shapes[x])), shape, b.dtype_of(x))

    def result(self, b: LinalgBuilder, op: OperatorOp, matrix: SSAValue) -> SSAValue:
        """A matrix in the shape of the result; for `lower`."""
        if op not in self.rows:
            return matrix
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        return b.expand_shape(matrix, rows_joined(len(shape)), shape, of)

    def result_matrix(self, b: LinalgBuilder, op: OperatorOp) -> Shape:
        """The shape of the result as a matrix; for `lower`."""
        shape = b.shapes[op.results[0]]
        return (self.rows[op], shape[-1]) if op in self.rows else shape


class MatrixProduct(RowsTimesMatrix):
    """`aten::mm(%x, %y)`, and `aten::matmul` of two matrices of one dtype, become
    `linalg.matmul ins(%x, %y) outs(%zeros)`.
    """

    wider = "lowering.linalg.contractions:Contraction"

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        a, b = op.operands
        return _are_factors(a, b) and multiply((a, b))

    @classmethod
    def pays_alone(cls, op: OperatorOp) -> bool:
        return _beats_blas(*op.operands)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(..., M, K), (K, N)` give `(..., M, N)`."""
        x, y = op.operands
        _require_one_dtype(b, x, y)
        shape = matrix_product(self.join_rows(b, op), b.shapes[y])
        _require_matrices(b, op, shape)
        return [self.split_rows(b, op, shape[-1])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        x = self.matrix(b, op)
        shape = self.result_matrix(b, op)
        product = _product(b, op, x, op.operands[1], shape)
        return [self.result(b, op, b.rounded(product, shape, b.dtype_of(op.results[0]), like=op))]


class SumWithProduct(OperatorLowering):
    """`aten::addmm(%s, %x, %y, %beta, %alpha)` with numbers that are known becomes `linalg.matmul` and a `linalg.generic` of
    `beta * s + alpha * product`; a `%s` whose beta is 0 is not looked at.
    """

    follows_order = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        start, a, b, *factors = op.operands
        numbers = [None if (found := constant(f)) is None else found.value for f in factors]
        if not all(isinstance(one, int | float) and fits(one, op.results[0]) for one in numbers):
            return False
        if numbers[1] == 0 or rank(a) != 2 or not _are_factors(a, b) or not multiply((start, a, b)):
            return False
        return broadcasts_to(start, op.results[0])

    @classmethod
    def pays_alone(cls, op: OperatorOp) -> bool:
        return _beats_blas(*op.operands[1:3])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(M, K), (K, N)` give `(M, N)`, to which the first operand broadcasts."""
        start, x, y, *_ = op.operands
        _require_one_dtype(b, x, y)
        product = matrix_product(b.shapes[x], b.shapes[y])
        _require_matrices(b, op, product)
        return [broadcast([product, b.shapes[start]])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        start, x, y, beta, alpha = op.operands
        shape = b.shapes[op.results[0]]
        product = _product(b, op, x, y, shape)
        number = float if b.dtype_of(op.results[0]).is_floating_point else int
        factors = number(b.constant(beta)), number(b.constant(alpha))
        return [_sum(b, op, start, product, *factors, shape)]


class Layer(RowsTimesMatrix):
    """`aten::linear(%x, %weight, %bias)` becomes `linalg.transpose` of the weight, `linalg.matmul`, and a `linalg.generic` that
    adds the bias where there is one.
    """

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        x, weight, bias = op.operands
        tensors = [x, weight] if is_none(bias) else [x, weight, bias]
        if not _are_factors(x, weight) or not multiply(tensors):
            return False
        return is_none(bias) or _is_bias(bias, op.results[0])

    @classmethod
    def pays_alone(cls, op: OperatorOp) -> bool:
        x, weight, _ = op.operands
        return _beats_blas(x, weight, is_turned=True)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        """`(..., M, K), (N, K)` give `(..., M, N)`, to whose rows the bias is added."""
        _, weight, bias = op.operands
        columns, depth = b.shapes[weight]
        product = matrix_product(self.join_rows(b, op), (depth, columns))
        _require_matrices(b, op, product)
        if not is_none(bias):
            product = broadcast([product, b.shapes[bias]])
        return [self.split_rows(b, op, product[-1]) if op in self.rows else product]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        _, weight, bias = op.operands
        columns, depth = b.shapes[weight]
        turned = b.transpose(weight, (depth, columns), b.dtype_of(weight))
        shape = self.result_matrix(b, op)
        product = _product(b, op, self.matrix(b, op), turned, shape)
        if is_none(bias):
            return [
                self.result(b, op, b.rounded(product, shape, b.dtype_of(op.results[0]), like=op))
            ]
        return [self.result(b, op, _sum(b, op, bias, product, 1, 1, shape))]


def _beats_blas(x: SSAValue, y: SSAValue, *, is_turned: bool = False) -> bool:
    """Whether the kernel of a product alone is at least as fast as BLAS: not a row by columns, or rows by a column, which BLAS has
    kernels of its own for, nor with a matrix without neighbours in memory.
    """
    assert isinstance(x.type, TensorType) and isinstance(y.type, TensorType)
    rows = prod(size or 0 for size in (x.type.sizes or ())[:-1])
    depth, columns = y.type.sizes or (None, None)
    along_depth, along_columns = (step == 1 for step in y.type.strides or (None, None))
    if is_turned:
        columns, along_depth, along_columns = depth, along_columns, along_depth
    if rows == 1 or columns == 1:
        return along_depth and rows == 1
    return along_depth or along_columns


def _require_matrices(b: LinalgBuilder, op: OperatorOp, shape: Shape) -> None:
    """Let the kernel of a product alone be for several rows and columns, where it was made for such: see `_beats_blas`. A device has
    one kernel for all.
    """
    assert op.parent is not None
    if fusing_device() != "cpu":
        return
    others = [one for one in op.parent.ops if one is not op and isinstance(one, OperatorOp)]
    if all(map(is_view, others)):
        several = [size for size in shape if size.size > 1 and not size.find().is_static]
        b.words.bounds += [(size, 2, None) for size in several]


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
    """Rows, which may have several dimensions, and a matrix."""
    return rank(a) >= 2 and rank(b) == 2


def _is_bias(bias: SSAValue, result: SSAValue) -> bool:
    """Whether a bias is added to each row alike, or to matrices, of which it may be one."""
    return broadcasts_to(bias, result) and (rank(result) == 2 or rank(bias) < 2)


def rows_joined(rank: int) -> tuple[tuple[int, ...], ...]:
    """All dimensions but the last as one."""
    return tuple(range(rank - 1)), (rank - 1,)


def _require_one_dtype(b: LinalgBuilder, x: SSAValue, y: SSAValue) -> None:
    if b.dtype_of(x) is not b.dtype_of(y):
        raise LoweringError("a matrix product of two dtypes")


def _product(b: LinalgBuilder, op: OperatorOp, x: SSAValue, y: SSAValue, shape: Shape) -> SSAValue:
    """The product of two matrices, in the dtype in which that of the result of `op` is added up."""
    of = b.dtype_of(op.results[0])
    if not of.is_floating_point and fusing_device() == "cpu":
        raise LoweringError(f"matrix products of {of!r} are not compiled")
    return b.matmul(x, y, shape, of, like=op)


def _sum(
    b: LinalgBuilder,
    op: OperatorOp,
    start: SSAValue,
    product: SSAValue,
    beta: float,
    alpha: float,
    shape: Shape,
) -> SSAValue:
    """`beta * start + alpha * product`, of a matrix to which `start` broadcasts, in the dtype of the result of `op`."""
    of = b.dtype_of(op.results[0])
    if beta == 0 and alpha == 1:
        return b.rounded(product, shape, of, like=op)
    compute = opmath(of)
    inputs = [
        Element(start, of, broadcast_axes(b.shapes[start], shape)),
        Element(product, compute, (0, 1)),
    ]

    def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
        first, total = (math.cast(one, compute.name) for one in elements)
        if alpha != 1:
            total = math.mul(total, alpha)
        if beta != 0:
            total = math.add(first if beta == 1 else math.mul(first, beta), total)
        return math.cast(total, of.name)

    return b.generic(shape, of, inputs, body, like=op)


def is_product(op: Operation) -> bool:
    """Whether an op becomes a `linalg.matmul`, or one for each matrix of a batch."""
    return lowering_of(type(op)) in (MatrixProduct, SumWithProduct, Layer, BatchProduct)
