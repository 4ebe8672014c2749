"""The node of an operator: its formulas, and what they are over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

from torchscript_dialect.autodiff.derivatives import Derivative, Formula, result_name
from torchscript_dialect.autograd import formulas
from torchscript_dialect.autograd.node_names import eager_name
from torchscript_dialect.autograd.nodes import Edge, Grad, Node
from torchscript_dialect.autograd.saved import SavedPlace, SavedTensor, is_freed_with, unpack
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.utils.errors import TorchScriptError

FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after they have already been "
    "freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify "
    "retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors "
    "after calling backward."
)


class Slot(NamedTuple):
    """An input that a gradient may go to: the argument's name, its number in a list, and the argument's place."""

    name: str
    item: int | None
    place: int


class OperatorNode(Node):
    """The gradient of one call of an operator."""

    __slots__ = (
        "derivative",
        "is_freed",
        "is_list",
        "operator",
        "place",
        "saved",
        "slots",
        "way_back",
    )

    def __init__(
        self,
        operator: Operator,
        derivative: Derivative | None,
        slots: list[Slot],
        edges: Sequence[Edge | None],
        is_list: bool,
        place: str = "",
    ) -> None:
        super().__init__(edges)
        self.place = place
        """Where in a program the call was, if it is known."""
        self.operator = operator
        self.derivative = derivative
        self.slots = slots
        self.is_list = is_list
        self.saved: dict[str, Any] = {}
        self.is_freed = False
        self.way_back: Callable[[OperatorNode, Sequence[Grad]], list[Grad]] | None = None
        """What runs the formulas where no gradients of gradients are wanted, if somebody has made it."""

    def __getattr__(self, name: str) -> Any:
        """`_saved_x` is what the node keeps of the operand or result `x`, `_raw_saved_x` what keeps it.

        Raises:
            RuntimeError: it is freed, or was written to.
            AttributeError: the node's formulas do not ask for it.
        """
        start, _, word = name.partition("saved_")
        if start in ("_", "_raw_"):
            if word in self.saved:
                kept = self.saved[word]
                if start == "_raw_" and isinstance(kept, SavedTensor):
                    kept = self.saved[word] = kept.alone()
                value = kept if start == "_raw_" else unpack(kept, self)
                return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
            if self.derivative is not None and word in self.derivative.words:
                if self.is_freed:
                    raise RuntimeError(FREED)
                return None
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def release(self) -> None:
        saved = self.saved
        if saved and (any(map(is_freed_with, saved.values())) or self.keeps_numbers):
            self.saved = {}
            self.is_freed = True

    def forget_elements(self) -> None:
        for name, one in self.saved.items():
            if isinstance(one, SavedTensor):
                self.saved[name] = SavedPlace(tensor_of(one.array))

    @property
    def keeps_numbers(self) -> bool:
        """Whether the number that Python's operators are given is a tensor in PyTorch, which is freed, and has an edge to nowhere."""
        return eager_name(self.operator) == type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        found = super().next_functions
        return (*found, (None, 0)) if self.keeps_numbers else found

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises:
        RuntimeError: what was saved is freed, or was written to.
        TorchScriptError: the table has no derivative of the operator for an input that requires one.
        """
        if self.is_freed:
            raise RuntimeError(FREED)
        if self.way_back is not None and not grad_mode.is_grad_enabled():
            return self.way_back(self, grads)
        if self.derivative is None:
            raise TorchScriptError(
                f"derivative for {self.operator.qualified_name} is not implemented{self.place}"
            )
        wanted = [slot.name for slot, edge in zip(self.slots, self.edges, strict=True) if edge]
        for name in wanted:
            if name not in self.derivative.inputs:
                raise TorchScriptError(
                    f"derivative for argument '{name}' of {self.operator.qualified_name} is not implemented"
                )
        found: dict[str, Any] = {}
        values: dict[str, Any] = {}
        for formula in self.derivative.formulas:
            if any(name in wanted for name in formula.inputs):
                found.update(self._run(formula, values, grads, wanted))
        return [
            None if edge is None else _item(found.get(slot.name), slot.item)
            for slot, edge in zip(self.slots, self.edges, strict=True)
        ]

    def _run(
        self,
        formula: Formula,
        values: dict[str, Any],
        grads: Sequence[Grad],
        wanted: Sequence[str],
    ) -> dict[str, Any]:
        """The gradients that one formula gives, by input."""
        arguments: list[Any] = []
        for name in formula.parameters:
            if name == "needs":
                arguments.append([one in wanted for one in formula.inputs])
                continue
            if name not in values:
                values[name] = self._value(name, grads)
            arguments.append(values[name])
        is_recorded = grad_mode.is_grad_enabled() or any(
            isinstance(one, UnstridedTensor) for one in arguments
        )
        ready = formulas.recorded if is_recorded else formulas.plain
        result = ready(formula)(*arguments)
        if len(formula.inputs) == 1:
            return {formula.inputs[0]: result}
        return dict(zip(formula.inputs, cast("tuple[Any, ...]", result), strict=True))

    def _value(self, name: str, grads: Sequence[Grad]) -> Any:
        """What a name in a formula stands for."""
        if name in self.saved:
            return unpack(self.saved[name], self)
        assert self.derivative is not None
        if name == "grads" or (name == "grad" and self.is_list):
            return self.all_of(grads)
        if name == "grad":
            return self.grad_of(grads, 0)
        schema = self.derivative.operator.schema
        for number in range(len(schema.returns)):
            if name in (f"grad_{result_name(schema, number)}", f"grad{number}"):
                return self.grad_of(grads, number)
        raise AssertionError(f"{self.name()} has no value for {name}")

    def all_of(self, grads: Sequence[Grad]) -> list[Grad]:
        """The gradients of all results."""
        return [self.grad_of(grads, number) for number in range(len(grads))]

    def grad_of(self, grads: Sequence[Grad], number: int) -> Grad:
        """The gradient of a result, None for one that is no tensor."""
        grad, of = grads[number], self.results[number]
        return of.zeros() if grad is None and of is not None else grad


def _item(gradient: Any, item: int | None) -> Any:
    return gradient if item is None or gradient is None else gradient[item]
