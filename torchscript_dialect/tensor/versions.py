"""Counts writes to memory (PyTorch: c10/core/TensorImpl.h, `VariableVersion`).

A block of memory is watched as long as somebody who keeps it for a gradient holds its `Version`: all writes to it are counted. Of other
memory eager operators count what they write, once gradients are in use, in what a tensor knows of its history; a write that finds
nothing there costs one look into an empty table.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

from numpy.typing import NDArray

from torchscript_dialect.tensor.storage import root


class Version:
    """How many times the memory of `owner` was written to."""

    __slots__ = ("__weakref__", "count", "is_watched", "owner")

    def __init__(self, owner: NDArray[Any], count: int = 0) -> None:
        self.owner = owner  # so that its id stays its own
        self.count = count
        self.is_watched = False

    def is_of(self, array: NDArray[Any]) -> bool:
        """Whether an array stands on the memory."""
        return self.owner is array or self.owner is root(array)


class _Reference(ref[Version]):
    """What the table holds of a counter: it takes itself out when the counter is gone."""

    __slots__ = ("key",)
    key: int


_watched: dict[int, _Reference] = {}
"""The counters of watched memory by the identity of its owner."""


def _forget(gone: _Reference) -> None:
    key = gone.key
    if key in _watched and _watched[key] is gone:
        del _watched[key]


def version_of(array: NDArray[Any]) -> Version:
    """The counter of the memory that an array stands on, which is watched as long as somebody holds it."""
    return version_of_owner(array if array.base is None else root(array))


def version_of_owner(array: NDArray[Any]) -> Version:
    """The same for an array that owns its memory."""
    reference = _watched.get(id(array))
    return (None if reference is None else reference()) or watch(Version(array))


def counter_of(array: NDArray[Any], count: int = 0) -> Version:
    """The same where the memory is watched, elsewhere a new counter that begins with `count`."""
    owner = root(array)
    return _watched_on(owner) or Version(owner, count)


def _watched_on(owner: NDArray[Any]) -> Version | None:
    reference = _watched.get(id(owner))
    return None if reference is None else reference()


def watch(version: Version) -> Version:
    """The counter of that memory that is watched, which is this one if there was none."""
    if version.is_watched:
        return version
    key = id(version.owner)
    reference = _watched.get(key)
    found = None if reference is None else reference()
    if found is not None:
        return found
    version.is_watched = True
    reference = _watched[key] = _Reference(version, _forget)
    reference.key = key
    return version


def is_anything_watched() -> bool:
    """Whether any memory is watched."""
    return bool(_watched)


def is_watched(array: NDArray[Any]) -> bool:
    """Whether the memory that an array stands on is watched."""
    return bool(_watched) and _watched_on(root(array)) is not None


def written(array: NDArray[Any]) -> bool:
    """Count a write to the memory of an array, if it is watched; whether it is."""
    if not is_anything_watched():
        return False
    version = _watched_on(array if array.base is None else root(array))
    if version is None:
        return False
    version.count += 1
    return True
