"""A device's memory: global allocations, and what stands for the shared and local memory of the threads of a launch."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from support.simt.faults import Fault

Bytes = NDArray[np.uint8]
Indices = NDArray[np.int64]

BASE = 0x7000_0000_0000
"""Where global memory begins."""
SHARED, LOCAL = 1 << 40, 1 << 41
"""Where shared and local memory stand among generic addresses."""
GAP = 256
"""Bytes between allocations, which belong to nobody."""


class OutOfMemory(Exception):
    """No room for an allocation."""


class Memory:
    """Global memory of `capacity` bytes; only what is touched takes room on the host."""

    def __init__(self, capacity: int = 1 << 28) -> None:
        self.bytes: Bytes = np.zeros(capacity, np.uint8)
        self.capacity = capacity
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._writes: Accesses | None = None
        self._reads: Accesses | None = None
        self.launches = 0
        self.bank_conflicts = 0
        """How often different 16 bytes that eight threads load at once were in the same banks of shared memory."""

    def count_bank_conflicts(self, lanes: NDArray[np.int64], at: NDArray[np.int64]) -> None:
        """Of loads of 16 bytes of shared memory from such addresses on, those of eight threads at once."""
        together, chunks = lanes // 8, at // 16
        order = np.lexsort((chunks, chunks % 8, together))
        together, chunks = together[order], chunks[order]
        is_same = (together[1:] == together[:-1]) & (chunks[1:] % 8 == chunks[:-1] % 8)
        conflicts = is_same & (chunks[1:] != chunks[:-1])
        self.bank_conflicts += np.unique(together[1:][conflicts]).size

    @property
    def allocations(self) -> int:
        """How many allocations are alive."""
        return len(self._starts)

    @property
    def used(self) -> int:
        """Bytes of the allocations that are alive."""
        return sum(self._ends) - sum(self._starts)

    def allocate(self, size: int) -> int:
        """The address of `size` new bytes, aligned to 256; what they hold is not 0.

        Raises:
            OutOfMemory: there is no such room.
        """
        start = 0
        for i, taken in enumerate([*self._starts, self.capacity]):
            if start + size + GAP <= taken:
                self._starts.insert(i, start)
                self._ends.insert(i, start + size)
                self.bytes[start : start + size] = 0xA5
                return BASE + start
            if i < len(self._ends):
                start = -(-(self._ends[i] + GAP) // 256) * 256
        raise OutOfMemory(f"{size} bytes")

    def free(self, address: int) -> None:
        """Give an allocation back.

        Raises:
            Fault: nothing is allocated there.
        """
        start = address - BASE
        i = bisect_right(self._starts, start) - 1
        if i < 0 or self._starts[i] != start:
            raise Fault(f"nothing is allocated at {address:#x}")
        del self._starts[i], self._ends[i]

    def place(self, address: int, size: int) -> slice:
        """Where bytes of one allocation stand.

        Raises:
            Fault: they are not all in one allocation.
        """
        start = address - BASE
        if size and not self.owned(np.array([start]), size)[0]:
            raise Fault(f"{size} bytes at {address:#x} are not allocated")
        return slice(start, start + size)

    def owned(self, starts: Indices, size: int) -> NDArray[np.bool_]:
        """Whether `size` bytes from each start belong to one allocation."""
        if not self._starts:
            return np.zeros(len(starts), bool)
        i = np.searchsorted(np.array(self._starts), starts, side="right") - 1
        return (i >= 0) & (starts + size <= np.array(self._ends)[i])

    def read(self, address: int, size: int) -> bytes:
        """A copy of bytes."""
        return self.bytes[self.place(address, size)].tobytes()

    def write(self, address: int, data: bytes) -> None:
        """Put bytes there."""
        self.bytes[self.place(address, len(data))] = np.frombuffer(data, np.uint8)

    # Races between the threads of a launch: who wrote and read each byte last, as launch * 2**40 + thread + 1, in which block that was,
    # -1 where several have read, and after how many of its barriers

    def races(
        self,
        starts: Indices,
        size: int,
        granule: int,
        who: tuple[Indices, Indices, Indices],
        is_write: bool,
    ) -> NDArray[np.bool_]:
        """Whether another thread of the launch touches the same bytes, one of both writes, and no barrier stands between. `who` are the
        threads, their blocks, and how many barriers each has passed. Of `granule` bytes, one is looked at.
        """
        if self._writes is None or self._reads is None:
            self._writes, self._reads = Accesses(self.capacity), Accesses(self.capacity)
        now = self.launches << 40
        threads, blocks, epochs = (one[:, None] for one in who)
        mine = now + threads + 1
        places = starts[:, None] + np.arange(0, size, granule)
        found = self._writes.conflicts(places, now, mine, blocks, epochs)
        if is_write:
            found |= self._reads.conflicts(places, now, mine, blocks, epochs)
            self._writes.note(places, mine, blocks, epochs)
            return (found | (self._writes.last[places] != mine)).any(1)
        seen = self._reads.last[places] >= now
        several = seen & (self._reads.block[places] != blocks)
        others = self._reads.conflicts(places, now, mine, blocks, epochs)
        self._reads.note(places, np.where(others, now + (1 << 39), mine), blocks, epochs)
        twice = (self._reads.last[places] != mine) & ~others
        self._reads.last[places[twice]] = now + (1 << 39)
        several |= self._reads.block[places] != blocks
        self._reads.block[places[several]] = -1
        return np.asarray(found.any(1))


class Accesses:
    """The last access to each byte."""

    def __init__(self, capacity: int) -> None:
        self.last = np.zeros(capacity, np.int64)
        self.block = np.zeros(capacity, np.int32)
        self.epoch = np.zeros(capacity, np.int32)

    def conflicts(
        self, places: Indices, now: int, mine: Indices, blocks: Indices, epochs: Indices
    ) -> NDArray[np.bool_]:
        """Where another thread of this launch was, with no barrier of its block since."""
        others = (self.last[places] >= now) & (self.last[places] != mine)
        is_ordered = (self.block[places] == blocks) & (self.epoch[places] < epochs)
        return np.asarray(others & ~is_ordered)

    def note(self, places: Indices, mine: Indices, blocks: Indices, epochs: Indices) -> None:
        """Remember who is there now."""
        self.last[places], self.block[places], self.epoch[places] = mine, blocks, epochs


class Scratch:
    """Shared memory of each block, or local memory of each thread: one row for each.

    Who wrote and read a byte last is a number: after how many barriers of the block, of the warp (20 bits), and the thread. Of several
    readers, the thread is `SEVERAL` and the first one of their warp, or `MANY` where they are of several warps.
    """

    SEVERAL, MANY = 1 << 11, 1 << 12

    def __init__(self, rows: int, size: int) -> None:
        self.size = size
        self.bytes: Bytes = np.full(rows * max(size, 1), 0xA5, np.uint8)
        self.on_their_way = np.zeros(self.bytes.size, bool)
        """Which bytes are copied to by what no thread has waited for."""
        self._writes = np.zeros(self.bytes.size, np.int64)
        self._reads = np.zeros(self.bytes.size, np.int64)

    def races(
        self,
        starts: Indices,
        size: int,
        granule: int,
        threads: Indices,
        epochs: tuple[Indices, Indices],
        is_write: bool,
    ) -> NDArray[np.bool_]:
        """Whether threads of a block touch the same bytes with no barrier between them, and one of both writes.

        `epochs` counts the barriers that each thread's block, and its warp, has passed. Of `granule` bytes, one is looked at.
        """
        if size == granule:
            places = starts[:, None]
        else:
            places = starts[:, None] + np.arange(0, size, granule)
        of_block, of_warp = epochs
        mine = (((of_block + 1) << 40) | (of_warp << 20) | threads)[:, None]
        found = self._unordered(self._writes[places], mine)
        if is_write:
            found |= self._unordered(self._reads[places], mine)
            self._writes[places] = mine
            return np.asarray((found | (self._writes[places] != mine)).any(1))
        before = self._reads[places]
        self._reads[places] = mine
        after = self._reads[places]
        if (before >> 40 != mine >> 40).all() and (after == mine).all():
            return np.asarray(found.any(1))
        seen = self._unordered(before, mine)
        several = seen | (after != mine)
        is_one_warp = _warp(after) == _warp(mine)
        is_one_warp &= ~seen | (_warp(before) == _warp(mine))
        thread = np.where(is_one_warp, self.SEVERAL | (mine & 0x3E0), self.MANY)
        self._reads[places[several]] = (mine >> 20 << 20 | thread)[several]
        again = self._reads[places[several]]
        kept = (mine >> 20 << 20 | thread)[several]
        mixed = _warp(again) != _warp(kept)
        self._reads[places[several][mixed]] = (kept >> 20 << 20 | self.MANY)[mixed]
        return np.asarray(found.any(1))

    def _unordered(self, others: Indices, mine: Indices) -> NDArray[np.bool_]:
        """Where another thread was in the same time between barriers of the block, with no barrier of the warp between, if it is one."""
        found = (others >> 40 == mine >> 40) & (others != mine)
        if not found.any():
            return found
        found &= (others ^ mine) & 0xFFFFF != 0
        is_ordered = (_warp(others) == _warp(mine)) & ((others ^ mine) >> 20 & 0xFFFFF != 0)
        return found & ~is_ordered


def _warp(who: Indices) -> Indices:
    """The warp of a number of `Scratch`; none where several have read."""
    return np.where(who & Scratch.MANY, -1, who >> 5 & 31)
