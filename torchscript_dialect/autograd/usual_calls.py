"""Records calls of the usual kind without asking again what operands of their classes have in common.

Note [Usual calls]
A usual call gives new tensors of floats, of operands that are tensors, numbers or lists of numbers, by an operator that has formulas
for all of them that require gradients; or it writes so to its first operand, which is no view and no leaf. For the classes of such
operands it is found out once which inputs get gradients, what the formulas keep, and how they go backwards; a call then makes a node,
and what that keeps. Whatever else there is (hooks of what is saved, anomaly mode, a kernel that hands an operand on) goes the long way
in `recording.py`, as do all other calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from torchscript_dialect.autodiff.derivatives import Derivative, is_tensor_list, result_name
from torchscript_dialect.autograd import saved
from torchscript_dialect.autograd.history import (
    History,
    Step,
    gradient_edge,
    set_history,
    set_view,
)
from torchscript_dialect.autograd.nodes import anomaly_mode, fact, next_number
from torchscript_dialect.autograd.operator_node import OperatorNode, Slot, WayBack
from torchscript_dialect.autograd.saved import SavedFacts, SavedTensor, keep_operand
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.inference import slot
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.unstrided import is_made
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

NUMBERS = frozenset((int, float, bool, complex, str, type(None)))
"""Classes of operands that are neither tensors nor hold any."""
UNUSUAL = object()
"""What a usual call gives that has to go the long way."""


class Recording(Protocol):
    """What there is to know of an operator that is recorded; `_Recorded` in recording.py."""

    operator: Operator
    kernel: Kernel
    place: str
    writes: list[int]
    has_out: bool
    gives_views: bool

    def class_of_node(self, operands: Sequence[Any], result: Any) -> type[OperatorNode]:
        """The class of the node of a call."""
        ...

    def finish(self, operands: Sequence[Any], given: dict[int, Tensor], result: Any) -> Any:
        """The result of the kernel with a node, where it is new."""
        ...


def usual_call(
    recording: Recording, found: Derivative, operands: Sequence[Any]
) -> UsualCall | None:
    """What records calls with operands of these classes; None where they are not usual."""
    schema = recording.operator.schema
    if found.parts is not None or schema.is_varret or not schema.returns:
        return None
    if not all(isinstance(one.type, TensorType) for one in schema.returns):
        return None
    if not any(map(found.gives_gradient, range(len(schema.returns)))):
        return None
    if recording.writes and (recording.writes != [0] or recording.has_out):
        return None
    tracked: list[int] = []
    for place, (argument, operand) in enumerate(zip(schema.arguments, operands, strict=True)):
        class_ = operand.__class__
        if class_ is TrackedTensor:
            if argument.name not in found.inputs:
                return None
            tracked.append(place)
        elif class_ is list:
            if is_tensor_list(argument.type):
                return None
        elif class_ is not Tensor and class_ not in NUMBERS:
            return None
    if not tracked:
        return None
    if not recording.writes:
        return UsualCall(recording, found, operands, tracked)
    usual = UsualWrite(recording, found, operands, tracked)
    needs_copy = any(place == 0 and is_read for _, place, is_read in usual.kept)
    return usual if tracked[0] == 0 and usual.is_single and not needs_copy else None


class UsualCall:
    """Records calls with operands of certain classes: Note [Usual calls]."""

    def __init__(
        self,
        recording: Recording,
        found: Derivative,
        operands: Sequence[Any],
        tracked: Sequence[int],
    ) -> None:
        operator = recording.operator
        arguments = operator.schema.arguments
        self.recording = recording
        self.derivative = found
        self.tracked = tracked
        self.tensors = [place for place, one in enumerate(operands) if isinstance(one, Tensor)]
        """The places of all tensors, of which those that are `tracked` get gradients."""
        self.slots = [
            Slot(arguments[place].name, None, place)
            for place in self.tensors
            if arguments[place].name not in found.ignored
        ]
        wanted = [arguments[place].name for place in tracked]
        used = [one for one in found.formulas if any(name in wanted for name in one.inputs)]
        words = frozenset(name for formula in used for name in formula.parameters)
        read = frozenset(name for formula in used for name in formula.read)
        self.kept = [
            (one.name, place, one.name in read)
            for place, one in enumerate(arguments)
            if one.name in words
        ]
        """What formulas are over of operands: name, place, and whether they read its elements."""
        of_base = found.operator.schema
        self.kept_results = [
            (name, number, name in read)
            for number in range(len(of_base.returns))
            for name in sorted(_names(of_base, number) & words)
        ]
        kept = {name for name, *_ in (*self.kept, *self.kept_results)}
        self.way_back = WayBack(of_base, used, self.slots, wanted, kept)
        self.going_on = [found.gives_gradient(number) for number in range(len(of_base.returns))]
        """Whether gradients go through each result."""
        self.is_single = len(of_base.returns) == 1
        self.follows_views = operator.keeps_track and recording.gives_views

    def __call__(self, operands: tuple[Any, ...]) -> Any:
        if self.is_unusual:
            return UNUSUAL
        plain = self.without_history(operands)
        result = self.recording.kernel(*plain)
        results = (result,) if self.is_single else tuple(result)
        for one in results:
            if one.__class__ is not Tensor or any(one is plain[place] for place in self.tensors):
                given = {id(plain[place]): operands[place] for place in self.tracked}
                return self.recording.finish(operands, given, result)
        node = self.node(operands, result)
        node.results = [fact(one) for one in results]
        for number, one in enumerate(results):
            if self.going_on[number] and one.array.dtype.kind in "fcV":
                _begin_history(one, node, number)
        self.keep_results(node, results)
        if self.follows_views:
            self.note_view(operands, results[0])
        return result

    @property
    def is_unusual(self) -> bool:
        """Whether there is now what usual calls know nothing of."""
        is_plain = grad_mode.is_grad_enabled() and not anomaly_mode.is_on
        return not is_plain or saved.are_hooks_on() or is_made()

    def without_history(self, operands: tuple[Any, ...]) -> list[Any]:
        """Operands for the kernel."""
        plain = list(operands)
        for place in self.tracked:
            plain[place] = tensor_of(plain[place].array)
        return plain

    def node(self, operands: tuple[Any, ...], result: Any) -> OperatorNode:
        """A node of the operator that keeps what its formulas are over of operands, without what its constructor asks."""
        class_ = self.recording.class_of_node(operands, result)
        node = class_.__new__(class_)
        node.edges = [gradient_edge(operands[slot.place]) for slot in self.slots]
        node.sequence = next_number()
        node.hooks, node.retained = {}, {}
        node.place = self.recording.place
        node.operator, node.derivative = self.recording.operator, self.derivative
        node.slots, node.way_back = self.slots, self.way_back
        node.is_list = node.is_freed = False
        kept = node.saved = {}
        for name, place, is_read in self.kept:
            operand = operands[place]
            if place in self.tensors:
                kept[name] = keep_operand(operand) if is_read else SavedFacts(operand)
            else:
                kept[name] = operand
        return node

    def keep_results(self, node: OperatorNode, results: Sequence[Tensor]) -> None:
        """Let a node keep what its formulas are over of results."""
        for name, number, is_read in self.kept_results:
            one = results[number]
            own_number = number if one.__class__ is TrackedTensor else None
            node.saved[name] = SavedTensor(one, own_number) if is_read else SavedFacts(one)

    def note_view(self, operands: tuple[Any, ...], result: Tensor) -> None:
        """Let a result that is a view of an operand know it."""
        base = result.array.base
        if base is None:
            return
        owner = root(result.array)
        for place in self.tensors:
            operand = operands[place]
            array = operand.array
            if owner is root(array) and (
                array.dtype is result.array.dtype or result.array.dtype.kind in "fcV"
            ):
                rest = (*operands[:place], None, *operands[place + 1 :])
                set_view(result, operand, Step(self.recording.operator, rest, place), None)
                return


def _begin_history(tensor: Tensor, node: OperatorNode, number: int) -> None:
    """`set_history`, which is little for a tensor that nobody knows yet."""
    try:
        slot(tensor)
    except AttributeError:
        own = tensor.autograd = History()
        own.grad_fn, own.output_nr = node, number
        tensor.__class__ = TrackedTensor
        return
    set_history(tensor, node, number)


def _names(schema: FunctionSchema, number: int) -> set[str]:
    """What formulas call a result."""
    names = {result_name(schema, number), f"result{number}"}
    return names | {"result"} if number == 0 else names


class UsualWrite(UsualCall):
    """The same for what is written to the first operand."""

    def __call__(self, operands: tuple[Any, ...]) -> Any:
        target = operands[0]
        own: History = target.autograd
        if own.grad_fn is None or own.view is not None or own.apart is not None or self.is_unusual:
            return UNUSUAL
        owner = root(target.array)
        if own.grad_fn.stands_for_leaf or any(
            root(operands[place].array) is owner for place in self.tensors[1:]
        ):
            return UNUSUAL
        plain = self.without_history(operands)
        node = self.node(operands, target)
        self.recording.kernel(*plain)
        target.array = plain[0].array
        own.written(target.array)
        node.results = [fact(target)]
        set_history(target, node, 0)
        self.keep_results(node, operands)
        return target
