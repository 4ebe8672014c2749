"""`torch.utils.checkpoint`: what a function computes on its way, computed again for gradients (PyTorch: torch/utils/checkpoint.py)."""

# Items are what programs make them: they have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

from torchscript_dialect.autograd.custom_function import Function
from torchscript_dialect.autograd.functions import backward
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch import cuda
from torchscript_dialect.torch.grad_mode import enable_grad, is_grad_enabled
from torchscript_dialect.torch.random import fork_rng, get_rng_state, set_rng_state
from torchscript_dialect.torch.utils._pytree import tree_leaves


class _Recomputed(Function):
    @staticmethod
    def forward(ctx: Any, function: Callable[..., Any], keeps_rng: bool, *args: Any) -> Any:  # type: ignore[override]
        ctx.function, ctx.args = function, args
        ctx.rng = get_rng_state() if keeps_rng else None
        return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        args = [_detached(arg) for arg in ctx.args]
        with fork_rng() if ctx.rng is not None else nullcontext(), enable_grad():
            if ctx.rng is not None:
                set_rng_state(ctx.rng)
            results = ctx.function(*args)
        results = results if isinstance(results, tuple) else (results,)
        pairs = [
            (result, grad)
            for result, grad in zip(results, grads, strict=True)
            if isinstance(result, Tensor) and result.requires_grad
        ]
        if not pairs:
            raise RuntimeError(
                "none of output has requires_grad=True, this checkpoint() is not necessary"
            )
        backward([result for result, _ in pairs], [grad for _, grad in pairs])
        return None, None, *(arg.grad if isinstance(arg, Tensor) else None for arg in args)


def _detached(value: Any) -> Any:
    if not isinstance(value, Tensor):
        return value
    return value.detach().requires_grad_(value.requires_grad)


def get_device_states(*args: Any) -> tuple[list[int], list[Tensor]]:
    """The number of the device of each tensor that is not on the CPU, in nested containers too, and the state of its generator."""
    leaves = (leaf for leaf in tree_leaves(args) if isinstance(leaf, Tensor))
    devices = [leaf.get_device() for leaf in leaves if leaf.device.type not in ("cpu", "meta")]
    return devices, [cuda.get_rng_state(device) for device in devices]


def set_device_states(
    devices: Iterable[int], states: Iterable[Tensor], *, device_type: str | None = None
) -> None:
    """Give the generators of devices these states."""
    if device_type != "meta":
        for device, state in zip(devices, states, strict=False):
            cuda.set_rng_state(state, device)


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """What the function gives. With `use_reentrant`, the default, nothing that it computes on its way is kept for gradients: it runs
    once more when they are computed, with the same random numbers. Without it the function is called as any other, and what it
    computes is kept.
    """
    if use_reentrant is False or not is_grad_enabled():
        return function(*args, **kwargs)
    if kwargs:
        raise ValueError(f"Unexpected keyword arguments: {','.join(kwargs)}")
    return _Recomputed.apply(function, preserve_rng_state, *args)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """The functions, or modules of a `Sequential`, one behind the other in `segments` parts, each but the last a checkpoint."""
    chain: list[Any] = list(functions.children() if hasattr(functions, "children") else functions)
    size = len(chain) // segments
    ends = [size * part for part in range(1, segments)]
    for start, end in zip([0, *ends], [*ends, len(chain)], strict=True):
        part = _chained(chain[start:end])
        is_last = end == len(chain)
        input = (
            part(input)
            if is_last
            else checkpoint(part, input, use_reentrant=use_reentrant, **kwargs)
        )
    return input


def _chained(functions: list[Any]) -> Callable[[Any], Any]:
    def run(value: Any) -> Any:
        for function in functions:
            value = function(value)
        return value

    return run


__all__ = ["checkpoint", "checkpoint_sequential", "get_device_states", "set_device_states"]
