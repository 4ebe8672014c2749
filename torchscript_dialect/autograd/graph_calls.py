"""Records runs of differentiated graphs by functions that are written for them: as `usual_calls.py` does for operators."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from torchscript_dialect.autograd.graph_node import (
    GraphNode,
    SavedLists,
    begin_history,
    keep_input,
    keep_size,
    keep_size_of_result,
    packed,
)
from torchscript_dialect.autograd.history import gradient_edge, set_history_of_new
from torchscript_dialect.autograd.nodes import anomaly_mode, fact, next_number
from torchscript_dialect.autograd.saved import keep_result, kept_once
from torchscript_dialect.autograd.saving_hooks import are_hooks_on
from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.executor.differentiable import DifferentiableGraph, WholeFunction
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.core import BOOL, FLOAT, INT, STR
from torchscript_dialect.utils.generated import function_of

_NO_TENSORS = (INT, FLOAT, BOOL, STR)


def recorded_graph(graph: DifferentiableGraph) -> Callable[..., Any]:
    """What runs a sub-graph on tensors that may require gradients, and gives its results a node."""
    return _Call(graph).function()


def recorded_function(whole: WholeFunction) -> Callable[[tuple[Any, ...]], Any]:
    """What runs a function that is one graph, and gives its results a node; None where it does not serve the arguments."""
    graph, forward, classes, operands, results = whole
    is_grad_enabled = grad_mode.is_grad_enabled
    begin = _Node(graph, are_new=True).function()

    def run(args: tuple[Any, ...]) -> Any:
        if tuple(map(type, args)) != classes or not is_grad_enabled():
            return None
        given = operands(args)
        yields = forward(*given)
        if yields is None:
            return None
        begin(yields, *given)
        return results(yields)

    return run


class _Writer:
    """What functions for a graph have in common."""

    def __init__(self, graph: DifferentiableGraph) -> None:
        self.graph = graph
        types = [prim.type_of(value) for value in graph.node.operands]
        self.names = [f"a{place}" for place in range(len(types))]
        self.arguments = ", ".join(self.names)
        self.tensors = [place for place, one in enumerate(types) if one not in _NO_TENSORS]
        """The places of operands that may be tensors."""
        self.words: dict[str, Any] = {**_WORDS, "graph": graph}


class _Call(_Writer):
    """Runs a graph, and makes a node where an operand requires a gradient."""

    def function(self) -> Callable[..., Any]:
        """What takes the operands."""
        self.words |= {"forward": self.graph.forward, "begin": self.begin}
        return function_of(self.arguments, [*self.lines()], self.words)

    def begin(self, *given: Any) -> None:
        """Make the first node; what makes later ones is written for it."""
        begin = self.words["begin"] = _Node(self.graph, are_new=False).function()
        begin(*given)

    def lines(self) -> Iterator[str]:
        graph = self.graph
        known = [place for place in self.tensors if place in graph.may_have_history]
        others = [place for place in self.tensors if place not in graph.may_have_history]
        one_by_one = f"return graph.recorded({self.arguments})"
        if others:
            yield f"if {self.any_tracked(others)}: {one_by_one}"
        for place, expected in graph.expected:
            name, tests = self.names[place], [f"a{place}.__class__ not in TENSORS"]
            if expected.dtype is not None:
                self.words[f"dtype{place}"] = expected.dtype.numpy_dtype
                tests.append(f"{name}.array.dtype is not dtype{place}")
            if expected.rank is not None:
                tests.append(f"{name}.array.ndim != {expected.rank}")
            yield f"if {' or '.join(tests)}:"
            yield "    graph.misfits += 1"
            yield f"    {one_by_one}"
        yield f"yields = forward({self.arguments})"
        if graph.trips:
            tests = [f"yields[{place}] <= 0" for place in graph.trips]
            yield f"if {' or '.join(tests)}: {one_by_one}"
        if known:
            given = ", ".join(["yields", *self.names])
            yield f"if ({self.any_tracked(known)}) and is_grad_enabled(): begin({given})"
        yield f"return yields[{'0' if graph.count == 1 else f':{graph.count}'}]"

    def any_tracked(self, places: list[int]) -> str:
        """A test whether an operand at one of these places requires a gradient."""
        return " or ".join(f"a{place}.__class__ is TrackedTensor" for place in places)


class _Node(_Writer):
    """Makes the node of a run."""

    def __init__(self, graph: DifferentiableGraph, *, are_new: bool) -> None:
        """`are_new`: results of the run are, where others may be operands."""
        super().__init__(graph)
        self.words["facts"] = [None] * len(graph.results)
        self.words["set_history"] = set_history_of_new if are_new else begin_history

    def function(self) -> Callable[..., Any]:
        """What takes what the graph yields, and the operands."""
        return function_of(", ".join(["yields", *self.names]), [*self.lines()], self.words)

    def lines(self) -> Iterator[str]:
        yield "node = new(GraphNode)"
        yield from self.operands()
        yield f"node.edges = [{', '.join(f'e{place}' for place in self.graph.differentiated)}]"
        yield "node.sequence = next_number()"
        yield "node.hooks, node.retained = {}, {}"
        yield "if anomaly_mode.is_on: node.note_where_made()"
        yield "node.graph, node.fresh, node.is_freed, node.lists = graph, (), False, None"
        yield from self.results()
        given = f"({''.join(f'{name}, ' for name in self.names)})"
        yield f"if are_hooks_on(): node.saved = packed(graph, {given}, yields)"
        if self.graph.has_loops:
            yield "lists = [one for one in node.saved if one.__class__ is list]"
            yield f"node.lists = SavedLists(lists, {given}, yields)"

    def operands(self) -> Iterator[str]:
        """Where the gradients of operands go, and what is kept of operands."""
        differentiated = set(self.graph.differentiated)
        kept = {place for place, is_size in self.graph.captured_inputs if not is_size}
        for place in sorted(differentiated | kept):
            a, e, s = f"a{place}", f"e{place}", f"s{place}"
            yield f"if {a}.__class__ is TrackedTensor and (own := {a}.autograd).edge_array is {a}.array:"
            yield f"    {e} = own.edge"
            if place in kept:
                yield f"    {s} = own.saved"
                is_other = f"{s} is None or {s}.array is not {a}.array or {s}.edge is not {e}"
                is_written = f"{s}.version.count != {s}.expected"
                yield f"    if {is_other} or {is_written}: {s} = kept_once({a})"
            yield "else:"
            if place in differentiated:
                yield f"    {e} = gradient_edge({a})"
            if place in kept:
                yield f"    {s} = keep_input({a})"

    def results(self) -> Iterator[str]:
        """Let results know the node, and keep what it needs of them."""
        graph = self.graph
        facts = dict.fromkeys(range(len(graph.vjps)), "None")
        for number, _ in graph.results:
            facts[number] = f"f{number}"
        for known, (number, place) in enumerate(graph.results):
            yield f"y{number} = yields[{place}]"
            yield f"array, f{number} = y{number}.array, facts[{known}]"
            is_other = f"f{number}[0] != array.shape or f{number}[1].numpy_dtype is not array.dtype"
            is_other += f" or (array.__class__ is DeviceArray) is (f{number}[2] is cpu)"
            yield f"if f{number} is None or {is_other}: f{number} = facts[{known}] = fact(y{number})"
        yield f"node.results = [{', '.join(facts.values())}]"
        for number, place in graph.results:
            sources = graph.sources.get(place)
            test = ""
            if sources is not None:
                edges = [f"e{graph.differentiated[one]} is not None" for one in sources]
                test = f"if {' or '.join(edges) or 'False'}: "
            yield f"{test}set_history(y{number}, node, {number})"
        saved = [
            f"keep_size(a{place})" if is_size else f"s{place}"
            for place, is_size in graph.captured_inputs
        ]
        saved += [self.what_keeps(place, is_size) for place, is_size in graph.captured_outputs]
        yield f"node.saved = [{', '.join(saved)}]"

    def what_keeps(self, place: int, is_size: bool) -> str:
        """What the node keeps of what the graph yields."""
        value = f"yields[{place}]"
        if place >= self.graph.count:
            return value  # nobody else has it
        if prim.type_of(self.graph.node.results[place]) in _NO_TENSORS:
            return value
        if is_size:
            return f"keep_size_of_result({value})"
        return f"keep_result({value}, {self.graph.number_of_vjp.get(place)})"


_WORDS: dict[str, Any] = {
    "DeviceArray": DeviceArray,
    "GraphNode": GraphNode,
    "SavedLists": SavedLists,
    "TENSORS": (Tensor, TrackedTensor),
    "TrackedTensor": TrackedTensor,
    "anomaly_mode": anomaly_mode,
    "are_hooks_on": are_hooks_on,
    "cpu": cpu,
    "fact": fact,
    "gradient_edge": gradient_edge,
    "is_grad_enabled": grad_mode.is_grad_enabled,
    "keep_input": keep_input,
    "keep_result": keep_result,
    "keep_size": keep_size,
    "keep_size_of_result": keep_size_of_result,
    "kept_once": kept_once,
    "new": object.__new__,
    "next_number": next_number,
    "packed": packed,
}
"""What the functions look up by name, all of them."""
