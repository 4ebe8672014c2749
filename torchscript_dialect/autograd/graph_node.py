"""The node of a graph that was differentiated as a whole: one step of the tape (PyTorch: `DifferentiableGraphBackward` in
runtime/graph_executor.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.autograd.engine import execute
from torchscript_dialect.autograd.history import gradient_edge, is_leaf, set_history
from torchscript_dialect.autograd.nodes import Edge, Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED
from torchscript_dialect.autograd.saved import SavedFacts, SavedTensor, save, unpack
from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.runtime.differentiable import DifferentiableGraph, WholeFunction
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def recorded_graph(graph: DifferentiableGraph) -> Callable[..., Any]:
    """What runs a sub-graph on tensors that may require gradients, and gives its results a node."""
    differentiated = frozenset(graph.differentiated)
    forward, count = graph.forward, graph.count

    def run(*args: Any) -> Any:
        has_tracked = TrackedTensor in map(type, args)
        if has_tracked:
            for place, one in enumerate(args):
                if one.__class__ is TrackedTensor and place not in differentiated:
                    return graph.recorded(*args)
        if graph.expected and not graph.fits(args):
            return graph.recorded(*args)
        yields = forward(*args)
        if any(yields[place] <= 0 for place in graph.trips):
            return graph.recorded(*args)
        if has_tracked and grad_mode.is_grad_enabled():
            GraphNode(graph, args, yields)
        return yields[0] if count == 1 else yields[:count]

    return run


def recorded_function(whole: WholeFunction) -> Callable[[tuple[Any, ...]], Any]:
    """What runs a function that is one graph, and gives its results a node; None where it does not serve the arguments."""
    graph, forward, classes, operands, results = whole

    def run(args: tuple[Any, ...]) -> Any:
        if tuple(map(type, args)) != classes or not grad_mode.is_grad_enabled():
            return None
        given = operands(args)
        yields = forward(*given)
        if yields is None:
            return None
        GraphNode(graph, given, yields)
        return results(yields)

    return run


def _plain(grad: Grad) -> Grad:
    if grad is None or grad.__class__ is not TrackedTensor:
        return grad
    return tensor_of(grad.array)


class _SavedLists:
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
        known = {id(one.array) for one in (*args, *yields) if isinstance(one, Tensor)}
        self.watched: list[SavedTensor] = []
        for elements in lists:
            for place, one in enumerate(elements):
                if isinstance(one, Tensor) and id(one.array) in known:
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


class GraphNode(Node):
    """The gradient of one run of a graph. The gradients of its results come first, then those of captured values."""

    __slots__ = ("gives_fresh", "graph", "is_freed", "lists", "saved")

    def __init__(
        self, graph: DifferentiableGraph, args: Sequence[Any], yields: Sequence[Any]
    ) -> None:
        edges: list[Edge | None] = []
        for place in graph.differentiated:
            one = args[place]
            own = one.autograd if one.__class__ is TrackedTensor else None
            if own is None:
                edges.append(None)
            elif own.grad_fn is None and own.view is None and own.edge_array is one.array:
                edges.append(own.edge)  # of a leaf that is as it was
            else:
                edges.append(gradient_edge(one))
        super().__init__("DifferentiableGraphBackward", edges)
        self.graph = graph
        self.gives_fresh = False
        self.is_freed = False
        count = graph.count
        results = self.results = [None] * len(graph.vjps)
        for number, place in enumerate(graph.vjps):
            if place < count:
                results[number] = fact(yields[place])
                set_history(yields[place], self, number)
        saved: list[Any] = []
        for place, is_size in graph.captures:
            value = args[place] if place >= 0 else yields[~place]
            if not isinstance(value, Tensor) or ~place >= count:
                saved.append(value)
            elif not is_size:
                saved.append(SavedTensor(value, graph.number_of_vjp.get(~place)))
            elif value.__class__ is TrackedTensor and is_leaf(value):
                saved.append(tensor_of(value.array))
            else:
                saved.append(SavedFacts(value))
        self.saved = saved
        self.lists: _SavedLists | None = None
        if graph.has_loops:
            lists = [one for one in saved if one.__class__ is list]
            self.lists = _SavedLists(lists, args, yields)

    def release(self) -> None:
        self.saved = []
        self.lists = None
        self.is_freed = True

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: what was saved is freed, or was written to."""
        if self.is_freed:
            raise RuntimeError(FREED)
        if self.lists is not None:
            if grad_mode.is_grad_enabled():
                return self.lists.gradients(self, grads)
            for one in self.lists.watched:
                one.plain(self)
        if grad_mode.is_grad_enabled():
            given: list[Any] = [*grads, *self._values()]
        else:
            given = [_plain(one) for one in grads]
            for one in self.saved:
                if one.__class__ is SavedTensor:
                    is_as_it_was = one.version.count == one.expected
                    given.append(tensor_of(one.array) if is_as_it_was else one.plain(self))
                else:
                    given.append(one.unpack() if one.__class__ is SavedFacts else one)
        backward = self.graph.backward
        before = backward.native_calls
        found = backward(*given)
        self.gives_fresh = backward.native_calls != before  # a kernel's results are new
        return [None if edge is None else one for edge, one in zip(self.edges, found, strict=True)]

    def _values(self) -> list[Any]:
        """What was saved, with its history. Nobody can have written to what the graph computes for its reverse graph only."""
        values: list[Any] = []
        for (place, _), one in zip(self.graph.captures, self.saved, strict=True):
            value = unpack(one, self)
            number = self.graph.number_of_vjp.get(~place)
            if ~place >= self.graph.count and number is not None and isinstance(value, Tensor):
                value = tensor_of(value.array)
                self.results[number] = fact(value)
                set_history(value, self, number)
            values.append(value)
        return values
