"""Sparse tensors in archives: their parts are tensors with strides (PyTorch: torch/_utils.py, `_rebuild_sparse_tensor`).

TorchScript archives of PyTorch hold coordinates (COO) and compressed rows (CSR); files of `torch.save`, all layouts.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from torchscript_dialect.serialization.archive.pickle_machine import PickleError
from torchscript_dialect.serialization.archive.storages import counts
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    compressed,
    coo,
)

OF_PROGRAMS = (int(layout.sparse_coo), int(layout.sparse_csr))
"""The layouts that TorchScript archives hold."""


def parts(tensor: UnstridedTensor) -> tuple[int, list[Tensor]]:
    """The number of the layout, and the tensors that stand for a tensor: indices, and the elements last.

    Raises:
        RuntimeError: a layout that PyTorch does not write either.
    """
    if isinstance(tensor, SparseTensor):
        return int(layout.sparse_coo), [tensor_of(tensor.places), tensor_of(tensor.elements)]
    if isinstance(tensor, CompressedTensor):
        arrays = (tensor.bounds, tensor.places, tensor.elements)
        return int(tensor.kind), [tensor_of(array) for array in arrays]
    raise RuntimeError(f"a tensor of layout {tensor.layout} cannot be saved in an archive")


def rebuild(*given: Any) -> Tensor:
    """`_rebuild_sparse_tensor` of TorchScript archives."""
    match given:
        case (1, sizes, bool(), Tensor() as places, Tensor() as elements, *_):
            return of_coordinates(sizes, places, elements)
        case (2, sizes, bool(), Tensor() as bounds, Tensor() as places, Tensor() as elements, *_):
            return of_compressed(layout.sparse_csr, sizes, bounds, places, elements)
        case _:
            raise PickleError("a sparse tensor is made of its layout, sizes, indices and elements")


def of_coordinates(
    sizes: Any, places: Tensor, elements: Tensor, is_coalesced: bool = False
) -> Tensor:
    """A tensor whose indices stand inside of the sizes, and are as many as the elements."""
    size = counts(sizes)
    indices, values = _arrays(places, elements)
    if indices.dtype != np.int64:
        raise PickleError("the indices of a sparse tensor are no integers of 64 bits")
    try:
        _checks().check_coo(indices, values, size)
    except RuntimeError as error:
        raise PickleError(f"a sparse tensor cannot be made: {error}") from None
    if is_coalesced and not _ascend(indices):
        raise PickleError("the indices of a coalesced tensor do not ascend")
    return coo(indices, values, size, is_coalesced)


def of_compressed(
    kind: layout, sizes: Any, bounds: Tensor, places: Tensor, elements: Tensor
) -> Tensor:
    """A tensor of compressed rows or columns whose elements stand inside of it."""
    size = counts(sizes)
    arrays = _arrays(bounds, places, elements)
    try:
        _checks().check_compressed(kind, *arrays, size)
    except RuntimeError as error:
        raise PickleError(f"a sparse tensor cannot be made: {error}") from None
    return compressed(kind, arrays[0], arrays[1], arrays[2], size)


def _arrays(*tensors: Tensor) -> list[Any]:
    if any(isinstance(tensor, UnstridedTensor) for tensor in tensors):
        raise PickleError("the parts of a sparse tensor are sparse")
    return [tensor.array for tensor in tensors]


def _checks() -> Any:
    """A module that archives seldom need."""
    return import_module("torchscript_dialect.ops.unstrided.sparse_making")


def _ascend(indices: Any) -> bool:
    """Whether each column of indices comes after the one before."""
    steps = np.diff(indices, axis=1)
    if not indices.shape[0]:
        return not steps.size
    first = np.take_along_axis(steps, (steps != 0).argmax(axis=0)[None], axis=0)
    return bool((first > 0).all())
