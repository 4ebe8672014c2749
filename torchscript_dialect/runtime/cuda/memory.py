"""Memory of a device, kept for the next tensor when one is freed (PyTorch: c10/cuda/CUDACachingAllocator.cpp).

All work is in one stream: what a block was used for is done before whatever the next tensor in it is for.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from threading import RLock
from typing import Any, Final

from numpy.typing import NDArray

from torchscript_dialect.runtime.cuda.driver import CudaOutOfMemoryError, Driver, driver

ROUND: Final = 512
"""Blocks are of multiples of this many bytes."""
LARGE: Final = 1 << 20
"""From here on blocks are of multiples of 2 MiB, so that tensors of nearly the same size share them."""


class Block:
    """Memory of a device, given back when nobody holds it."""

    __slots__ = ("__weakref__", "_allocator", "_memory", "address", "size")

    def __init__(self, allocator: Allocator, memory: Any, size: int) -> None:
        self._allocator = allocator
        self._memory = memory
        self.address = int(memory)
        self.size = size
        """Bytes, those that round it up included."""

    def __del__(self) -> None:
        self._allocator.take_back(self._memory, self.size)


class Allocator:
    """Hands out memory of a device."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.allocated = 0
        """Bytes of the blocks that somebody holds."""
        self.reserved = 0
        """Bytes that the driver gave, those of free blocks included."""
        self._free: defaultdict[int, list[Any]] = defaultdict(list)
        self._lock = RLock()

    def allocate(self, size: int) -> Block:
        """A block of at least `size` bytes; what it holds is anything.

        Raises:
            CudaOutOfMemoryError: the device has no room, even without the free blocks.
        """
        rounded = _rounded(size)
        with self._lock:
            free = self._free[rounded]
            memory = free.pop() if free else self._from_driver(rounded)
            self.allocated += rounded
            return Block(self, memory, rounded)

    def take_back(self, memory: Any, size: int) -> None:
        """Keep the memory of a block for the next one of its size."""
        with self._lock:
            self.allocated -= size
            self._free[size].append(memory)

    def empty_cache(self) -> None:
        """Give free blocks back to the driver."""
        with self._lock:
            for size, free in self._free.items():
                self.reserved -= size * len(free)
                for memory in free:
                    self.driver.call("freeing memory", memory.free)
            self._free.clear()

    def _from_driver(self, size: int) -> Any:
        allocate = self.driver.pycuda.mem_alloc
        what = f"tried to allocate {size} bytes, with {self.allocated} in use"
        try:
            memory = self.driver.call(what, allocate, size)
        except CudaOutOfMemoryError:
            self.empty_cache()
            memory = self.driver.call(what, allocate, size)
        self.reserved += size
        return memory

    # Copies

    def to_device(self, array: NDArray[Any]) -> Block:
        """A block that holds what a C-contiguous array holds."""
        block = self.allocate(array.nbytes)
        if array.nbytes:
            self.driver.call(
                "a copy to the device", self.driver.pycuda.memcpy_htod, block.address, array
            )
        return block

    def to_host(self, block: Block, array: NDArray[Any]) -> None:
        """Fill a C-contiguous array from a block, after all that was launched before.

        Raises:
            CudaError: a kernel that was launched before failed.
        """
        if array.nbytes:
            self.driver.call(
                "a copy from the device", self.driver.pycuda.memcpy_dtoh, array, block.address
            )


def _rounded(size: int) -> int:
    unit = ROUND if size < LARGE else 2 * LARGE
    return max(-(-size // unit), 1) * unit


@lru_cache(maxsize=1)
def allocator() -> Allocator:
    """The allocator of the driver's device.

    Raises:
        CudaError: there is none.
    """
    return Allocator(driver())
