"""Scaled dot product attention: softmax(q k^T * scale + mask) v (PyTorch: native/transformers/attention.cpp, sdp_utils_cpp.cpp).

Usual operands go block by block (`attention_blocks.py`); a decomposition does the rest: dropout, heads that broadcast, other compilers.
16-bit floats compute in float32 and round once. Rows that a mask hides as a whole give zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.attention.attention_backends import SDPBackend, chosen
from torchscript_dialect.ops.attention.attention_blocks import Attention
from torchscript_dialect.ops.composite import composite, decomposed
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import element_strides, empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
_FLOATS = (dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16)


def _is_usual(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    dropout: float,
    is_causal: bool,
    _scale: float | None,
    repeats_heads: bool,
) -> bool:
    """Whether attention goes block by block, as dtypes and sizes tell; a decomposition does the rest, or refuses it."""
    of, rank = query.dtype, query.array.ndim
    if of not in _FLOATS or key.dtype is not of or value.dtype is not of or dropout != 0:
        return False
    if not 2 <= rank <= 4 or key.array.ndim != rank or value.array.ndim != rank:
        return False
    q, k, v = (_four_sizes(one.array.shape) for one in (query, key, value))
    if q[0] != k[0] or k[:3] != v[:3] or q[3] != k[3] or not k[2]:
        return False
    if q[1] != k[1] and not (repeats_heads and k[1] and q[1] % k[1] == 0):
        return False
    if mask is None:
        return True
    sizes = zip(mask.array.shape[::-1], (k[2], *q[2::-1]))
    fits = mask.array.ndim <= rank and all(one in (1, other) for one, other in sizes)
    return not is_causal and fits and mask.dtype in (dtypes.bool_, dtypes.float32, of)


def _four_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    return (1,) * (4 - len(sizes)) + tuple(sizes)


def _four(array: Array) -> Array:
    return array[(None,) * (4 - array.ndim)]


def _in_blocks(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    is_causal: bool,
    scale: float | None,
) -> Attention:
    """Usual operands with as many heads each, of four dimensions, in the dtype to compute in."""
    compute = opmath(query.dtype).numpy_dtype
    q, k, v = (_four(one.array.astype(compute, copy=False)) for one in (query, key, value))
    if q.shape[1] != k.shape[1]:
        k, v = (one.repeat(q.shape[1] // one.shape[1], 1) for one in (k, v))
    added = None
    if mask is not None:
        numbers = mask.array.astype(compute) if mask.dtype is dtypes.bfloat16 else mask.array
        added = np.broadcast_to(numbers, (*q.shape[:3], k.shape[2]))
    factor = 1 / sqrt(max(q.shape[3], 1)) if scale is None else scale
    return Attention(q, k, v, compute.type(factor), is_causal, added)


def _is_fused(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> bool:
    """Whether PyTorch's fused kernel, which lays its result out like the queries, takes what goes block by block.

    Raises:
        RuntimeError: it does not, and nothing else is enabled.
    """
    q, k, v = query.array, key.array, value.array
    fits_kernel = (
        q.ndim == 4
        and q.shape[3] == v.shape[3]
        and q.shape[2] > 0
        and all(element_strides(one)[3] == 1 for one in (q, k, v))
        and (mask is None or mask.array.ndim in (2, 4))
    )
    return chosen(fits_kernel=fits_kernel) is SDPBackend.FLASH_ATTENTION


def _result(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Array:
    """An array for the result."""
    if _is_fused(query, key, value, mask):
        return empty_like(query.array)
    return np.empty((*query.array.shape[:-1], value.array.shape[-1]), query.array.dtype)


@lru_cache(maxsize=4)
def _decomposed(name: str) -> Kernel:
    operator = registry.find(f"aten::{name}")
    assert operator is not None
    return decomposed(operator)


def _attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, *settings: Any
) -> Tensor:
    if not _is_usual(query, key, value, mask, *settings):
        chosen(fits_kernel=False)
        return _decomposed("scaled_dot_product_attention")(query, key, value, mask, *settings)
    _, is_causal, scale, _ = settings
    out = _result(query, key, value, mask)
    _in_blocks(query, key, value, mask, is_causal, scale).fill(_four(out))
    return tensor_of(out)


def _shape(facts: Sequence[Fact]) -> Fact:
    """In rows, unless queries of four dimensions are not, whose layout the result may have."""
    query, _, value, *_ = facts
    sizes, last = rank_known(query), rank_known(value)
    if sizes is None:
        return fresh(dtype_of(query), None, query)
    shape = (*sizes[:-1], None if last is None else last[-1])
    result = fresh(dtype_of(query), shape, query)
    return result if len(sizes) != 4 else replace(result, strides=None)


@registry.kernel("_fused_sdp_choice")
def fused_choice(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, *settings: Any
) -> int:
    """1 where attention is one kernel in PyTorch, 0 where it is made of operators (`SDPBackend`)."""
    if not _is_usual(query, key, value, mask, *settings):
        return int(chosen(fits_kernel=False))
    return int(_is_fused(query, key, value, mask))


def _flash_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    dropout: float,
    is_causal: bool,
    mask: Tensor | None,
    scale: float | None,
) -> tuple[Tensor, Tensor]:
    is_usual = _is_usual(query, key, value, mask, dropout, is_causal, scale, False)
    if not is_usual or query.array.ndim != 4:
        by_parts = _decomposed("_scaled_dot_product_flash_attention_for_cpu")
        return by_parts(query, key, value, dropout, is_causal, mask, scale)
    given = _in_blocks(query, key, value, mask, is_causal, scale)
    out = _result(query, key, value, mask)
    n, heads, length, _ = out.shape
    sums = np.empty((n, length, heads), given.query.dtype).swapaxes(1, 2)
    given.fill(out, sums)
    return tensor_of(out), tensor_of(sums)


def _flash_gradients(
    grad: Tensor,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    out: Tensor,
    sums: Tensor,
    dropout: float,
    is_causal: bool,
    mask: Tensor | None,
    scale: float | None,
) -> tuple[Tensor, Tensor, Tensor]:
    is_usual = _is_usual(query, key, value, mask, dropout, is_causal, scale, False)
    if not is_usual or query.array.ndim != 4:
        by_parts = _decomposed("_scaled_dot_product_flash_attention_for_cpu_backward")
        return by_parts(grad, query, key, value, out, sums, dropout, is_causal, mask, scale)
    given = _in_blocks(query, key, value, mask, is_causal, scale)
    compute = given.query.dtype
    found = given.gradients(*(one.array.astype(compute, copy=False) for one in (grad, out)))
    element = query.array.dtype
    of_query, of_key, of_value = (tensor_of(one.astype(element, copy=False)) for one in found)
    return of_query, of_key, of_value


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
        seen = torch.ones([query.size(-2), key.size(-2)], dtype=torch.bool, device=query.device).tril()
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

_FUSED = """
    mask_is_fixed = True
    if attn_mask is not None:
        mask_is_fixed = not attn_mask.requires_grad
    if mask_is_fixed and torch._fused_sdp_choice(
        query, key, value, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    ) == 1:
        keys, values = key, value
        if enable_gqa:
            keys = key.repeat_interleave(query.size(1) // key.size(1), 1)
            values = value.repeat_interleave(query.size(1) // value.size(1), 1)
        return torch._scaled_dot_product_flash_attention_for_cpu(
            query, keys, values, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
        )[0]
"""


def _text(name: str, first: str = "") -> str:
    """The function of this name that attention is, with the lines that come before it is made of operators."""
    return f"""\
def {name}(
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
{first}{_SCORES}
    return torch.matmul(weights, v).to(query.dtype)
"""


composite(
    "aten::scaled_dot_product_attention",
    _text("scaled_dot_product_attention"),
    kernel=_attention,
    shape=_shape,
    grad=_text("parts", _FUSED),
    training="dropout_p",
    kernel_if_off=True,
    effects=Effect.RANDOM,
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
    kernel=_flash_attention,
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
    of_value = of_value.transpose(1, 2).contiguous().transpose(1, 2)
    return (
        of_query.sum_to_size(query.size()), of_key.sum_to_size(key.size()),
        of_value.sum_to_size(value.size())
    )
""",
    kernel=_flash_gradients,
)
