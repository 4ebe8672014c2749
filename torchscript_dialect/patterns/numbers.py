"""Arithmetic with numbers (PyTorch: passes/peephole_non_tensor.cpp)."""

from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten
from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.values import fold_to, forward
from torchscript_dialect.types.core import INT

INT64 = range(-(2**63), 2**63)


class IntOfInt(RewritePattern):
    """`aten::Int(%i : int)`, `aten::ceil(%i : int)` -> `%i`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.IntScalarOp | aten.CeilIntOp, rewriter: PatternRewriter, /
    ) -> None:
        if op.a.type == INT:
            forward(rewriter, op, op.a)


class EqualToItself(RewritePattern):
    """`aten::eq(%i, %i)` -> `True`, `aten::ne(%i, %i)` -> `False`

    For values that equal themselves, which a float, that may be NaN, does not.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.EqIntOp | aten.EqBoolOp | aten.EqIntListOp | aten.EqBoolListOp
        | aten.NeIntOp | aten.NeBoolOp | aten.NeIntListOp | aten.NeBoolListOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:  # fmt: skip
        if op.a is op.b:
            fold_to(rewriter, op, op.KIND == "aten::eq")


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, ConstantOp)


class ConstantToTheRight(RewritePattern):
    """`aten::add(2, %i)` -> `aten::add(%i, 2)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.AddIntOp | aten.MulIntOp, rewriter: PatternRewriter, /
    ) -> None:
        if _is_constant(op.a) and not _is_constant(op.b):
            op.operands = [op.b, op.a]
            rewriter.notify_op_modified(op)


class IntTimesOne(RewritePattern):
    """`aten::mul(%i, 1)`, `aten::floordiv(%i, 1)` -> `%i`

    `i / 1` is a float.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.MulIntOp | aten.FloordivIntOp, rewriter: PatternRewriter, /
    ) -> None:
        if edit.constant_value(op.b) == 1:
            forward(rewriter, op, op.a)


class IntPlusZero(RewritePattern):
    """`aten::add(%i, 0)`, `aten::sub(%i, 0)` -> `%i`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.AddIntOp | aten.SubIntOp, rewriter: PatternRewriter, /
    ) -> None:
        if edit.constant_value(op.b) == 0:
            forward(rewriter, op, op.a)


class AddIntConstants(RewritePattern):
    """`aten::add(aten::sub(%i, 1), 3)` -> `aten::add(%i, 2)`

    Not where the constants together are no int of 64 bits.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.AddIntOp | aten.SubIntOp, rewriter: PatternRewriter, /
    ) -> None:
        inner, number = op.a.owner, edit.constant_value(op.b)
        if not isinstance(inner, aten.AddIntOp | aten.SubIntOp) or number is None:
            return
        other = edit.constant_value(inner.b)
        if other is None or _is_constant(inner.a):
            return
        merged = number + other if inner.KIND == op.KIND else number - other
        if merged in INT64:
            constant = rewriter.insert(ConstantOp.of(merged, INT))
            op.operands = [inner.a, constant.results[0]]
            rewriter.notify_op_modified(op)
