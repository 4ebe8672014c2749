"""Tables of what has been found out, of a bounded size."""

from __future__ import annotations

from typing import TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Memo(dict[Key, Value]):
    """A dict that forgets all it holds when it is full: for what can be found out again.

    Looking a key up costs what it costs in a dict. `functools.lru_cache` is for functions of their arguments alone.
    """

    __slots__ = ("limit",)

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __setitem__(self, key: Key, value: Value) -> None:
        if len(self) >= self.limit and key not in self:
            self.clear()
        super().__setitem__(key, value)
