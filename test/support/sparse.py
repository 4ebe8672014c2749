"""Sparse and nested tensors of PyTorch's as ours, and how ours differ."""

from typing import Any

import numpy as np
import torch

from support.layout_golden import parts
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.unstrided import (
    UnstridedTensor,
    compressed,
    coo,
    nested,
)

BOUNDS = {
    torch.sparse_csr: "crow",
    torch.sparse_bsr: "crow",
    torch.sparse_csc: "ccol",
    torch.sparse_bsc: "ccol",
}


def _array(tensor: torch.Tensor) -> Any:
    return as_tensor(tensor.detach().resolve_conj().resolve_neg().clone()).array


def ours(tensor: torch.Tensor) -> Any:
    """A tensor of ours with the same parts."""
    if tensor.is_nested:
        buffer = tensor.values() if tensor.layout == torch.jagged else tensor.contiguous().values()
        whole = tensor.contiguous()
        parts = (
            whole._nested_tensor_size(),
            whole._nested_tensor_strides(),
            whole._nested_tensor_storage_offsets(),
        )
        return nested(_array(buffer), *map(_array, parts))
    if tensor.layout == torch.sparse_coo:
        return coo(
            _array(tensor._indices()),
            _array(tensor._values()),
            tuple(tensor.shape),
            tensor.is_coalesced(),
        )
    if tensor.layout == torch.strided:
        return as_tensor(tensor.detach().resolve_conj().resolve_neg().clone())
    by_rows = BOUNDS[tensor.layout] == "crow"
    bounds = tensor.crow_indices() if by_rows else tensor.ccol_indices()
    places = tensor.col_indices() if by_rows else tensor.row_indices()
    kind = layout[str(tensor.layout).removeprefix("torch.")]
    return compressed(
        kind, _array(bounds), _array(places), _array(tensor.values()), tuple(tensor.shape)
    )


def difference(mine: Any, theirs: Any) -> str | None:
    """What differs between a result of ours and PyTorch's; None where nothing does."""
    if isinstance(theirs, (list, tuple)) and not isinstance(theirs, torch.Size):
        if len(mine) != len(theirs):
            return f"{len(mine)} results where PyTorch has {len(theirs)}"
        found = (difference(one, other) for one, other in zip(mine, theirs))
        return next((each for each in found if each is not None), None)
    if not isinstance(theirs, torch.Tensor):
        if isinstance(theirs, (torch.Size, torch.layout, torch.dtype)):
            return None if str(mine) == str(theirs) else f"{mine} where PyTorch has {theirs}"
        return None if mine == theirs else f"{mine} where PyTorch has {theirs}"
    expected = ours(theirs)
    if type(mine) is not type(expected) or mine.layout is not expected.layout:
        return f"{type(mine).__name__} of {mine.layout} where PyTorch has {theirs.layout}"
    if mine.dtype is not expected.dtype:
        return f"dtype {mine.dtype} where PyTorch has {expected.dtype}"
    if isinstance(expected, UnstridedTensor) and mine.sizes != expected.sizes:
        return f"sizes {mine.sizes} where PyTorch has {expected.sizes}"
    for name, one, other in zip(
        ("first", "second", "third", "fourth"), parts(mine), parts(expected)
    ):
        if one.shape != other.shape or one.dtype != other.dtype:
            return f"{name} part is {one.dtype} {one.shape}, PyTorch's {other.dtype} {other.shape}"
        wide = np.complex128 if one.dtype.kind == "c" else np.float64
        relative = 1e-5 if one.dtype.itemsize > 2 else 1.6e-2
        if not np.allclose(one.astype(wide), other.astype(wide), relative, 1e-6, equal_nan=True):
            return f"{name} part: {one} where PyTorch has {other}"
    return None
