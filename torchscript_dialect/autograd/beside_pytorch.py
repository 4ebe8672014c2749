"""Gradients that go through PyTorch's tape and ours (PyTorch: torch/autograd/function.py).

Note [Two tapes]
A call that is given tensors of PyTorch's which require gradients is an operation of PyTorch's: it gives tensors of PyTorch's, whose
`backward` runs our tape. Inside, such a tensor is one on its memory that came from a node `TensorOfPyTorch`. The call is one
`torch.autograd.Function`, whose inputs are the tensors of PyTorch's that its results come from. In the other direction, what a program
asks of a Python function that is written against PyTorch is one node of our tape, `NodeOfPyTorch`, whose gradients PyTorch computes.

Where gradients of gradients are wanted, one tape runs the other with `create_graph`, and what comes out crosses over in the same way.
Parameters of a module that was PyTorch's have their gradient in `grad` of PyTorch's tensor, whichever tape runs, and `grad` of the
module's tensor is on the memory of that, so that optimizers of either side see it, and what is done to it (`lent_leaves.py`). A call
of such a module that is given no tensors gives PyTorch's, too. PyTorch's tape holds ours as something saved, which it lets go of as
it does with what it saves, and the counters of writes of both are looked at. What a program writes to in place, PyTorch hears of
(`GraphExecutor.writes_arguments`; of a module's tensors `LentTensors.heard`). A parameter that a program
gives out is PyTorch's own. Gradients of a `backward` inside of a program go on along PyTorch's tape when ours has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import lru_cache, partial
from typing import Any, NamedTuple, cast

import numpy as np

from torchscript_dialect.autograd import anomaly
from torchscript_dialect.autograd.engine import execute
from torchscript_dialect.autograd.history import (
    base_of,
    gradient_edge,
    history,
    known,
    set_history,
)
from torchscript_dialect.autograd.lent_leaves import TensorOfPyTorch, leaf_of_pytorch
from torchscript_dialect.autograd.nodes import (
    AccumulateGrad,
    Edge,
    Grad,
    Node,
    reached,
)
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.values.arguments import Lent
from torchscript_dialect.runtime.values.for_pytorch import mapped, tensor_for_pytorch
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.overlap import may_overlap_internally
from torchscript_dialect.tensor.storage import data_pointer, root
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor, lender_of
from torchscript_dialect.tensor.tracked import TrackedTensor, contained, holds_tracked
from torchscript_dialect.tensor.versions import is_watched, version_of


class _Argument(NamedTuple):
    """A tensor of PyTorch's in one call, what stands for it, and the node that this came from, if gradients go to it."""

    original: Any
    tensor: Tensor
    node: TensorOfPyTorch | None

    def has_other_history(self) -> bool:
        """Whether a program has written something to it that has another history."""
        own, is_tracked = known(self.tensor), self.tensor.__class__ is TrackedTensor
        return is_tracked and own is not None and own.grad_fn is not self.node


def run_beside_pytorch(
    run: Callable[..., Any], executor: GraphExecutor, args: Sequence[Any], lent: Lent
) -> Any:
    """The result of a call to which `lent` arrays and tensors were given, and perhaps some of PyTorch's: see Note [Two tapes]. `run`
    is the executor itself, or a way of it to run the function.

    Raises:
        RuntimeError: gradients of PyTorch's tensors would be lost, or wrong.
    """
    torch = pytorch_state.loaded() if lent or args else None
    if torch is None:
        return run(*args)
    if not lent:
        result = run(*args)
        is_own = any(map(_holds_tensor, args)) or not holds_tracked((result,))
        return result if is_own else _given_out(result, (), torch)
    given = [pair for pair in lent.values() if isinstance(pair[0], torch.Tensor)]
    if not given:
        return run(*args)
    if executor.writes_arguments and any(one.layout is not torch.strided for one, _ in given):
        raise RuntimeError(
            "a function that writes to an argument in place was given a sparse tensor of PyTorch's, which would not see it: give it a "
            "clone that is made here"
        )
    is_foreign = any(original.requires_grad for original, _ in given)
    is_told = torch.is_grad_enabled() or executor.tells_gradients
    if not is_told or not (is_foreign or holds_tracked(args)):
        result = run(*args)
        if executor.writes_arguments:
            note_writes([original for original, _ in given], torch)
            is_foreign = _lead_requires_grad(given) or is_foreign
        arguments = [_Argument(*pair, None) for pair in given]
        return _given_out(result, arguments, torch) if is_foreign else result
    arguments = [_taken(original, tensor) for original, tensor in given]
    versions = [version_of(one.tensor.array) for one in arguments]
    counts = [version.count for version in versions]
    result = run(*args)
    now = [version.count for version in versions]
    written = [one for one, *count in zip(arguments, counts, now) if count[0] != count[1]]
    if written:
        _require_apart(arguments)
        note_writes([one.original for one in written if not one.has_other_history()], torch)
    del versions
    if not executor.writes_arguments:
        return _given_out(result, arguments, torch)
    _lead_requires_grad(given)
    result = _given_out(result, arguments, torch)
    _detach(arguments)
    return result


def _holds_tensor(argument: Any) -> bool:
    """Whether an argument is a tensor of ours or a container with one; what objects hold was not given."""
    if isinstance(argument, (list, tuple, dict)):
        return any(map(_holds_tensor, contained(cast(Any, argument))))
    return isinstance(argument, Tensor)


def _taken(original: Any, tensor: Tensor) -> _Argument:
    if not original.requires_grad:
        return _Argument(original, tensor, None)
    node = TensorOfPyTorch(tensor, original)
    set_history(tensor, node, 0)
    return _Argument(original, tensor, node)


def noting_writes(
    run: Callable[..., Any], lent: Sequence[Any], tensors: Sequence[Tensor], *args: Any
) -> Any:
    """Run a function, and let PyTorch know of its writes to tensors that stand on the memory of those that PyTorch has lent."""
    versions = [version_of(tensor.array) for tensor in tensors]
    counts = [version.count for version in versions]
    result = run(*args)
    now = [version.count for version in versions]
    written = [one for one, *count in zip(lent, counts, now, strict=True) if count[0] != count[1]]
    note_writes(written, pytorch_state.loaded())
    return result


def _lead_requires_grad(given: Sequence[tuple[Any, Tensor]]) -> bool:
    """Let PyTorch's tensors require gradients where a program has let those that stand for them; whether there are any."""
    found = False
    for original, tensor in given:
        own = known(tensor) if tensor.requires_grad and not original.requires_grad else None
        if own is not None and (own.grad_fn is None or isinstance(own.grad_fn, AccumulateGrad)):
            original.requires_grad_()
            found = True
    return found


def _detach(arguments: Sequence[_Argument]) -> None:
    """Take the history off PyTorch's tensors where a program has taken it off those that stand for them."""
    for one in arguments:
        if one.node is not None and not one.tensor.requires_grad:
            one.original.detach_()


def note_writes(tensors: Sequence[Any], torch: Any) -> None:
    """Let PyTorch know of writes to its tensors; those of inference mode have no counter."""
    counted = [one for one in tensors if not one.is_inference()]
    if counted:
        torch.autograd.graph.increment_version(counted)


def _require_apart(arguments: Sequence[_Argument]) -> None:
    """RuntimeError where a function that has written to an argument has two on the same memory: our tape does not know that."""
    held = [one.original for one in arguments if one.original.numel()]
    blocks = {original.untyped_storage().data_ptr() for original in held}
    if len(blocks) < len(held):
        raise RuntimeError(
            "a function that writes to an argument in place was given tensors of PyTorch's that share memory while gradients are "
            "recorded, which is not supported: give it clones"
        )


# Results


def _given_out(result: Any, arguments: Sequence[_Argument], torch: Any) -> Any:
    """A result of the program with tensors of PyTorch's; as it is where it comes from none of these."""
    tracked: dict[int, Tensor] = {}
    _collect(result, tracked)
    tracked = {key: one for key, one in tracked.items() if gradient_edge(one) is not None}
    written = [one for one in arguments if one.has_other_history()]
    sources = _sources([*tracked.values(), *(one.tensor for one in written)], torch)
    if not sources and all(not one.original.requires_grad for one in arguments):
        return result
    own = {id(one.tensor): one.original for one in arguments}
    own |= {id(one.parameter): one.original for one in sources if one.parameter is not None}
    groups: dict[int, list[Tensor]] = {}
    bases: dict[int, Tensor] = {}
    for one in tracked.values():
        base = _base(one)
        bases[id(base)] = base
        groups.setdefault(id(base), []).append(one)
    for key, members in groups.items():
        # Nobody sees the base of a single view, which is as good a result.
        if key not in own and len(members) == 1:
            bases[key] = members[0]
    crossing = [base for key, base in bases.items() if key not in own]
    crossed = _cross(crossing, sources, arguments, written, torch)
    stands = own | {id(base): one for base, one in zip(crossing, crossed, strict=True)}

    def give(value: Any) -> Any:
        if not isinstance(value, Tensor):
            return value
        if value.__class__ is not TrackedTensor:
            return _plain(value, arguments, torch)
        if id(value) not in tracked:
            return _leading_nowhere(value, torch)
        base = _base(value)
        base = base if id(base) in stands else value
        return _view(stands[id(base)], base, value, torch)

    return mapped(result, give)


def _leading_nowhere(view: Tensor, torch: Any) -> Any:
    """What stands for a view that was made under `no_grad`, and requires a gradient as its base does."""
    base = base_of(view)
    original = None if base is None else lender_of(base)
    if base is None or not isinstance(original, torch.Tensor):
        return tensor_for_pytorch(view, torch).requires_grad_()
    with torch.no_grad():
        return _view(original, base, view, torch)


def _base(tensor: Tensor) -> Tensor:
    """What a tensor of ours is a view of where it is one to PyTorch, too, and else itself. Of a tensor with several elements in one
    place it is none, as `as_strided` would give each of these the mean of their gradients.
    """
    base = base_of(tensor)
    return tensor if base is None or may_overlap_internally(base.array) else base


def _collect(value: Any, tracked: dict[int, Tensor]) -> None:
    """Take note of the tensors in a result through which gradients go.

    Raises:
        RuntimeError: an object has one that comes from a tensor of PyTorch's, as its attributes are ours.
    """
    if value.__class__ is TrackedTensor:
        tracked[id(value)] = value
    elif isinstance(value, ScriptObject):
        inside: dict[int, Tensor] = {}
        for one in contained(value):
            _collect(one, inside)
        nodes = reached(map(gradient_edge, inside.values()))
        if any(isinstance(node, TensorOfPyTorch) for node in nodes):
            raise RuntimeError(
                f"an object of the class {value.__torchscript_qualified_name__} holds a tensor that a gradient goes through to one of "
                "PyTorch's: give the tensor out by itself"
            )
    else:
        for one in contained(value):
            _collect(one, tracked)


def _plain(tensor: Tensor, arguments: Sequence[_Argument], torch: Any) -> Any:
    """A tensor without gradients for PyTorch, which shares a counter of writes with the argument that it shares memory with."""
    for one in arguments:
        if tensor is one.tensor and one.node is None:
            return one.original
        if tensor.array.size and root(tensor.array) is root(one.tensor.array):
            return _view(one.original.detach(), one.tensor, tensor, torch)
    return tensor_for_pytorch(tensor, torch)


def _view(original: Any, base: Tensor, view: Tensor, torch: Any) -> Any:
    """The view of PyTorch's that a view of ours is, of the tensor that stands for the base of ours.

    Raises:
        RuntimeError: it has elements of another dtype, which are no parts of complex numbers, or the base stands on a copy.
    """
    if view is base:
        return original
    inner, outer = view.array, base.array
    is_there = not inner.size or data_pointer(outer) == original.data_ptr()
    strides = element_strides(inner)
    start = (data_pointer(inner) - data_pointer(outer)) // inner.itemsize if inner.size else 0
    if is_there and inner.dtype == outer.dtype:
        return original.as_strided(inner.shape, strides, original.storage_offset() + start)
    if is_there and _is_part_of(inner.dtype, outer.dtype):
        parts = torch.view_as_real(original)
        return parts.as_strided(inner.shape, strides, parts.storage_offset() + start)
    if is_there and _is_part_of(outer.dtype, inner.dtype):
        offset = original.storage_offset() + 2 * start
        doubled = (*(2 * stride for stride in strides), 1)
        return torch.view_as_complex(original.as_strided((*inner.shape, 2), doubled, offset))
    raise RuntimeError(
        "a view of a tensor of PyTorch's that has another dtype, or is a lazy conjugate, cannot be given to PyTorch: "
        "give out a clone of it"
    )


def _is_part_of(part: np.dtype[Any], whole: np.dtype[Any]) -> bool:
    """Whether numbers of one dtype are the real and imaginary parts of those of another."""
    return whole.kind == "c" and part.kind == "f" and 2 * part.itemsize == whole.itemsize


# The way back


class _Source(NamedTuple):
    """Where gradients for PyTorch arrive on our tape: a node, or a parameter of a module that was PyTorch's."""

    original: Any
    node: Node
    parameter: Tensor | None


_source_of: Callable[[tuple[Any, Node, Tensor]], _Source] = partial(
    tuple[Any, ...].__new__, _Source
)
"""Makes a source of its parts, sooner than its class does."""


def _sources(tensors: Sequence[Tensor], torch: Any) -> list[_Source]:
    """The tensors of PyTorch's that gradients of these go to.

    Raises:
        RuntimeError: they are not what they were, as a program has written to them.
    """
    found: list[_Source] = []
    for node in reached(map(gradient_edge, tensors)):
        if node.edges:
            continue
        class_ = node.__class__
        if class_ is AccumulateGrad:
            pair = leaf_of_pytorch(node, torch)
            if pair is not None:
                found.append(_source_of((pair[0], node, pair[1])))
        elif class_ is TensorOfPyTorch:
            original = cast("TensorOfPyTorch", node).original
            if original is None:
                raise RuntimeError(
                    "gradients of gradients through what a program has written to a tensor of PyTorch's are not supported"
                )
            found.append(_Source(original, node, None))
    return found


class _Way:
    """Our tape from the results of one call to what PyTorch has given it: what PyTorch saves for `backward`."""

    def __init__(
        self, edges: Sequence[Edge], sources: Sequence[_Source], places: Sequence[int], count: int
    ) -> None:
        self.edges = edges
        self.ends = [
            (one.node, None if one.parameter is None else history(one.parameter)) for one in sources
        ]
        """Where gradients arrive: the node, and of a parameter its history."""
        self.parameters = [one.parameter for one in sources]  # which their nodes do not keep alive
        self.places = places
        """The number of the input that each of them is."""
        self.count = count
        """How many inputs there are."""
        self.saved: list[tuple[Any, int]] = []
        """Tensors of PyTorch's on whose memory something is saved, without a history, and their versions."""

    def save(self, tensor: Any) -> None:
        """Let writes to a tensor of PyTorch's be an error from now on."""
        if not tensor.is_inference():
            is_to_have_none = tensor.requires_grad and tensor.is_leaf
            held = tensor if is_to_have_none else tensor.detach()
            self.saved.append((held, tensor._version))

    def back(self, grads: Sequence[Any], torch: Any) -> list[Any]:
        """The gradients of the inputs from those of the results.

        Raises:
            RuntimeError: something that is saved was written to.
        """
        for tensor, version in self.saved:
            if tensor._version != version:
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"[{tensor.type()} {list(tensor.shape)}] is at version {tensor._version}; expected version {version} instead. "
                    f"{anomaly.hint()}"
                )
        creates = torch.is_grad_enabled()
        roots: list[tuple[Edge, Tensor]] = []
        for edge, grad in zip(self.edges, grads, strict=True):
            if grad is not None:
                tensor = as_tensor(grad)
                if creates:
                    _taken(grad, tensor)
                roots.append((edge, tensor))
        before = self._taken()
        execute(roots, keep_graph=True, create_graph=creates)
        found = self._taken()
        for (_, own), old in zip(self.ends, before, strict=True):
            if own is not None:  # PyTorch adds up what is new, or has other plans for it
                own.grad = old
        shared = [own is None for _, own in self.ends]
        given: list[Any] = [None] * self.count
        for place, one in zip(self.places, _gradients_out(found, shared, torch), strict=True):
            given[place] = one
        return given

    def _taken(self) -> list[Grad]:
        """The gradients that have arrived, which are there no more."""
        found: list[Grad] = []
        for node, own in self.ends:
            holder: Any = node if own is None else own
            found.append(holder.grad)
            holder.grad = None
        return found


def _gradients_out(found: Sequence[Grad], shared: Sequence[bool], torch: Any) -> list[Any]:
    """Gradients as PyTorch's, on memory of their own, which `shared` ones have not: PyTorch adds up in place."""
    tracked = [one for one in found if one is not None and one.__class__ is TrackedTensor]
    if not tracked:
        return [
            None if one is None else _given(one, is_shared, torch)
            for one, is_shared in zip(found, shared, strict=True)
        ]
    crossed = iter(_cross(tracked, _sources(tracked, torch), (), (), torch))
    return [
        next(crossed) if one.__class__ is TrackedTensor else _given(one, is_shared, torch)
        for one, is_shared in zip(found, shared, strict=True)
    ]


def _given(grad: Grad, is_shared: bool, torch: Any) -> Any:
    if grad is None:
        return None
    made = tensor_for_pytorch(grad, torch)
    return made.clone() if is_shared else made


def _cross(
    tensors: Sequence[Tensor],
    sources: Sequence[_Source],
    arguments: Sequence[_Argument],
    written: Sequence[_Argument],
    torch: Any,
) -> list[Any]:
    """Tensors of PyTorch's on the memory of ours, whose gradients go the way of ours. What was `written` gets its new history."""
    if not tensors and not written:
        return []
    edges = [gradient_edge(one) for one in (*(one.tensor for one in written), *tensors)]
    inputs: dict[int, Any] = {id(one.original): one.original for one in written}
    inputs |= {id(one.original): one.original for one in sources}
    if not any(one.requires_grad for one in inputs.values()):
        # Gradients go to tensors of ours only.
        extra = torch.empty(0, requires_grad=True)
        inputs[id(extra)] = extra
    numbers = {key: number for number, key in enumerate(inputs)}
    places = [numbers[id(one.original)] for one in sources]
    way = _Way(cast("list[Edge]", edges), sources, places, len(inputs))
    results = [tensor_for_pytorch(one, torch) for one in tensors]
    moved = [
        (place, tensor_for_pytorch(one.tensor, torch))
        for place, one in enumerate(written)
        if not _stands_on(one.tensor, one.original)
    ]
    asked: list[_Way] = []

    def pack(_: Any) -> _Way:
        return way

    def unpack(held: _Way) -> Any:
        asked.append(held)
        return function.nothing

    function = _function(torch)
    enabled = nullcontext() if torch.is_grad_enabled() else torch.enable_grad()
    with enabled, torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        given = function.apply(asked, results, moved, len(written), *inputs.values())
    crossed = list(given[len(written) :])
    for original, _, parameter in sources:
        if parameter is not None and is_watched(parameter.array):
            way.save(original)
    for original, tensor in (
        *((one.original, one.tensor) for one in arguments),
        *zip(crossed, tensors, strict=True),
    ):
        if is_watched(tensor.array):
            way.save(original)
    for one in written:
        if one.node is not None:
            one.node.original = None  # whose history is this call, which has the node
    return crossed


def _stands_on(tensor: Tensor, original: Any) -> bool:
    """Whether a tensor has the shape and strides that the one of PyTorch's has that it stands for."""
    same_shape = tensor.array.shape == tuple(original.shape)
    return same_shape and (
        not tensor.array.size or element_strides(tensor.array) == original.stride()
    )


@lru_cache(maxsize=1)
def _function(torch: Any) -> Any:
    """The operation that a call is on PyTorch's tape."""

    with torch.inference_mode(False):
        empty = torch.empty(0)

    class TorchScriptDialect(torch.autograd.Function):
        nothing = empty
        """What stands for the way among what is saved."""

        @staticmethod
        def forward(
            ctx: Any,
            asked: list[_Way],
            results: list[Any],
            moved: list[tuple[int, Any]],
            written: int,
            *inputs: Any,
        ) -> Any:
            for place, made in moved:
                inputs[place].set_(made)
            ctx.asked = asked
            ctx.set_materialize_grads(False)
            # The hook around the call has the way in the place of what is saved.
            ctx.save_for_backward(empty)
            ctx.mark_dirty(*inputs[:written])
            return (*inputs[:written], *results)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            _ = ctx.saved_tensors
            way: _Way = ctx.asked.pop()
            return (None, None, None, None, *way.back(grads, torch))

    return TorchScriptDialect
