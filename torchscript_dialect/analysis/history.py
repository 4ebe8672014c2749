"""Which tensors of a run without gradients need their history (PyTorch keeps it of all: torch/csrc/autograd/VariableTypeUtils.h).

Note [History under no_grad]
Under `torch.no_grad()` nothing gets a node, but a view remembers what it is a view of, and a write is counted. Most programs show
neither to anybody: they read weights, and hand out memory of their own. So a tensor that comes in, or is read of an object, is taken
without its history, and what runs on it is not recorded, unless memory that it may be is *exposed*:

- it is written to, handed out (as a result, or stored in an object or container), or a node asks a tensor about its history;
- it is our own, and handed out under two names, one of which is a view of the other;
- it is in the reach of a node of which nothing is known, such as a call.

A container that comes in is copied without history. Nobody can see that either, since one that is written to or handed out is exposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.effects import aliasing_of, blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.interfaces import RegionFlow
from torchscript_dialect.dialects.operators import OperatorOp, is_off
from torchscript_dialect.ir.edit import terminator
from torchscript_dialect.ops.aliasing import Aliasing, Origin
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TensorType

Places = frozenset[SSAValue]
"""The values that brought the memory that a value may be, or made it."""
NOWHERE: Places = frozenset()


class History:
    """What a function has to do with the history of tensors: Note [History under no_grad]."""

    def __init__(self, block: Block) -> None:
        found = _Search(block)
        self.arguments = tuple(block.args)
        self.outside = frozenset(found.outside)
        """The tensors and containers that come from outside."""
        self.kept_of = frozenset(filter(found.is_exposed, found.places))
        """The values that keep their history."""

    def is_needed_by(self, op: Operation) -> bool:
        """Whether an op has to be recorded."""
        return not self.kept_of.isdisjoint(op.operands)


class _Search:
    """Follows memory through a function, until nothing new is found."""

    def __init__(self, block: Block) -> None:
        self.places: dict[SSAValue, Places] = {}
        self.outside: set[SSAValue] = set()
        """The places that are not our own."""
        self.exposed: set[SSAValue] = set()
        """The places whose history, or its absence, could be seen."""
        self.shared: set[SSAValue] = set()
        """Containers of several values that may be the same memory."""
        self.kept: set[SSAValue] = set()
        """The places of what containers were given."""
        self._names: dict[SSAValue, SSAValue] = {}
        """By which value a place is handed out."""
        self._has_changed = True
        for argument in block.args:
            self._comes_in(argument)
        while self._has_changed:
            self._has_changed = False
            self._enter(block)
            for value in terminator(block).operands:
                self._hand_out(value)

    def is_exposed(self, value: SSAValue) -> bool:
        """Whether memory that a value may be is exposed."""
        return not self.exposed.isdisjoint(self.places.get(value, NOWHERE))

    # Places.

    def _add(self, value: SSAValue, places: Iterable[SSAValue]) -> None:
        before = self.places.get(value, NOWHERE)
        found = before.union(places)
        if found != before:
            self.places[value] = found
            self._has_changed = True

    def _comes_in(self, value: SSAValue) -> None:
        """A value from outside."""
        type_ = prim.type_of(value)
        if not _is_reference(type_):
            return
        self.outside.add(value)
        self._add(value, (value,))
        if not may_be_copied(type_):
            self._expose((value,))

    def _may_be(self, value: SSAValue, sources: Iterable[SSAValue]) -> None:
        """A value may be what others are."""
        if not _is_reference(prim.type_of(value)):
            return
        for source in sources:
            self._add(value, self.places.get(source, NOWHERE))
            if source in self.shared:
                self._share(value)

    def _holds(self, value: SSAValue, elements: Sequence[SSAValue]) -> None:
        """A container holds others."""
        seen = NOWHERE
        for element in dict.fromkeys(elements):
            places = self.places.get(element, NOWHERE)
            if places & seen:
                self._share(value)
            seen |= places
        self._may_be(value, elements)

    def _share(self, value: SSAValue) -> None:
        if value not in self.shared:
            self.shared.add(value)
            self._has_changed = True

    def _expose(self, places: Iterable[SSAValue]) -> None:
        new = self.exposed.union(places)
        if len(new) > len(self.exposed):
            self.exposed = new
            self._has_changed = True

    def _expose_outside(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            self._expose(self.places.get(value, NOWHERE) & self.outside)

    def _hand_out(self, value: SSAValue) -> None:
        """A value gets out."""
        places = self.places.get(value, NOWHERE)
        self._expose(places if value in self.shared else places & self.outside)
        for place in places:
            if self._names.setdefault(place, value) is not value:
                self._expose((place,))

    # Ops.

    def _enter(self, block: Block) -> None:
        for op in block.ops:
            self._follow(op)

    def _follow(self, op: Operation) -> None:
        aliasing = aliasing_of(type(op))
        flow = op.get_trait(RegionFlow)
        if aliasing is None or aliasing.runs_others:
            self._unknown(op)
            return
        operands = op.operands
        if asks_history(op):
            self._expose_outside(operands)
        if not (isinstance(op, OperatorOp) and is_off(op)):
            self._expose_outside(operands[index] for index, _ in aliasing.writes)
        for value in operands if aliasing.keeps_all else [operands[i] for i in aliasing.keeps]:
            self._hand_out(value)
            self.kept |= self.places.get(value, NOWHERE)
        if op.regions and flow is not None:
            self._regions(op, flow)
            return
        for number, value in enumerate(op.results):
            if isinstance(op, prim.GetAttrOp):
                self._comes_in(value)
            elif _is_reference(prim.type_of(value)):
                self._result(op, aliasing, number)

    def _unknown(self, op: Operation) -> None:
        """Nothing is known of what an op does to its operands."""
        for value in op.operands:
            self._expose(self.places.get(value, NOWHERE))
        inner = [argument for block in blocks_of(op) for argument in block.args]
        for value in [*op.results, *inner]:
            self._comes_in(value)
            self._expose(self.places.get(value, NOWHERE))
        for block in blocks_of(op):
            self._enter(block)

    def _regions(self, op: Operation, flow: RegionFlow) -> None:
        entering = flow.entering(op)
        if entering is None:
            self._unknown(op)
            return
        for argument, value in entering:
            self._may_be(argument, (value,))
        for region in op.regions:
            self._enter(region.block)
        for result, value in flow.leaving(op):
            self._may_be(result, (value,))

    def _result(self, op: Operation, aliasing: Aliasing, number: int) -> None:
        value, operands = op.results[number], op.operands
        viewed = [operands[operand] for result, operand in aliasing.views if result == number]
        if aliasing.results is Origin.ANYWHERE or number in aliasing.wildcards:
            self._may_be(value, operands)
            self._add(value, self.kept)
        elif aliasing.results is Origin.FIRST_OPERAND:
            self._may_be(value, operands[:1])
        elif aliasing.results is Origin.SAME_OPERAND:
            self._may_be(value, operands[number : number + 1])
        elif aliasing.results is Origin.HOLDS_OPERANDS:
            self._holds(value, operands)
        elif viewed:
            self._may_be(value, viewed)
            if not isinstance(prim.type_of(value), TensorType):
                self._share(value)
        else:
            self._add(value, (value,))


@lru_cache(maxsize=1024)
def may_be_copied(type_: TorchScriptType) -> bool:
    """Whether a value from outside can be taken without its history: a tensor, containers of some, or what holds none."""
    if isinstance(type_, DictType) and may_hold_tensors(type_.key):
        return False
    if isinstance(type_, (OptionalType, ListType, DictType, TupleType)):
        return all(map(may_be_copied, type_.contained))
    return isinstance(type_, TensorType) or not may_hold_tensors(type_)


def _is_reference(type_: TorchScriptType) -> bool:
    """Whether a value is a tensor, or a container of some. What is read of an object is looked at where it is read."""
    element = type_.element if isinstance(type_, OptionalType) else type_
    return not isinstance(element, ClassType) and may_hold_tensors(element)


def asks_history(op: Operation) -> bool:
    """Whether an op may tell a tensor with a history from one without."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return False
    return op.OPERATOR.rules.asks_history and all(value.type != NONE for value in op.operands)
