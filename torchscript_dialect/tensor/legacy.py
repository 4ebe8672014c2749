"""`torch.Tensor(2, 3)`, `torch.FloatTensor([1, 2])`, `x.new(2)`: what made tensors before dtypes were said
(PyTorch: torch/csrc/utils/tensor_new.cpp).
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.conversion import array_from_data, as_tensor, cast_array
from torchscript_dialect.tensor.dtype import canonical, dtype, get_default_dtype, of_array
from torchscript_dialect.tensor.tensor import Size, Tensor, tensor_of


def legacy_tensor(element: dtype, *data: Any) -> Tensor:
    """What `torch.FloatTensor(*data)` gives: elements of `data`, or a tensor of these sizes whose elements nobody has set.

    Raises:
        TypeError: the data is neither, or a tensor of another dtype.
    """
    if len(data) == 1 and isinstance(data[0], Tensor):
        value = data[0]
        if value.dtype is not element:
            raise TypeError(
                f"expected a tensor of dtype {element.name} (got one of dtype {value.dtype.name})"
            )
        return Tensor(value)
    return tensor_of(_legacy_array(element, data))


def _legacy_array(element: dtype, data: tuple[Any, ...]) -> NDArray[Any]:
    sizes = sizes_of(data)
    return (
        array_of_data(element, data[0]) if sizes is None else np.zeros(sizes, element.numpy_dtype)
    )


def sizes_of(data: tuple[Any, ...]) -> list[int] | None:
    """The sizes that the arguments of such a call are; None where they are one sequence of elements.

    Raises:
        TypeError: they are neither.
    """
    sizes = data[0] if len(data) == 1 and isinstance(data[0], Size) else data
    if all(map(_is_size, sizes)):
        return [int(size) for size in sizes] or [0]
    if len(data) != 1:
        raise TypeError("new() takes sizes, or a sequence of numbers")
    return None


def _is_size(value: Any) -> bool:
    """Whether it is a number, or one that a trace has made a tensor of."""
    if isinstance(value, Tensor):
        return not value.array.ndim and value.dtype.name == "int64"
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def array_of_data(element: dtype, value: Any) -> NDArray[Any]:
    """The elements of a sequence.

    Raises:
        TypeError: it is none.
    """
    if hasattr(value, "__array__") and hasattr(value, "__len__"):  # a number of NumPy's has none
        array = as_tensor(value, element).array
        return array.copy() if np.may_share_memory(array, np.asarray(value)) else array
    if not hasattr(value, "__len__"):
        raise TypeError(f"new(): data must be a sequence (got {type(value).__name__})")
    return array_from_data(list(value) if isinstance(value, range) else value, element)


def initialize(self: Tensor, *data: Any) -> None:
    """`Tensor(array)`, `Tensor([1, 2])` and `Tensor(2, 3)` are of the default dtype: on the memory of an array that has it, with the
    elements of one that has another, with these elements, or with such that nobody has set. `Tensor(tensor)` has the memory of another
    tensor, whatever its dtype.

    Raises:
        TypeError: something else, or an array of elements that are no dtype of PyTorch's.
        ValueError: memory that no tensor may have: negative strides, a foreign byte order.
    """
    value = data[0] if len(data) == 1 else None
    if isinstance(value, np.ndarray):
        array, element = canonical(cast("NDArray[Any]", value)), get_default_dtype()
        self.array = array if of_array(array) is element else cast_array(array, element)
    elif isinstance(value, Tensor):
        if not hasattr(self, "array"):  # it is no alias of the tensor yet
            self.array = value.array
    else:
        self.array = _legacy_array(get_default_dtype(), data)
