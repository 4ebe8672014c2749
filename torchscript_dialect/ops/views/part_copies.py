"""Copies with a part replaced, and the gradients of parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_strided,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim


def _part(array: NDArray[Any], dim: int, key: Any) -> tuple[Any, ...]:
    return (slice(None),) * wrap_dim(dim, array.ndim) + (key, ...)


def _copied(array: NDArray[Any]) -> NDArray[Any]:
    """A copy with the same strides, or a contiguous one where elements share memory."""
    if any(n > 1 and not step for n, step in zip(array.shape, array.strides)):
        return array.copy()
    out = empty_strided(array.shape, element_strides(array), array.dtype)
    out[...] = array
    return out


def _put(out: NDArray[Any], key: tuple[Any, ...], source: NDArray[Any]) -> None:
    """Write a part, of the same sizes."""
    part = out[key]
    if part.shape != source.shape:
        raise RuntimeError(
            "expected src to have a size equal to the slice of self. src size = "
            f"{list(source.shape)}, slice size = {list(part.shape)}"
        )
    part[...] = source


@registry.kernel("select_scatter")
def select_scatter(x: Tensor, source: Tensor, dim: int, place: int) -> Tensor:
    out = _copied(x.array)
    _put(out, _part(out, dim, place), source.array)
    return tensor_of(out)


@registry.kernel("slice_scatter")
def slice_scatter(
    x: Tensor, source: Tensor, dim: int, start: int | None, end: int | None, step: int
) -> Tensor:
    out = _copied(x.array)
    _put(out, _part(out, dim, slice(start, end, step)), source.array)
    return tensor_of(out)


@registry.kernel("select_backward")
def select_backward(grad: Tensor, sizes: Sequence[int], dim: int, place: int) -> Tensor:
    out = np.zeros(tuple(sizes), grad.array.dtype)
    out[_part(out, dim, place)] = grad.array
    return tensor_of(out)


@registry.kernel("slice_backward")
def slice_backward(
    grad: Tensor, sizes: Sequence[int], dim: int, start: int, end: int, step: int
) -> Tensor:
    out = np.zeros(tuple(sizes), grad.array.dtype)
    out[_part(out, dim, slice(start, end, step))] = grad.array
    return tensor_of(out)
