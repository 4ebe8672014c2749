"""Python functions that programs call: graphs hold their numbers."""

from __future__ import annotations

from typing import Any

_functions: list[tuple[Any, Any]] = []


def register(fn: Any, unit: Any) -> int:
    """The number of a function that programs of a unit call."""
    _functions.append((fn, unit))
    return len(_functions) - 1


def registered(number: int) -> tuple[Any, Any] | None:
    """The function of that number and the unit whose values it takes; None where this process knows none."""
    return _functions[number] if 0 <= number < len(_functions) else None
