"""Memory of a device, kept for the next tensor when one is freed (PyTorch: c10/cuda/CUDACachingAllocator.cpp).

Freed blocks are kept by stream: what a block was used for in its stream is done before whatever the next tensor in it is for. A block
that another stream uses, which `record_stream` tells, waits until that has done what was in it.
"""

from __future__ import annotations

from array import array
from contextlib import suppress
from functools import lru_cache
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.runtime.cuda import streams
from torchscript_dialect.runtime.cuda.driver import CudaOutOfMemoryError, Driver, driver
from torchscript_dialect.runtime.native.abi import slot_offset
from torchscript_dialect.runtime.native.device_state import (
    ALLOCATE,
    BLOCK_MEMORY,
    BLOCK_TYPE,
    COUNTS,
    FIRST_LIST,
    LAUNCH,
    MEMORY_ADDRESS,
    MEMORY_SIZE,
    STATE,
    list_of,
    reset_lists,
    rounded,
)
from torchscript_dialect.runtime.native.runtime_blob import NativeUnavailable

Pool = tuple[int, int]
"""The stream and the size of blocks that may stand for each other."""


class Memory:
    """Memory that the driver gave, and the list that it is in while nobody holds it."""

    __slots__ = ("address", "allocator", "events", "free", "handle", "size", "users")

    def __init__(self, allocator: Allocator, handle: Any, size: int, free: list[Memory]) -> None:
        self.allocator = allocator
        self.handle = handle
        self.address = int(handle)
        self.size = size
        self.free = free
        self.users: list[streams.Stream] = []
        """Other streams that use it."""
        self.events: list[streams.Event] = []
        """What happens when they have done so, once nobody holds it."""


class Block:
    """Memory of a device, given back when nobody holds it. Native calls make blocks, too."""

    __slots__ = ("__weakref__", "memory")
    memory: Memory

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    @property
    def address(self) -> int:
        """Where it begins."""
        return self.memory.address

    @property
    def size(self) -> int:
        """Bytes, those that round it up included."""
        return self.memory.size

    def __del__(self) -> None:
        memory = self.memory
        memory.allocator.counts[0] -= memory.size
        (memory.allocator.used if memory.users else memory.free).append(memory)


class Allocator:
    """Hands out memory of a device."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.reserved = 0
        """Bytes that the driver gave, those of free blocks included."""
        self.reserved_peak = 0
        """The most that these were."""
        self._free: dict[Pool, list[Memory]] = {}
        self.used: list[Memory] = []
        """What nobody holds, and other streams may use."""
        self._lock = RLock()
        self._allocate = self.allocate
        self.counts = array("q", [0, 0])
        """Bytes of the blocks that somebody holds, now and at most."""

    @property
    def allocated(self) -> int:
        """Bytes of the blocks that somebody holds."""
        return self.counts[0]

    @property
    def peak(self) -> int:
        """The most bytes that somebody held at once."""
        return self.counts[1]

    def forget_peak(self) -> None:
        """Let the peaks be what is held now."""
        self.counts[1] = self.counts[0]
        self.reserved_peak = self.reserved

    def allocate(self, size: int, stream: Any = None) -> Block:
        """A block of at least `size` bytes, for what is done in a stream; what it holds is anything.

        Raises:
            CudaOutOfMemoryError: the device has no room, even without the free blocks.
        """
        of = rounded(size)
        if self.used:
            self._free_used(waits=False)
        free = self._list((0 if stream is None else stream.handle, of))
        try:
            memory = free.pop()
        except IndexError:
            memory = Memory(self, self._from_driver(of), of, free)
        counts = self.counts
        counts[0] += of
        counts[1] = max(counts)
        return Block(memory)

    def _list(self, pool: Pool) -> list[Memory]:
        """The free memory of a pool. Native calls find those of the default stream by their size."""
        free = self._free.get(pool)
        if free is None:
            with self._lock:
                free = self._free.setdefault(pool, [])
                place = None if pool[0] else list_of(pool[1])
                if place is not None and STATE[COUNTS] == self.counts.buffer_info()[0]:
                    STATE[FIRST_LIST + place] = id(free)
        return free

    def record_stream(self, block: Block, stream: streams.Stream) -> None:
        """Let a block, once freed, be used again after what is in a stream then."""
        memory = block.memory
        if self._list((stream.cuda_stream, memory.size)) is not memory.free:
            memory.users.append(stream)

    def _free_used(self, *, waits: bool) -> None:
        """Free what other streams have used, and no longer do."""
        with self._lock:
            for _ in range(len(self.used)):
                memory = self.used.pop(0)
                if not memory.events:
                    memory.events = [streams.Event().record(one) for one in memory.users]
                for event in memory.events if waits else ():
                    event.synchronize()
                if all(event.query() for event in memory.events):
                    memory.users, memory.events = [], []
                    memory.free.append(memory)
                else:
                    self.used.append(memory)

    def serve_native_calls(self) -> None:
        """Let native calls take blocks of this allocator, in the thread that has entered the driver's context, until it leaves that."""
        with suppress(NativeUnavailable), self._lock:
            reset_lists()
            STATE[BLOCK_MEMORY] = slot_offset(Block, "memory")
            STATE[MEMORY_ADDRESS] = slot_offset(Memory, "address")
            STATE[MEMORY_SIZE] = slot_offset(Memory, "size")
            STATE[BLOCK_TYPE] = id(Block)
            STATE[COUNTS] = self.counts.buffer_info()[0]
            for (stream, size), free in self._free.items():
                place = None if stream else list_of(size)
                if place is not None:
                    STATE[FIRST_LIST + place] = id(free)
            STATE[LAUNCH] = self.driver.launch_address
            STATE[ALLOCATE] = id(self._allocate)

    def empty_cache(self) -> None:
        """Give free blocks back to the driver, after all that uses them."""
        with self._lock:
            self._free_used(waits=True)
            for free in self._free.values():
                while free:
                    memory = free.pop()
                    self.reserved -= memory.size
                    self.driver.call("freeing memory", memory.handle.free)

    def _from_driver(self, size: int) -> Any:
        allocate = self.driver.pycuda.mem_alloc
        what = f"tried to allocate {size} bytes, with {self.allocated} in use"
        with self._lock:
            try:
                memory = self.driver.call(what, allocate, size)
            except CudaOutOfMemoryError:
                self.empty_cache()
                memory = self.driver.call(what, allocate, size)
            self.reserved += size
            self.reserved_peak = max(self.reserved_peak, self.reserved)
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


@lru_cache(maxsize=1)
def allocator() -> Allocator:
    """The allocator of the driver's device.

    Raises:
        CudaError: there is none.
    """
    made = Allocator(driver())
    made.serve_native_calls()
    return made
