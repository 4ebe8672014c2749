"""The memory of tensors that are saved, each piece once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.storage import byte_extent, root, window
from torchscript_dialect.tensor.tensor import Tensor


@dataclass(frozen=True, slots=True)
class StoredTensor:
    """Where a tensor is in the memory that is saved: `offset` and `count` in elements."""

    key: str
    element: str
    offset: int
    count: int


class StoredTensors:
    """The pieces of memory that tensors are views of, in the order in which they were met."""

    def __init__(self) -> None:
        self.memory: list[NDArray[Any]] = []
        self._keys: dict[tuple[int, int], int] = {}

    def store(self, tensor: Tensor) -> StoredTensor:
        """Where a tensor is. All of the memory that it is a view of is saved, as PyTorch does, unless that is somebody else's."""
        array = tensor.array
        base = root(array)
        low, high = byte_extent(base)
        start, end = byte_extent(array)
        offset = start - low
        if not base.flags.c_contiguous or start < low or end > high or offset % array.itemsize:
            base, offset = window(array)
            low, high = byte_extent(base)
        place = (low, high) if high > low else (id(tensor), 0)
        key = self._keys.get(place)
        if key is None:
            key = self._keys[place] = len(self.memory)
            self.memory.append(np.ascontiguousarray(base).reshape(-1).view(np.uint8))
        offset = offset // array.itemsize if array.size else 0
        return StoredTensor(
            str(key), tensor.dtype.type_name, offset, (high - low) // array.itemsize
        )
