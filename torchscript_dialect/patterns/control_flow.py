"""Branches and loops of which something is known (PyTorch: passes/constant_propagation.cpp, peephole.cpp)."""

from xdsl.dialects.builtin import UnknownLoc
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.patterns.values import forward, use_instead
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import BOOL, NONE
from torchscript_dialect.types.subtyping import unify_types

_STATEMENTS = (
    prim.ReturnStmtOp,
    prim.BreakStmtOp,
    prim.ContinueStmtOp,
    prim.LoopContinuationOp,
)
"""What must stay at the end of its block until the conversion to SSA."""


class InlineDecidedIf(RewritePattern):
    """`prim::If(True)` -> the ops of its first block"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        condition = edit.constant_value(op.condition)
        if not isinstance(condition, bool):
            return
        chosen = op.regions[0 if condition else 1].block
        if any(isinstance(inner, _STATEMENTS) for inner in chosen.ops):
            return
        last = edit.terminator(chosen)
        values = tuple(last.operands)
        rewriter.erase(last)
        rewriter.inline_block(chosen, InsertPoint.before(op))
        forward(rewriter, op, *values)


class DropEqualResults(RewritePattern):
    """`%r = prim::If(%c)` with `-> (%x)` in both blocks, uses of `%r` -> `%x`

    Equal constants count as one.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        then, otherwise = (edit.terminator(region.block) for region in op.regions)
        gone: list[int] = []
        for index, (a, b) in enumerate(zip(then.operands, otherwise.operands, strict=True)):
            if a is not b:
                if not _are_equal_constants(a, b):
                    continue
                a = _copy_before(op, a, rewriter)
            use_instead(rewriter, op.results[index], a)
            gone.append(index)
        if gone:
            edit.erase_results(op, gone)
            edit.erase_operands(then, gone)
            edit.erase_operands(otherwise, gone)
            rewriter.notify_op_modified(op)


def _are_equal_constants(a: SSAValue, b: SSAValue) -> bool:
    return (
        isinstance(a.owner, ConstantOp)
        and isinstance(b.owner, ConstantOp)
        and a.owner.function_symbol is None
        and a.type == b.type
        and attributes_key(a.owner) == attributes_key(b.owner)
    )


def _copy_before(op: prim.IfOp, constant: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    assert isinstance(constant.owner, ConstantOp)
    copy = constant.owner.clone()
    if not copy.attributes:
        edit.set_type(copy.results[0], NONE)
    copy.results[0].name_hint = None
    copy.location = UnknownLoc()
    rewriter.insert(copy, InsertPoint.before(op))
    return copy.results[0]


class UseConditionOfIf(RewritePattern):
    """`%r = prim::If(%c)` with `-> (True)` and `-> (False)`, uses of `%r` -> `%c`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        then, otherwise = (edit.terminator(region.block).operands for region in op.regions)
        for result, yes, no in zip(op.results, then, otherwise, strict=True):
            if result.type != BOOL or result.first_use is None:
                continue
            if edit.constant_value(yes) is True and edit.constant_value(no) is False:
                use_instead(rewriter, result, op.condition)


class RefineOptionalResults(RewritePattern):
    """`%r : Tensor? = prim::If(%c)` with tensors in both blocks -> `%r : Tensor`

    The type of the function, where it returns the result, is left to whoever runs the pattern.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.IfOp, rewriter: PatternRewriter, /) -> None:
        then, otherwise = (edit.terminator(region.block).operands for region in op.regions)
        for result, *values in zip(op.results, then, otherwise, strict=True):
            if not isinstance(result.type, OptionalType):
                continue
            types = [type_of(value) for value in values]
            if any(isinstance(type_, OptionalType) for type_ in types):
                continue
            unified = unify_types(*types)
            if unified is not None and unified != result.type:
                edit.set_type(result, unified)
                rewriter.notify_op_modified(op)
                for use in result.uses:
                    rewriter.notify_op_modified(use.operation)


def _is_in_ssa(op: prim.LoopOp) -> bool:
    return len(op.regions) == 1


class DropLoopThatNeverRuns(RewritePattern):
    """`%r = prim::Loop(0, True, %x)`, `%r = prim::Loop(%n, False, %x)` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.LoopOp, rewriter: PatternRewriter, /) -> None:
        if not _is_in_ssa(op):
            return
        trips = edit.constant_value(op.max_trip_count)
        if edit.constant_value(op.condition) is False or (trips is not None and trips <= 0):
            forward(rewriter, op, *op.carried)


class DropUnchangedCarriedValues(RewritePattern):
    """`%r = prim::Loop(%n, True, %x)` with `block0(%i, %a)` and `-> (True, %a)`, uses of `%r` and `%a` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.LoopOp, rewriter: PatternRewriter, /) -> None:
        if not _is_in_ssa(op):
            return
        body = op.body.block
        last = edit.terminator(body)
        gone = [i for i, argument in enumerate(body.args[1:]) if last.operands[i + 1] is argument]
        if not gone:
            return
        for i in gone:
            use_instead(rewriter, op.results[i], op.operands[i + 2])
            use_instead(rewriter, body.args[i + 1], op.operands[i + 2])
        edit.erase_results(op, gone)
        edit.erase_operands(op, [i + 2 for i in gone])
        edit.erase_operands(last, [i + 1 for i in gone])
        edit.erase_arguments(body, [i + 1 for i in gone])
        rewriter.notify_op_modified(op)


DECIDED = (InlineDecidedIf(), DropLoopThatNeverRuns())
UNCHANGED = (DropEqualResults(), DropUnchangedCarriedValues())
