"""Pointwise operators: each becomes a `linalg.generic` whose body is the operator's scalar body."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from lowering.kernel import LoweringError
from lowering.linalg.graph_builder import GraphBuilder
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.linalg.symbolic_shapes import Shape, broadcast
from lowering.shaped import i32_array
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ops.pointwise import Pointwise, Role, computation, opmath, roles
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.ops.scalar_math import ScalarMath
from torchscript_dialect.tensor.dtype import dtype

_PARALLEL = IteratorTypeAttr.parallel()


def shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """Find the shape of the result."""
    builder.shapes[op.results[0]] = broadcast(
        [builder.shapes[value] for value in op.operands if value in builder.shapes]
    )


def emit(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append the generic of a pointwise node."""
    operator = op.OPERATOR
    assert operator is not None
    declared = operator.rules.pointwise
    assert isinstance(declared, Pointwise)
    common, result = computation(operator, [builder.fact(value) for value in op.operands])
    values = list(op.operands)
    tensors = list(dict.fromkeys(value for value in values if value in builder.tensors))
    shape_of = builder.shapes[op.results[0]]
    block = Block(
        arg_types=[
            *(element_type(builder.dtype_of(value)) for value in tensors),
            element_type(result),
        ]
    )
    body = _Body(builder, declared, operator, common, dict(zip(tensors, block.args, strict=False)))
    outcome = body.emit(values, result)
    block.add_ops(body.math.ops)
    block.add_op(YieldOp.create(operands=[outcome.ssa]))
    maps = [indexing_map(builder.shapes[value], shape_of) for value in tensors]
    maps.append(_map(len(shape_of), tuple(range(len(shape_of)))))
    generic = GenericOp.create(
        operands=[
            *(builder.tensors[value] for value in tensors),
            builder.empty(shape_of, result),
        ],
        result_types=[builder.type_of(shape_of, result)],
        properties={
            "indexing_maps": ArrayAttr(maps),
            "iterator_types": _parallel(len(shape_of)),
            "operandSegmentSizes": i32_array((len(tensors), 1)),
        },
        regions=[Region(block)],
        location=op.location,
    )
    builder.tensors[op.results[0]] = builder.add(generic)


def indexing_map(operand: Shape, result: Shape) -> AffineMapAttr:
    """Which element of an operand an element of the result comes from: sizes of 1 are walked on
    the spot.
    """
    first = len(result) - len(operand)
    return _map(
        len(result),
        tuple(
            -1 if symbol.find().is_static else first + axis for axis, symbol in enumerate(operand)
        ),
    )


@lru_cache(maxsize=256)
def _map(loops: int, walked: tuple[int, ...]) -> AffineMapAttr:
    """The map to these loops, by number; -1 stands for the constant 0."""
    results = (AffineConstantExpr(0) if axis < 0 else AffineDimExpr(axis) for axis in walked)
    return AffineMapAttr(AffineMap(loops, 0, tuple(results)))


@lru_cache(maxsize=16)
def _parallel(loops: int) -> ArrayAttr[IteratorTypeAttr]:
    return ArrayAttr([_PARALLEL] * loops)


class _Body:
    """The scalar body of one node."""

    def __init__(
        self,
        builder: GraphBuilder,
        declared: Pointwise,
        operator: Operator,
        common: dtype,
        arguments: dict[SSAValue, SSAValue],
    ) -> None:
        self.builder = builder
        self.declared = declared
        self.roles = roles(operator.schema)
        self.names = [argument.name for argument in operator.schema.arguments]
        self.common = common
        self.arguments = arguments
        self.math = ScalarBuilder()

    def emit(self, values: list[SSAValue], result: dtype) -> Scalar:
        operands = [self.operand(index, value) for index, value in enumerate(values)]
        outcome = self.declared.body(cast(ScalarMath, self.math), *operands[: len(self.roles)])
        if not isinstance(outcome, Scalar):
            outcome = self.math.number(outcome, opmath(self.common))
        return self.math.cast(outcome, result.name)

    def operand(self, index: int, value: SSAValue) -> Any:
        """A value in the compute dtype, None, or a static argument as it is."""
        if index >= len(self.roles):
            return None
        if self.roles[index] is Role.STATIC:
            return self.builder.constant(value)
        compute = opmath(self.common)
        if value in self.arguments:
            scalar = Scalar(self.arguments[value], self.builder.dtype_of(value))
            if self.names[index] in self.declared.keeps:
                return scalar
            return self.math.cast(self.math.cast(scalar, self.common.name), compute.name)
        if value in self.builder.scalars:
            ssa, of = self.builder.scalars[value]
            return self.math.cast(Scalar(ssa, of), compute.name)
        number = self.builder.constant(value)
        if number is None:
            return None
        if isinstance(number, complex):
            raise LoweringError("complex numbers are not compiled")
        return self.math.number(number, compute)
