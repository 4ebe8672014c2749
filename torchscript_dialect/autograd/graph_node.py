"""The node of a graph that was differentiated as a whole: one step of the tape (PyTorch: `DifferentiableGraphBackward` in
runtime/graph_executor.cpp).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from torchscript_dialect.autograd.engine import execute
from torchscript_dialect.autograd.history import (
    gradient_edge,
    history,
    known,
    set_history,
    set_history_of_new,
)
from torchscript_dialect.autograd.nodes import Edge, Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED
from torchscript_dialect.autograd.saved import (
    PackedTensor,
    SavedFacts,
    SavedTensor,
    is_freed_with,
    keep,
    kept_once,
    save,
    unpack,
)
from torchscript_dialect.autograd.sole_owners import sole_owners
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.executor.differentiable import DifferentiableGraph
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def begin_history(result: Tensor, node: Node, number: int) -> None:
    """Let a result be that of a node; most are new, and some are operands."""
    begin = set_history_of_new if known(result) is None else set_history
    begin(result, node, number)


def keep_input(value: Any) -> Any:
    """What keeps an operand, whatever is known of it."""
    if not isinstance(value, Tensor):
        return value
    if value.__class__ is Tensor:
        history(value)
        return kept_once(value)
    return kept_once(value) if value.autograd.edge_array is value.array else SavedTensor(value)


def keep_size(value: Any) -> Any:
    """The same where no elements are needed."""
    if not isinstance(value, Tensor):
        return value
    is_leaf = value.__class__ is TrackedTensor and value.autograd.grad_fn is None
    return tensor_of(value.array) if is_leaf else SavedFacts(value)


def keep_size_of_result(value: Any) -> Any:
    """The same for a result of the graph."""
    return SavedFacts(value) if isinstance(value, Tensor) else value


def _plain(grad: Grad) -> Grad:
    if grad is None or grad.__class__ is not TrackedTensor:
        return grad
    return tensor_of(grad.array)


_array_of = attrgetter("array")


class SavedLists:
    """What a graph with loops keeps besides what it captures.

    Note [Lists of a graph]
    Lists that a loop fills (Note [Gradients of loops]) hold tensors without history, and no history goes through them. So second
    derivatives are those of the nodes of the sub-graph one by one, which are recorded once more, from the operands. Most elements
    nobody else knows; those that others do, operands and results, are watched for writes.
    """

    __slots__ = ("operands", "watched")

    def __init__(
        self, lists: Sequence[list[Any]], args: Sequence[Any], yields: Sequence[Any]
    ) -> None:
        self.operands = [save(one) for one in args]
        arrays = {id(one.array) for one in (*args, *yields) if isinstance(one, Tensor)}
        self.watched: list[SavedTensor] = []
        for elements in lists:
            if not elements or not isinstance(elements[0], Tensor):
                continue
            if arrays.isdisjoint(map(id, map(_array_of, elements))):
                continue
            for place, one in enumerate(elements):
                if id(one.array) in arrays:
                    plain = elements[place] = tensor_of(one.array)
                    self.watched.append(SavedTensor(plain))

    def gradients(self, node: GraphNode, grads: Sequence[Grad]) -> Sequence[Grad]:
        """The gradients of the operands, recorded."""
        places = node.graph.differentiated
        args = [unpack(one, node) for one in self.operands]
        for place in places:
            args[place] = call("aten::alias", (args[place],))
        found = node.graph.recorded(*args)
        results = (found,) if node.graph.count == 1 else found
        edges = [gradient_edge(args[place]) for place in places]
        captures = {edge: number for number, edge in enumerate(edges) if edge is not None}
        roots: list[tuple[Edge, Tensor]] = []
        for place, grad in zip(node.graph.vjps, grads, strict=False):
            edge = gradient_edge(results[place]) if place < node.graph.count else None
            if grad is not None and edge is not None:
                roots.append((edge, grad))
        gradients = execute(roots, keep_graph=True, create_graph=True, captures=captures)
        return [None if edge is None else gradients.get(captures[edge]) for edge in edges]


def packed(graph: DifferentiableGraph, args: Sequence[Any], yields: Sequence[Any]) -> list[Any]:
    """What a graph keeps, where hooks pack it: what it computes for its reverse graph only, too."""
    packed: list[Any] = []
    for place, is_size in graph.captures:
        value = args[place] if place >= 0 else yields[~place]
        if not isinstance(value, Tensor):
            packed.append(value)
        elif is_size:
            packed.append(SavedFacts(value))
        else:
            is_result = place < 0 and ~place < graph.count
            packed.append(keep(value, graph.number_of_vjp.get(~place) if is_result else None))
    return packed


class GraphNode(Node):
    """The gradient of one run of a graph. The gradients of its results come first, then those of captured values."""

    __slots__ = ("fresh", "graph", "is_freed", "lists", "saved")

    graph: DifferentiableGraph
    is_freed: bool
    saved: list[Any]
    """What the reverse graph takes after gradients."""
    lists: SavedLists | None

    def name(self) -> str:
        return "torch::jit::(anonymous namespace)::DifferentiableGraphBackward"

    def release(self) -> None:
        captures = self.graph.captures
        self.is_freed = (
            self.is_freed
            or self.lists is not None
            or any(
                not is_size and is_freed_with(one)
                for (_, is_size), one in zip(captures, self.saved, strict=True)
            )
        )
        self.lists = None
        self.saved = [
            SavedFacts(one) if isinstance(one, Tensor) else one
            for one in (() if self.is_freed else self.saved)
        ]

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: what was saved is freed, or was written to."""
        if not grad_mode.is_grad_enabled():
            return self.apply_plain([_plain(one) for one in grads])
        if self.is_freed:
            raise RuntimeError(FREED)
        self.fresh = ()
        if self.lists is not None:
            return self.lists.gradients(self, grads)
        found = self.graph.backward(*grads, *self._values())
        return [None if edge is None else one for edge, one in zip(self.edges, found, strict=True)]

    def apply_plain(self, grads: list[Grad]) -> Sequence[Grad]:
        """`apply` without a record of what it does, of gradients without history.

        Raises:
            RuntimeError: as `apply`.
        """
        if self.is_freed:
            raise RuntimeError(FREED)
        if self.lists is not None:
            for one in self.lists.watched:
                one.plain(self)
        given: list[Any] = grads
        for one in self.saved:
            if one.__class__ is SavedTensor:
                is_as_it_was = one.version.count == one.expected
                given.append(one.array if is_as_it_was else self._written_to(one).array)
            elif one.__class__ is PackedTensor:
                given.append(one.plain(self))
            else:
                given.append(one.unpack() if one.__class__ is SavedFacts else one)
        backward = self.graph.backward
        found = backward(*given)
        self.fresh = sole_owners(found)
        if None not in self.edges:
            return found
        return [None if edge is None else one for edge, one in zip(self.edges, found, strict=True)]

    def _written_to(self, one: SavedTensor) -> Tensor:
        """What was saved, where only gradients that nobody asks for are made of it.

        Raises:
            RuntimeError: others are.
        """
        number = next(number for number, other in enumerate(self.saved) if other is one)
        wanted = [number for number, edge in enumerate(self.edges) if edge is not None]
        return one.plain(self) if self.graph.needs(number, wanted) else tensor_of(one.array)

    def _values(self) -> list[Any]:
        """What was saved, with its history. Nobody can have written to what the graph computes for its reverse graph only."""
        values: list[Any] = []
        for (place, _), one in zip(self.graph.captures, self.saved, strict=True):
            if one.__class__ is SavedTensor and one.version.count != one.expected:
                value = self._written_to(one)
            else:
                value = unpack(one, self)
            number = self.graph.number_of_vjp.get(~place)
            if ~place >= self.graph.count and number is not None and isinstance(value, Tensor):
                value = tensor_of(value.array)
                self.results[number] = fact(value)
                set_history(value, self, number)
            values.append(value)
        return values


GraphNode.__name__ = GraphNode.__qualname__ = (
    "CppFunction"  # what PyTorch shows of nodes that it has no class for
)
GraphNode.__module__ = "builtins"
