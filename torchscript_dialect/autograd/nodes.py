"""Nodes of the graph of gradients (PyTorch: torch/csrc/autograd/function.h)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from traceback import format_stack
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.large import LARGE
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import cpu, device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype, of_array
from torchscript_dialect.tensor.float_errors import in_silence, is_silent
from torchscript_dialect.tensor.layout import contiguous_format
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_like,
    is_non_overlapping_and_dense,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor

Grad = Tensor | None
Hook = Callable[[Tensor], Any]

next_number = count().__next__
"""The number of the next node: those that were made later go back first."""
BEFORE, AFTER = -1, -2
"""Keys of `Node.hooks` for what is called with all gradients of the results before a node runs, and after that."""


class RemovableHandle:
    """What `register_hook` gives: `remove()` takes the hook away."""

    def __init__(self, hooks: dict[int, Any], key: int) -> None:
        self._hooks = hooks
        self._key = key

    def remove(self) -> None:
        """Take the hook away."""
        self._hooks.pop(self._key, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


_keys = count()


def register(hooks: dict[int, Any], hook: Callable[..., Any]) -> RemovableHandle:
    """Add a hook to those of one place."""
    key = next(_keys)
    hooks[key] = hook
    return RemovableHandle(hooks, key)


TRACEBACK = "traceback_"
"""The key of a node's metadata for where it was made."""


class _AnomalyMode:
    is_on: bool = False
    checks_nan: bool = True


anomaly_mode = _AnomalyMode()
"""Whether nodes take note of where they are made, and NaN is an error: `autograd/anomaly.py`."""


class Edge(NamedTuple):
    """Result `nr` of what a node is the gradient of."""

    node: Node
    nr: int


edge_of: Callable[[tuple[Node, int]], Edge] = partial(tuple[Any, ...].__new__, Edge)
"""Makes an edge of a pair, sooner than its class does."""


class GradientEdge(NamedTuple):
    """Result `output_nr` of what a node is the gradient of, as programs have it: in the place of a tensor in a backward pass."""

    node: Node
    output_nr: int
    ownership_token: Any = None


class Fact(NamedTuple):
    """What is known of a result: its gradient is like it."""

    shape: tuple[int, ...]
    dtype: dtype
    where: device = cpu

    def zeros(self) -> Tensor:
        """A gradient of zeros."""
        return call("aten::zeros", (list(self.shape),), {"dtype": self.dtype, "device": self.where})


_fact_of: Callable[[tuple[Any, ...]], Fact] = partial(tuple[Any, ...].__new__, Fact)


def fact(tensor: Tensor) -> Fact:
    """What is known of a tensor."""
    array = tensor.array
    where = tensor.device if array.__class__ is DeviceArray else cpu
    return _fact_of((array.shape, of_array(array), where))


KINDS = frozenset("fcV")
"""The kinds of NumPy's dtypes that gradients go through; V is bfloat16."""


def has_same_kind(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether what is written to an array is written to another one on its memory as far as gradients go."""
    return one.dtype is other.dtype or one.dtype.kind in KINDS or one.dtype == other.dtype


def added(before: Tensor, grad: Tensor) -> Tensor:
    """The sum of two gradients; a sparse one comes second."""
    if before.__class__ is Tensor is grad.__class__:
        one, other = before.array, grad.array
        if (
            one.__class__ is np.ndarray is other.__class__
            and one.dtype is other.dtype
            and one.dtype.kind == "f"
            and one.size < LARGE
            and one.strides == other.strides
            and one.shape == other.shape
            and one.flags.c_contiguous
            and one.shape
        ):
            return tensor_of(np.add(one, other) if is_silent() else in_silence(np.add, one, other))
    pair = (grad, before) if isinstance(before, UnstridedTensor) else (before, grad)
    return call("aten::add", pair)


def summed_to(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The gradient of what was broadcast from a shape."""
    array = grad.array
    lead = array.ndim - len(shape)
    if (
        grad.__class__ is Tensor
        and array.__class__ is np.ndarray
        and array.dtype.kind == "f"
        and array.dtype.itemsize > 2
        and array.size < LARGE
        and shape
        and array.shape[lead:] == shape
    ):
        axes = tuple(range(lead))
        reduce_ = np.add.reduce
        return tensor_of(reduce_(array, axes) if is_silent() else in_silence(reduce_, array, axes))
    return call("aten::sum_to_size", (grad, list(shape)))


def short_name(name: str) -> str:
    """The operator in the name of a node, as errors show it: `Mul` of `MulBackward0`."""
    return name.rstrip("0123456789").removesuffix("Backward") if "Backward" in name else name


class Node:
    """The gradient of one operation: `apply` takes the gradients of its results and gives those of its inputs, one an edge.

    Its class has the name that PyTorch's has (`autograd/node_names.py`).
    """

    __slots__ = ("__weakref__", "_metadata", "edges", "hooks", "results", "retained", "sequence")

    scope: str = ""
    """What stands before the class's name in `name()`."""
    requires_grad: bool = True
    stands_for_leaf: bool = False
    """Whether a tensor that came from the node is a leaf to its users: see Note [Two tapes] in beside_pytorch.py."""

    fresh: Container[int] = ()
    """The ids of the gradients of the last `apply` that nobody else holds: leaves take them without a copy."""

    def __init__(self, edges: Sequence[Edge | None]) -> None:
        self.edges = list(edges)
        self.results: list[Fact | None] = []
        self.sequence = next_number()
        self.hooks: dict[int, dict[int, Callable[..., Any]]] = {}
        """By number of a result: hooks of the tensor that it is; `BEFORE` and `AFTER`: those of the node."""
        self.retained: dict[int, Any] = {}
        """By number of a result: a weak reference to the tensor that keeps its gradient."""
        if anomaly_mode.is_on:
            self.note_where_made()

    def note_where_made(self) -> None:
        """Keep the stack of the call that makes the node, for errors in anomaly mode."""
        self.metadata[TRACEBACK] = format_stack()[:-2]

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """The gradients of the inputs from those of the results; None is a gradient of zeros."""
        raise NotImplementedError

    def apply_plain(self, grads: list[Grad]) -> Sequence[Grad]:
        """`apply` where no gradients of gradients are wanted. `grads` is the callee's."""
        with grad_mode.enabled(False):
            return self.apply(grads)

    def retains(self, number: int) -> bool:
        """Whether the tensor that is this result keeps its gradient."""
        return number in self.retained

    def forget_elements(self) -> None:
        """Keep the places in memory of tensors that are kept, and not their elements, which no formula of the node reads."""

    def release(self) -> None:
        """Let go of what was saved for `apply`, which can then run no more."""

    def name(self) -> str:
        """What PyTorch calls it: `MulBackward0`."""
        return f"{self.scope}{type(self).__name__}"

    @property
    def metadata(self) -> dict[Any, Any]:
        """What users keep with the node."""
        try:
            return self._metadata
        except AttributeError:
            self._metadata: dict[Any, Any] = {}
            return self._metadata

    def _sequence_nr(self) -> int:
        return self.sequence

    @property
    def _input_metadata(self) -> list[Fact | None]:
        return list(self.results)

    def register_prehook(self, hook: Callable[[tuple[Grad, ...]], Any]) -> RemovableHandle:
        """Call `hook` with the gradients of the results before the node runs; what it returns, if anything, takes their place."""
        return register(self.hooks.setdefault(BEFORE, {}), hook)

    def register_hook(
        self, hook: Callable[[tuple[Grad, ...], tuple[Grad, ...]], Any]
    ) -> RemovableHandle:
        """Call `hook` with the gradients of the inputs and of the results after the node ran; what it returns, if anything, takes the
        place of the first.
        """
        return register(self.hooks.setdefault(AFTER, {}), hook)

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that the gradients go to."""
        return tuple((None, 0) if edge is None else (edge[0], edge[1]) for edge in self.edges)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


def reached(edges: Iterable[Edge | None]) -> Iterator[Node]:
    """The nodes to which gradients go from there."""
    stack = [*dict.fromkeys(edge[0] for edge in edges if edge is not None)]
    seen = set(stack)
    while stack:
        node = stack.pop()
        yield node
        for edge in node.edges:
            if edge is not None and (next_ := edge[0]) not in seen:
                seen.add(next_)
                stack.append(next_)


def _copy_for(leaf: Tensor, grad: Tensor, *, records: bool) -> Tensor:
    """A copy of a gradient, laid out as the leaf, or contiguous where elements of that share memory or leave some out."""
    if isinstance(grad, UnstridedTensor):
        return call("aten::clone", (grad,))
    like = leaf.array
    if not is_non_overlapping_and_dense(like.shape, element_strides(like)):
        return call("aten::clone", (grad,), {"memory_format": contiguous_format})
    copy = empty_like(like)
    if records:
        return call("aten::copy_", (tensor_of(copy), grad))
    copy[...] = grad.array
    return tensor_of(copy)


class AccumulateGrad(Node):
    """Adds gradients up in the `grad` of a leaf, which has this node and is not kept alive by it: without the leaf nobody sees them."""

    __slots__ = ("after", "leaf")

    scope = "torch::autograd::"

    def __init__(self, leaf: Tensor) -> None:
        super().__init__(())
        self.leaf = ref(leaf)
        self.results = [fact(leaf)]
        self.after: dict[int, Hook] = {}

    @property
    def variable(self) -> Tensor | None:
        """The leaf."""
        return self.leaf()

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        if grads[0] is not None:
            self.accumulate(grads[0], records=grad_mode.is_grad_enabled())
        return ()

    def take(self, grad: Tensor) -> bool:
        """Make a gradient that nobody else has that of the leaf, if there was none and it is laid out as the leaf."""
        leaf = self.leaf()
        if leaf is None or not leaf.requires_grad:
            return True
        own, array, like = leaf.autograd, grad.array, leaf.array
        if (
            own.grad is not None
            or array.base is not None
            or array.shape != like.shape
            or array.strides != like.strides
            or array.dtype is not like.dtype
        ):
            return False
        own.grad = grad
        return True

    def accumulate(self, grad: Tensor, *, records: bool) -> None:
        """Add one gradient to what is there. `records`: gradients of gradients are wanted."""
        leaf = self.leaf()
        if leaf is None or not leaf.requires_grad:
            return
        own = leaf.autograd
        if own.grad is None:
            own.grad = _copy_for(leaf, grad, records=records)
        elif records or (
            isinstance(own.grad, UnstridedTensor) and not isinstance(grad, UnstridedTensor)
        ):
            own.grad = added(own.grad, grad)
        else:
            with grad_mode.enabled(False):
                call("aten::add_", (own.grad, grad))
        for hook in list(self.after.values()):
            if hook(leaf) is not None:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")
