"""Memory of a device, kept for the next tensor when one is freed (PyTorch: c10/cuda/CUDACachingAllocator.cpp).

Freed blocks are kept by stream: what a block was used for in its stream is done before whatever the next tensor in it is for.
"""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from threading import RLock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.runtime.cuda import streams
from torchscript_dialect.runtime.cuda.driver import CudaOutOfMemoryError, Driver, driver

ROUND: Final = 512
"""Blocks are of multiples of this many bytes."""
LARGE: Final = 1 << 20
"""From here on blocks are of multiples of 2 MiB, so that tensors of nearly the same size share them."""

Pool = tuple[int, int]
"""The stream and the size of blocks that may stand for each other."""


class Block:
    """Memory of a device, given back when nobody holds it."""

    __slots__ = ("__weakref__", "_allocator", "_memory", "_pool", "address", "size")

    def __init__(self, allocator: Allocator, memory: Any, pool: Pool) -> None:
        size = pool[1]
        self._allocator = allocator
        self._memory = memory
        self._pool = pool
        self.address = int(memory)
        self.size = size
        """Bytes, those that round it up included."""

    def __del__(self) -> None:
        self._allocator.take_back(self._memory, self._pool)


class Allocator:
    """Hands out memory of a device."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.allocated = 0
        """Bytes of the blocks that somebody holds."""
        self.reserved = 0
        """Bytes that the driver gave, those of free blocks included."""
        self.peak = 0
        """The most bytes that somebody held at once."""
        self._free: defaultdict[Pool, list[Any]] = defaultdict(list)
        self._lock = RLock()

    def allocate(self, size: int, stream: Any = None) -> Block:
        """A block of at least `size` bytes, for what is done in a stream; what it holds is anything.

        Raises:
            CudaOutOfMemoryError: the device has no room, even without the free blocks.
        """
        rounded = _rounded(size)
        with self._lock:
            pool = (0 if stream is None else stream.handle, rounded)
            free = self._free[pool]
            memory = free.pop() if free else self._from_driver(rounded)
            self.allocated += rounded
            self.peak = max(self.peak, self.allocated)
            return Block(self, memory, pool)

    def take_back(self, memory: Any, pool: Pool) -> None:
        """Keep the memory of a block for the next one of its size in its stream."""
        with self._lock:
            self.allocated -= pool[1]
            self._free[pool].append(memory)

    def empty_cache(self) -> None:
        """Give free blocks back to the driver."""
        with self._lock:
            for (_, size), free in self._free.items():
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
        self.write(block.address, array)
        return block

    def write(self, address: int, array: NDArray[Any]) -> None:
        """Write what a C-contiguous array holds to the device, after all that was launched before."""
        if array.nbytes:
            copy = self.driver.pycuda.memcpy_htod
            self._after_stream()
            self.driver.call("a copy to the device", copy, address, _as_bytes(array))

    def to_host(self, block: Block, array: NDArray[Any]) -> None:
        """Fill a C-contiguous array from a block, after all that was launched before.

        Raises:
            CudaError: a kernel that was launched before failed.
        """
        self.read(block.address, array)

    def read(self, address: int, array: NDArray[Any]) -> None:
        """Fill a C-contiguous array from the device, after all that was launched before.

        Raises:
            CudaError: a kernel that was launched before failed.
        """
        if array.nbytes:
            copy = self.driver.pycuda.memcpy_dtoh
            self._after_stream()
            self.driver.call("a copy from the device", copy, _as_bytes(array), address)

    def copy(self, to: int, source: int, size: int) -> None:
        """Copy bytes on the device, in the order of the stream."""
        stream = streams.current_handle()
        copy = self.driver.pycuda.memcpy_dtod_async
        self.driver.call("a copy on the device", copy, to, source, size, stream)

    def _after_stream(self) -> None:
        """Wait for what is in the stream of this thread: copies of the host's memory are in the default stream."""
        stream = streams.current()
        if stream is not None:
            stream.synchronize()


def _as_bytes(array: NDArray[Any]) -> NDArray[np.uint8]:
    """The memory of a C-contiguous array: pycuda does not know all dtypes."""
    return np.ndarray((array.nbytes,), np.uint8, array)


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
