"""The parts of sparse tensors, and what is asked of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_coo import coalesced, layout_name
from torchscript_dialect.ops.unstrided.sparse_making import BLOCKS
from torchscript_dialect.ops.unstrided.unstrided import FOR_ALL
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    NestedTensor,
    SparseTensor,
    UnstridedTensor,
    coo,
)


def require_coo(x: Tensor, name: str) -> SparseTensor:
    """The tensor; RuntimeError for one of another layout."""
    if not isinstance(x, SparseTensor):
        raise RuntimeError(
            f"{name} expected sparse coordinate tensor layout but got {layout_name(x)}"
        )
    return x


def _backend_error(name: str, x: Tensor) -> NotImplementedError:
    backend = x.BACKEND if isinstance(x, UnstridedTensor) else "CPU"
    return NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{backend}' backend."
    )


def _kept(x: Tensor, name: str) -> SparseTensor:
    if not isinstance(x, SparseTensor):
        raise _backend_error(name, x)
    return x


def _ordered(x: Tensor, name: str) -> SparseTensor:
    x = require_coo(x, name)
    if not x.is_unique:
        raise RuntimeError(
            f"Cannot get {name} on an uncoalesced tensor, please call .coalesce() first"
        )
    return x


def _compressed(x: Tensor, name: str, *, by_rows: bool) -> CompressedTensor:
    if not isinstance(x, CompressedTensor) or x.by_rows != by_rows:
        which = "row" if by_rows else "column"
        raise RuntimeError(
            f"{name} expected sparse {which} compressed tensor layout but got {layout_name(x)}"
        )
    return x


def _values(x: Tensor) -> Any:
    if isinstance(x, (CompressedTensor, NestedTensor)):
        return tensor_of(x.elements)
    if isinstance(x, SparseTensor):
        return tensor_of(_ordered(x, "values").elements)
    raise RuntimeError("values expected sparse tensor layout but got Strided")


_PARTS: dict[str, Callable[[Tensor], Any]] = {
    "_indices": lambda x: tensor_of(_kept(x, "_indices").places),
    "_values": lambda x: tensor_of(_kept(x, "_values").elements),
    "indices": lambda x: tensor_of(_ordered(x, "indices").places),
    "values": _values,
    "crow_indices": lambda x: tensor_of(_compressed(x, "crow_indices", by_rows=True).bounds),
    "col_indices": lambda x: tensor_of(_compressed(x, "col_indices", by_rows=True).places),
    "ccol_indices": lambda x: tensor_of(_compressed(x, "ccol_indices", by_rows=False).bounds),
    "row_indices": lambda x: tensor_of(_compressed(x, "row_indices", by_rows=False).places),
}
for _name, _part in _PARTS.items():
    FOR_ALL(_name)(_part)
    FOR_ALL.implement(f"{_name}_copy", lambda x, part=_part: tensor_of(part(x).array.copy()))


@FOR_ALL("_nnz")
def count_of(x: Tensor) -> int:
    if not isinstance(x, (SparseTensor, CompressedTensor)):
        raise _backend_error("_nnz", x)
    return x.places.shape[-1]


@FOR_ALL("sparse_dim")
def sparse_dim(x: Tensor) -> int:
    if isinstance(x, SparseTensor):
        return len(x.places)
    return 2 if isinstance(x, CompressedTensor) else 0


@FOR_ALL("dense_dim")
def dense_dim(x: Tensor) -> int:
    if isinstance(x, SparseTensor):
        return x.ndim - len(x.places)
    if isinstance(x, CompressedTensor):
        return x.ndim - len(x.batch) - 2
    return x.dim()


FOR_ALL.implement("_dimI", lambda x: len(_kept(x, "_dimI").places))
FOR_ALL.implement("_dimV", lambda x: dense_dim(_kept(x, "_dimV")))
FOR_ALL.implement("is_coalesced", lambda x: require_coo(x, "is_coalesced").is_unique)


@FOR_ALL("coalesce")
def coalesce(x: Tensor) -> Tensor:
    return coalesced(require_coo(x, "coalesce"))


FOR_ALL.implement("_coalesce", lambda x: coalesced(_kept(x, "_coalesce")))


@FOR_ALL("_coalesced_")
def set_coalesced(x: Tensor, unique: bool) -> Tensor:
    """Say of a tensor that its places are in order, each of them once: it is believed, as in PyTorch."""
    _kept(x, "_coalesced_").is_unique = unique
    return x


@FOR_ALL("_coalesced")
def with_coalesced(x: Tensor, unique: bool) -> Tensor:
    kept = _kept(x, "_coalesced")
    return coo(kept.places.copy(), kept.elements.copy(), kept.sizes, unique)


# Indices of rows, one for each element or one for each row


@registry.kernel("_convert_indices_from_coo_to_csr")
def compress(rows: Tensor, size: int, narrow: bool) -> Tensor:
    """Where each of so many rows begins, of sorted numbers of rows."""
    bounds = np.searchsorted(rows.array, np.arange(size + 1), side="left")
    return tensor_of(bounds.astype(np.int32 if narrow else np.int64))


@registry.kernel("_convert_indices_from_csr_to_coo")
def expand(bounds: Tensor, places: Tensor, narrow: bool, transposed: bool) -> Tensor:
    """The coordinates of the elements of compressed rows: (batch dimensions + 2, elements)."""
    ends = bounds.array.reshape(-1, bounds.array.shape[-1])
    columns = places.array.reshape(len(ends), places.array.shape[-1])
    numbers = np.arange(ends.shape[1] - 1)
    rows = np.concatenate([np.repeat(numbers, np.diff(each)) for each in ends])
    batch = bounds.array.shape[:-1]
    outer = np.indices(batch).reshape(len(batch), len(ends)).repeat(columns.shape[1], axis=1)
    inner = [columns.reshape(-1), rows] if transposed else [rows, columns.reshape(-1)]
    return tensor_of(np.stack([*outer, *inner]).astype(np.int32 if narrow else np.int64))


def block_of(x: CompressedTensor) -> tuple[int, int]:
    """The height and width of the blocks of a tensor, 1 and 1 where it has none."""
    if x.kind not in BLOCKS:
        return (1, 1)
    height, width = x.elements.shape[len(x.batch) + 1 : len(x.batch) + 3]
    return height, width
