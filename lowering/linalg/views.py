"""Chunks, concatenation and unsqueeze: slices and reshapes of tensors."""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, ArrayAttr, DenseArrayBase, i32
from xdsl.dialects.linalg.attrs import IteratorTypeAttr
from xdsl.dialects.linalg.ops import GenericOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from lowering.linalg.graph_builder import INDEX, GraphBuilder, integers
from lowering.linalg.scalar_builder import element_type
from lowering.linalg.symbolic_shapes import Shape, Symbol, chunks, concatenation
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp


def chunk_shape(builder: GraphBuilder, op: prim.ConstantChunkOp) -> None:
    """`prim::ConstantChunk`: equal parts along a dimension."""
    whole = builder.shapes[op.operands[0]]
    count, axis = _chunk_attributes(op, whole)
    part = chunks(whole, count, axis)
    for result in op.results:
        builder.shapes[result] = part


def _chunk_attributes(op: prim.ConstantChunkOp, whole: Shape) -> tuple[int, int]:
    count, axis = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
    assert count == len(op.results)
    return count, axis % len(whole)


def emit_chunk(builder: GraphBuilder, op: prim.ConstantChunkOp) -> None:
    """Append a slice for every chunk."""
    source = op.operands[0]
    _, axis = _chunk_attributes(op, builder.shapes[source])
    for number, result in enumerate(op.results):
        shape = builder.shapes[result]
        part = builder.extent(shape[axis])
        offset = _times(builder, part, number)
        builder.tensors[result] = _slice(builder, source, result, axis, offset)


def _times(builder: GraphBuilder, extent: SSAValue, factor: int) -> SSAValue:
    if factor == 0:
        return builder.index(0)
    if factor == 1:
        return extent
    operands = [extent, builder.index(factor)]
    flags = {"overflowFlags": arith.IntegerOverflowAttr("none")}
    return builder.add(
        arith.MuliOp.create(operands=operands, result_types=[INDEX], properties=flags)
    )


def _slice(
    builder: GraphBuilder, source: SSAValue, result: SSAValue, axis: int, offset: SSAValue
) -> SSAValue:
    shape = builder.shapes[result]
    sizes = builder.dynamic_sizes(shape)
    static_sizes = builder.static_sizes(shape)
    static_offsets = [DYNAMIC_INDEX if index == axis else 0 for index in range(len(shape))]
    return builder.add(
        tensor.ExtractSliceOp.create(
            operands=[builder.tensors[source], offset, *sizes],
            result_types=[builder.type_of(shape, builder.dtype_of(result))],
            properties={
                "static_offsets": integers(static_offsets),
                "static_sizes": integers(static_sizes),
                "static_strides": integers([1] * len(shape)),
                "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, len(sizes), 0]),
            },
        )
    )


def unsqueeze_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::unsqueeze(self, dim)`: a new dimension of size 1, which broadcasts."""
    source = builder.shapes[op.operands[0]]
    axis: int = builder.constant(op.operands[1]) % (len(source) + 1)
    builder.shapes[op.results[0]] = (*source[:axis], Symbol(1, True), *source[axis:])


def emit_unsqueeze(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append a copy with the new dimension, which fuses into its users."""
    source, result = op.operands[0], op.results[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    axis: int = builder.constant(op.operands[1]) % len(shape)
    type_ = element_type(of)
    block = Block(arg_types=[type_, type_])
    block.add_op(YieldOp.create(operands=[block.args[0]]))
    kept = tuple(AffineDimExpr(i) for i in range(len(shape)) if i != axis)
    maps = [AffineMapAttr(AffineMap(len(shape), 0, kept))]
    maps.append(AffineMapAttr(AffineMap.identity(len(shape))))
    generic = GenericOp.create(
        operands=[builder.tensors[source], builder.empty(shape, of)],
        result_types=[builder.type_of(shape, of)],
        properties={
            "indexing_maps": ArrayAttr(maps),
            "iterator_types": ArrayAttr([IteratorTypeAttr.parallel()] * len(shape)),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1]),
        },
        regions=[Region(block)],
    )
    builder.tensors[result] = builder.add(generic)


def cat_shape(builder: GraphBuilder, op: OperatorOp) -> None:
    """`aten::cat(tensors, dim)` of a list that the graph makes."""
    parts = builder.lists[op.operands[0]]
    first = builder.shapes[parts[0]]
    axis: int = builder.constant(op.operands[1]) % len(first)
    builder.shapes[op.results[0]] = concatenation([builder.shapes[p] for p in parts], axis)


def emit_cat(builder: GraphBuilder, op: OperatorOp) -> None:
    """Append an insertion for every part into an empty tensor."""
    result = op.results[0]
    shape, of = builder.shapes[result], builder.dtype_of(result)
    axis: int = builder.constant(op.operands[1]) % len(shape)
    into = builder.empty(shape, of)
    offset = builder.index(0)
    for part in builder.lists[op.operands[0]]:
        part_shape = builder.shapes[part]
        sizes = builder.dynamic_sizes(part_shape)
        static = builder.static_sizes(part_shape)
        into = builder.add(
            tensor.InsertSliceOp.create(
                operands=[builder.tensors[part], into, offset, *sizes],
                result_types=[builder.type_of(shape, of)],
                properties={
                    "static_offsets": integers(
                        [DYNAMIC_INDEX if i == axis else 0 for i in range(len(shape))]
                    ),
                    "static_sizes": integers(static),
                    "static_strides": integers([1] * len(shape)),
                    "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 1, 1, len(sizes), 0]),
                },
            )
        )
        flags = {"overflowFlags": arith.IntegerOverflowAttr("none")}
        step = [offset, builder.extent(part_shape[axis])]
        offset = builder.add(
            arith.AddiOp.create(operands=step, result_types=[INDEX], properties=flags)
        )
    builder.tensors[result] = into
