"""One number for each dimension."""

from __future__ import annotations

from typing import Any


def of_rank(value: Any, rank: int) -> tuple[int, ...]:
    """A number as many times as there are dimensions; several as they are."""
    return (value,) * rank if isinstance(value, int) else tuple(value)


def _single(value: Any) -> tuple[int, ...]:
    return of_rank(value, 1)


def _pair(value: Any) -> tuple[int, ...]:
    return of_rank(value, 2)


def _triple(value: Any) -> tuple[int, ...]:
    return of_rank(value, 3)


def _quadruple(value: Any) -> tuple[int, ...]:
    return of_rank(value, 4)


def _ntuple(rank: int, name: str = "parse") -> Any:
    return lambda value: of_rank(value, rank)
