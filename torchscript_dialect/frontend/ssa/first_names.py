"""The patterns of `normalize_ops`, which are loaded when a function has an operator with another name."""

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.operators import OperatorOp, class_for
from torchscript_dialect.frontend.ssa.normalize_ops import ALIASES
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.types.core import BOOL

# Inside a class, Python would take these names for private ones.
IsOp = aten.__Is__Op  # pyright: ignore[reportPrivateUsage]
IsNotOp = aten.__Isnot__Op  # pyright: ignore[reportPrivateUsage]


def _rename(rewriter: PatternRewriter, op: OperatorOp, kind: str, *order: int) -> None:
    """Replace an op by one of another kind on the same operands, in another order where one is given."""
    operands = [op.operands[index] for index in order or range(len(op.operands))]
    class_ = class_for(kind, [edit.type_of(value) for value in operands])
    new = class_.create(
        operands=operands,
        result_types=op.result_types,
        attributes=op.attributes,
        location=op.location,
    )
    rewriter.replace(op, new)


class UseFirstName(RewritePattern):
    """`aten::multiply(%x, %y)` -> `aten::mul(%x, %y)`, `aten::negative_(%x)` -> `aten::neg_(%x)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: OperatorOp, rewriter: PatternRewriter, /) -> None:
        if op.KIND in ALIASES:
            _rename(rewriter, op, ALIASES[op.KIND])


class SubtractTheOtherWay(RewritePattern):
    """`aten::rsub(%x, %y, %alpha)` -> `aten::sub(%y, %x, %alpha)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.RsubTensorOp, rewriter: PatternRewriter, /) -> None:
        _rename(rewriter, op, "aten::sub", 1, 0, 2)


class CompareBools(RewritePattern):
    """`aten::__is__(%a : bool, %b : bool)` -> `aten::eq(%a, %b)`, `aten::__isnot__(%a, %b)` -> `aten::ne(%a, %b)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: IsOp | IsNotOp, rewriter: PatternRewriter, /) -> None:
        if op.self.type == BOOL and op.obj.type == BOOL:
            _rename(rewriter, op, "aten::eq" if isinstance(op, IsOp) else "aten::ne")


FIRST_NAMES = FrozenPatternSet((UseFirstName(), SubtractTheOtherWay(), CompareBools()))
