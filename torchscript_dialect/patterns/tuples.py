"""What is taken from a tuple made in sight is what went in (PyTorch: passes/lower_tuples.cpp)."""

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.values import forward
from torchscript_dialect.types.containers import TupleType


def _elements(value: SSAValue) -> Sequence[SSAValue] | None:
    """The elements of a tuple that is made in sight."""
    owner = value.owner
    return owner.operands if isinstance(owner, prim.TupleConstructOp) else None


class UnpackTupleConstruct(RewritePattern):
    """`%a, %b = prim::TupleUnpack(prim::TupleConstruct(%x, %y))` -> `%x, %y`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.TupleUnpackOp, rewriter: PatternRewriter, /) -> None:
        elements = _elements(op.operands[0])
        if elements is not None:
            forward(rewriter, op, *elements)


class IndexTupleConstruct(RewritePattern):
    """`prim::TupleIndex(prim::TupleConstruct(%x, %y), 1)` -> `%y`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.TupleIndexOp, rewriter: PatternRewriter, /) -> None:
        elements, index = _elements(op.operands[0]), edit.constant_value(op.operands[1])
        if elements is None or not isinstance(index, int):
            return
        if -len(elements) <= index < len(elements):
            forward(rewriter, op, elements[index])


class SliceTupleConstruct(RewritePattern):
    """`prim::TupleSlice[beg=0, end=2](prim::TupleConstruct(%x, %y, %z))` -> `prim::TupleConstruct(%x, %y)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.TupleSliceOp, rewriter: PatternRewriter, /) -> None:
        elements = _elements(op.operands[0])
        if elements is None:
            return
        begin, end = (from_attribute(op.attributes[name]) for name in ("beg", "end"))
        kept = elements[begin:end]
        made = prim.TupleConstructOp.create(
            operands=kept,
            result_types=[TupleType.get(map(type_of, kept))],
            location=op.location,
        )
        rewriter.insert(made)
        forward(rewriter, op, made.results[0])


TUPLES = (UnpackTupleConstruct(), IndexTupleConstruct(), SliceTupleConstruct())
