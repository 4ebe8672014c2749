"""Functions whose gradients users write themselves: `torch.autograd.Function` (PyTorch: torch/autograd/function.py,
torch/csrc/autograd/python_function.cpp).

They are for eager code: a program that is scripted cannot call them, as in PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, cast
from weakref import ref

from torchscript_dialect.autograd.history import base_of, gradient_edge, is_leaf, set_history
from torchscript_dialect.autograd.nodes import Edge, Grad, Node, fact
from torchscript_dialect.autograd.operator_node import FREED
from torchscript_dialect.autograd.saved import SavedTensor, keep, save, unpack
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def _listed(results: Any) -> list[Any]:
    return list(cast("tuple[Any, ...]", results)) if isinstance(results, tuple) else [results]


class FunctionCtx:
    """What `forward` and `backward` of one call share. Attributes of their own may be set, too."""

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        """For each argument, whether it is a tensor that requires a gradient."""
        self.materialize_grads = True
        self.dirty: tuple[Any, ...] = ()
        self.not_differentiable: tuple[Any, ...] = ()
        self.to_save: tuple[Tensor | None, ...] = ()
        self._node: Callable[[], FunctionNode | None] = lambda: None

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors, inputs and outputs of the function above all, for `saved_tensors` in `backward`."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """For derivatives in forward mode, which do not exist here."""

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What was saved; RuntimeError where it was freed, or written to since."""
        node = self._node()
        return self.to_save if node is None else node.saved_tensors()

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs `forward` wrote to; they have to be among its results."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say through which results no gradient goes."""
        self.not_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros, or None, for a result that no gradient came to."""
        self.materialize_grads = value


class FunctionNode(Node):
    """The gradient of one call of a function of a user."""

    __slots__ = ("ctx", "function", "is_freed", "saved")

    def __init__(
        self, function: type[Function], ctx: FunctionCtx, edges: Sequence[Edge | None]
    ) -> None:
        super().__init__(edges)
        self.function = function
        self.ctx = ctx
        self.saved: list[Any] = []
        self.is_freed = False

    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What the function saved, with its history: `backward` may go back from there itself."""
        if self.is_freed:
            raise RuntimeError(FREED)
        return tuple(
            one.with_history(self) if isinstance(one, SavedTensor) else unpack(one, self)
            for one in self.saved
        )

    def release(self) -> None:
        self.is_freed = self.is_freed or bool(self.saved)
        self.saved = []

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError: `backward` gave as many gradients as there are arguments not; and whatever it raises."""
        given = list(grads)
        if self.ctx.materialize_grads:
            given = [
                of.zeros() if one is None and of is not None else one
                for one, of in zip(grads, self.results, strict=True)
            ]
        found = _listed(self.function.way_back()(self.ctx, *given))
        wanted = len(self.edges)
        if len(found) < wanted or any(one is not None for one in found[wanted:]):
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected {wanted}, got {len(found)})"
            )
        return found[:wanted]


class Function:
    """An operation with a gradient of its own: a class with `forward(ctx, *args)` and `backward(ctx, *grads)`, called by `apply`.

    Where there is a `setup_context(ctx, inputs, output)`, `forward` gets no `ctx`.
    """

    @staticmethod
    def forward(*args: Any) -> Any:
        """The results: a tensor, or a tuple."""
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Keep what `backward` needs."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients of the arguments from those of the results; None for what requires none."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @classmethod
    def way_back(cls) -> Callable[..., Any]:
        """`backward`, or `vjp`, which is the same; RuntimeError where there are both."""
        if cls.vjp is Function.vjp:
            return cls.backward
        if cls.backward is Function.backward:
            return cls.vjp
        raise RuntimeError(
            "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only implement one of them."
        )

    @classmethod
    def _node_class(cls) -> type[FunctionNode]:
        """The class of the nodes, made once; it has the name that users see."""
        found = cls.__dict__.get("_backward_cls")
        if found is None:
            members: dict[str, Any] = {"__slots__": (), "__module__": "torch.autograd.function"}
            found = cls._backward_cls = type(f"{cls.__name__}Backward", (FunctionNode,), members)
        return cast("type[FunctionNode]", found)

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run the function, and remember how to go back through it."""
        needs = tuple(one.__class__ is TrackedTensor for one in args)
        records = any(needs) and grad_mode.is_grad_enabled()
        ctx = FunctionCtx(needs)
        edges = [gradient_edge(one) if isinstance(one, Tensor) else None for one in args]
        leaves = {id(one) for one in args if isinstance(one, Tensor) and is_leaf(one)}
        with grad_mode.enabled(False):
            if cls.setup_context is Function.setup_context:
                found = cls.forward(ctx, *args)
            else:
                found = cls.forward(*args)
                given = signature(cls.forward).bind(*args)
                given.apply_defaults()
                cls.setup_context(ctx, given.args, found)
        if not records:
            return found
        for one in ctx.dirty:
            if one.__class__ is TrackedTensor and id(one) in leaves:
                raise RuntimeError(
                    "a leaf Variable that requires grad is being used in an in-place operation."
                )
        results = _listed(found)
        node = cls._node_class()(cls, ctx, edges)
        standing = _give_history(node, results, args)
        node.saved = [_saved(one, standing) for one in ctx.to_save]
        ctx.to_save = ()
        ctx._node = ref(node)  # pyright: ignore[reportPrivateUsage]
        return tuple(results) if isinstance(found, tuple) else results[0]


def _give_history(
    node: FunctionNode, results: list[Any], args: tuple[Any, ...]
) -> dict[int, tuple[Tensor, int | None]]:
    """Let the results be those of the node. What stands for each tensor that `forward` gave, with its number where gradients go
    through it.
    """
    ctx = node.ctx
    closed = {id(one) for one in ctx.not_differentiable}
    dirty = {id(one) for one in ctx.dirty}
    given = {id(one) for one in args if isinstance(one, Tensor)}
    standing: dict[int, tuple[Tensor, int | None]] = {}
    node.results = [fact(one) if isinstance(one, Tensor) else None for one in results]
    for number, one in enumerate(results):
        if not isinstance(one, Tensor):
            continue
        goes = id(one) not in closed and (one.dtype.is_floating_point or one.dtype.is_complex)
        is_written = id(one) in dirty
        if is_written and base_of(one) is not None:
            raise RuntimeError(
                f"{node.function.__name__} writes to a view, which is not supported: write to a clone of it"
            )
        result = one
        is_apart = id(one) not in given and one.__class__ is not TrackedTensor
        if not is_written and not (is_apart and base_of(one) is None):
            result = results[number] = tensor_of(one.array)
        if goes:
            set_history(result, node, number)
        standing[id(one)] = (result, number if goes else None)
    return standing


def _saved(tensor: Tensor | None, standing: dict[int, tuple[Tensor, int | None]]) -> Any:
    found = standing.get(id(tensor))
    if found is not None and found[1] is not None:
        return keep(found[0], found[1])
    return save(tensor)


class Error(Node):
    """The gradient of what gives no gradients of gradients."""

    __slots__ = ()

    def apply(self, grads: Sequence[Grad]) -> Sequence[Grad]:
        """Raises RuntimeError."""
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Say of a `backward` that it computes with what gives no gradients; to go back through it is an error."""

    @wraps(backward)
    def wrapped(ctx: Any, *grads: Any) -> Any:
        with grad_mode.enabled(False):
            found = backward(ctx, *grads)
        tracked = [one for one in grads if one.__class__ is TrackedTensor]
        if not tracked or not grad_mode.is_grad_enabled():
            return found
        results = _listed(found)
        node = Error([gradient_edge(one) for one in tracked])
        node.results = [fact(one) if isinstance(one, Tensor) else None for one in results]
        for number, one in enumerate(results):
            if isinstance(one, Tensor):
                results[number] = tensor_of(one.array)
                set_history(results[number], node, number)
        return tuple(results)

    return wrapped
