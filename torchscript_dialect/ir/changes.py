"""Tells listeners of edits of a graph: what was made of a function must not outlive the function as it was.

Note [Edited functions]
Edits by the methods of Graph, Node, Block and Value, and runs of pipelines, tell by themselves whom they concern, so that the next
call runs what has become of the function. Of xDSL's own edits nobody hears. So whoever gets at the ops behind a function that can be
called (`f.module_op`, `graph.function`, `node.op`, `value.ssa`, `block.ir`) is noted, and from then on each call compares the ops with
what they were: it is no native call any more. `f.invalidate()` says that the edits are over. A function that nobody looked at so
pays nothing.
"""

from __future__ import annotations

from typing import Protocol
from weakref import WeakKeyDictionary, WeakSet

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.ir import edit


class Listener(Protocol):
    """What was made of the functions of a module."""

    def function_edited(self) -> None:
        """Forget what was made."""

    def ops_handed_out(self) -> None:
        """From now on the ops may change without a word."""


_listeners: WeakKeyDictionary[ModuleOp, WeakSet[Listener]] = WeakKeyDictionary()

Place = Operation | Block | SSAValue | None


def listen(module: ModuleOp, listener: Listener) -> None:
    """Tell `listener` of edits in a module, as long as both live."""
    _listeners.setdefault(module, WeakSet()).add(listener)


def edited(place: Place) -> None:
    """Tell whom it may concern that something in `place` was edited, or in the module around it."""
    for listener in _concerned(place):
        listener.function_edited()


def handed_out(place: Place) -> None:
    """Tell whom it may concern that somebody has got at an op, value or block."""
    for listener in _concerned(place):
        listener.ops_handed_out()


def _concerned(place: Place) -> list[Listener]:
    if isinstance(place, SSAValue):
        place = place.owner
    if isinstance(place, Block):
        place = place.parent_op()
    while place is not None and not isinstance(place, ModuleOp):
        place = place.parent_op()
    return [] if place is None else list(_listeners.get(place, ()))


class Snapshot:
    """What a module was like at a time; `is_true` says whether it still is."""

    def __init__(self, module: ModuleOp) -> None:
        self.module = module
        self.facts = [_facts(op) for op in module.walk()]

    def is_true(self) -> bool:
        """Whether the module is made of the same ops in the same order, with the same operands, types and attributes."""
        ops = list(self.module.walk())
        return len(ops) == len(self.facts) and all(
            _facts(op) == known for op, known in zip(ops, self.facts, strict=True)
        )


Facts = tuple[
    Operation, tuple[SSAValue, ...], list[Attribute], dict[str, Attribute], dict[str, Attribute]
]


def _facts(op: Operation) -> Facts:
    types = [result.type for result in op.results]
    for region in op.regions:
        for block in region.blocks:
            types += block.arg_types
    return op, tuple(edit.operands_of(op)), types, dict(op.attributes), dict(op.properties)
