"""Python functions that programs call: graphs hold their numbers."""

from __future__ import annotations

from typing import Any

_functions: list[tuple[Any, Any]] = []
"""By number, with the unit whose values the function takes. Graphs outlive units, so they stay."""
_numbers: dict[tuple[int, int], int] = {}
"""By the identities of function and unit."""


def register(fn: Any, unit: Any) -> int:
    """The number of a function that programs of a unit call."""
    key = (id(fn), id(unit))
    if key not in _numbers:
        _numbers[key] = len(_functions)
        _functions.append((fn, unit))
    return _numbers[key]


def registered(number: int) -> tuple[Any, Any] | None:
    """The function of that number and the unit whose values it takes; None where this process knows none."""
    return _functions[number] if 0 <= number < len(_functions) else None
