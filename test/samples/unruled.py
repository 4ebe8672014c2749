"""Operators that have a kernel and no shape rule, though they give tensors, each with the reason."""

import re

from torchscript_dialect.ops.registry import Operator

_REASONS = {
    "sparse and nested tensors: types of tensors say nothing of layouts": r"""
        aten::.*(sparse|nested|_coo|_csr|coalesce|dense|jagged|padded).* aten::(hspmm|smm|sspaddmm|_spdiags|native_norm.*) sparse::.*
        aten::(_?indices|_?values|(c?col|c?row|crow)_indices)(_copy)?""",
    "quantized tensors: types of tensors say nothing of scales": r"""
        quantized::.* _quantized::.* quantization::.* aten::.*quant.* aten::q_per_channel.* aten::.*moving_avg_obs.*
        aten::_convert_weight_to_int4pack_for_cpu aten::(mkldnn|dequantize).*""",
    "containers, and what is in them": r"""
        aten::(keys|items|copy|popitem|dict|sorted|values|tensor|as_tensor|_list_to_tensor|meshgrid|broadcast_tensors)(\..*)?
        aten::atleast_.*Sequence aten::__?getitem.* aten::(setdefault|pop|get)(\..*)? aten::_fused_.* aten::_foreach_(copy|zero|mm)
        aten::.*(split|chunk|unbind).* aten::_amp_foreach_.*""",
    "elements decide the sizes": r"""
        aten::(nonzero|where|_rowwise_prune|repeat_interleave|masked_select|unique|_unique|bincount|histogram|narrow\.Tensor|_reshape_from_tensor
        |from_file|_pad_packed_sequence|pad_sequence|_pack_padded|linalg_lstsq|linalg_matrix_rank|linalg_pinv\..*_tensor
        |linalg_pinv\.rcond_tensor|combinations|_resize_output|resize|resize_as).*""",
    "the sizes of another tensor's memory, or views of forward-mode differentiation, of which none is left": r"""
        aten::(set|_fw_primal|_unpack_dual|_neg_view|data|slice_inverse)(\..*)?""",
    "other devices, and what a gradient has": r"aten::(cuda|_to_cpu|to\.prim_other|grad|requires_grad_|detach_|_no_grad.*)(\..*)? prim::.*",
    "several forms of arguments, of which each has its own sizes": r"""
        aten::(einsum|gradient|cov|corrcoef|svd|lu_unpack|linalg_lu|linalg_lu_solve|lu_solve|linalg_ldl_solve|_linalg_.*|.*_backward
        |.*_functional|_native_batch_norm.*|_batch_norm.*|var_mean|std_mean|aminmax|_amp_update_scale)(\..*)?""",
}
_PATTERNS = {
    reason: re.compile("|".join(re.sub(r"\s*\n\s*\|", "|", text).split()))
    for reason, text in _REASONS.items()
}


def reason(operator: Operator) -> str | None:
    """Why an operator has no shape rule; None where none is known."""
    fits = (why for why, p in _PATTERNS.items() if p.fullmatch(operator.qualified_name))
    return next(fits, None)
