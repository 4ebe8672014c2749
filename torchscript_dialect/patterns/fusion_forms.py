"""The forms of operators that fusion looks for (PyTorch: passes/canonicalize_graph_fuser_ops.cpp)."""

from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.numbers import is_number, with_number
from torchscript_dialect.ops.shapes import promote
from torchscript_dialect.types.tensor_type import TensorProperties, TensorType


class NumberForTensor(RewritePattern):
    """`aten::add(%x, prim::Constant[value={0.5}], 1)` -> `aten::add(%x, prim::Constant[value=0.5], 1)`

    Where the dtype of the result stays the same: a tensor without dimensions says more about it than a number does.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.AddTensorOp | aten.SubTensorOp | aten.MulTensorOp | aten.DivTensorOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        other, type_ = edit.constant_value(op.other), type_of(op.self)
        if not is_number(other) or not isinstance(type_, TensorType):
            return
        element = promote([type_.data, TensorProperties(other.dtype.type_name, ())])
        if element is None or element is not promote([type_.data, other.array.item()]):
            return
        rewriter.replace(op, with_number(op))


class ConstantChunk(RewritePattern):
    """`%a, %b = prim::ListUnpack(aten::chunk(%x, 2, 1))` -> `%a, %b = prim::ConstantChunk[chunks=2, dim=1](%x)`

    Where the list is only unpacked, and read at constant places: the op gives as many chunks or fails, as the unpacking did.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.ChunkOp, rewriter: PatternRewriter, /) -> None:
        chunks, dim = edit.constant_value(op.chunks), edit.constant_value(op.dim)
        if not isinstance(chunks, int) or not isinstance(dim, int):
            return
        outputs = _outputs_in_sight(op.results[0], chunks)
        if not outputs:
            return
        types: list[Attribute] = [TensorType()] * chunks
        for place, value in outputs:
            types[place] = value.type
        new = prim.ConstantChunkOp.create(
            operands=[op.self],
            result_types=types,
            attributes={"chunks": to_attribute(chunks), "dim": to_attribute(dim)},
            location=op.location,
        )
        rewriter.insert(new)
        for place, value in outputs:
            result = new.results[place]
            result.name_hint = result.name_hint or value.name_hint
            rewriter.replace_all_uses_with(value, result)
        for user in {use.operation: None for use in op.results[0].uses}:
            rewriter.erase(user)
        rewriter.erase(op)


def _outputs_in_sight(chunked: SSAValue, chunks: int) -> list[tuple[int, SSAValue]] | None:
    """The tensors that come out of a list of chunks with their places; None if the list is used in another way."""
    found: list[tuple[int, SSAValue]] = []
    for use in chunked.uses:
        user: Operation = use.operation
        if isinstance(user, prim.ListUnpackOp) and len(user.results) == chunks:
            found += enumerate(user.results)
        elif isinstance(user, aten.SelectTOp):
            index = edit.constant_value(user.idx)
            if index is None or not 0 <= index < chunks:
                return None
            found.append((index, user.results[0]))
        else:
            return None
    return found


FUSION_FORMS = (NumberForTensor(), ConstantChunk())
