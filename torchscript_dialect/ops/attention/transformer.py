"""The fast paths of multi-head attention and of a transformer's encoder layer, as decompositions (PyTorch:
native/transformers/attention.cpp, transformer.cpp).

A mask is True where attention is not allowed; its type says what it is of: 0 of target and source, 1 of sample and source, 2 of all.
"""

from __future__ import annotations

from torchscript_dialect.ops.composite import composite

composite(
    "aten::_masked_softmax",
    """
def _masked_softmax(
    self: Tensor, mask: Tensor, dim: Optional[int], mask_type: Optional[int]
) -> Tensor:
    if mask.dtype != torch.bool:
        raise RuntimeError("Mask should be a boolean tensor")
    kind = 2
    if mask_type is not None:
        kind = mask_type
    if kind < 0 or kind > 2:
        raise RuntimeError(
            "Mask Type should be 0 (src_mask), 1 (src_key_padding_mask), or 2 (default_mask)")
    hidden = mask
    if kind == 0 and mask.dim() == 2:
        hidden = mask.reshape([1, 1, mask.size(0), mask.size(1)])
    if kind == 1 and mask.dim() == 2:
        hidden = mask.reshape([mask.size(0), 1, 1, mask.size(1)])
    along = self.dim() - 1
    if dim is not None:
        along = dim
    hidden = hidden.expand(self.size())
    return torch.softmax(self.masked_fill(hidden, -float("inf")), along)
""",
)
composite(
    "aten::_safe_softmax",
    """
def _safe_softmax(self: Tensor, dim: int, dtype: Optional[int]) -> Tensor:
    if self.dim() == 0:
        return torch.softmax(self, dim, dtype=dtype)
    hidden = (self == -float("inf")).all(dim, True)
    return torch.softmax(self.masked_fill(hidden, 0.0), dim, dtype=dtype).masked_fill(hidden, 0.0)
""",
)
composite(
    "aten::_transform_bias_rescale_qkv",
    """
def _transform_bias_rescale_qkv(
    qkv: Tensor, qkv_bias: Tensor, num_heads: int
) -> Tuple[Tensor, Tensor, Tensor]:
    batch, steps, width = qkv.size(0), qkv.size(1), qkv.size(2) // 3
    if width % num_heads != 0:
        raise RuntimeError("The number of heads has to divide the size of the embedding")
    of_head = width // num_heads
    parts = (qkv + qkv_bias).reshape([batch, steps, 3, num_heads, of_head])
    q, k, v = torch.unbind(parts.permute([2, 0, 3, 1, 4]).contiguous(), 0)
    return q / math.sqrt(float(of_head)), k, v
""",
)
composite(
    "aten::_native_multi_head_attention",
    """
def _native_multi_head_attention(
    query: Tensor, key: Tensor, value: Tensor, embed_dim: int, num_head: int, qkv_weight: Tensor,
    qkv_bias: Tensor, proj_weight: Tensor, proj_bias: Tensor, mask: Optional[Tensor],
    need_weights: bool, average_attn_weights: bool, mask_type: Optional[int]
) -> Tuple[Tensor, Tensor]:
    if query.dim() != 3:
        raise RuntimeError("expected 3-D `query`, got " + str(query.dim()) + "-D tensor")
    if query.size(2) != embed_dim:
        raise RuntimeError(
            "passed-in embed_dim " + str(embed_dim) + " didn't match last dim of query "
            + str(query.size(2)))
    if key.dim() != 3 or value.dim() != 3:
        raise RuntimeError("expected 3-D `key` and `value`")
    if embed_dim % num_head != 0:
        raise RuntimeError("`embed_dim` must divide evenly by `num_heads`")
    w_q, w_k, w_v = torch.chunk(qkv_weight, 3, 0)
    projected = torch.cat(
        [torch.linear(query, w_q), torch.linear(key, w_k), torch.linear(value, w_v)], 2)
    q, k, v = torch._transform_bias_rescale_qkv(projected, qkv_bias, num_head)
    scores = torch.matmul(q, k.transpose(-2, -1))
    if mask is None:
        weights = torch.softmax(scores, 3)
    else:
        weights = torch._masked_softmax(scores, mask.to(torch.bool), 3, mask_type)
    heads = torch.matmul(weights, v).transpose(1, 2)
    result = torch.linear(
        heads.reshape([query.size(0), query.size(1), embed_dim]), proj_weight, proj_bias)
    if need_weights and average_attn_weights:
        weights = weights.sum(1) / num_head
    if not need_weights:
        weights = weights.new_zeros([0])
    return result, weights
""",
)
composite(
    "aten::_transformer_encoder_layer_fwd",
    """
def _transformer_encoder_layer_fwd(
    src: Tensor, embed_dim: int, num_heads: int, qkv_weight: Tensor, qkv_bias: Tensor,
    proj_weight: Tensor, proj_bias: Tensor, use_gelu: bool, norm_first: bool, eps: float,
    norm_weight_1: Tensor, norm_bias_1: Tensor, norm_weight_2: Tensor, norm_bias_2: Tensor,
    ffn_weight_1: Tensor, ffn_bias_1: Tensor, ffn_weight_2: Tensor, ffn_bias_2: Tensor,
    mask: Optional[Tensor], mask_type: Optional[int]
) -> Tensor:
    x = src
    if norm_first:
        x = torch.layer_norm(x, [embed_dim], norm_weight_1, norm_bias_1, eps)
    x, _ = torch._native_multi_head_attention(
        x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, False,
        True, mask_type)
    x = x + src
    if not norm_first:
        x = torch.layer_norm(x, [embed_dim], norm_weight_1, norm_bias_1, eps)
    y = x
    if norm_first:
        y = torch.layer_norm(y, [embed_dim], norm_weight_2, norm_bias_2, eps)
    y = torch.linear(y, ffn_weight_1, ffn_bias_1)
    if use_gelu:
        y = torch.gelu(y)
    else:
        y = torch.relu(y)
    x = x + torch.linear(y, ffn_weight_2, ffn_bias_2)
    if not norm_first:
        x = torch.layer_norm(x, [embed_dim], norm_weight_2, norm_bias_2, eps)
    return x
""",
)
