"""Matrix products: `linalg.matmul` into a tensor of zeros, and what `addmm` adds to it."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, i64
from xdsl.dialects.linalg.ops import FillOp, MatmulOp, TransposeOp

from lowering.kernel import LoweringError
from lowering.linalg.graph_builder import GraphBuilder
from lowering.linalg.scalar_builder import element_type
from lowering.linalg.symbolic_shapes import matrix_product
from torchscript_dialect.dialects.operators import OperatorOp



def mm_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::mm(self (M, K), mat2 (K, N))`: (M, N)."""
    a, b = op.operands
    if builder.dtype_of(a) is not builder.dtype_of(b):
        raise LoweringError("a matrix product of two dtypes")
    builder.shapes[op.results[0]] = matrix_product(builder.shapes[a], builder.shapes[b])


def emit_mm(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append the product of a node's two operands."""
    result = op.results[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    if not of.is_floating_point or of.itemsize < 4:
        raise LoweringError(f"matrix products of {of!r} are not compiled")
    zero = builder.add(
        arith.ConstantOp.create(
            result_types=[element_type(of)],
            properties={"value": FloatAttr(0.0, 32 if of.itemsize == 4 else 64)},
        )
    )
    empty = builder.empty(shape, of)
    type_ = builder.type_of(shape, of)
    fill = FillOp((zero,), (empty,), (type_,))
    zeros = builder.add(fill)
    product = MatmulOp(tuple(builder.tensors[v] for v in op.operands), (zeros,), (type_,))
    product.location = op.location
    builder.tensors[result] = builder.add(product)


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
    permutation = DenseArrayBase.from_list(i64, [1, 0])
    transpose = TransposeOp(
        builder.tensors[source], builder.empty(shape, of), permutation, builder.type_of(shape, of)
    )
    builder.tensors[result] = builder.add(transpose)


