"""Records calls of the usual kind without asking again what operands of their classes have in common.

Note [Usual calls]
A usual call writes to nothing and gives one tensor of floats, of operands that are tensors, numbers or lists of numbers, by an
operator that has formulas for all of them that require gradients. For the classes of such operands it is found out once which inputs
get gradients, what the formulas keep, and how they go backwards; a call then makes a node, and what that keeps. Whatever else there is
(hooks of what is saved, anomaly mode, a kernel that hands an operand on) goes the long way in `recording.py`, as do all other calls.
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
from torchscript_dialect.autograd.nodes import Edge, anomaly_mode, fact, next_number
from torchscript_dialect.autograd.operator_node import OperatorNode, Slot, WayBack
from torchscript_dialect.autograd.saved import SavedFacts, SavedTensor, saved_leaf
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.unstrided import is_made
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
    if recording.writes or found.parts is not None or not found.gives_gradient(0):
        return None
    if schema.is_varret or [type(one.type) for one in schema.returns] != [TensorType]:
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
    return UsualCall(recording, found, operands, tracked) if tracked else None


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
        names = {result_name(found.operator.schema, 0), "result0", "result"}
        self.kept_results = [(name, name in read) for name in sorted(names & words)]
        kept = {name for name, *_ in (*self.kept, *self.kept_results)}
        self.way_back = WayBack(used, self.slots, wanted, kept)
        self.follows_views = operator.keeps_track and recording.gives_views

    def __call__(self, operands: tuple[Any, ...]) -> Any:
        if (
            anomaly_mode.is_on
            or not grad_mode.is_grad_enabled()
            or saved.are_hooks_on()
            or is_made()
        ):
            return UNUSUAL
        plain = list(operands)
        for place in self.tracked:
            plain[place] = tensor_of(plain[place].array)
        recording = self.recording
        result = recording.kernel(*plain)
        if (
            result.__class__ is not Tensor
            or result.array.dtype.kind not in "fcV"
            or any(result is plain[place] for place in self.tensors)
        ):
            given = {id(plain[place]): operands[place] for place in self.tracked}
            return recording.finish(operands, given, result)
        self.remember(operands, result)
        return result

    def remember(self, operands: tuple[Any, ...], result: Tensor) -> None:
        """Give a result that is new a node."""
        edges = [gradient_edge(operands[slot.place]) for slot in self.slots]
        node = self.node(operands, edges, result)
        node.results = [fact(result)]
        kept = node.saved
        for name, place, is_read in self.kept:
            operand = operands[place]
            if place in self.tensors:
                kept[name] = keep(operand) if is_read else SavedFacts(operand)
            else:
                kept[name] = operand
        if getattr(result, "autograd", None) is None:
            own = result.autograd = History()
            own.grad_fn = node
            result.__class__ = TrackedTensor
        else:
            set_history(result, node, 0)
        for name, is_read in self.kept_results:
            kept[name] = keep_result(result) if is_read else SavedFacts(result)
        if self.follows_views:
            self.note_view(operands, result)

    def node(
        self, operands: tuple[Any, ...], edges: list[Edge | None], result: Tensor
    ) -> OperatorNode:
        """A node of the operator, without what its constructor asks."""
        class_ = self.recording.class_of_node(operands, result)
        node = class_.__new__(class_)
        node.edges = edges
        node.sequence = next_number()
        node.hooks, node.retained = {}, {}
        node.place = self.recording.place
        node.operator, node.derivative = self.recording.operator, self.derivative
        node.slots, node.way_back = self.slots, self.way_back
        node.is_list = node.is_freed = False
        node.saved = {}
        return node

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


def keep(tensor: Tensor) -> SavedTensor:
    """What keeps an operand, where no hooks are on."""
    if tensor.__class__ is not TrackedTensor:
        return SavedTensor(tensor)
    own: History = tensor.autograd
    if own.edge_array is tensor.array and own.apart is None:
        return saved_leaf(tensor)
    return SavedTensor(tensor)


def keep_result(tensor: Tensor) -> SavedTensor:
    """What keeps the result of the node that keeps it."""
    return SavedTensor(tensor, 0)
