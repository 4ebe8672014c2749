"""Operators that give what their way back needs in the place of those that give their result alone, and operators that have a formula
in the place of those that are made of them.

The gradients of `aten::dropout`, `aten::batch_norm` and `aten::max_pool2d` ask for the mask, the statistics of the batch and the places
of what was largest; that of `aten::nll_loss_nd` for the weight of all. So the graphs that PyTorch differentiates have
`aten::native_dropout`, `aten::_batch_norm_impl_index` and `aten::max_pool2d_with_indices`
(torch/csrc/jit/runtime/symbolic_script.cpp).
"""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp, is_off
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.values import forward
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

# pyright: reportPrivateUsage=false


class DropoutWithMask(RewritePattern):
    """`aten::dropout(%x, 0.5, True)` -> `aten::native_dropout(%x, 0.5, True)`, of which the first result counts"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.DropoutOp, rewriter: PatternRewriter, /) -> None:
        chance = edit.constant_value(op.p)
        is_on = edit.constant_value(op.train) is True and bool(chance)
        if is_on and any(map(_may_require_gradient, op.operands)):
            types = [op.results[0].type, TENSOR]
            _replace(
                op, aten.NativeDropoutOp.create(operands=op.operands, result_types=types), rewriter
            )


class NormWithStatistics(RewritePattern):
    """`aten::batch_norm(%x, ...)` -> `aten::_batch_norm_impl_index(%x, ...)`, of which the first result counts"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.BatchNormOp, rewriter: PatternRewriter, /) -> None:
        is_known = edit.constant_value(op.training) is not None
        if is_known and any(map(_may_require_gradient, op.operands[:3])):
            types = [op.results[0].type, TENSOR, TENSOR, TENSOR, INT]
            _replace(
                op,
                aten._BatchNormImplIndexOp.create(operands=op.operands, result_types=types),
                rewriter,
            )


class PoolWithPlaces(RewritePattern):
    """`aten::max_pool2d(%x, ...)` -> `aten::max_pool2d_with_indices(%x, ...)`, of which the first result counts"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self,
        op: aten.MaxPool1dOp | aten.MaxPool2dOp | aten.MaxPool3dOp,
        rewriter: PatternRewriter,
        /,
    ) -> None:
        if _may_require_gradient(op.operands[0]):
            made = _WITH_PLACES[type(op)].create(
                operands=op.operands, result_types=[op.results[0].type, TENSOR]
            )
            _replace(op, made, rewriter)


class NoDropout(RewritePattern):
    """`aten::dropout(%x, 0.0, True)` -> `%x`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.DropoutOp, rewriter: PatternRewriter, /) -> None:
        chance = edit.constant_value(op.p)
        is_off = chance == 0 or edit.constant_value(op.train) is False
        if is_off and chance is not None and 0 <= chance <= 1:
            forward(rewriter, op, op.operands[0])


class FusedAttention(RewritePattern):
    """`aten::scaled_dot_product_attention(%q, ...)` of four dimensions -> `aten::_scaled_dot_product_flash_attention_for_cpu(%q, ...)`,
    which has a formula; its first result counts
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: aten.ScaledDotProductAttentionOp, rewriter: PatternRewriter, /
    ) -> None:
        tensors = [op.query, op.key, op.value]
        has_other_heads = edit.constant_value(op.enable_gqa) is not False
        if not is_off(op) or has_other_heads or _may_require_gradient(op.attn_mask):
            return
        if all(_rank(one) == 4 for one in tensors) and any(map(_may_require_gradient, tensors)):
            operands = [*tensors, op.dropout_p, op.is_causal, op.attn_mask, op.scale]
            made = aten._ScaledDotProductFlashAttentionForCpuOp.create(
                operands=operands, result_types=[op.results[0].type, TENSOR]
            )
            _replace(op, made, rewriter)


class LikelihoodWithWeight(RewritePattern):
    """`aten::nll_loss_nd(%x, ...)` of two dimensions -> `aten::nll_loss_forward(%x, ...)`, of which the first result counts; of images
    `aten::nll_loss2d_forward`
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.NllLossNdOp, rewriter: PatternRewriter, /) -> None:
        class_ = _OF_RANK.get(_rank(op.self) or 0)
        if class_ is not None and _may_require_gradient(op.self):
            types = [op.results[0].type, TENSOR]
            _replace(op, class_.create(operands=op.operands, result_types=types), rewriter)


class ConstantPadding(RewritePattern):
    """`aten::pad(%x, %widths, "constant", None)` -> `aten::constant_pad_nd(%x, %widths, 0)`"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.PadOp, rewriter: PatternRewriter, /) -> None:
        x, widths, mode, value = op.operands
        owner = value.owner
        if edit.constant_value(mode) != "constant" or not isinstance(owner, prim.ConstantOp):
            return
        if owner.value is None:
            value = edit.insert_constant(op, 0, INT)
        made = aten.ConstantPadNdOp.create(
            operands=[x, widths, value], result_types=[op.results[0].type]
        )
        _replace(op, made, rewriter)


class DeviationWithCorrection(RewritePattern):
    """`aten::std(%x, [1], True, False)` -> `aten::std(%x, [1], 1, False)`, the overload with a correction"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.StdDimOp, rewriter: PatternRewriter, /) -> None:
        unbiased = edit.constant_value(op.unbiased)
        if unbiased is None:
            return
        correction = edit.insert_constant(op, int(unbiased), INT)
        x, dims, _, keepdim = op.operands
        made = aten.StdCorrectionOp.create(
            operands=[x, dims, correction, keepdim], result_types=[op.results[0].type]
        )
        _replace(op, made, rewriter)


_WITH_PLACES: dict[type[OperatorOp], type[OperatorOp]] = {
    aten.MaxPool1dOp: aten.MaxPool1dWithIndicesOp,
    aten.MaxPool2dOp: aten.MaxPool2dWithIndicesOp,
    aten.MaxPool3dOp: aten.MaxPool3dWithIndicesOp,
}


_OF_RANK: dict[int, type[OperatorOp]] = {
    1: aten.NllLossForwardOp,
    2: aten.NllLossForwardOp,
    4: aten.NllLoss2dForwardOp,
}


def _replace(op: Operation, made: OperatorOp, rewriter: PatternRewriter) -> None:
    made.location = op.location
    rewriter.insert(made)
    edit.set_name(made.results[0], op.results[0].name_hint)
    rewriter.replace(op, (), [made.results[0]])


def _rank(value: SSAValue) -> int | None:
    sizes = value.type.data.sizes if isinstance(value.type, TensorType) else None
    return None if sizes is None else len(sizes)


def _may_require_gradient(value: SSAValue) -> bool:
    if isinstance(value.owner, prim.ConstantOp) or not isinstance(value.type, TensorType):
        return False
    return value.type.requires_grad is not False


SAVING_FORMS = (
    DropoutWithMask(),
    NoDropout(),
    NormWithStatistics(),
    PoolWithPlaces(),
    FusedAttention(),
    LikelihoodWithWeight(),
    ConstantPadding(),
    DeviationWithCorrection(),
)
