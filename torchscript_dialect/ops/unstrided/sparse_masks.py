"""What sparse tensors keep at the places of others (PyTorch: native/sparse/SparseTensor.cpp)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from torchscript_dialect.ops.unstrided.sparse_conversion import compress, coo_of_compressed
from torchscript_dialect.ops.unstrided.sparse_coo import coalesced, strided_of
from torchscript_dialect.ops.unstrided.sparse_making import (
    flat_places,
)
from torchscript_dialect.ops.unstrided.sparse_parts import block_of, require_coo
from torchscript_dialect.ops.unstrided.unstrided import FOR_SPARSE
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    coo,
)


@dataclass(frozen=True, slots=True)
class Matches:
    """Which elements of two coalesced tensors stand at the same places."""

    of_first: Any
    of_second: Any


def matches(x: SparseTensor, y: SparseTensor) -> Matches:
    """The numbers of the elements that both tensors keep, in order."""
    mine, theirs = flat_places(x.places, x.sizes), flat_places(y.places, x.sizes)
    _, first, second = np.intersect1d(mine, theirs, assume_unique=True, return_indices=True)
    return Matches(first, second)


@FOR_SPARSE("sparse_mask")
def sparse_mask(x: Any, mask: Tensor) -> Tensor:
    """The elements at the places that a mask keeps."""
    if not isinstance(mask, UnstridedTensor):
        raise RuntimeError("sparse_mask(): expected mask to be sparse, but got Strided")
    if tuple(x.shape) != tuple(mask.shape):
        raise RuntimeError(
            "sparse_mask(): operands have incompatible sizes; self has size "
            f"{list(x.shape)} but mask has size {list(mask.shape)}"
        )
    if isinstance(mask, CompressedTensor):
        if isinstance(x, CompressedTensor) and x.kind is not mask.kind:
            raise RuntimeError("sparse_mask(): expected self and mask to have the same layout")
        grid = coo_of_compressed(mask)
        taken = strided_of(x)[tuple(grid.places)]
        made = (
            compress(coo(grid.places, taken, mask.sizes, True), mask.kind, block_of(mask))
            if not mask.batch
            else None
        )
        if made is None:
            raise RuntimeError("sparse_mask(): batches of compressed tensors are not supported")
        return made
    assert isinstance(mask, SparseTensor)
    places = mask.places.copy()
    if isinstance(x, SparseTensor):
        whole = coalesced(x)
        elements = np.zeros((places.shape[1], *x.sizes[len(places) :]), x.elements.dtype)
        keys, own = flat_places(places, x.sizes), flat_places(whole.places, x.sizes)
        spots = np.searchsorted(own, keys)
        spots_in = np.minimum(spots, max(len(own) - 1, 0))
        hit = own[spots_in] == keys if len(own) else np.zeros(len(keys), np.bool_)
        elements[hit] = whole.elements[spots_in[hit]]
    else:
        elements = strided_of(x)[tuple(places)]
    return coo(places, np.ascontiguousarray(elements), mask.sizes, mask.is_unique)


@FOR_SPARSE("_sparse_mask_projection")
def sparse_mask_projection(x: Tensor, mask: Tensor, _accumulate: bool) -> Tensor:
    """The tensor, 0 at those of its places that a mask does not keep."""
    x, mask = (
        require_coo(x, "_sparse_mask_projection"),
        require_coo(mask, "_sparse_mask_projection"),
    )
    keys = flat_places(x.places, x.sizes), flat_places(mask.places, x.sizes)
    elements = x.elements.copy()
    elements[~np.isin(*keys)] = 0
    return coo(x.places.copy(), elements, x.sizes, x.is_unique)
