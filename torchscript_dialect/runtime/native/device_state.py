"""Words that the native entry and the runtime of a device share: see Note [Launches from native calls] in `device_ir.py`."""

from __future__ import annotations

from array import array

ROUND_SHIFT = 9
"""Blocks are of multiples of this power of 2 bytes."""
LARGE = 1 << 20
"""From here on blocks are of multiples of 2 MiB, so that tensors of nearly the same size share them."""
PIECE_SHIFT = 21
SMALL_LISTS = LARGE >> ROUND_SHIFT
LISTS = SMALL_LISTS + 1024
"""How many sizes of blocks have a list of their own."""

WORDS = (
    "THREAD",  # the one that may launch, whose context is current; 0 for none
    "STREAM",  # what it has chosen instead of the default one, or 0
    "LAUNCH",  # the address of cuLaunchKernel
    "ALLOCATE",  # the address of a function that gives a block of so many bytes, or 0: then there are no native launches
    "BLOCK_TYPE",
    "BLOCK_MEMORY",  # offsets of slots: what a block holds, and of that
    "MEMORY_ADDRESS",
    "MEMORY_SIZE",
    "COUNTS",  # the address of two words: bytes that somebody holds, now and at most
    "LISTS",  # the addresses of lists of free memory of the default stream, by size
)
THREAD, STREAM, LAUNCH, ALLOCATE, BLOCK_TYPE, BLOCK_MEMORY, MEMORY_ADDRESS, MEMORY_SIZE = range(8)
COUNTS, FIRST_LIST = 8, 9

STATE = array("Q", bytes(8 * (FIRST_LIST + LISTS)))


def rounded(size: int) -> int:
    """The size of a block that holds so many bytes."""
    unit = 1 << (ROUND_SHIFT if size < LARGE else PIECE_SHIFT)
    return max(-(-size // unit), 1) * unit


def list_of(size: int) -> int | None:
    """Which list holds blocks of a rounded size; None where they have none of their own."""
    if size <= LARGE:
        return (size >> ROUND_SHIFT) - 1
    place = SMALL_LISTS + (size >> PIECE_SHIFT) - 1
    return place if place < LISTS else None


def reset_lists() -> None:
    """Let no native call launch a kernel until an allocator serves them again."""
    STATE[ALLOCATE] = STATE[COUNTS] = 0
    for place in range(FIRST_LIST, len(STATE)):
        STATE[place] = 0
