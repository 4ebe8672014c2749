"""Parameters as one vector, and back."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Any]) -> Tensor:
    """The elements of all parameters."""
    return torch.cat([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Write the elements of a vector into parameters; TypeError for what is no tensor."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__name__}")
    start = 0
    for parameter in parameters:
        count = parameter.numel()
        parameter.data.copy_(vec.data[start : start + count].reshape(parameter.shape))
        start += count
