"""Sparse tensors of PyTorch's as ours, on the memory of their indices and values."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import compressed, coo

_BY_ROWS = ("sparse_csr", "sparse_bsr")
_BY_COLUMNS = ("sparse_csc", "sparse_bsc")


def sparse_of_pytorch(value: Any) -> Tensor | None:
    """The sparse tensor that one of PyTorch's is, None for anything else.

    Raises:
        TypeError: it requires gradients, which would not go there.
    """
    torch = pytorch_state.loaded()
    if torch is None or not isinstance(value, torch.Tensor) or value.layout is torch.strided:
        return None
    kind = str(value.layout).rpartition(".")[2]
    if kind not in ("sparse_coo", *_BY_ROWS, *_BY_COLUMNS):
        return None
    if value.requires_grad:
        raise TypeError("a sparse tensor of PyTorch's that requires gradients would get none")
    if kind == "sparse_coo":
        indices, values = value._indices(), value._values()
        return coo(_array(indices), _array(values), value.shape, value.is_coalesced())
    if kind in _BY_ROWS:
        bounds, places = value.crow_indices(), value.col_indices()
    else:
        bounds, places = value.ccol_indices(), value.row_indices()
    return compressed(
        layout[kind], _array(bounds), _array(places), _array(value.values()), value.shape
    )


def _array(part: Any) -> Any:
    return as_tensor(part).array
