"""`torch.sparse`: operators on sparse tensors (PyTorch: torch/sparse/__init__.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchscript_dialect.ops.eager.dispatch import function

if TYPE_CHECKING:
    from torchscript_dialect.tensor.tensor import Tensor

mm = function("_sparse_mm")
addmm = function("_sparse_addmm")
softmax = function("_sparse_softmax")
log_softmax = function("_sparse_log_softmax")
sampled_addmm = function("sparse_sampled_addmm")
spdiags = function("_spdiags")
_sparse_sum = function("_sparse_sum")
spmm = dsmm = function("mm")
hsmm = function("hspmm")
saddmm = addmm


def sum(input: Tensor, dim: list[int] | None = None, dtype: int | None = None) -> Any:
    """The sum of the elements that are kept: a strided tensor where no sparse dimension is left."""
    if dtype is None:
        if dim is not None:
            return _sparse_sum(input, dim)
        return _sparse_sum(input)
    if dim is not None:
        return _sparse_sum(input, dim, dtype=dtype)
    return _sparse_sum(input, dtype=dtype)
