"""Goes back along the tape (PyTorch: torch/csrc/autograd/engine.cpp).

A node runs when the gradients of all its results have been added up, later ones first. A gradient that comes to a node is made like
the result that it belongs to: summed over dimensions that were broadcast, cast, and its imaginary part dropped where the result is
real. Hooks and captures of a tensor see it then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from heapq import heappop, heappush
from threading import local
from typing import Any, cast

from torchscript_dialect.autograd import anomaly
from torchscript_dialect.autograd.nodes import (
    AFTER,
    BEFORE,
    AccumulateGrad,
    Edge,
    Fact,
    Grad,
    Node,
    added,
    anomaly_mode,
    summed_to,
)
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.float_errors import float_errors_of_caller, run_in_silence
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.utils.errors import TorchScriptError


def execute(
    roots: Sequence[tuple[Edge, Tensor]],
    *,
    keep_graph: bool,
    create_graph: bool,
    captures: Mapping[Edge, int] | None = None,
    accumulates: bool = False,
) -> dict[int, Tensor]:
    """Run the graph from the roots, whose gradients are given. Without `captures` all leaves accumulate; otherwise only what leads to
    these edges runs, and the result has the gradients that came to them. `accumulates`: captured leaves accumulate all the same.
    """
    before = grad_mode.is_grad_enabled()
    if before is not create_graph:
        grad_mode.set_grad_enabled(create_graph, for_long=False)
    outer, run = _runs.now, Run(keep_graph, captures, accumulates)
    _runs.now = run
    try:
        return run_in_silence(run.execute, (roots,))
    finally:
        _runs.now = outer
        if before is not create_graph:
            grad_mode.set_grad_enabled(before)


def current_run() -> Run | None:
    """The run that this thread is in, which hooks that see several tensors go by."""
    return _runs.now


def in_one_step(
    root: Edge, grad: Tensor, wanted: Sequence[Edge], *, keep_graph: bool
) -> Sequence[Grad] | None:
    """The gradients of leaves, where these are among those that the node at the root goes to, each once, and nothing else has a part
    in them; None elsewhere. As `execute` without `create_graph`, whose captures they are.
    """
    node = root[0]
    if not _leads_to_leaves(node):
        return None
    order: Sequence[int] | None = None
    if wanted != node.edges:
        places = {id(edge): place for place, edge in enumerate(node.edges)}
        try:
            order = [places[id(edge)] for edge in wanted]
        except KeyError:
            return None
    found = _applied(root, grad, keep_graph)
    if order is not None:
        found = [found[place] for place in order]
    return [
        one if one is None else _as_result(one, edge)
        for edge, one in zip(wanted, found, strict=True)
    ]


def accumulate_in_one_step(root: Edge, grad: Tensor, *, keep_graph: bool) -> bool:
    """Let the leaves that the node at the root goes to accumulate their gradients, where nothing else has a part in them; whether
    it was so.
    """
    node = root[0]
    if not _leads_to_leaves(node):
        return False
    found = _applied(root, grad, keep_graph)
    for edge, one in zip(node.edges, found, strict=True):
        if edge is not None and one is not None:
            leaf = cast("AccumulateGrad", edge[0])
            if not (id(one) in node.fresh and leaf.take(one)):
                leaf.accumulate(_as_result(one, edge), records=False)
    return True


def _leads_to_leaves(node: Node) -> bool:
    """Whether all gradients of a node go to leaves, each to another one, and nobody else sees them: a function that is one graph has
    such a node.
    """
    if node.hooks or node.retained:
        return False
    leaves: list[Node] = []
    for edge in node.edges:
        if edge is not None:
            leaf = cast("AccumulateGrad", edge[0])
            if leaf.__class__ is not AccumulateGrad or leaf.hooks or leaf.after:
                return False
            leaves.append(leaf)
    return bool(leaves) and len(set(leaves)) == len(leaves)


def _applied(root: Edge, grad: Tensor, keep_graph: bool) -> Sequence[Grad]:
    """What a node makes of the gradient of one of its results, without a record of it."""
    node, nr = root
    grads: list[Grad] = [None] * len(node.results)
    grads[nr] = _as_result(tensor_of(grad.array), root)
    apply = node.apply_plain
    found = anomaly.applied(node, apply, grads) if anomaly_mode.is_on else apply(grads)
    if not keep_graph:
        node.release()
    return found


def _as_result(grad: Tensor, edge: Edge) -> Tensor:
    """As `fitted`, for the result that an edge goes to; most gradients are so already."""
    node, nr = edge
    result = node.results[nr]
    assert result is not None
    if not isinstance(grad, UnstridedTensor):
        array = grad.array
        if (
            array.shape == result[0]
            and array.dtype is result[1].numpy_dtype
            and (array.__class__ is DeviceArray) is (result[2] is not cpu)
        ):
            return grad
    return fitted(grad, result, node)


class _Runs(local):
    now: Run | None = None


_runs = _Runs()


class Run:
    """One way back through a graph."""

    def __init__(
        self, keep_graph: bool, captures: Mapping[Edge, int] | None, accumulates: bool
    ) -> None:
        self.keep_graph = keep_graph
        self.captures = captures
        self.accumulates = accumulates
        self.captured: dict[int, Tensor] = {}
        self.waiting: dict[Node, int] = {}
        """How many gradients are still to come."""
        self.ends: list[Node] = []
        """Those of them that lead nowhere: leaves."""
        self.needed: Mapping[Node, None] = {}
        """The nodes that run."""
        self.last: Set[Node] = frozenset()
        """Those of them that are captured, and lead to nothing else that is."""
        self.buffers: dict[Node, list[Grad]] = {}
        self.ready: list[tuple[int, int, Node]] = []

    def execute(self, roots: Sequence[tuple[Edge, Tensor]]) -> dict[int, Tensor]:
        nodes = self._count([edge.node for edge, _ in roots])
        self.needed = nodes if self._ends_in_captures() else self._needed(nodes)
        for edge, grad in roots:
            result = edge.node.results[edge.nr]
            assert result is not None
            self._add(*edge, fitted(grad, result, edge.node))
        for node in dict.fromkeys(edge.node for edge, _ in roots):
            if not self.waiting.get(node):
                self._push(node)
        ready = self.ready
        while ready:
            self._visit(heappop(ready)[2])
        return self.captured

    def will_run(self, node: Node) -> bool:
        """Whether gradients come to a node."""
        return node in self.needed

    def _count(self, roots: Sequence[Node]) -> dict[Node, None]:
        """All nodes that can be reached, nodes after those that lead to them."""
        seen: dict[Node, None] = dict.fromkeys(roots)
        stack, waiting = list(seen), self.waiting
        while stack:
            for edge in stack.pop().edges:
                if edge is None:
                    continue
                node = edge[0]
                waiting[node] = waiting.get(node, 0) + 1
                if node not in seen:
                    seen[node] = None
                    if node.edges:
                        stack.append(node)
                    else:
                        self.ends.append(node)
        return seen

    def _ends_in_captures(self) -> bool:
        """Whether all of the graph leads to what is wanted."""
        captures = self.captures
        return captures is None or all((node, 0) in captures for node in self.ends)

    def _needed(self, nodes: Mapping[Node, None]) -> Mapping[Node, None]:
        """The nodes from which something captured can be reached, and those that are captured."""
        assert self.captures is not None
        before: dict[Node, list[Node]] = {}
        for node in nodes:
            for edge in node.edges:
                if edge is not None:
                    before.setdefault(edge.node, []).append(node)
        captured = dict.fromkeys(edge.node for edge in self.captures if edge.node in nodes)
        stack, leading = list(captured), dict[Node, None]()
        while stack:
            for node in before.get(stack.pop(), ()):
                if node not in leading:
                    leading[node] = None
                    stack.append(node)
        self.last = captured.keys() - leading.keys()
        return {**captured, **leading}

    def _push(self, node: Node) -> None:
        if node.edges:
            heappush(self.ready, (-node.sequence, id(node), node))
        else:
            self._visit(node)  # a leaf: what comes to it need wait no longer

    def _visit(self, node: Node) -> None:
        """Run a node that has all of its gradients."""
        grads = self.buffers.pop(node, None)
        if grads is not None and node in self.needed:
            self._run(node, grads)
        else:
            self._settle(node, [None] * len(node.edges))

    def _add(self, node: Node, nr: int, grad: Tensor) -> None:
        buffer = self.buffers.get(node)
        if buffer is None:
            buffer = self.buffers[node] = [None] * len(node.results)
        before = buffer[nr]
        buffer[nr] = grad if before is None else added(before, grad)

    def _run(self, node: Node, grads: list[Grad]) -> None:
        if node.hooks:
            _call_hooks_of_results(node, grads)
        if node.retained:
            _retain(node, grads)
        if self.captures is not None and self._capture(self.captures, node, grads):
            self._settle(node, [None] * len(node.edges))
            return
        if node.hooks:
            for hook in list(node.hooks.get(BEFORE, {}).values()):
                changed = _called(hook, tuple(grads))
                grads = grads if changed is None else list(_of_each(hook, changed, grads))
        apply = node.apply
        found = anomaly.applied(node, apply, grads) if anomaly_mode.is_on else apply(grads)
        if node.hooks:
            for hook in list(node.hooks.get(AFTER, {}).values()):
                changed = _called(hook, tuple(found), tuple(grads))
                found = found if changed is None else _of_each(hook, changed, found)
        if not self.keep_graph:
            node.release()
        self._settle(node, found)

    def _capture(self, captures: Mapping[Edge, int], node: Node, grads: Sequence[Grad]) -> bool:
        """Keep what is asked for; whether the node need not run."""
        for nr, grad in enumerate(grads):
            if grad is not None:
                place = captures.get((node, nr))  # type: ignore[call-overload]
                if place is not None:
                    self.captured[place] = grad
        if isinstance(node, AccumulateGrad):
            return not self.accumulates
        return node in self.last and not self.accumulates

    def _settle(self, node: Node, found: Sequence[Grad]) -> None:
        """Hand gradients on, and run what has all of them."""
        waiting, buffers = self.waiting, self.buffers
        for edge, grad in zip(node.edges, found, strict=True):
            if edge is None:
                continue
            to, nr = edge
            left = waiting[to] = waiting[to] - 1
            if grad is not None:
                grad = _as_result(grad, edge)
                buffer = buffers.get(to)
                if buffer is None:
                    if not left and to.__class__ is AccumulateGrad and not to.hooks:
                        leaf = cast("AccumulateGrad", to)
                        self._end(edge, leaf, grad, id(grad) in node.fresh)
                        continue
                    buffer = buffers[to] = [None] * len(to.results)
                before = buffer[nr]
                buffer[nr] = grad if before is None else added(before, grad)
            if not left:
                self._push(to)

    def _end(self, edge: Edge, leaf: AccumulateGrad, grad: Tensor, is_fresh: bool) -> None:
        """Give a leaf the only gradient that comes to it."""
        if self.captures is not None:
            place = self.captures.get(edge)
            if place is None:
                return
            self.captured[place] = grad
            if not self.accumulates:
                return
            is_fresh = False
        if is_fresh and not leaf.after and leaf.take(grad):
            return
        leaf.accumulate(grad, records=grad_mode.is_grad_enabled())


def _called(hook: Callable[..., Any], *given: Any) -> Any:
    """What a hook gives, which is a function of the user's."""
    with float_errors_of_caller():
        return hook(*given)


def _call_hooks_of_results(node: Node, grads: list[Grad]) -> None:
    """Put what hooks of tensors make of gradients in their places."""
    for nr, hooks in node.hooks.items():
        for hook in list(hooks.values()) if nr >= 0 else ():
            grad = grads[nr]
            changed = _called(hook, grad)  # no gradient, too, where other results have some
            grads[nr] = grad if changed is None else _of_hook(hook, changed, grad)


def _retain(node: Node, grads: Sequence[Grad]) -> None:
    """Let tensors that keep their gradients have them."""
    for nr, reference in node.retained.items():
        tensor, grad = reference(), grads[nr]
        if tensor is not None and grad is not None:
            own = tensor.autograd
            own.grad = grad if own.grad is None else call("aten::add", (own.grad, grad))


def _of_each(hook: Any, changed: Any, grads: Sequence[Grad]) -> Sequence[Grad]:
    """What a hook of a node gives for gradients; RuntimeError for more or less of them."""
    given = cast("Sequence[Grad]", changed if isinstance(changed, (list, tuple)) else (changed,))
    if len(given) != len(grads):
        name = getattr(hook, "__name__", type(hook).__name__)
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(given)}, but expected {len(grads)})"
        )
    return given


def _of_hook(hook: Any, changed: Any, grad: Grad) -> Tensor:
    if grad is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(changed, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(changed).__name__}'")
    if changed.array.shape != grad.array.shape:
        name = getattr(hook, "__name__", type(hook).__name__)
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    return changed


def fitted(grad: Any, result: Fact, node: Node) -> Tensor:
    """A gradient as it has to be for a result.

    Raises:
        TorchScriptError: it cannot be one.
    """
    if isinstance(grad, UnstridedTensor) and not isinstance(node, AccumulateGrad):
        grad = grad.to_dense()  # formulas are over arrays
    if not isinstance(grad, Tensor):
        raise TorchScriptError(f"{node.name()} got a {type(grad).__name__} for a gradient")
    if grad.shape != result.shape:
        if not _is_expandable(result.shape, grad.shape):
            raise TorchScriptError(
                f"{node.name()} got an invalid gradient: of shape {list(grad.shape)} but expected shape "
                f"{list(result.shape)}"
            )
        grad = summed_to(grad, result.shape)
    if grad.device.type != result.where.type:  # a tensor was moved there
        grad = call("aten::to", (grad,), {"device": result.where})
    dtype = grad.dtype
    if dtype is result.dtype:
        return grad
    if dtype.is_complex and not result.dtype.is_complex:
        grad = call("aten::real", (grad,))
    return grad if grad.dtype is result.dtype else call("aten::to", (grad, result.dtype))


def _is_expandable(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    if len(shape) > len(to):
        return False
    return all(one in (1, other) for one, other in zip(reversed(shape), reversed(to)))
