"""What kernels of sparse tensors share: tensors put in order, and dense ones made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.ops.unstrided.sparse_making import flat_places
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import CompressedTensor, SparseTensor, coo

Array = NDArray[Any]

LAYOUT_NAMES = ("Strided", "Sparse", "SparseCsr", "Mkldnn", "SparseCsc", "SparseBsr", "SparseBsc")
"""What PyTorch calls layouts in messages."""


def layout_name(x: Tensor) -> str:
    return LAYOUT_NAMES[int(x.layout)]


def strided_kernel(name: str) -> Kernel:
    """The kernel of an operator of `aten` for tensors with strides."""
    operator = registry.find(f"aten::{name}")
    assert operator is not None and operator.kernel is not None, name
    return operator.kernel


def coalesced(x: SparseTensor) -> SparseTensor:
    """The tensor with its places in order, each of them once."""
    if x.is_unique:
        return x
    count = x.places.shape[1]
    keys = flat_places(x.places, x.sizes)
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1]))) if count else order
    places = np.empty_like(x.places)[:, : len(starts)]  # of which PyTorch, too, uses a part
    places[...] = x.places[:, order[starts]]
    return coo(places, summed_runs(x.elements[order], starts), x.sizes, True)


def summed_runs(elements: Array, starts: Array) -> Array:
    """The sums of runs of elements, each added one after the other."""
    result = elements[starts]
    if len(starts) == len(elements):
        return result
    ends = np.append(starts[1:], len(elements))
    lengths = ends - starts
    for step in range(1, int(lengths.max())):
        longer = np.flatnonzero(lengths > step)
        more = elements[starts[longer] + step]
        result[longer] = (
            result[longer] | more if result.dtype == np.bool_ else result[longer] + more
        )
    return result


def dense_of(x: SparseTensor) -> Array:
    """A strided array of all elements: what lies at one place is added to zero, one after the other."""
    result = np.zeros(x.sizes, x.elements.dtype)
    places = x.places.shape[0]
    flat = result.reshape(math.prod(x.sizes[:places]), *x.sizes[places:])
    combine = np.logical_or if result.dtype == np.bool_ else np.add
    combine_at(combine, flat, flat_places(x.places, x.sizes), x.elements)
    return result


def rows_of(x: CompressedTensor) -> Array:
    """For each element its row, or column where these are compressed: (*batch, elements)."""
    wide = x.places.shape[-1]
    bounds = x.bounds.reshape(-1, x.bounds.shape[-1])
    numbers = np.arange(bounds.shape[1] - 1)
    rows = [np.repeat(numbers, np.diff(each)) for each in bounds]
    return np.asarray(rows, x.places.dtype).reshape(*x.batch, wide)


def dense_of_compressed(x: CompressedTensor) -> Array:
    """A strided array of all elements."""
    result = np.zeros(x.sizes, x.elements.dtype)
    batch = len(x.batch)
    count = int(np.prod(x.batch))
    height, width = x.elements.shape[batch + 1 : batch + 3] if x.is_blocked else (1, 1)
    dense = x.sizes[batch + 2 :]
    blocks = result.reshape(
        count,
        x.sizes[batch] // max(height, 1),
        height,
        x.sizes[batch + 1] // max(width, 1),
        width,
        *dense,
    )
    elements = x.elements.reshape(count, x.places.shape[-1], height, width, *dense)
    firsts = rows_of(x).reshape(count, -1)
    seconds = x.places.reshape(count, -1)
    for each, first, second, block in zip(blocks, firsts, seconds, elements):
        rows, columns = (first, second) if x.by_rows else (second, first)
        grid = each.transpose(0, 2, 1, 3, *range(4, each.ndim))
        np.add.at(grid, (rows, columns), block) if grid.dtype != np.bool_ else np.logical_or.at(
            grid, (rows, columns), block
        )
    return result


def strided_of(x: Tensor) -> Array:
    """The elements of a tensor of any layout."""
    if isinstance(x, SparseTensor):
        return dense_of(x)
    return dense_of_compressed(x) if isinstance(x, CompressedTensor) else x.array


def strided(x: Tensor) -> Tensor:
    return tensor_of(strided_of(x))
