"""Nodes of the graph of gradients (PyTorch: torch/csrc/autograd/function.h)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, NamedTuple
from weakref import ref

from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import cpu, device
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Grad = Tensor | None
Hook = Callable[[Tensor], Any]

_sequence = count()
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


class Edge(NamedTuple):
    """Result `nr` of what a node is the gradient of."""

    node: Node
    nr: int


class Fact(NamedTuple):
    """What is known of a result: its gradient is like it."""

    shape: tuple[int, ...]
    dtype: dtype
    where: device = cpu

    def zeros(self) -> Tensor:
        """A gradient of zeros."""
        return call("aten::zeros", (list(self.shape),), {"dtype": self.dtype, "device": self.where})


def fact(tensor: Tensor) -> Fact:
    """What is known of a tensor."""
    array = tensor.array
    if array.__class__ is DeviceArray:
        return Fact(array.shape, tensor.dtype, tensor.device)
    return Fact(array.shape, tensor.dtype)


class Node:
    """The gradient of one operation: `apply` takes the gradients of its results and gives those of its inputs, one an edge."""

    __slots__ = ("__weakref__", "edges", "hooks", "kind", "results", "retained", "sequence")

    gives_fresh: bool = False
    """Whether nobody else has the gradients that the last `apply` gave, each a tensor of its own."""

    def __init__(self, kind: str, edges: Sequence[Edge | None]) -> None:
        self.kind = kind
        self.edges = list(edges)
        self.results: list[Fact | None] = []
        self.sequence = next(_sequence)
        self.hooks: dict[int, dict[int, Callable[..., Any]]] = {}
        """By number of a result: hooks of the tensor that it is; `BEFORE` and `AFTER`: those of the node."""
        self.retained: dict[int, Any] = {}
        """By number of a result: a weak reference to the tensor that keeps its gradient."""

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """The gradients of the inputs from those of the results; None is a gradient of zeros."""
        raise NotImplementedError

    def release(self) -> None:
        """Let go of what was saved for `apply`, which can then run no more."""

    def name(self) -> str:
        """What PyTorch calls it: `MulBackward0`."""
        return self.kind

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
        return f"<{self.kind} object at {id(self):#x}>"


class AccumulateGrad(Node):
    """Adds gradients up in the `grad` of a leaf, which has this node and is not kept alive by it: without the leaf nobody sees them."""

    __slots__ = ("after", "leaf")

    def __init__(self, leaf: Tensor) -> None:
        super().__init__("AccumulateGrad", ())
        self.leaf = ref(leaf)
        self.results = [fact(leaf)]
        self.after: dict[int, Hook] = {}

    @property
    def variable(self) -> Tensor | None:
        """The leaf."""
        return self.leaf()

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        if grads[0] is not None:
            self.accumulate(grads[0])
        return ()

    def accumulate(self, grad: Tensor, *, is_fresh: bool = False) -> None:
        """Add one gradient to what is there. One that `is_fresh` nobody else has."""
        leaf = self.leaf()
        if leaf is None:
            return
        own, array = leaf.autograd, grad.array
        if own.grad is None:
            is_own = is_fresh and array.base is None and array.strides == leaf.array.strides
            if not is_own and not grad_mode.is_grad_enabled():
                copy = empty_like(leaf.array)
                copy[...] = array
                grad = tensor_of(copy)
            own.grad = grad
        elif grad_mode.is_grad_enabled():
            own.grad = call("aten::add", (own.grad, grad))
        else:
            call("aten::add_", (own.grad, grad))
        for hook in list(self.after.values()):
            hook(leaf)
