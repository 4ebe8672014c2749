"""Hooks that see gradients go through a module (PyTorch: class BackwardHook in torch/utils/hooks.py)."""

# Hooks are what programs give: nothing tells their types.
# pyright: basic
from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.autograd.function import Function

Hook = Callable[..., Any]
Grads = tuple[Any, ...]


class BackwardHookFunction(Function):
    """Tensors as they are, through one node."""

    @staticmethod
    def forward(ctx: Any, *tensors: Any) -> Any:
        """Those that need no gradients go on so."""
        ctx.mark_non_differentiable(*[one for one in tensors if not one.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients as they are."""
        return grads


class BackwardHook:
    """One call of a module: a node before it and one behind it, where gradients come out and go in."""

    def __init__(self, module: Any, hooks: Sequence[Hook], pre_hooks: Sequence[Hook]) -> None:
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grads: Grads | None = None
        """Of the results, from when they are known until those of the arguments are."""
        self.arguments: list[int] | None = None
        """Which arguments are tensors; None if none of them needs a gradient."""
        self.results: list[int] | None = None
        self.argument_count = self.result_count = 0

    def setup_input_hook(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, behind a node."""
        self.argument_count = len(args)
        args, self.arguments = _through_node(self._after, args)
        return args

    def setup_output_hook(self, result: Any) -> Any:
        """The result, a tensor or a tuple, behind a node."""
        results = result if isinstance(result, tuple) else (result,)
        self.result_count = len(results)
        results, self.results = _through_node(self._before, results)
        return results if isinstance(result, tuple) else results[0]

    def _before(self, _: Grads, grads: Grads) -> Grads | None:
        """With the gradients of the results: call hooks that may change them, and the others if there is nothing to wait for."""
        found = _among_none(self.results, grads, self.result_count)
        for hook in self.pre_hooks:
            found = _changed(found, hook(self.module, found), "Backward pre hook", "grad_output")
        self.grads = found
        if self.arguments is None:
            self._call_without_arguments(found)
        return tuple(found[place] for place in self.results or ())

    def _call_without_arguments(self, grads: Grads) -> None:
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs require "
            "gradients. See https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
            "#torch.nn.Module.register_full_backward_hook for more details.",
            stacklevel=5,
        )
        for hook in self.hooks:
            changed = hook(self.module, (None,) * self.argument_count, grads)
            if changed is not None and not (
                isinstance(changed, tuple) and all(one is None for one in changed)
            ):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always return None or None for all gradients."
                )
        self.grads = None

    def _after(self, grads: Grads, _: Grads) -> Grads | None:
        """With the gradients of the arguments: call hooks, which may change these."""
        if self.grads is None:
            return None  # they did not come through the results
        found = _among_none(self.arguments, grads, self.argument_count)
        for hook in self.hooks:
            found = _changed(
                found, hook(self.module, found, self.grads), "Backward hook", "grad_input"
            )
        self.grads = None
        return tuple(found[place] for place in self.arguments or ())


def _changed(before: Grads, given: Grads | None, who: str, what: str) -> Grads:
    """The gradients after a hook that has given these in their place, or none.

    Raises:
        RuntimeError: there are more or fewer.
    """
    if given is None:
        return before
    if len(given) != len(before):
        raise RuntimeError(
            f"{who} returned an invalid number of {what}, got {len(given)}, but expected {len(before)}"
        )
    return given


def _among_none(places: list[int] | None, values: Grads, count: int) -> Grads:
    """Values at their places, and None elsewhere."""
    found: list[Any] = [None] * count
    for place, value in zip(places or (), values, strict=True):
        found[place] = value
    return tuple(found)


def _through_node(hook: Hook, values: tuple[Any, ...]) -> tuple[tuple[Any, ...], list[int] | None]:
    """Values whose tensors come out of one node with a hook, and the places of these; None if no gradients are wanted."""
    places = [place for place, value in enumerate(values) if isinstance(value, Tensor)]
    wanted = grad_mode.is_grad_enabled() and any(values[place].requires_grad for place in places)
    if not wanted:
        return values, None
    tensors: Any = BackwardHookFunction.apply(*[values[place] for place in places])
    node = next(one.grad_fn for one in tensors if one.grad_fn is not None)
    node.register_hook(hook)
    found = list(values)
    for place, tensor in zip(places, tensors, strict=True):
        found[place] = tensor
    return tuple(found), places


def watch_last_node(module: Any, hooks: Sequence[Hook], args: Any, result: Any) -> None:
    """Let hooks see the gradients that the node of a result takes and gives, with a warning where those are not all."""
    if not hooks:
        return
    node = _first_tensor(result).grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(partial(hook, module))
    missing = _missing(args, result, node)
    if missing is not None:
        warnings.warn(
            f"Using {missing} Please use register_full_backward_hook to get the documented behavior.",
            FutureWarning,
            stacklevel=4,
        )


def _first_tensor(result: Any) -> Tensor:
    while not isinstance(result, Tensor):
        if isinstance(result, dict):
            result = next(one for one in result.values() if isinstance(one, Tensor))
        else:
            result = result[0]
    return result


_DEPRECATED = "is deprecated and will be removed in future versions. This hook will be missing some"


def _missing(args: tuple[Any, ...], result: Any, node: Any) -> str | None:
    """What of the gradients a hook of the last node does not see."""
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(one, Tensor) for one in results):
        return (
            "non-full backward hooks on a Module that does not return a single Tensor or a tuple of Tensors "
            f"{_DEPRECATED} of the grad_output."
        )
    if not all(isinstance(one, Tensor) for one in args):
        return (
            "non-full backward hooks on a Module that does not take as input a single Tensor or a tuple of Tensors "
            f"{_DEPRECATED} of the grad_input."
        )
    nodes = {one.grad_fn for one in results if one.grad_fn is not None}
    if len(nodes) > 1:
        return (
            "a non-full backward hook when outputs are generated by different autograd Nodes "
            f"{_DEPRECATED} grad_output."
        )
    before = {one.grad_fn for one in args if one.grad_fn is not None}
    if before != {one for one, _ in node.next_functions}:
        return (
            "a non-full backward hook when the forward contains multiple autograd Nodes "
            f"{_DEPRECATED} grad_input."
        )
    return None
