"""Gradients held to a length. Eager tensors have none here, so that the functions which change gradients refuse."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all elements of some tensors; RuntimeError where it is not finite and that is an error."""
    given = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not given:
        return torch.tensor(0.0)
    norms = [torch.linalg.vector_norm(tensor, norm_type) for tensor in given]
    total = torch.linalg.vector_norm(torch.stack(norms), norm_type)
    if error_if_nonfinite and not torch.isfinite(total).item():
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it"
            " cannot be clipped."
        )
    return total


def _refuse(name: str) -> NoReturn:
    raise NotImplementedError(f"{name} changes gradients, which eager tensors do not have here")


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """NotImplementedError: eager tensors have no gradients."""
    _refuse("clip_grad_norm_")


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """NotImplementedError: eager tensors have no gradients."""
    _refuse("clip_grads_with_norm_")


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The older name of `clip_grad_norm_`."""
    _refuse("clip_grad_norm")


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """NotImplementedError: eager tensors have no gradients."""
    _refuse("clip_grad_value_")
