"""What an atomic operation leaves in memory, from what was there and its operands (PTX ISA, `atom`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ATOMIC: dict[str, Callable[..., Any]] = {
    "add": lambda old, a: old + a,
    "min": min,
    "max": max,
    "and": lambda old, a: old & a,
    "or": lambda old, a: old | a,
    "xor": lambda old, a: old ^ a,
    "exch": lambda old, a: a,
    "cas": lambda old, expected, new: new if old == expected else old,
    "inc": lambda old, limit: 0 if old >= limit else old + 1,
    "dec": lambda old, limit: limit if old == 0 or old > limit else old - 1,
}
