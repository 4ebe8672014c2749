"""What is asked of sparse and nested tensors alike, and answered without a look at elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.ops.registry import AnyKernel
from torchscript_dialect.ops.unstrided.sparse_coo import strided_kernel
from torchscript_dialect.ops.unstrided.unstrided import ON_ANY, ON_SPARSE
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor

_ANSWERS: dict[str, AnyKernel] = {
    "size": lambda x: list(x.size()),
    "size.int sym_size.int": lambda x, dim: x.size(dim),
    "stride sym_stride": lambda x: list(x.stride()),
    "stride.int sym_stride.int": lambda x, dim: x.stride(dim),
    "dim": lambda x: x.dim(),
    "numel sym_numel": lambda x: x.numel(),
    "storage_offset sym_storage_offset": lambda x: x.storage_offset(),
    "element_size prim::itemsize": lambda x: x.element_size(),
    "is_contiguous": lambda x: x.is_contiguous(),
    "is_contiguous.memory_format": lambda x, _: x.is_contiguous(),
    "is_floating_point": lambda x: x.is_floating_point(),
    "is_complex": lambda x: x.is_complex(),
    "is_signed": lambda x: x.is_signed(),
    "is_same_size": lambda x, y: tuple(x.shape) == tuple(y.shape),
    "get_device": lambda x: -1,
    "prim::dtype": lambda x: x.dtype.scalar_type,
    "prim::device": lambda x: x.device,
    "prim::layout": lambda x: int(x.layout),
    "prim::is_quantized": lambda x: False,
    "prim::is_cpu": lambda x: True,
    "prim::is_cuda prim::is_meta prim::is_mkldnn": lambda x: False,
    "prim::is_sparse": lambda x: x.is_sparse,
    "prim::is_sparse_csr": lambda x: x.is_sparse_csr,
    "prim::is_nested": lambda x: x.is_nested,
    "prim::requires_grad": lambda x: False,
    "is_leaf": lambda x: True,
    "retains_grad": lambda x: False,
    "len.Tensor": lambda x: len(x),
    "is_conj is_neg": lambda x: False,
    "is_pinned": lambda x, device: False,
    "result_type.Tensor result_type.Scalar": lambda x, y: _result_type(x, y),
}


def _result_type(x: Any, y: Any) -> Any:
    """Of the dtypes and ranks, which other tensors have as well."""
    others = [
        tensor_of(np.zeros((0,) * one.ndim, one.dtype.numpy_dtype))
        if isinstance(one, UnstridedTensor)
        else one
        for one in (x, y)
    ]
    return strided_kernel(f"result_type.{'Tensor' if isinstance(y, Tensor) else 'Scalar'}")(*others)


@ON_SPARSE("is_nonzero")
def is_nonzero(x: Any) -> bool:
    return bool(x)


for _names, _answer in _ANSWERS.items():
    ON_ANY.implement(_names, _answer)
