"""Indexing where a mask says, with places anywhere (PyTorch: native/TensorAdvancedIndexing.cpp)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.indexing import index, index_put_
from torchscript_dialect.ops.indexing.masks import masked_fill
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, preserved
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Indices = Sequence[Tensor | None]


def _clamped(x: Tensor, indices: Indices) -> list[Tensor | None]:
    """The places, those beyond the ends moved to the ends."""
    return [
        None if places is None else tensor_of(np.clip(places.array, -size, size - 1))
        for places, size in zip(indices, x.array.shape)
    ]


def _unmasked(mask: Tensor) -> Tensor:
    return tensor_of(mask.array == 0)


def _like_first(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), None, facts[0])


def _copy_of_first(facts: Sequence[Fact]) -> Fact:
    return preserved(dtype_of(facts[0]), facts[0])


@registry.kernel("_unsafe_masked_index", shape=_like_first)
def masked_index(x: Tensor, mask: Tensor, indices: Indices, fill: complex) -> Tensor:
    """The elements at the places, and `fill` where the mask is false.

    Raises:
        RuntimeError: there are no elements.
    """
    if not x.array.size:
        raise RuntimeError("aten::_unsafe_masked_index of no elements is not supported")
    return masked_fill(index(x, _clamped(x, indices)), _unmasked(mask), fill)


@registry.kernel("_unsafe_masked_index_put_accumulate", shape=_copy_of_first)
def masked_index_put_accumulate(
    x: Tensor, mask: Tensor, indices: Indices, values: Tensor
) -> Tensor:
    """A copy, with values added at the places where the mask is true."""
    copy = empty_like(x.array)
    copy[...] = x.array
    if not copy.size:
        return tensor_of(copy)
    return index_put_(
        tensor_of(copy), _clamped(x, indices), masked_fill(values, _unmasked(mask), 0), True
    )
