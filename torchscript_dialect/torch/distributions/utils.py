"""What distributions are made of: parameters that broadcast, probabilities and their logits (torch/distributions/utils.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

NUMBERS = (int, float, bool)
euler_constant = 0.57721566490153286060


def broadcast_all(*values: Any) -> tuple[Any, ...]:
    """Tensors of one shape. Numbers become tensors of the dtype of the first tensor among them, or of the default dtype.

    Raises:
        ValueError: a value is neither a tensor nor a number.
    """
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not all(isinstance(value, (Tensor, *NUMBERS)) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    dtype = tensors[0].dtype if tensors else torch.get_default_dtype()
    given = [
        value if isinstance(value, Tensor) else torch.tensor(value, dtype=dtype) for value in values
    ]
    return tuple(torch.broadcast_tensors(*given))


def standard_normal(shape: Sequence[int], dtype: Any, device: Any) -> Any:
    """Numbers of the normal distribution of mean 0 and deviation 1."""
    return torch.empty(shape, dtype=dtype, device=device).normal_()


def sum_rightmost(value: Any, dim: int) -> Any:
    """The sum over the last `dim` dimensions."""
    return value if dim == 0 else value.reshape((*value.shape[:-dim], -1)).sum(-1)


_standard_normal, _sum_rightmost = standard_normal, sum_rightmost
"""PyTorch's names, which programs import."""


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Probabilities of logarithms of odds, or of logarithms of shares in the last dimension."""
    return torch.sigmoid(logits) if is_binary else torch.softmax(logits, -1)


def clamp_probs(probs: Any) -> Any:
    """Probabilities that are neither 0 nor 1, by the precision of their dtype."""
    eps = torch.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """The inverse of `logits_to_probs`."""
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def without_ends(shares: Any) -> Any:
    """Numbers from 0 to 1 that are neither, by the range and the precision of their dtype."""
    limits = torch.finfo(shares.dtype)
    return shares.clamp(min=limits.tiny, max=1.0 - limits.eps)


def clipped_sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), which is neither 0 nor 1."""
    return without_ends(torch.sigmoid(x))


def _places_below(size: int, diag: int, device: Any) -> Any:
    """Which elements of a square matrix are on the diagonal number `diag` or below."""
    places = torch.arange(size, device=device)
    return places < places.view(-1, 1) + (diag + 1)


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """Square matrices with the elements of rows on the diagonal number `diag` and below, row by row.

    Raises:
        ValueError: no matrix has so many of them.
    """
    count: Any = vec.shape[-1]
    shift = 1 + 2 * diag
    count = count.item() if isinstance(count, Tensor) else count  # traced
    size = (-shift + (shift**2 + 8 * count + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(size) - size > torch.finfo(vec.dtype).eps:
        raise ValueError(
            f"The size of last dimension is {count} which cannot be expressed as the lower triangular part of a square D x D matrix."
        )
    matrix = vec.new_zeros((*vec.shape[:-1], round(size), round(size)))
    matrix[..., _places_below(round(size), diag, vec.device)] = vec
    return matrix


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """The inverse of `vec_to_tril_matrix`; ValueError for a diagonal that the matrices do not have."""
    size = mat.shape[-1]
    if not -size <= diag < size:
        raise ValueError(f"diag ({diag}) provided is outside [{-size}, {size - 1}].")
    return mat[..., _places_below(size, diag, mat.device)]


class Undefined:
    """An attribute that classes may define; NotImplementedError where they do not."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        raise NotImplementedError


class lazy_property:  # PyTorch's name
    """An attribute that is computed, with gradients, when it is first asked for."""

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        update_wrapper(self, wrapped)  # pyright: ignore[reportArgumentType]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with torch.enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value
