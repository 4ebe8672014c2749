"""Chunks and concatenation: slices of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.operands import constant, has_elements, is_dense, is_known, rank
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import (
    Shape,
    Symbol,
    chunks,
    concatenation,
    fixed,
    number_of_chunks,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class Chunks(OperatorLowering):
    """`prim::ConstantChunk[chunks=2, dim=1](%x)` becomes a `tensor.extract_slice` for each of the parts."""

    is_view = True

    @classmethod
    def takes(cls, op: prim.ConstantChunkOp) -> bool:
        if not all(map(is_known, (*op.operands, *op.results))):
            return False
        type_ = op.operands[0].type
        assert isinstance(type_, TensorType) and type_.sizes is not None
        count, axis = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
        if not -len(type_.sizes) <= axis < len(type_.sizes):
            return False  # fails when it runs
        size = cast(int | None, type_.sizes[axis])
        return size is not None and len(op.results) == count == number_of_chunks(size, count)

    def shapes(self, b: LinalgBuilder, op: prim.ConstantChunkOp) -> Sequence[Shape]:
        whole = b.shapes[op.operands[0]]
        count, axis = _chunk_attributes(op, whole)
        return [(*whole[:axis], size, *whole[axis + 1 :]) for size in chunks(whole[axis], count)]

    def lower(self, b: LinalgBuilder, op: prim.ConstantChunkOp) -> Sequence[SSAValue]:
        (source,) = op.operands
        _, axis = _chunk_attributes(op, b.shapes[source])
        parts: list[SSAValue] = []
        length = b.extent(b.shapes[op.results[0]][axis])
        for number, result in enumerate(op.results):
            shape = b.shapes[result]
            offset = b.times(length, number)
            parts.append(b.extract_slice(source, shape, b.dtype_of(result), axis, offset))
        return parts


def _chunk_attributes(op: prim.ConstantChunkOp, whole: Shape) -> tuple[int, int]:
    count, axis = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
    assert count == len(op.results)
    return count, axis % len(whole)


class Concatenation(OperatorLowering):
    """`aten::cat(%list, %dim)` of a list that the graph makes becomes a `tensor.insert_slice` for each part."""

    follows_order = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        maker = op.operands[0].owner
        return isinstance(maker, prim.ListConstructOp) and all(map(rank, maker.operands))

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        """Parts of one dtype and rank, of which no more is told: PyTorch may turn what has four dimensions or more."""
        maker, result = op.operands[0].owner, op.results[0]
        assert isinstance(maker, prim.ListConstructOp)
        if not all(map(is_known, (*maker.operands, result))) or not has_elements(result):
            return False
        types = [cast(TensorType, value.type) for value in (*maker.operands, result)]
        kinds = {(type_.dtype, len(type_.sizes or ())) for type_ in types}
        is_small = 0 < len(types[-1].sizes or ()) < 4
        return (
            len(kinds) == 1
            and is_small
            and is_dense(result)
            and constant(op.operands[1]) is not None
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        parts = [b.shapes[part] for part in _parts(op)]
        axis: int = b.constant(op.operands[1]) % len(parts[0])
        return [concatenation(parts, axis)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        axis: int = b.constant(op.operands[1]) % len(shape)
        into = b.empty(shape, of)
        offset = b.index(0)
        for part in _parts(op):
            into = b.insert_slice(part, into, b.shapes[part], axis, offset)
            offset = b.plus(offset, b.extent(b.shapes[part][axis]))
        return [into]


class Stack(Concatenation):
    """`aten::stack(%list, %dim)` becomes a `tensor.insert_slice` for each part, which has the new dimension with one index."""

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        maker, result = op.operands[0].owner, op.results[0]
        assert isinstance(maker, prim.ListConstructOp)
        values = (*maker.operands, result)
        if not maker.operands or not all(map(is_known, values)) or not has_elements(result):
            return False
        dtypes = {cast(TensorType, value.type).dtype for value in values}
        rank = len(cast(TensorType, result.type).sizes or ())
        return (
            len(dtypes) == 1
            and rank <= 4
            and is_dense(result)
            and constant(op.operands[1]) is not None
        )

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        first, *others = (b.shapes[part] for part in _parts(op))
        for other in others:
            for one, same in zip(first, other, strict=True):
                one.unite(same)
        axis: int = b.constant(op.operands[1]) % (len(first) + 1)
        return [(*first[:axis], fixed(len(others) + 1), *first[axis:])]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        axis: int = b.constant(op.operands[1]) % len(shape)
        into = b.empty(shape, of)
        one = (*shape[:axis], Symbol(1, is_static=True), *shape[axis + 1 :])
        for number, part in enumerate(_parts(op)):
            into = b.insert_slice(part, into, one, axis, b.index(number))
        return [into]


def _parts(op: Operation) -> Sequence[SSAValue]:
    """The elements of the list that a node takes.

    Raises:
        LoweringError: the graph does not make it, or it has none.
    """
    owner = op.operands[0].owner
    if not isinstance(owner, prim.ListConstructOp) or not owner.operands:
        raise LoweringError("a concatenation of a list that the graph does not make")
    return owner.operands
