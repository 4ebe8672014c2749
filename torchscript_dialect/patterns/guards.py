"""Promises about values: what makes them of observations, and which go without saying."""

from __future__ import annotations

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TENSOR, TensorType


class GuardProfile(RewritePattern):
    """`%y : Tensor = prim::profile[profiled_type=Float(2), seen_none=0](%x)` -> `%y : Float(2) = prim::Guard(%x)`

    A tensor that was never None has what all runs saw of its type.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.ProfileOp, rewriter: PatternRewriter, /) -> None:
        seen = op.attributes.get("profiled_type", TENSOR)
        was_none = "seen_none" in op.attributes and from_attribute(op.attributes["seen_none"]) > 0
        is_known = isinstance(seen, TensorType) and seen != TENSOR and not was_none
        _guard(op, seen if is_known and isinstance(seen, TensorType) else None, rewriter)


class GuardProfileIValue(RewritePattern):
    """`%y : int[]? = prim::profile_ivalue[seen_none=2, seen=0](%x)` -> `%y : NoneType = prim::Guard(%x)`

    An optional value that was always None is None, one that never was is not.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.ProfileIValueOp, rewriter: PatternRewriter, /) -> None:
        type_, promised = prim.type_of(op.value), None
        if op.seen_none and not op.seen:
            promised = NONE
        elif op.seen and not op.seen_none and isinstance(type_, OptionalType):
            promised = type_.element
        _guard(op, promised, rewriter)


def _guard(
    op: prim.ProfileOp | prim.ProfileIValueOp,
    promised: TorchScriptType | None,
    rewriter: PatternRewriter,
) -> None:
    value = op.operands[0]
    if promised is None:
        rewriter.replace(op, (), [value])
        return
    guard = prim.GuardOp(value, result_types=[promised], location=op.location)
    guard.results[0].name_hint = op.results[0].name_hint
    rewriter.replace(op, guard)


class ImpliedGuard(RewritePattern):
    """`%y : Float(2) = prim::Guard(%x)` -> `%x`, where the type of `%x` says as much."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: prim.GuardOp, rewriter: PatternRewriter, /) -> None:
        if is_subtype(prim.type_of(op.value), prim.type_of(op.results[0])):
            rewriter.replace(op, (), [op.value])


OBSERVATIONS = (GuardProfile(), GuardProfileIValue())
IMPLIED = (ImpliedGuard(),)
