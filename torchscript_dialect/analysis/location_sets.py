"""Sets of memory locations, numbers from 0 on, under the memory graph.

Note [Sets of locations]
A set is the bits of a Python int, so that what most questions are about, whether two sets meet, is one `&`. An int is as long as
its highest number, though: with one set for each of 100,000 values that is memory and time for the square of the nodes. So functions
of many elements have `Sparse` sets, of which only the chunks are there that hold something. Both know `|`, `&` and truth, and 0 is
the empty set of both.
"""

from __future__ import annotations

from collections.abc import Iterator

CHUNK = 2048
"""How many numbers a chunk of a sparse set is for."""
MOST_DENSE = 2 * CHUNK
"""How many numbers there may be until sets are sparse."""


class Sparse:
    """A set of numbers in chunks: the bits of each that is not empty, by its place. It does not change."""

    __slots__ = ("chunks",)

    def __init__(self, chunks: dict[int, int]) -> None:
        self.chunks = chunks

    def __bool__(self) -> bool:
        return bool(self.chunks)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sparse):
            return self.chunks == other.chunks
        return other == 0 and not self.chunks

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __or__(self, other: Locations) -> Sparse:
        """The numbers of either; another chunk for each of the smaller set."""
        if isinstance(other, int):
            assert not other
            return self
        large, small = self.chunks, other.chunks
        if len(large) < len(small):
            large, small = small, large
        if all(large.get(place, 0) | chunk == large.get(place) for place, chunk in small.items()):
            return self if large is self.chunks else other
        union = large.copy()
        for place, chunk in small.items():
            union[place] = union.get(place, 0) | chunk
        return Sparse(union)

    __ror__ = __or__

    def __and__(self, other: Locations) -> Sparse:
        """The numbers of both."""
        if isinstance(other, int):
            assert not other
            return _EMPTY
        large, small = self.chunks, other.chunks
        if len(large) < len(small):
            large, small = small, large
        common = {
            place: met for place, chunk in small.items() if (met := chunk & large.get(place, 0))
        }
        return Sparse(common) if common else _EMPTY

    __rand__ = __and__


_EMPTY = Sparse({})
Locations = int | Sparse
"""A set of memory locations; see Note [Sets of locations]."""


def single(number: int, count: int) -> Locations:
    """The set of one number, of so many that there may be."""
    if count <= MOST_DENSE:
        return 1 << number
    place, bit = divmod(number, CHUNK)
    return Sparse({place: 1 << bit})


def without(locations: Locations, others: Locations) -> Locations:
    """The numbers of the first set that are not in the second."""
    if isinstance(locations, int) and isinstance(others, int):
        return locations & ~others
    if isinstance(locations, int) or isinstance(others, int):
        return locations  # one of the two is empty
    left = {
        place: rest
        for place, chunk in locations.chunks.items()
        if (rest := chunk & ~others.chunks.get(place, 0))
    }
    return Sparse(left)


def numbers(locations: Locations) -> Iterator[int]:
    """The numbers in a set."""
    chunks = {0: locations} if isinstance(locations, int) else locations.chunks
    for place, chunk in chunks.items():
        while chunk:
            lowest = chunk & -chunk
            yield place * CHUNK + lowest.bit_length() - 1
            chunk ^= lowest
