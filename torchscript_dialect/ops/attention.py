"""Scaled dot product attention: softmax(q k^T * scale + mask) v, as a decomposition (PyTorch: native/transformers/attention.cpp).

16-bit floats compute in float32 and round once. Rows that a mask hides as a whole give zeros.
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

_SCORES = """
    if is_causal and attn_mask is not None:
        raise RuntimeError(
            "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    q, k, v = query, key, value
    if query.dtype == torch.float16 or query.dtype == torch.bfloat16:
        q, k, v = q.to(torch.float32), k.to(torch.float32), v.to(torch.float32)
    if enable_gqa:
        if query.size(-3) % key.size(-3) != 0 or query.size(-3) % value.size(-3) != 0:
            raise RuntimeError(
                "Number of heads in key and value must divide the number of heads in query")
        k = k.repeat_interleave(query.size(-3) // key.size(-3), -3)
        v = v.repeat_interleave(query.size(-3) // value.size(-3), -3)
    factor = 1.0 / math.sqrt(float(max(query.size(-1), 1)))
    if scale is not None:
        factor = scale
    scores = torch.matmul(q * factor, k.transpose(-2, -1))
    if is_causal:
        seen = torch.ones([query.size(-2), key.size(-2)], dtype=torch.bool).tril()
        scores = scores.masked_fill(torch.logical_not(seen), -float("inf"))
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            scores = scores.masked_fill(torch.logical_not(attn_mask), -float("inf"))
        elif attn_mask.dtype == query.dtype or attn_mask.dtype == torch.float32:
            scores = scores + attn_mask
        else:
            raise RuntimeError(
                "Expected attn_mask dtype to be bool or float or to match query dtype")
    if attn_mask is not None:
        weights = torch._safe_softmax(scores, -1)
    else:
        weights = torch.softmax(scores, -1)
    if dropout_p > 0.0:
        weights = torch.dropout(weights, dropout_p, True)
"""

composite(
    "aten::scaled_dot_product_attention",
    """
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor], dropout_p: float,
    is_causal: bool, scale: Optional[float], enable_gqa: bool
) -> Tensor:
    if query.dim() < 2 or key.dim() < 2 or value.dim() < 2:
        raise RuntimeError(
            "scaled_dot_product_attention: Expected query, key, and value to all be  at least 2 "
            "dimensional, but got query.dim: " + str(query.dim()) + ", key.dim: " + str(key.dim())
            + " and value.dim: " + str(value.dim()) + " instead.")
    if query.dtype != key.dtype or query.dtype != value.dtype:
        raise RuntimeError(
            "Expected query, key, and value to have the same dtype")
    if not query.is_floating_point():
        raise NotImplementedError(
            "scaled_dot_product_attention is not implemented for dtypes that are not floating point")
"""
    + _SCORES
    + """
    return torch.matmul(weights, v).to(query.dtype)
""",
)
composite(
    "aten::_scaled_dot_product_attention_math",
    """
def _scaled_dot_product_attention_math(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor], dropout_p: float,
    is_causal: bool, dropout_mask: Optional[Tensor], scale: Optional[float], enable_gqa: bool
) -> Tuple[Tensor, Tensor]:
    if dropout_mask is not None:
        raise NotImplementedError(
            "_scaled_dot_product_attention_math: dropout_mask is not supported")
    if attn_mask is not None:
        attn_mask = attn_mask.to(query.dtype)
"""
    + _SCORES
    + """
    return torch.matmul(weights, v).to(query.dtype), weights.to(query.dtype)
""",
)
composite(
    "aten::_scaled_dot_product_flash_attention_for_cpu",
    """
def _scaled_dot_product_flash_attention_for_cpu(
    query: Tensor, key: Tensor, value: Tensor, dropout_p: float, is_causal: bool,
    attn_mask: Optional[Tensor], scale: Optional[float]
) -> Tuple[Tensor, Tensor]:
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise RuntimeError("scaled_dot_product_attention_flash_attention: Accept only 4 dims inputs")
    if dropout_p != 0.0:
        raise RuntimeError(
            "scaled_dot_product_attention_flash_attention: Currently do not support dropout > 0")
    enable_gqa = False
"""
    + _SCORES
    + """
    totals = torch.logsumexp(scores, [-1]).transpose(1, 2).contiguous().transpose(1, 2)
    return torch.matmul(weights, v).to(query.dtype), totals.detach()
""",
)
composite(
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward",
    """
def _scaled_dot_product_flash_attention_for_cpu_backward(
    grad_out: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, logsumexp: Tensor,
    dropout_p: float, is_causal: bool, attn_mask: Optional[Tensor], scale: Optional[float]
) -> Tuple[Tensor, Tensor, Tensor]:
    enable_gqa = False
"""
    + _SCORES
    + """
    grad = grad_out.to(q.dtype)
    of_weights = torch.matmul(grad, v.transpose(-2, -1))
    along = (grad * out.to(q.dtype)).sum([-1], True)
    of_scores = weights * (of_weights - along) * factor
    of_query = torch.matmul(of_scores, k).to(query.dtype)
    of_key = torch.matmul(of_scores.transpose(-2, -1), q).to(key.dtype)
    of_value = torch.matmul(weights.transpose(-2, -1), grad).to(value.dtype)
    of_query = of_query.transpose(1, 2).contiguous().transpose(1, 2)
    of_key = of_key.transpose(1, 2).contiguous().transpose(1, 2)
    return of_query, of_key, of_value.transpose(1, 2).contiguous().transpose(1, 2)
""",
)
