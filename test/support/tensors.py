"""Tensors for tests of the tensor layer, made without the operators above it."""

from typing import Any

import numpy as np

from torchscript_dialect.tensor import strides
from torchscript_dialect.tensor.conversion import array_from_data, as_tensor, cast_array
from torchscript_dialect.tensor.dtype import as_dtype
from torchscript_dialect.tensor.layout import contiguous_format, memory_format
from torchscript_dialect.tensor.tensor import Tensor


def tensor(data: Any, dtype: object = None) -> Tensor:
    """A fresh contiguous tensor of nested lists, an array or another tensor."""
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(data, (bool, int, float, complex, list, tuple)):
        return as_tensor(array_from_data(data, wanted))
    array = as_tensor(data).array
    copied = array.copy() if wanted is None else cast_array(array, wanted)
    return as_tensor(np.ascontiguousarray(copied).reshape(array.shape))


def empty(
    size: tuple[int, ...], dtype: object = "float32", format: memory_format = contiguous_format
) -> Tensor:
    kind = as_dtype(dtype).numpy_dtype
    return as_tensor(strides.empty_strided(size, strides.strides_for_format(size, format), kind))


def filled(size: tuple[int, ...], value: float, dtype: object) -> Tensor:
    result = empty(size, dtype)
    result.array.fill(value)
    return result


def zeros(size: tuple[int, ...], dtype: object = "float32") -> Tensor:
    return filled(size, 0, dtype)


def ones(size: tuple[int, ...], dtype: object = "float32") -> Tensor:
    return filled(size, 1, dtype)


def arange(*bounds: float, dtype: object = None) -> Tensor:
    array = np.arange(*bounds)
    default = "int64" if array.dtype.kind == "i" else "float32"
    return as_tensor(array.astype(as_dtype(dtype or default).numpy_dtype))
