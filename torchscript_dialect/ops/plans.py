"""What follows from sizes and numbers alone is found once for each combination of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

R = TypeVar("R")


def planned(function: Callable[..., R]) -> Callable[..., R]:
    """Let a function remember what it gave, for lists of numbers as for tuples. What it raises is raised anew."""
    remembered = lru_cache(maxsize=1024)(function)

    def find(*arguments: Any) -> R:
        return remembered(*[tuple(a) if a.__class__ is list else a for a in arguments])

    return find
