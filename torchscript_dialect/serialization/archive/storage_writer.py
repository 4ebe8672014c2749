"""The memory of tensors that are saved, each piece once."""

from __future__ import annotations

import sys
from bisect import bisect_right, insort
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
        self._pieces: list[tuple[int, int]] = []
        """First and end addresses, in order."""

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
        holder = self._holder(low, high)
        if holder is not None and (low - holder[0]) % array.itemsize == 0:
            offset += low - holder[0]
            low, high = holder
        place = (low, high) if high > low else (id(tensor), 0)
        key = self._keys.get(place)
        if key is None:
            key = self._keys[place] = len(self.memory)
            self.memory.append(np.ascontiguousarray(base).reshape(-1).view(np.uint8))
            if high > low:
                insort(self._pieces, (low, high))
        offset = offset // array.itemsize if array.size else 0
        return StoredTensor(
            str(key), tensor.dtype.type_name, offset, (high - low) // array.itemsize
        )

    def _holder(self, low: int, high: int) -> tuple[int, int] | None:
        """The piece that all of some memory is in: PyTorch lends tensors without what they are views of."""
        place = bisect_right(self._pieces, (low, sys.maxsize))
        if not place or low >= high:
            return None
        first, end = self._pieces[place - 1]
        return (first, end) if high <= end else None
