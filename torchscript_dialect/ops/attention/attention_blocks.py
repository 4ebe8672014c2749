"""Attention and its gradients block by block, so that the scores of a block stay in the cache (PyTorch: FlashAttentionKernel.cpp).

A block is as many queries of one head, heads of one image, or images, as have about `_BLOCK` scores: enough for the compiled softmax of
large tensors (Note [Large tensors] in large.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.often import OFTEN_IN_PROGRAMS, compiled_form, counted_kernel
from torchscript_dialect.ops.large import LARGE
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
Index = tuple[Any, ...]
"""Slices of an array."""
_BLOCK = 2 * LARGE


class _Softmax:
    """The operator: by a compiled kernel for large blocks, and for small ones once they are many (Note [Operators that are called
    often] in often.py).
    """

    def __init__(self) -> None:
        self.run: Kernel = self.begin

    def begin(self, scores: Tensor, *dim_and_dtype: Any) -> Any:
        """The first call."""
        operator = registry.find("aten::softmax.int")
        assert operator is not None and operator.kernel is not None
        form = compiled_form(operator)
        assert form is not None
        self.run = counted_kernel(form, operator.kernel, 2, self.use, OFTEN_IN_PROGRAMS)
        return self.run(scores, *dim_and_dtype)

    def use(self, run: Kernel, takes_defaults: bool) -> None:
        def without_defaults(scores: Tensor, *_: Any) -> Any:
            return run(scores)

        self.run = run if takes_defaults else without_defaults


_SOFTMAX = _Softmax()


class Block(NamedTuple):
    """A part of the scores (N, heads, L, S)."""

    first: int
    """The first of its queries."""
    queries: Index
    keys: Index
    scores: Index


class Attention(NamedTuple):
    """Operands of four dimensions: queries (N, heads, L, E), keys (N, heads, S, E) and values (N, heads, S, width)."""

    query: Array
    key: Array
    value: Array
    factor: Any
    """What scores are multiplied by, of the dtype of the queries."""
    is_causal: bool
    mask: Array | None
    """(N, heads, L, S): bools that say what is seen, or numbers that are added."""

    def blocks(self) -> Sequence[Block]:
        """All parts of the scores, but for keys that come after all queries of a block where these do not see them."""
        length, keys = self.query.shape[2], self.key.shape[2]
        images, heads = self.query.shape[:2]
        return _blocks(images, heads, length, keys, self.is_causal)

    def scaled(self, block: Block) -> Array:
        return self.query[block.queries] * self.factor

    def scores(self, block: Block) -> Array:
        scores = np.matmul(self.scaled(block), self.key[block.keys].swapaxes(2, 3))
        if self.is_causal:
            queries, keys = scores.shape[2:]
            hidden = ~np.tri(queries, keys, block.first, dtype=np.bool_)
            np.copyto(scores, -np.inf, where=hidden)
        if self.mask is not None:
            mask = self.mask[block.scores]
            if mask.dtype.kind == "b":
                np.copyto(scores, -np.inf, where=~mask)
            else:
                scores += mask
        return scores

    def weights(self, scores: Array) -> Array:
        """The softmax of the scores of a block. Rows that a mask hides as a whole are zeros."""
        weights: Array = _SOFTMAX.run(tensor_of(scores), 3, None).array
        if self.mask is not None:
            undefined = np.isnan(weights[..., 0])
            if undefined.any():
                weights[undefined & (scores.max(3) == -np.inf)] = 0
        return weights

    @ignores_float_errors
    def fill(self, out: Array, sums: Array | None = None) -> None:
        """Fill `out` (N, heads, L, width), and `sums` (N, heads, L) with the logarithms of the sums of exp(scores)."""
        for block in self.blocks():
            scores = self.scores(block)
            weights = self.weights(scores)
            out[block.queries] = np.matmul(weights, self.value[block.keys])
            if sums is not None:
                sums[block.queries] = _logarithms_of_sums(scores, weights)

    @ignores_float_errors
    def gradients(self, grad: Array, out: Array) -> tuple[Array, Array, Array]:
        """Those of queries, keys and values, of which each position has its heads side by side in memory; `out` is what was filled."""
        of_query, of_key, of_value = (
            np.zeros((n, length, heads, width), one.dtype).swapaxes(1, 2)
            for one in (self.query, self.key, self.value)
            for n, heads, length, width in (one.shape,)
        )
        for block in self.blocks():
            weights = self.weights(self.scores(block))
            given = np.ascontiguousarray(grad[block.queries])
            of_value[block.keys] += np.matmul(weights.swapaxes(2, 3), given)
            of_scores = np.matmul(given, self.value[block.keys].swapaxes(2, 3))
            of_scores -= (given * out[block.queries]).sum(3, keepdims=True)
            of_scores *= weights
            result = np.matmul(of_scores, self.key[block.keys])
            result *= self.factor
            of_query[block.queries] = result
            of_key[block.keys] += np.matmul(of_scores.swapaxes(2, 3), self.scaled(block))
        return of_query, of_key, of_value


def _logarithms_of_sums(scores: Array, weights: Array) -> Array:
    """log(sum(exp(scores))): the score less the logarithm of the weight, of the first key, or of the one with the largest weight where
    the first has next to none.
    """
    score, weight = scores[..., 0], weights[..., 0]
    is_little = ~(weight > 1e-30)
    if is_little.any():
        score, weight = score.copy(), weight.copy()
        score[is_little] = scores[is_little].max(1)
        weight[is_little] = weights[is_little].max(1)
        weight[weight == 0] = 1  # of a row that is hidden
    return score - np.log(weight)


@lru_cache(maxsize=256)
def _blocks(images: int, heads: int, length: int, keys: int, is_causal: bool) -> tuple[Block, ...]:
    q_step = _step(length, keys)
    h_step = _step(heads, keys * length) if q_step == length else 1
    n_step = _step(images, keys * length * heads) if h_step == heads else 1
    found: list[Block] = []
    for n in range(0, images, n_step):
        for h in range(0, heads, h_step):
            for q in range(0, length, q_step):
                seen = slice(0, min(keys, q + q_step) if is_causal else keys)
                place, rows = (slice(n, n + n_step), slice(h, h + h_step)), slice(q, q + q_step)
                found.append(Block(q, (*place, rows), (*place, seen), (*place, rows, seen)))
    return tuple(found)


def _step(count: int, size: int) -> int:
    """How many of `count` parts with so many scores are in a block; 1 at least. Blocks are about equally large."""
    return max(1, ceil(count / max(1, ceil(count * size / _BLOCK))))
