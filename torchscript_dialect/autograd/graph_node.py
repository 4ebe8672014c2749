"""The node of a graph that was differentiated as a whole: one step of the tape (PyTorch: `DifferentiableGraphBackward` in
runtime/graph_executor.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.autograd.history import gradient_edge, set_history
from torchscript_dialect.autograd.nodes import Edge, Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED
from torchscript_dialect.autograd.saved import SavedFacts, SavedTensor, unpack
from torchscript_dialect.runtime.differentiable import DifferentiableGraph
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def recorded_graph(graph: DifferentiableGraph) -> Callable[..., Any]:
    """What runs a sub-graph on tensors that may require gradients, and gives its results a node."""
    differentiated = frozenset(graph.differentiated)
    forward, count = graph.forward, graph.count

    def run(*args: Any) -> Any:
        plain = args
        if TrackedTensor in map(type, args):
            for place, one in enumerate(args):
                if one.__class__ is TrackedTensor and place not in differentiated:
                    return graph.recorded(*args)
            plain = tuple(
                [tensor_of(one.array) if one.__class__ is TrackedTensor else one for one in args]
            )
        if graph.expected and not graph.fits(args):
            return graph.recorded(*args)
        yields = forward(*plain)
        if plain is not args and grad_mode.is_grad_enabled():
            GraphNode(graph, args, yields)
        return yields[0] if count == 1 else yields[:count]

    return run


class Intermediate:
    """A value that the graph computes for its reverse graph only: nobody can write to it. `number` is that of its gradient."""

    __slots__ = ("number", "tensor")

    def __init__(self, tensor: Tensor, number: int | None) -> None:
        self.tensor = tensor
        self.number = number

    def unpack(self, node: Node) -> Tensor:
        """The tensor, with its history where gradients are recorded."""
        if self.number is None or not grad_mode.is_grad_enabled():
            return self.tensor
        tensor = tensor_of(self.tensor.array)
        set_history(tensor, node, self.number)
        return tensor


class GraphNode(Node):
    """The gradient of one run of a graph. The gradients of its results come first, then those of captured values."""

    __slots__ = ("graph", "is_freed", "saved")

    def __init__(
        self, graph: DifferentiableGraph, args: Sequence[Any], yields: Sequence[Any]
    ) -> None:
        edges: list[Edge | None] = [gradient_edge(args[place]) for place in graph.differentiated]
        super().__init__("DifferentiableGraphBackward", edges)
        self.graph = graph
        self.is_freed = False
        self.results = [fact(yields[place]) for place in graph.vjps]
        for number, place in enumerate(graph.vjps):
            if place < graph.count:
                set_history(yields[place], self, number)
        sizes, inputs = graph.sizes, len(graph.captured_inputs)
        self.saved: list[Any] = []
        for number, place in enumerate(graph.captured_inputs):
            value = args[place]
            if isinstance(value, Tensor):
                value = SavedFacts(value) if number in sizes else SavedTensor(value)
            self.saved.append(value)
        for number, place in enumerate(graph.captured_outputs, inputs):
            self.saved.append(self._saved_output(place, yields[place], number in sizes))

    def _saved_output(self, place: int, value: Any, is_size: bool) -> Any:
        if not isinstance(value, Tensor):
            return value
        if is_size:
            return SavedFacts(value)
        number = self.graph.vjps.index(place) if place in self.graph.vjps else None
        if place < self.graph.count:
            return SavedTensor(value, number)
        return Intermediate(value, number)

    def release(self) -> None:
        self.saved = []
        self.is_freed = True

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: what was saved is freed, or was written to."""
        if self.is_freed:
            raise RuntimeError(FREED)
        given: list[Any] = list(grads)
        if not grad_mode.is_grad_enabled():
            given = [
                tensor_of(one.array) if one.__class__ is TrackedTensor else one for one in given
            ]
        given += [
            one.unpack(self) if isinstance(one, Intermediate) else unpack(one, self)
            for one in self.saved
        ]
        found = self.graph.backward(*given)
        return [None if edge is None else one for edge, one in zip(self.edges, found, strict=True)]
