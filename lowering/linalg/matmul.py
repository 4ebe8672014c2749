"""Matrix products: `linalg.matmul` into a tensor of zeros, and what `addmm` adds to it."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, DenseArrayBase, FloatAttr, i32, i64
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import FillOp, GenericOp, MatmulOp, TransposeOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineMap

from lowering.kernel import LoweringError
from lowering.linalg.graph_builder import GraphBuilder
from lowering.linalg.pointwise import indexing_map
from lowering.linalg.scalar_builder import element_type
from lowering.linalg.symbolic_shapes import Shape, broadcast, matrix_product
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.tensor.dtype import dtype


def mm_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::mm(self (M, K), mat2 (K, N))`, and `aten::matmul` of two matrices: (M, N)."""
    a, b = op.operands
    builder.shapes[op.results[0]] = _product_shape(builder, a, b)


def emit_mm(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append the product of a node's two operands."""
    a, b = (builder.tensors[value] for value in op.operands)
    builder.tensors[op.results[0]] = _product(builder, op, a, b)


def addmm_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::addmm(self, mat1 (M, K), mat2 (K, N), beta, alpha)`: (M, N), to which self broadcasts."""
    start, a, b, *_ = op.operands
    product = _product_shape(builder, a, b)
    builder.shapes[op.results[0]] = broadcast([product, builder.shapes[start]])


def emit_addmm(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append a product and a sum: beta * self + alpha * product; a self whose beta is 0 is not looked at."""
    start, a, b, beta, alpha = op.operands
    product = _product(builder, op, builder.tensors[a], builder.tensors[b])
    factors = float(builder.constant(beta)), float(builder.constant(alpha))
    builder.tensors[op.results[0]] = _sum(builder, op, start, product, *factors)


def linear_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::linear(input (M, K), weight (N, K), bias (N) or None)`: (M, N)."""
    x, weight, bias = op.operands
    rows, depth = builder.shapes[weight]
    product = matrix_product(builder.shapes[x], (depth, rows))
    if not _is_none(bias):
        product = broadcast([product, builder.shapes[bias]])
    builder.shapes[op.results[0]] = product


def emit_linear(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append the product with the transposed weight, and the sum with the bias."""
    x, weight, bias = op.operands
    shape, of = builder.shapes[weight], builder.dtype_of(weight)
    turned = _transposed(builder, builder.tensors[weight], (shape[1], shape[0]), of)
    product = _product(builder, op, builder.tensors[x], turned)
    if not _is_none(bias):
        product = _sum(builder, op, bias, product, 1.0, 1.0)
    builder.tensors[op.results[0]] = product


def _is_none(value: SSAValue) -> bool:
    return isinstance(value.owner, prim.ConstantOp) and value.owner.value is None


def _product_shape(builder: GraphBuilder, a: SSAValue, b: SSAValue) -> Shape:
    if builder.dtype_of(a) is not builder.dtype_of(b):
        raise LoweringError("a matrix product of two dtypes")
    return matrix_product(builder.shapes[a], builder.shapes[b])


def _product(builder: GraphBuilder, op: OperatorOp, a: SSAValue, b: SSAValue) -> SSAValue:
    """The product of two matrices, in the shape of the result of `op`."""
    result = op.results[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    if not of.is_floating_point or of.itemsize < 4:
        raise LoweringError(f"matrix products of {of!r} are not compiled")
    zero = _number(builder.block, 0.0, of)
    type_ = builder.type_of(shape, of)
    zeros = builder.add(FillOp((zero,), (builder.empty(shape, of),), (type_,)))
    product = MatmulOp((a, b), (zeros,), (type_,))
    product.location = op.location
    return builder.add(product)


def _number(block: Block, value: float, of: dtype) -> SSAValue:
    attribute = FloatAttr(value, 32 if of.itemsize == 4 else 64)
    op = arith.ConstantOp.create(result_types=[element_type(of)], properties={"value": attribute})
    block.add_op(op)
    return op.results[0]


def _sum(
    builder: GraphBuilder,
    op: OperatorOp,
    start: SSAValue,
    product: SSAValue,
    beta: float,
    alpha: float,
) -> SSAValue:
    """`beta * start + alpha * product` in the shape of the result of `op`, to which `start` broadcasts."""
    result = op.results[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    if beta == 0.0 and alpha == 1.0:
        return product
    type_ = element_type(of)
    block = Block(arg_types=[type_] * 3)
    flags = {"fastmath": arith.FastMathFlagsAttr("none")}

    def combine(
        class_: type[arith.AddfOp] | type[arith.MulfOp], x: SSAValue, y: SSAValue
    ) -> SSAValue:
        inner = class_.create(operands=[x, y], result_types=[type_], properties=flags)
        block.add_op(inner)
        return inner.results[0]

    def scaled(value: SSAValue, factor: float) -> SSAValue:
        return value if factor == 1.0 else combine(arith.MulfOp, value, _number(block, factor, of))

    total = scaled(block.args[1], alpha)
    if beta != 0.0:
        total = combine(arith.AddfOp, scaled(block.args[0], beta), total)
    block.add_op(YieldOp.create(operands=[total]))
    identity = AffineMapAttr(AffineMap.identity(2))
    maps = [indexing_map(builder.shapes[start], shape), identity, identity]
    generic = GenericOp.create(
        operands=[builder.tensors[start], product, builder.empty(shape, of)],
        result_types=[builder.type_of(shape, of)],
        properties={
            "indexing_maps": ArrayAttr(maps),
            "iterator_types": ArrayAttr([IteratorTypeAttr.parallel()] * 2),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [2, 1]),
        },
        regions=[Region(block)],
        location=op.location,
    )
    return builder.add(generic)


def t_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::t`: the two dimensions of a matrix in the other order."""
    builder.shapes[op.results[0]] = tuple(reversed(builder.shapes[op.operands[0]]))


def emit_t(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append a transposition, which later steps fold into the loops of its users."""
    result, source = op.results[0], op.operands[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    if len(shape) < 2:
        builder.tensors[result] = builder.tensors[source]
        return
    builder.tensors[result] = _transposed(builder, builder.tensors[source], shape, of)


def _transposed(builder: GraphBuilder, source: SSAValue, shape: Shape, of: dtype) -> SSAValue:
    """A matrix turned, which then has the sizes `shape`."""
    permutation = DenseArrayBase.from_list(i64, [1, 0])
    empty, type_ = builder.empty(shape, of), builder.type_of(shape, of)
    return builder.add(TransposeOp(source, empty, permutation, type_))
