"""Which call of a small function compiles it.

Note [Tiers]
To compile a node costs as much as some hundred interpreted calls of it with small tensors; where gradients are wanted, it costs
several times as much, and a call takes longer by still more. A program of few functions pays that once and is fast from its second
calls on: these compile, until functions of `AT_ONCE` nodes were compiled in the process, so that the first one always does. In a
program of many functions most would be compiled for a handful of calls. There a function is interpreted until its calls were `WORTH`
the compilation; one with large tensors counts for several. So a process waits for the compiler no longer than twice the time that the
best choice for each function would have taken, and which call compiles depends on the program alone.

What is not held back: functions of more than `MOST` nodes, of which a program has few, and which are compiled in the background (Note
[In the background] in utils/background.py); the way back of a function that was worth compiling; and what goes through a user's
passes, or runs on a device. `ts.tiered_compilation(False)` holds nothing back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

AT_ONCE = 200
"""Nodes that second calls compile in a process."""
MOST = 300
"""Nodes of a function that may be held back."""
WITH_GRADIENTS = 3
"""How many times as much a node costs that is differentiated."""
RECORDED = 4
"""Calls without gradients that one which records its nodes counts for."""
LOOPS = 4
"""Calls that one of a function with loops counts for: it may take any time."""
WORTH = 256
"""Interpreted calls with small tensors that cost as much as a compilation."""
ELEMENTS = 4096
"""Elements of tensors that take as long as a call of an operator."""


class _Spent:
    nodes: int = 0


class Tier:
    """How much the calls of a plan have been worth so far. `price` gives the nodes of its function, 0 where that is not held back, and
    `call` what a call with small tensors is worth.
    """

    def __init__(self, price: Callable[[], int], call: Callable[[], int]) -> None:
        self._price = price
        self._call = call
        self._of_call = 1
        self.is_at_once: bool | None = None
        """Whether the second call compiles; None before that."""
        self.worth = 0
        """How many calls with small tensors its calls are worth."""

    def note(self, args: Sequence[Any], result: Any) -> None:
        """A call was interpreted."""
        self.worth += 1 + (_elements(args) + _elements((result,))) // ELEMENTS

    def is_early(self) -> bool:
        """Whether the next call is interpreted, too."""
        if self.is_at_once is None:
            self.is_at_once = _is_allowed(self._price())
            self._of_call = self._call()
        return self.is_waiting

    @property
    def is_waiting(self) -> bool:
        """Whether more calls will be interpreted, where that is known."""
        return self.is_at_once is False and self.worth * self._of_call < WORTH


def _is_allowed(price: int) -> bool:
    if _Spent.nodes >= AT_ONCE and price:
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
