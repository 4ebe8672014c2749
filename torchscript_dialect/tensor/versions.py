"""Counts writes to memory that somebody keeps for a gradient (PyTorch: c10/core/TensorImpl.h, `VariableVersion`).

A block of memory is watched as long as a saved tensor holds its `Version`. Writes to other memory cost one look into an empty table.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from numpy.typing import NDArray

from torchscript_dialect.tensor.storage import root


class Version:
    """How many times the memory of `owner` was written to since it is watched."""

    __slots__ = ("__weakref__", "count", "owner")

    def __init__(self, owner: NDArray[Any]) -> None:
        self.owner = owner  # so that its id stays its own
        self.count = 0


_watched: WeakValueDictionary[int, Version] = WeakValueDictionary()


def version_of(array: NDArray[Any]) -> Version:
    """The counter of the memory that an array stands on, which is watched as long as somebody holds it."""
    owner = root(array)
    version = _watched.get(id(owner))
    if version is None:
        version = _watched[id(owner)] = Version(owner)
    return version


def is_anything_watched() -> bool:
    """Whether any memory is watched."""
    watched: Any = _watched
    return bool(watched.data)


def is_watched(array: NDArray[Any]) -> bool:
    """Whether the memory that an array stands on is watched."""
    return bool(_watched) and id(root(array)) in _watched


def written(array: NDArray[Any]) -> None:
    """Count a write to the memory of an array."""
    watched: Any = _watched
    references = watched.data  # a third of the time of `get`
    if not references:
        return
    reference = references.get(id(array if array.base is None else root(array)))
    version: Version | None = None if reference is None else reference()
    if version is not None:
        version.count += 1
