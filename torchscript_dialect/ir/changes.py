"""Who hears of edits: what was made of a function must not outlive the function as it was.

Edits by the methods of Graph, Node, Block and Value, and runs of pipelines, tell it by themselves. Edits of the ops behind them do
not; see `GraphExecutor.watch`.
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation


class Listener(Protocol):
    """What was made of the functions of a module."""

    def function_edited(self) -> None:
        """Forget what was made."""


_listeners: WeakKeyDictionary[ModuleOp, WeakSet[Listener]] = WeakKeyDictionary()


def listen(module: ModuleOp, listener: Listener) -> None:
    """Tell `listener` of edits in a module, as long as both live."""
    _listeners.setdefault(module, WeakSet()).add(listener)


def edited(place: Operation | Block | None) -> None:
    """Tell whom it may concern that something in `place` was edited, or in the module around it."""
    if isinstance(place, Block):
        place = place.parent_op()
    while place is not None and not isinstance(place, ModuleOp):
        place = place.parent_op()
    if place is not None:
        for listener in list(_listeners.get(place, ())):
            listener.function_edited()
