"""Attention with several heads (PyTorch: torch/nn/functional.py, `multi_head_attention_forward`)."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

import math

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor

scaled_dot_product_attention = function("scaled_dot_product_attention")


def _additive_mask(mask: Tensor, name: str, like: Tensor) -> Tensor:
    """A mask that is added to scores: where a mask of bools is true there is -inf."""
    if mask.dtype == torch.bool:
        return torch.zeros_like(mask, dtype=like.dtype).masked_fill_(mask, float("-inf"))
    if not torch.is_floating_point(mask):
        raise AssertionError(f"only bool and floating types of {name} are supported")
    return mask


def _mha_shape_check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    num_heads: int,
) -> bool:
    """Whether the inputs are batches; AssertionError where their ranks do not go together."""
    rank = query.dim()
    if rank != 2 and rank != 3:
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor"
        )
    if key.dim() != rank or value.dim() != rank:
        kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {rank}-D but found {key.dim()}-D and"
            f" {value.dim()}-D tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != rank - 1:
        kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {rank - 1}-D but found"
            f" {key_padding_mask.dim()}-D tensor instead"
        )
    if attn_mask is not None and attn_mask.dim() != 2 and attn_mask.dim() != 3:
        kind = "batched (3-D)" if rank == 3 else "unbatched (2-D)"
        raise AssertionError(
            f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found"
            f" {attn_mask.dim()}-D tensor instead"
        )
    return rank == 3


def _in_projection(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    w_q: Tensor,
    w_k: Tensor,
    w_v: Tensor,
    biases: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Three linear maps, whose biases stand one behind the other."""
    if biases is None:
        return torch.linear(q, w_q), torch.linear(k, w_k), torch.linear(v, w_v)
    b = biases.chunk(3)
    return torch.linear(q, w_q, b[0]), torch.linear(k, w_k, b[1]), torch.linear(v, w_v, b[2])


def _in_projection_packed(
    q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Three linear maps, whose weights lie one above the other."""
    weights = w.chunk(3)
    return _in_projection(q, k, v, weights[0], weights[1], weights[2], b)


def _heads(x: Tensor, batch: int, num_heads: int, head_dim: int) -> Tensor:
    """(L, N, E) as (N * heads, L, E / heads)."""
    return x.contiguous().view(x.size(0), batch * num_heads, head_dim).transpose(0, 1)


def _one_more(mask: Tensor | None) -> Tensor | None:
    """A mask for one more key, which is seen."""
    if mask is None:
        return None
    return torch.pad(mask, [0, 1])


def _mask_of_heads(mask: Tensor, heads: int, length: int, source: int) -> Tensor:
    """A mask (L, S) or (N * heads, L, S) as one of three dimensions; RuntimeError where it is neither."""
    if mask.dim() == 2:
        if list(mask.size()) != [length, source]:
            raise RuntimeError(
                f"The shape of the 2D attn_mask is {mask.shape}, but should be {(length, source)}."
            )
        return mask.unsqueeze(0)
    if list(mask.size()) != [heads, length, source]:
        raise RuntimeError(
            f"The shape of the 3D attn_mask is {mask.shape}, but should be"
            f" {(heads, length, source)}."
        )
    return mask


def _mask_with_padding(
    mask: Tensor | None, padding: Tensor, batch: int, num_heads: int, source: int
) -> Tensor:
    """A mask of heads, if any, and one of padding (N, S)."""
    if list(padding.size()) != [batch, source]:
        raise AssertionError(
            f"Expected key_padded_mask.shape to be {(batch, source)}, but got {padding.shape}"
        )
    wide = padding.view(batch, 1, 1, source).expand(-1, num_heads, -1, -1)
    wide = wide.reshape(batch * num_heads, 1, source)
    return wide if mask is None else mask + wide


def _attention_with_weights(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    batch: int,
    num_heads: int,
) -> tuple[Tensor, Tensor]:
    """Attention of heads (N * heads, L, E / heads) as (L * N, E), and its weights (N, heads, L, S)."""
    length, head_dim = q.size(1), q.size(2)
    scaled = q * math.sqrt(1.0 / float(head_dim))
    if mask is not None:
        shares = torch.baddbmm(mask, scaled, k.transpose(-2, -1))
    else:
        shares = torch.bmm(scaled, k.transpose(-2, -1))
    shares = shares.softmax(-1)
    if dropout_p > 0.0:
        shares = torch.dropout(shares, dropout_p, True)
    mixed = torch.bmm(shares, v).transpose(0, 1).reshape(length * batch, num_heads * head_dim)
    return mixed, shares.view(batch, num_heads, length, k.size(1))


def _attention_alone(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    mask: Tensor | None,
    dropout_p: float,
    is_causal: bool,
    batch: int,
    num_heads: int,
) -> Tensor:
    """Attention of heads (N * heads, L, E / heads) as (L * N, E)."""
    length, source, head_dim = q.size(1), k.size(1), q.size(2)
    if mask is not None:
        if mask.size(0) == 1:
            mask = mask.unsqueeze(0)
        else:
            mask = mask.view(batch, num_heads, -1, source)
    mixed = torch.scaled_dot_product_attention(
        q.view(batch, num_heads, length, head_dim),
        k.view(batch, num_heads, source, head_dim),
        v.view(batch, num_heads, source, head_dim),
        mask,
        dropout_p,
        is_causal,
    )
    return mixed.permute(2, 0, 1, 3).contiguous().view(length * batch, num_heads * head_dim)


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Attention of queries (L, N, E) to keys and values (S, N, E), and the weights if they are wanted.

    Raises:
        AssertionError: ranks or sizes that do not go together.
        RuntimeError: a mask of another shape; `is_causal` without a mask.
    """
    is_batched = _mha_shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not is_batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, width = query.size(0), query.size(1), query.size(2)
    source = key.size(0)

    if key_padding_mask is not None:
        key_padding_mask = _additive_mask(key_padding_mask, "key_padding_mask", query)
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method"
            " `generate_square_subsequent_mask` to create this mask."
        )
    by_hint = is_causal and key_padding_mask is None and not need_weights
    if by_hint:
        attn_mask = None
    elif attn_mask is not None:
        attn_mask = _additive_mask(attn_mask, "attn_mask", query)

    if width != embed_dim_to_check:
        raise AssertionError(
            f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}"
        )
    head_dim = width // num_heads
    if head_dim * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")

    if not use_separate_proj_weight:
        if key.size() != value.size():
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        assert in_proj_weight is not None, (
            "use_separate_proj_weight is False but in_proj_weight is None"
        )
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias)
    else:
        if key.size()[:2] != value.size()[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
        assert q_proj_weight is not None, (
            "use_separate_proj_weight is True but q_proj_weight is None"
        )
        assert k_proj_weight is not None, (
            "use_separate_proj_weight is True but k_proj_weight is None"
        )
        assert v_proj_weight is not None, (
            "use_separate_proj_weight is True but v_proj_weight is None"
        )
        q, k, v = _in_projection(
            query, key, value, q_proj_weight, k_proj_weight, v_proj_weight, in_proj_bias
        )

    if attn_mask is not None:
        attn_mask = _mask_of_heads(attn_mask, batch * num_heads, length, source)

    if bias_k is not None and bias_v is not None:
        assert static_k is None, "bias cannot be added to static key."
        assert static_v is None, "bias cannot be added to static value."
        k = torch.cat([k, bias_k.repeat(1, batch, 1)])
        v = torch.cat([v, bias_v.repeat(1, batch, 1)])
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    else:
        assert bias_k is None and bias_v is None, "bias_k and bias_v are given both or not at all"

    q = _heads(q, batch, num_heads, head_dim)
    k = _heads(k, batch, num_heads, head_dim) if static_k is None else static_k
    v = _heads(v, batch, num_heads, head_dim) if static_v is None else static_v
    if add_zero_attn:
        zeros = torch.zeros([batch * num_heads, 1, head_dim], dtype=k.dtype, device=k.device)
        k, v = torch.cat([k, zeros], 1), torch.cat([v, zeros], 1)
        attn_mask, key_padding_mask = _one_more(attn_mask), _one_more(key_padding_mask)
    if key_padding_mask is not None:
        attn_mask = _mask_with_padding(attn_mask, key_padding_mask, batch, num_heads, k.size(1))
    if not training:
        dropout_p = 0.0

    weights: Tensor | None = None
    if need_weights:
        mixed, shares = _attention_with_weights(q, k, v, attn_mask, dropout_p, batch, num_heads)
        if average_attn_weights:
            shares = shares.mean(dim=1)
        weights = shares if is_batched else shares.squeeze(0)
    else:
        mixed = _attention_alone(q, k, v, attn_mask, dropout_p, by_hint, batch, num_heads)
    result = torch.linear(mixed, out_proj_weight, out_proj_bias)
    result = result.view(length, batch, result.size(1))
    if not is_batched:
        result = result.squeeze(1)
    return result, weights
