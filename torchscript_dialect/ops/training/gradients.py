"""Operators on gradients themselves, which autograd runs: `backward`, `requires_grad_`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.tensor.inference import is_inference
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor


def _autograd(name: str) -> Callable[..., Any]:
    """A function of autograd, which is above the operators."""
    return getattr(import_module("torchscript_dialect.autograd.functions"), name)


registry.implement("prim::requires_grad", lambda x: x.__class__ is TrackedTensor)
registry.implement("is_inference", is_inference)
registry.implement("is_leaf", lambda x: _autograd("is_leaf")(x))
registry.implement("retains_grad", lambda x: x.retains_grad)
registry.implement("output_nr", lambda x: x.output_nr)
registry.implement("_version", lambda x: x._version)
registry.implement("prim::grad", lambda x: x.grad)
registry.implement("requires_grad_", lambda x, wanted: _autograd("set_requires_grad")(x, wanted))
registry.implement("detach_", lambda x: _autograd("detach_")(x))
registry.implement("retain_grad", lambda x: _autograd("retain_grad")(x))


@registry.kernel("backward", effects=Effect.ACTS)
def backward(x: Tensor, gradient: Tensor | None, retain: bool | None, create: bool) -> None:
    _autograd("backward")(x, gradient, retain, create)


@registry.kernel("backward.TensorList", effects=Effect.ACTS)
def backward_of_list(
    tensors: Sequence[Tensor],
    gradients: Sequence[Tensor | None] | None,
    retain: bool | None,
    create: bool,
) -> None:
    _autograd("backward")(tensors, gradients, retain, create)


@registry.kernel("grad", effects=Effect.ACTS)
def grad(
    outputs: Sequence[Tensor],
    inputs: Sequence[Tensor],
    gradients: Sequence[Tensor | None] | None,
    retain: bool | None,
    create: bool,
    allow_unused: bool,
) -> list[Tensor | None]:
    return list(
        _autograd("grad")(outputs, inputs, gradients, retain, create, allow_unused=allow_unused)
    )


registry.declare(
    "prim::requires_grad prim::grad is_leaf is_inference retains_grad output_nr _version requires_grad_ detach_ retain_grad",
    asks_history=True,
)
registry.declare("backward grad set_data", asks_history=True)
