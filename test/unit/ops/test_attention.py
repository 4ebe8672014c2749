"""Attention block by block: the same as in one block and as its decomposition, without memory for all scores."""

import tracemalloc

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.attention import attention_blocks
from torchscript_dialect.ops.attention.attention_blocks import Attention
from torchscript_dialect.torch.nn import functional

SHAPE = (2, 3, 7, 4)
"""Images, heads, queries, features."""


def _operands(keys: int = 5) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    n, heads, length, width = SHAPE
    return [rng.normal(size=(n, heads, size, width)) for size in (length, keys, keys)]


def _mask(kind: str, keys: int) -> np.ndarray | None:
    if kind == "none" or kind == "causal":
        return None
    seen = np.random.default_rng(4).random((*SHAPE[:3], keys)) < 0.6
    seen[0, 1, 2] = False
    seen[1, 0, 0, 0] = False
    return seen if kind == "bool" else np.where(seen, 0.5, -np.inf)


def _results(kind: str, keys: int) -> list[np.ndarray]:
    query, key, value = _operands(keys)
    one = Attention(query, key, value, np.float64(0.7), kind == "causal", _mask(kind, keys))
    out, sums = np.empty(SHAPE), np.empty(SHAPE[:3])
    one.fill(out, sums)
    grad = np.random.default_rng(5).normal(size=SHAPE)
    return [out, sums, *one.gradients(grad, out)]


@pytest.mark.parametrize("keys", [1, 5, 11])
@pytest.mark.parametrize("kind", ["none", "causal", "bool", "numbers"])
def test_blocks_of_any_size_give_the_same(
    kind: str, keys: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = _results(kind, keys)
    for size in (1, 2 * keys, 7 * keys, 14 * keys, 25 * keys):
        monkeypatch.setattr(attention_blocks, "_BLOCK", size)
        attention_blocks._blocks.cache_clear()
        for mine, other in zip(_results(kind, keys), whole, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-13)
    attention_blocks._blocks.cache_clear()


@pytest.mark.parametrize("kind", ["none", "causal", "bool", "numbers"])
def test_logarithms_of_sums(kind: str) -> None:
    query, key, _ = _operands()
    scores = 0.7 * query @ key.swapaxes(2, 3)
    if kind == "causal":
        scores = np.where(np.tri(7, 5, dtype=bool), scores, -np.inf)
    elif (mask := _mask(kind, 5)) is not None:
        scores = np.where(mask, scores, -np.inf) if kind == "bool" else scores + mask
    with np.errstate(divide="ignore"):
        expected = np.log(np.exp(scores).sum(3))
    np.testing.assert_allclose(_results(kind, 5)[1], expected, rtol=1e-12)


def test_weights_that_vanish_at_the_first_key() -> None:
    query, key, value = (np.ones((1, 1, 2, 1), np.float32) for _ in range(3))
    key[0, 0, 0] = -1000
    one = Attention(query, key, value, np.float32(1), False, None)
    sums = np.empty((1, 1, 2), np.float32)
    one.fill(np.empty((1, 1, 2, 1), np.float32), sums)
    assert (sums == 1).all()


def test_no_memory_for_all_scores() -> None:
    query = torch.randn(1, 2048, 2, 8).transpose(1, 2)
    attend = functional.scaled_dot_product_attention
    attend(query, query, query)
    tracemalloc.start()
    attend(query, query, query)
    attend(query, query, query, is_causal=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * 2048 * 2048 * 4 / 2


def test_heads_lie_as_those_of_the_queries() -> None:
    query = torch.randn(2, 5, 3, 4).transpose(1, 2)
    other = torch.randn(2, 3, 5, 4)
    attend = functional.scaled_dot_product_attention
    assert attend(query, other, other).stride() == query.stride()
    assert attend(query, other, other, attn_mask=torch.ones(5, 5)).stride() == query.stride()
    rows = other.stride()
    assert attend(other, query, query).stride() == rows
    assert attend(query, other, other, attn_mask=torch.ones(3, 5, 5)).stride() == rows
    assert attend(query, other, other, dropout_p=0.5).stride() == rows
