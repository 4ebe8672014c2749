"""Which tensors are parameters or buffers of modules: these are remembered beside them, so that no other tensor pays for it."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

PARAMETER, BUFFER, TRANSIENT_BUFFER = "Parameter", "Buffer", "transient"

_known: dict[str, WeakValueDictionary[int, Any]] = {
    kind: WeakValueDictionary() for kind in (PARAMETER, BUFFER, TRANSIENT_BUFFER)
}


def mark(tensor: Any, kind: str) -> None:
    """Let a tensor be of a kind."""
    _known[kind][id(tensor)] = tensor


def is_of(tensor: Any, kind: str) -> bool:
    """Whether a tensor is of a kind."""
    return tensor is not None and _known[kind].get(id(tensor)) is tensor


def kinds_of(tensor: Any) -> list[str]:
    """The kinds that a tensor is of."""
    return [kind for kind in _known if is_of(tensor, kind)]


def mark_as(tensor: Any, other: Any) -> None:
    """Let a tensor be of the kinds that another is of."""
    for kind in kinds_of(other):
        mark(tensor, kind)
