"""Tensors over NumPy arrays: element types, strides, promotion, aliasing, creation, printing,
DLPack.

This layer knows nothing of operators: `ops` attaches `Tensor`'s operator methods. The submodules
keep their names (`tensor.dtype` is the module, `tensor.dtype.dtype` the class).
"""

from torchscript_dialect.tensor.conversion import as_tensor, from_dlpack
from torchscript_dialect.tensor.tensor import Size, Tensor

__all__ = ["Size", "Tensor", "as_tensor", "from_dlpack"]
