"""Hooks of modules, and what takes them away again (PyTorch: torch/utils/hooks.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Hook = Callable[..., Any]


class Handle:
    """A hook that was registered."""

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = max(hooks, default=-1) + 1
        self._hooks = hooks
        self._hook = hook
        self._marks: list[dict[int, bool]] = []

    def mark(self, marks: dict[int, bool], is_marked: bool) -> None:
        """Note something about the hook, which goes when it goes."""
        if is_marked:
            marks[self.id] = True
            self._marks.append(marks)

    def remove(self) -> None:
        """Take the hook away."""
        if self._hooks.get(self.id) is not self._hook:
            return
        for table in (self._hooks, *self._marks):
            table.pop(self.id, None)

    def __enter__(self) -> Handle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def register(hooks: dict[int, Any], hook: Any, first: bool = False) -> Handle:
    """Add a hook, before the others if `first`."""
    handle = Handle(hooks, hook)
    after = dict(hooks) if first else {}
    if first:
        hooks.clear()
    hooks[handle.id] = hook
    hooks.update(after)
    return handle
