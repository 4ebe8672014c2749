"""Results whose channels come last in memory where those of the input do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.shapes import known_ints
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import memory_format
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_strided,
    inverse,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.types.tensor_type import Dims, TensorProperties


def along_memory(
    function: Callable[[NDArray[Any], int], NDArray[Any]], x: NDArray[Any], axis: int
) -> NDArray[Any]:
    """What a function of an array and one of its axes gives, for the array with its dimensions in the order of memory: it walks that,
    and its result lies in memory as the array does.
    """
    if x.flags.c_contiguous:
        return function(x, axis)
    order = sorted(range(x.ndim), key=lambda dim: -x.strides[dim])
    found = function(x.transpose(order), order.index(axis))
    return found.transpose(inverse(order))


@ignores_float_errors
def laid_out(
    raw: NDArray[Any], like: NDArray[Any], element: np.dtype[Any] | None = None
) -> NDArray[Any]:
    """An array with these elements, in the memory format and, unless another is given, the dtype of `like`: `raw` itself where it
    owns its memory, has that form and is not `like`.
    """
    element = element or like.dtype
    strides = strides_for_format(
        raw.shape, suggest_memory_format(like.shape, element_strides(like))
    )
    is_own = raw.base is None and raw is not like
    if is_own and raw.dtype is element and element_strides(raw) == strides:
        return raw
    result = empty_strided(raw.shape, strides, element)
    result[...] = raw
    return result


def row_format(sizes: Sequence[int], strides: Sequence[int]) -> memory_format:
    """The format of (N, C, L), which PyTorch takes for an image of one row, or of an image."""
    if len(sizes) != 3:
        return suggest_memory_format(sizes, strides)
    n, c, length = sizes
    wide = (strides[0], strides[1], length * strides[2], strides[2])
    return suggest_memory_format((n, c, 1, length), wide)


def row_strides(shape: Sequence[int], wanted: memory_format) -> tuple[int, ...]:
    """The strides of (N, C, L) as an image of one row, or of an image, in a format."""
    if len(shape) != 3:
        return strides_for_format(shape, wanted)
    n, c, _, length = strides_for_format((*shape[:2], 1, shape[2]), wanted)
    return (n, c, length)


@ignores_float_errors
def row_laid_out(
    raw: NDArray[Any], like: NDArray[Any], element: np.dtype[Any] | None = None
) -> NDArray[Any]:
    """`laid_out`, where (N, C, L) is an image of one row."""
    strides = row_strides(raw.shape, row_format(like.shape, element_strides(like)))
    result = empty_strided(raw.shape, strides, element or like.dtype)
    result[...] = raw
    return result


@ignores_float_errors
def in_rows(
    raw: NDArray[Any], like: NDArray[Any], element: np.dtype[Any] | None = None
) -> NDArray[Any]:
    """A contiguous array with these elements, of memory of its own."""
    return np.array(raw, element or like.dtype, order="C")


def row_laid_out_strides(like: TensorProperties, shape: Dims) -> Dims:
    """The strides that `row_laid_out` gives, as far as they are known."""
    exact, sizes, strides = known_ints(shape), known_ints(like.sizes), known_ints(like.strides)
    if exact is None or sizes is None or strides is None:
        return (None,) * len(shape)
    return row_strides(exact, row_format(sizes, strides))


def laid_out_strides(like: TensorProperties, shape: Dims) -> Dims:
    """The strides that `laid_out` gives, as far as they are known."""
    exact, sizes, strides = known_ints(shape), known_ints(like.sizes), known_ints(like.strides)
    if exact is None or sizes is None or strides is None:
        return (None,) * len(shape)
    return strides_for_format(exact, suggest_memory_format(sizes, strides))
