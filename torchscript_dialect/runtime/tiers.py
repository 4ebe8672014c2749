"""Which call of a small function compiles it.

Note [Tiers]
To compile a node costs as much as some hundred interpreted calls of it with small tensors; where gradients are wanted, it costs
several times as much, and a call takes longer by still more. A program of few functions pays that once and is fast from its second
calls on: these compile, until functions of `AT_ONCE` nodes were compiled in the process. In a program of many functions most would be
compiled for a handful of calls. There a function is interpreted until its calls were `WORTH` the compilation; one with large tensors
counts for several. So a process waits for the compiler no longer than twice the time that the best choice for each function would
have taken, and which call compiles depends on the program alone.

What is not held back: functions with loops, whose calls may take any time; the way back of a function that was worth compiling; what
goes through a user's passes, or runs on a device; and what is compiled in the background (Note [In the background] in
utils/background.py), for which nobody waits. `ts.tiered_compilation(False)` holds nothing back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

AT_ONCE = 200
"""Nodes that second calls compile in a process."""
WITH_GRADIENTS = 3
"""How many times as much a node costs that is differentiated."""
RECORDED = 4
"""Calls without gradients that one which records its nodes counts for."""
WORTH = 256
"""Interpreted calls with small tensors that cost as much as a compilation."""
ELEMENTS = 4096
"""Elements of tensors that take as long as a call of an operator."""


class _Spent:
    nodes: int = 0


class Tier:
    """How much the calls of a plan have been worth so far. `price` gives the nodes of its function; 0 where that is not held back.
    `call` is what a call with small tensors is worth.
    """

    def __init__(self, price: Callable[[], int], call: int = 1) -> None:
        self._price = price
        self._call = call
        self.is_at_once: bool | None = None
        """Whether the second call compiles; None before that."""
        self.worth = 0

    def note(self, args: Sequence[Any], result: Any) -> None:
        """A call was interpreted."""
        several = (_elements(args) + _elements((result,))) // ELEMENTS
        self.worth += self._call * (1 + several)

    def is_early(self) -> bool:
        """Whether the next call is interpreted, too."""
        if self.is_at_once is None:
            self.is_at_once = _is_allowed(self._price())
        return self.is_waiting

    @property
    def is_waiting(self) -> bool:
        """Whether more calls will be interpreted, where that is known."""
        return self.is_at_once is False and self.worth < WORTH


def _is_allowed(price: int) -> bool:
    if _Spent.nodes + price > AT_ONCE and price:
        return False
    _Spent.nodes += price
    return True


def _elements(values: Sequence[Any]) -> int:
    count = 0
    for value in values:
        if value.__class__ is Tensor or value.__class__ is TrackedTensor:
            count += value.array.size
        elif isinstance(value, (list, tuple)):
            count += _elements(cast("Sequence[Any]", value))
    return count
