"""`x.untyped_storage()` and `x.storage()`: the memory of a tensor as an object (PyTorch: torch/storage.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.device import cpu, device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.storage import data_pointer, root, window
from torchscript_dialect.tensor.tensor import Tensor


class UntypedStorage:
    """The bytes of the whole memory that a tensor is a view of, which tensors that share it share, too."""

    def __init__(self, memory: NDArray[np.uint8]) -> None:
        self.memory = memory

    @property
    def device(self) -> device:
        return cpu

    def data_ptr(self) -> int:
        """The address of the first byte; 0 where there is none."""
        return data_pointer(self.memory) if self.memory.size else 0

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self.memory.size

    size = __len__ = nbytes

    def resizable(self) -> bool:
        """Whether a tensor may get more memory than this: it gets its own then."""
        return True

    def clone(self) -> UntypedStorage:
        """A copy of the bytes."""
        return UntypedStorage(self.memory.copy())

    def element_size(self) -> int:
        """The bytes of an element: 1."""
        return 1

    def tolist(self) -> list[int]:
        """The bytes as numbers from 0 to 255."""
        return self.memory.tolist()

    def __getitem__(self, place: Any) -> Any:
        found = self.memory[place]
        return UntypedStorage(found) if isinstance(place, slice) else int(found)

    def __setitem__(self, place: Any, value: Any) -> None:
        self.memory[place] = value

    def __iter__(self) -> Iterator[int]:
        return iter(self.tolist())


class TypedStorage:
    """The same as elements of a dtype."""

    def __init__(self, untyped: UntypedStorage, dtype: dtype) -> None:
        self._untyped = untyped
        self._elements: NDArray[Any] = untyped.memory.view(dtype.numpy_dtype)
        self.dtype = dtype

    @property
    def device(self) -> device:
        return cpu

    def untyped(self) -> UntypedStorage:
        """The bytes."""
        return self._untyped

    def resizable(self) -> bool:
        """Whether a tensor may get more memory than this: it gets its own then."""
        return True

    def clone(self) -> TypedStorage:
        """A copy of the elements."""
        return TypedStorage(self._untyped.clone(), self.dtype)

    def data_ptr(self) -> int:
        """The address of the first element; 0 where there is none."""
        return self._untyped.data_ptr()

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self._untyped.nbytes()

    def size(self) -> int:
        """How many elements there are."""
        return self._elements.size

    __len__ = size

    def element_size(self) -> int:
        """The bytes of an element."""
        return self.dtype.itemsize

    def tolist(self) -> list[Any]:
        """The elements as numbers."""
        return self._elements.tolist()

    def __getitem__(self, place: int) -> Any:
        return self._elements[place].item()

    def __setitem__(self, place: Any, value: Any) -> None:
        self._elements[place] = value

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The memory that a tensor is a view of; NotImplementedError for one on a device."""
    if self.array.__class__ is DeviceArray:
        raise NotImplementedError(f"the memory of a tensor on {self.device} is no storage here")
    base = root(self.array)
    block = base if base.flags.forc else window(self.array)[0]
    made: NDArray[np.uint8] = np.ndarray((block.nbytes,), np.uint8, block.reshape(-1, order="A"))
    return UntypedStorage(made)


def storage(self: Tensor) -> TypedStorage:
    """The same, as elements of the tensor's dtype."""
    return TypedStorage(untyped_storage(self), self.dtype)
