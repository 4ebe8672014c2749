"""Layouts of tensors made of others (PyTorch: native/TensorConversions.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_coo import (
    coalesced,
    layout_name,
    rows_of,
    strided_of,
)
from torchscript_dialect.ops.unstrided.sparse_making import BLOCKS, ROWS
from torchscript_dialect.ops.unstrided.sparse_parts import block_of
from torchscript_dialect.ops.unstrided.unstrided import FOR_SPARSE
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import cast_array
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    compressed,
    coo,
)

Array = NDArray[Any]


# To strided


@FOR_SPARSE("to_dense _to_dense")
def to_dense(x: Tensor, wanted: int | None, _masked: bool | None) -> Tensor:
    if not isinstance(x, UnstridedTensor):
        element = x.dtype if wanted is None else dtypes.from_scalar_type(wanted)
        return x if element is x.dtype else tensor_of(cast_array(x.array, element))
    if wanted is not None:
        which = "sparse" if isinstance(x, SparseTensor) else "sparse_csr"
        raise RuntimeError(f"dtype argument is not supported by {which}_to_dense")
    return tensor_of(strided_of(x))


# To coordinates


def coo_of_strided(array: Array, sparse: int | None = None) -> SparseTensor:
    """The elements of an array that are not zero, or the slices that have any."""
    sparse = array.ndim if sparse is None else sparse
    if array.ndim and not sparse:
        raise RuntimeError("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0")
    if not 0 <= sparse <= array.ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{array.ndim}] range, but {sparse} is given"
        )
    kept = array != 0
    if sparse < array.ndim:
        kept = kept.any(axis=tuple(range(sparse, array.ndim)))
    if not array.ndim:
        count = int(bool(kept))
        return coo(np.zeros((0, count), np.int64), array.reshape(1)[:count].copy(), (), True)
    places = np.stack(np.nonzero(kept)).astype(np.int64)
    return coo(places, array[tuple(places)], array.shape, True)


def coo_of_compressed(x: CompressedTensor) -> SparseTensor:
    """The coordinates of all elements, those of blocks one by one, in order."""
    return coalesced(coordinates_of(x))


def coordinates_of(x: CompressedTensor) -> SparseTensor:
    """The coordinates as they come: rows are in order, columns and blocks are not."""
    batch = len(x.batch)
    height, width = block_of(x)
    count = int(np.prod(x.batch, dtype=np.int64))
    wide = x.places.shape[-1]
    first, second = rows_of(x).reshape(-1), x.places.reshape(-1)
    rows, columns = (first, second) if x.by_rows else (second, first)
    outer = np.indices(x.batch).reshape(batch, count).repeat(wide, axis=1)
    elements = x.elements.reshape(count * wide, *x.elements.shape[batch + 1 :])
    if x.is_blocked:
        down, across = np.indices((height, width)).reshape(2, -1)
        rows = (rows[:, None] * height + down).reshape(-1)
        columns = (columns[:, None] * width + across).reshape(-1)
        outer = outer.repeat(height * width, axis=1)
        elements = elements.reshape(len(rows), *elements.shape[3:])
    places = np.stack([*outer, rows, columns]).astype(np.int64)
    is_ordered = x.kind is layout.sparse_csr or places.shape[1] < 2
    return coo(places, elements.copy(), x.sizes, is_ordered)


@FOR_SPARSE("to_sparse.sparse_dim _to_sparse.sparse_dim")
def to_coo(x: Tensor, sparse: int) -> Tensor:
    if not isinstance(x, UnstridedTensor):
        return coo_of_strided(x.array, sparse)
    own = len(x.places) if isinstance(x, SparseTensor) else 2
    if sparse != own:
        name = layout_name(x)
        raise RuntimeError(
            f"to_sparse: conversion from {name} to Sparse with sparse_dim argument !=self.sparse_dim() is not supported"
        )
    return x if isinstance(x, SparseTensor) else coordinates_of(_as_compressed(x))


def _as_compressed(x: Tensor) -> CompressedTensor:
    assert isinstance(x, CompressedTensor)
    return x


@FOR_SPARSE("to_sparse _to_sparse")
def to_sparse(
    x: Tensor, wanted: int | None, block: Sequence[int] | None, dense: int | None
) -> Tensor:
    kind = layout.sparse_coo if wanted is None else layout(wanted)
    if kind is layout.strided:
        return to_dense(x, None, None)
    if kind is x.layout and (block is None or tuple(block) == _block(x)):
        return x
    if kind is layout.sparse_coo:
        if block is not None:
            raise RuntimeError(
                "to_sparse: conversion from Strided to Sparse with blocksize argument given is not supported"
            )
        if isinstance(x, CompressedTensor):
            return coordinates_of(x)
        if isinstance(x, SparseTensor):
            return x
        return coo_of_strided(x.array, x.array.ndim - (dense or 0))
    if block is not None and kind not in BLOCKS:
        raise RuntimeError(
            f"dense_to_sparse: conversion from {layout_name(x)} to {LAYOUTS[kind]} with blocksize argument given is not supported"
        )
    if kind in BLOCKS and block is None:
        raise RuntimeError(
            f"to_sparse: conversion from {layout_name(x)} to {kind} without blocksize argument given is not supported"
        )
    return compress(x, kind, (1, 1) if block is None else block, dense)


def _block(x: Tensor) -> tuple[int, int]:
    return block_of(x) if isinstance(x, CompressedTensor) else (1, 1)


# To compressed rows and columns


def compress(
    x: Tensor,
    kind: layout,
    block: Sequence[int] = (1, 1),
    dense: int | None = None,
    *,
    index: Any = np.int64,
) -> Tensor:
    """The tensor by rows or columns. `index` is the dtype of the indices, where `x` has none by rows or columns."""
    if isinstance(x, CompressedTensor) and x.kind is kind and tuple(block) == block_of(x):
        return x
    if isinstance(x, CompressedTensor) and x.is_blocked and kind not in BLOCKS:
        name = kind.name
        raise RuntimeError(
            f"sparse_compressed_to_{name}: expected SparseCsr or SparseCsc layout but got {layout_name(x)}"
        )
    if isinstance(x, UnstridedTensor) and dense not in (None, 0):
        raise RuntimeError(
            "to_sparse: conversion with dense_dim argument given is not supported for sparse tensors"
        )
    index = x.bounds.dtype if isinstance(x, CompressedTensor) else np.dtype(index)
    batch: tuple[int, ...] = ()
    if isinstance(x, SparseTensor):
        if len(x.places) != 2:
            raise RuntimeError(
                f"Only tensors with two sparse dimensions can be converted to the {LAYOUTS[kind]} layout, "
                f"got self with {len(x.places)} sparse dimensions."
            )
        places, elements = coalesced(x).places, coalesced(x).elements
    elif isinstance(x, CompressedTensor):
        made = coo_of_compressed(x)
        batch = x.batch
        places, elements = made.places, made.elements
    else:
        rest = dense or 0
        sparse = x.array.ndim - rest
        if sparse < 2:
            raise RuntimeError(
                f"dense_to_{kind.name}: expected input tensor with at least 2 non-dense dimensions"
            )
        batch = x.array.shape[: sparse - 2]
        kept = x.array != 0
        kept = kept.any(axis=tuple(range(sparse, x.array.ndim))) if rest else kept
        if kind in BLOCKS:
            kept = _whole_blocks(kept, block)
        places = np.stack(np.nonzero(kept)).astype(np.int64)
        elements = x.array[tuple(places)]
    return _compressed(kind, places, elements, tuple(x.shape), batch, block, index)


LAYOUTS = {
    layout.sparse_csr: "SparseCsr",
    layout.sparse_csc: "SparseCsc",
    layout.sparse_bsr: "SparseBsr",
    layout.sparse_bsc: "SparseBsc",
}


def _whole_blocks(kept: Array, block: Sequence[int]) -> Array:
    height, width = block
    *batch, rows, columns = kept.shape
    if height <= 0 or width <= 0 or rows % height or columns % width:
        raise RuntimeError(
            f"tensor sparse size ({rows},{columns}) must be divisible by given blocksize ({height},{width})"
        )
    tiles = kept.reshape(*batch, rows // height, height, columns // width, width)
    return np.broadcast_to(tiles.any(axis=(-3, -1), keepdims=True), tiles.shape).reshape(kept.shape)


def _compressed(
    kind: layout,
    places: Array,
    elements: Array,
    sizes: tuple[int, ...],
    batch: tuple[int, ...],
    block: Sequence[int],
    index: Any,
) -> CompressedTensor:
    """A compressed tensor of the elements at sorted coordinates."""
    height, width = block
    depth = len(batch)
    _whole_blocks(np.zeros((sizes[depth], sizes[depth + 1]), np.bool_), block)
    tall, broad = sizes[depth] // height, sizes[depth + 1] // width
    rows, columns = places[depth], places[depth + 1]
    outer = np.zeros(places.shape[1], np.int64)
    for row, size in zip(places[:depth], batch):
        outer = outer * size + row
    first, second = rows // height, columns // width
    many, wide = (tall, broad) if kind in ROWS else (broad, tall)
    if kind not in ROWS:
        first, second = second, first
    keys = (outer * many + first) * max(wide, 1) + second
    found, number = np.unique(keys, return_inverse=True)
    count = int(np.prod(batch, dtype=np.int64))
    rows_found, columns_found = found // max(wide, 1), found % max(wide, 1)
    per_batch = np.bincount(rows_found // max(many, 1), minlength=count)[:count]
    if count and (per_batch != per_batch[0]).any():
        raise RuntimeError("Expect the same number of specified elements per batch.")
    each = int(per_batch[0]) if count else 0
    counts = np.bincount(rows_found, minlength=count * many).reshape(count, many)
    bounds = np.zeros((count, many + 1), index)
    bounds[:, 1:] = counts.cumsum(axis=1)
    shape = (height, width) if kind in BLOCKS else ()
    kept = np.zeros((len(found), *shape, *elements.shape[1:]), elements.dtype)
    if kind in BLOCKS:
        kept[number, rows % height, columns % width] = elements
    else:
        kept[number] = elements
    return compressed(
        kind,
        bounds.reshape(*batch, many + 1),
        columns_found.astype(index).reshape(*batch, each),
        kept.reshape(*batch, each, *kept.shape[1:]),
        sizes,
    )


@FOR_SPARSE("to_sparse_csr _to_sparse_csr")
def to_csr(x: Tensor, dense: int | None) -> Tensor:
    return compress(x, layout.sparse_csr, dense=dense)


@FOR_SPARSE("to_sparse_csc _to_sparse_csc")
def to_csc(x: Tensor, dense: int | None) -> Tensor:
    return compress(x, layout.sparse_csc, dense=dense)


@FOR_SPARSE("to_sparse_bsr _to_sparse_bsr")
def to_bsr(x: Tensor, block: list[int], dense: int | None) -> Tensor:
    return compress(x, layout.sparse_bsr, block, dense)


@FOR_SPARSE("to_sparse_bsc _to_sparse_bsc")
def to_bsc(x: Tensor, block: list[int], dense: int | None) -> Tensor:
    return compress(x, layout.sparse_bsc, block, dense)


@registry.kernel("_spdiags")
def spdiags(diagonals: Tensor, offsets: Tensor, shape: list[int], wanted: int | None) -> Tensor:
    """A matrix with these diagonals: the elements stand at their own columns."""
    rows = diagonals.array if diagonals.array.ndim == 2 else diagonals.array.reshape(1, -1)
    numbers = offsets.array.reshape(-1)
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    if len(numbers) != len(rows):
        raise RuntimeError(
            f"Number of diagonals ({len(rows)}) does not match the number of offsets ({len(numbers)})"
        )
    if len(np.unique(numbers)) != len(numbers):
        raise RuntimeError("Offset tensor contains duplicate values")
    kind = layout.sparse_coo if wanted is None else layout(wanted)
    if kind not in (layout.sparse_coo, layout.sparse_csr, layout.sparse_csc):
        raise RuntimeError(
            f"Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got {kind}"
        )
    parts: list[Array] = []
    elements: list[Array] = []
    height, width = shape
    for row, offset in zip(rows, numbers.tolist()):
        columns = cast(
            "Array", np.arange(max(offset, 0), min(rows.shape[1], width, height + offset))
        )
        parts.append(np.stack([columns - offset, columns]))
        elements.append(row[columns])
    places = np.concatenate(parts, axis=1) if parts else np.zeros((2, 0))
    made = coo(
        np.ascontiguousarray(places.astype(np.int64)),
        np.concatenate(elements) if elements else rows.reshape(-1),
        tuple(shape),
        False,
    )
    return made if kind is layout.sparse_coo else compress(made, kind)
