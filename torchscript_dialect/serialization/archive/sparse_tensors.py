"""Sparse tensors in archives: their parts are tensors with strides (PyTorch: torch/_utils.py, `_rebuild_sparse_tensor`).

PyTorch writes coordinates (COO) and compressed rows (CSR), and reads no others.
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


def parts(tensor: UnstridedTensor) -> tuple[int, list[Tensor]]:
    """The number of the layout, and the tensors that stand for a tensor: indices, and the elements last.

    Raises:
        RuntimeError: a layout that PyTorch does not write either.
    """
    if isinstance(tensor, SparseTensor):
        return int(layout.sparse_coo), [tensor_of(tensor.places), tensor_of(tensor.elements)]
    if isinstance(tensor, CompressedTensor) and tensor.kind is layout.sparse_csr:
        arrays = (tensor.bounds, tensor.places, tensor.elements)
        return int(layout.sparse_csr), [tensor_of(array) for array in arrays]
    raise RuntimeError(f"a tensor of layout {tensor.layout} cannot be saved in an archive")


def rebuild(*given: Any) -> Tensor:
    """`_rebuild_sparse_tensor`: indices stand inside of the sizes, and are as many as the elements."""
    match given:
        case (1, sizes, bool(), Tensor() as places, Tensor() as elements, *_):
            tensors = [places, elements]
        case (
            2,
            sizes,
            bool(),
            Tensor() as bounds,
            Tensor() as places,
            Tensor() as elements,
            *_,
        ):
            tensors = [bounds, places, elements]
        case _:
            raise PickleError("a sparse tensor is made of its layout, sizes, indices and elements")
    size = counts(sizes)
    if any(isinstance(tensor, UnstridedTensor) for tensor in tensors):
        raise PickleError("the parts of a sparse tensor are sparse")
    arrays = [tensor.array for tensor in tensors]
    if len(arrays) == 2 and arrays[0].dtype != np.int64:
        raise PickleError("the indices of a sparse tensor are no integers of 64 bits")
    checks = import_module(
        "torchscript_dialect.ops.unstrided.sparse_making"
    )  # which archives seldom need
    try:
        if len(arrays) == 2:
            checks.check_coo(arrays[0], arrays[1], size)
            return coo(arrays[0], arrays[1], size, False)
        checks.check_compressed(layout.sparse_csr, *arrays, size)
        return compressed(layout.sparse_csr, arrays[0], arrays[1], arrays[2], size)
    except RuntimeError as error:
        raise PickleError(f"a sparse tensor cannot be made: {error}") from None
