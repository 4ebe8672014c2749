"""Shapes and strides as PyTorch computes them: broadcasting, density, and the layout of fresh
results.

Strides are tuples of element counts. A result keeps the dimension order that its operands have in
memory (aten/src/ATen/TensorIterator.cpp; `infer_dense_strides` in ATen/ExpandUtils.cpp;
c10/core/MemoryFormat.h).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.layout import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    memory_format,
    preserve_format,
)
from torchscript_dialect.tensor.storage import data_pointer, root, view_of

Ints: TypeAlias = tuple[int, ...]
Operand: TypeAlias = tuple[Ints, Ints]  # shape, strides

_CHANNELS_LAST_ORDER = {4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}  # fastest dimension first
_CHANNELS_LAST_FORMAT = {4: channels_last, 5: channels_last_3d}


# Strides of one tensor


def element_strides(array: NDArray[Any], /) -> Ints:
    """The strides of an array in elements. NumPy gives fresh empty arrays zeros; they count as
    contiguous.
    """
    return in_elements(array.shape, array.strides, array.itemsize)


def in_elements(shape: Ints, strides: Ints, itemsize: int) -> Ints:
    """`element_strides` of an array of that shape, with these strides in bytes."""
    if 0 in shape and not any(strides):
        return contiguous_strides(shape)
    return tuple([stride // itemsize for stride in strides])


def contiguous_strides(shape: Sequence[int], /) -> Ints:
    """Row-major strides; a dimension of size 0 counts as 1."""
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size or 1
    return tuple(reversed(strides))


def channels_last_strides(shape: Sequence[int], /) -> Ints:
    """Strides of an (N, C, H, W) or (N, C, D, H, W) tensor with adjacent channels."""
    order = _CHANNELS_LAST_ORDER.get(len(shape))
    if order is None:
        raise RuntimeError(
            f"required rank 4 or 5 tensor to use a channels-last format, got {len(shape)}"
        )
    return _strides_in_order(shape, order)


def strides_for_format(shape: Sequence[int], wanted: memory_format, /) -> Ints:
    """Strides of a fresh tensor in a memory format; RuntimeError where the rank does not fit it."""
    match wanted:
        case memory_format.contiguous_format:
            return contiguous_strides(shape)
        case memory_format.channels_last:
            if len(shape) != 4:
                raise RuntimeError("required rank 4 tensor to use channels_last format")
            return channels_last_strides(shape)
        case memory_format.channels_last_3d:
            if len(shape) != 5:
                raise RuntimeError("required rank 5 tensor to use channels_last_3d format")
            return channels_last_strides(shape)
        case memory_format.preserve_format:
            raise RuntimeError("unsupported memory format Preserve")


def _strides_in_order(shape: Sequence[int], order: Sequence[int]) -> Ints:
    """Dense strides, dimensions given fastest first; a dimension of size 0 counts as 1."""
    strides = [0] * len(shape)
    step = 1
    for dim in order:
        strides[dim] = step
        step *= shape[dim] or 1
    return tuple(strides)


def is_contiguous(
    shape: Sequence[int], strides: Sequence[int], wanted: memory_format = contiguous_format
) -> bool:
    """Whether the elements lie in the format's order without gaps; dimensions of size 1 do not
    matter.
    """
    if wanted in (contiguous_format, preserve_format):
        if 0 in shape:
            return True
        order: Sequence[int] = range(len(shape) - 1, -1, -1)
    else:
        if _CHANNELS_LAST_FORMAT.get(len(shape)) != wanted:
            return False
        order = _CHANNELS_LAST_ORDER[len(shape)]
    step = 1
    for dim in order:
        if shape[dim] != 1:
            if strides[dim] != step:
                return False
            step *= shape[dim]
    return True


def is_non_overlapping_and_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the elements fill one block of memory, each at its own place, in some order of
    dimensions.
    """
    if is_contiguous(shape, strides):
        return True
    step = 1
    for stride, size in sorted((st, n) for n, st in zip(shape, strides, strict=True) if n != 1):
        if stride != step:
            return False
        step *= size
    return True


@lru_cache(maxsize=4096)
def memory_order(
    shape: tuple[int | None, ...] | None, strides: tuple[int | None, ...] | None
) -> Ints | None:
    """The dimensions from the one with the largest stride on, of a tensor whose elements fill one block of memory.

    None where that is not known, or where the strides of dimensions of size 1, which nothing is read with, are others than in such a
    block. A tensor without elements tells nothing.
    """
    sizes = tuple(size for size in shape or () if size)
    steps = tuple(stride for stride in strides or () if stride is not None)
    if shape is None or len(sizes) < len(shape) or len(steps) < len(shape):
        return None
    order = tuple(sorted(range(len(sizes)), key=lambda dim: -steps[dim]))
    return order if _strides_in_order(sizes, order[::-1]) == steps else None


def inverse(order: Sequence[int]) -> Ints:
    """The order of dimensions that undoes another."""
    return tuple(order.index(dim) for dim in range(len(order)))


def suggest_memory_format(shape: Sequence[int], strides: Sequence[int]) -> memory_format:
    """`channels_last` or `channels_last_3d` where the strides look so, ties going to
    `contiguous_format`.
    """
    order = _CHANNELS_LAST_ORDER.get(len(shape))
    if order is None or strides[1] == 0:
        return contiguous_format
    least = 0
    for dim in order:
        if shape[dim] == 0 or strides[dim] < least or (dim == 0 and least == strides[1]):
            return contiguous_format
        least = strides[dim] * shape[dim]
    return _CHANNELS_LAST_FORMAT[len(shape)]


def dense_strides(shape: Ints, strides: Ints) -> Ints:
    """Strides of a fresh tensor that preserves a tensor's format: its own if dense, else dense in
    the same order.
    """
    if is_non_overlapping_and_dense(shape, strides):
        return strides
    return _strides_in_order(shape, _fastest_first(shape, [strides]))


# Several operands


def broadcast_shapes(*shapes: Sequence[int]) -> Ints:
    """The shape that all broadcast to; RuntimeError in PyTorch's words where two sizes disagree."""
    result: list[int] = []
    for shape in shapes:
        missing = len(shape) - len(result)
        for dim in range(-1, -min(len(shape), len(result)) - 1, -1):
            have, new = result[dim], shape[dim]
            if have == new or new == 1:
                continue
            if have != 1:
                raise RuntimeError(
                    f"The size of tensor a ({have}) must match the size of tensor b ({new}) "
                    f"at non-singleton dimension {max(len(shape), len(result)) + dim}"
                )
            result[dim] = new
        if missing > 0:
            result[:0] = shape[:missing]
    return tuple(result)


def common_shape(*shapes: Sequence[int]) -> Ints | None:
    """The shape that all broadcast to; None where two sizes disagree."""
    try:
        return broadcast_shapes(*shapes)
    except RuntimeError:
        return None


def expanded_strides(
    shape: Sequence[int], strides: Sequence[int], out_shape: Sequence[int]
) -> Ints:
    """The strides of a tensor in the shape it broadcasts to: 0 along every expanded dimension."""
    lead = len(out_shape) - len(shape)
    return (0,) * lead + tuple(
        0 if n == 1 and out != 1 else stride
        for n, stride, out in zip(shape, strides, out_shape[lead:], strict=True)
    )


def pointwise_strides(operands: Sequence[Operand], out_shape: Ints) -> Ints:
    """The strides of a pointwise operator's fresh result of shape `out_shape`.

    `operands` are the (shape, strides) of all tensor operands, Python numbers counting as `((),
    ())`. Operands of a dtype other than the computation's are cast first: give those as
    `dense_strides` of what they are.
    """
    if all(shape == out_shape for shape, _ in operands):
        if all(is_contiguous(*operand) for operand in operands):
            return contiguous_strides(out_shape)
        if all(is_contiguous(*operand, channels_last) for operand in operands):
            return channels_last_strides(out_shape)
        first = operands[0][1]
        if all(st == first and is_non_overlapping_and_dense(n, st) for n, st in operands):
            return first
    expanded = [expanded_strides(shape, strides, out_shape) for shape, strides in operands]
    order = _fastest_first(out_shape, expanded)
    if order == list(range(len(out_shape) - 1, -1, -1)):
        return contiguous_strides(out_shape)
    strides = [0] * len(out_shape)
    step = 1
    for dim in order:
        strides[dim] = step
        step *= out_shape[dim]
    return tuple(strides)


def _plain_shape(operands: Sequence[NDArray[Any] | complex]) -> Ints | None:
    """The shape of the result where it surely is contiguous, None where that takes more thought."""
    found: Ints | None = None
    mixed = False
    for operand in operands:
        if not isinstance(operand, np.ndarray) or not operand.ndim:
            mixed = True
        elif not operand.flags.c_contiguous or (found is not None and operand.shape != found):
            return None
        else:
            found = operand.shape
    # Strides of dimensions of size 1 can be anything, and a result may inherit them.
    if found is None or 0 in found or (mixed and 1 in found):
        return None
    return found


def _fastest_first(shape: Sequence[int], operands: Sequence[Sequence[int]]) -> list[int]:
    """The dimensions by growing stride; the first operand that can tell two apart decides
    (insertion sort).
    """
    order = list(range(len(shape) - 1, -1, -1))
    for i in range(1, len(order)):
        moving = i
        for j in range(i - 1, -1, -1):
            verdict = _compare(order[j], order[moving], shape, operands)
            if verdict > 0:
                order[j], order[moving] = order[moving], order[j]
                moving = j
            elif verdict < 0:
                break
    return order


def _compare(dim0: int, dim1: int, shape: Sequence[int], operands: Sequence[Sequence[int]]) -> int:
    """Positive where `dim0` must come after `dim1`, negative where it must not, 0 where no operand
    tells.
    """
    for strides in operands:
        stride0, stride1 = strides[dim0], strides[dim1]
        if stride0 == 0 or stride1 == 0:
            continue
        if stride0 != stride1:
            return -1 if stride0 < stride1 else 1
        if shape[dim0] > shape[dim1]:
            return 1
    return 0


# Fresh arrays


def has_odd_strides(array: NDArray[Any]) -> bool:
    """Whether a contiguous array has other strides, where sizes are 1, than a fresh one has."""
    shape = array.shape
    return 1 in shape and element_strides(array) != contiguous_strides(shape)


def check_size(shape: Sequence[int], itemsize: int) -> None:
    """Refuse sizes that no address reaches. NumPy's `repeat` and `tile` do not notice: they write past their memory.

    Raises:
        RuntimeError: they would take 2**63 bytes or more, were those that are 0 ones.
    """
    if prod(max(size, 1) for size in shape) * itemsize >= 2**63:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(shape)}")


def empty_strided(
    shape: Sequence[int], strides: Sequence[int], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """An uninitialized array with these strides, in elements, over a block just large enough."""
    count = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    size = dtype.itemsize
    block = np.empty(count * size, np.uint8)
    return np.ndarray(shape, dtype, block, 0, tuple([s * size for s in strides]))


def resized(array: NDArray[Any], shape: Sequence[int], strides: Sequence[int]) -> NDArray[Any]:
    """An array from the same first element with these strides, in elements: on the same memory where that has room, else uninitialized
    on its own.
    """
    whole = root(array)
    size = array.itemsize
    count = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))
    offset = data_pointer(array) - data_pointer(whole)
    if not count or not whole.flags.c_contiguous or offset + count * size > whole.nbytes:
        return empty_strided(shape, strides, array.dtype)
    return view_of(whole, offset, shape, [s * size for s in strides], array)


def empty_like(array: NDArray[Any], dtype: np.dtype[Any] | None = None) -> NDArray[Any]:
    """An uninitialized array of the same shape that preserves the format (see `dense_strides`)."""
    dtype = array.dtype if dtype is None else dtype
    if array.__class__ is DeviceArray:
        return _empty_on_device(array, dtype)  # type: ignore[arg-type]
    if array.size and array.flags.c_contiguous and not has_odd_strides(array):
        return np.empty(array.shape, dtype)
    return empty_strided(array.shape, dense_strides(array.shape, element_strides(array)), dtype)


def _empty_on_device(array: DeviceArray, dtype: np.dtype[Any]) -> DeviceArray:
    strides = dense_strides(array.shape, element_strides(array))
    made = array.memory.empty(array.shape, dtype)
    return made.restrided(array.shape, [stride * dtype.itemsize for stride in strides])


def empty_like_operands(
    operands: Sequence[NDArray[Any] | complex],
    dtype: np.dtype[Any],
    common_dtype: np.dtype[Any] | None = None,
    kept: frozenset[int] = frozenset(),
) -> NDArray[Any]:
    """An uninitialized array for the result of a pointwise operator on these operands (arrays and
    Python numbers).

    The shape is what the operands broadcast to. `common_dtype` is the dtype that the operands are
    cast to before the computation (absent: no casts), but for those at the places in `kept`.
    RuntimeError where the shapes do not broadcast.
    """
    if (shape := _plain_shape(operands)) is not None:
        return np.empty(shape, dtype)
    # `is None`: NumPy says that float64 equals None, as what `dtype=None` means.
    key = [
        (
            operand.shape,
            element_strides(operand),
            common_dtype is None or operand.dtype == common_dtype or place in kept,
        )
        if isinstance(operand, np.ndarray)
        else _NUMBER
        for place, operand in enumerate(operands)
    ]
    shape, strides, block_shape, inverse = _result_layout(tuple(key))
    if inverse is None:
        return empty_strided(shape, strides, dtype)
    block = np.empty(block_shape, dtype)
    return block.transpose(inverse)


_NUMBER: tuple[Ints, Ints, bool] = ((), (), True)


@lru_cache(maxsize=4096)
def _result_layout(
    operands: tuple[tuple[Ints, Ints, bool], ...],
) -> tuple[Ints, Ints, Ints, Ints | None]:
    """Shape and strides of a pointwise result, and the shape of a row-major block together with the
    permutation that gives the block these strides (None: no permutation does). An operand is its
    shape, its strides, and whether its dtype is already the computation's."""
    described = [
        (shape, strides if is_common else dense_strides(shape, strides))
        for shape, strides, is_common in operands
    ]
    shape = broadcast_shapes(*[shape for shape, _ in described])
    strides = pointwise_strides(described, shape)
    order = tuple(sorted(range(len(shape)), key=lambda dim: (-strides[dim], -shape[dim], dim)))
    is_plain = 0 not in shape and _strides_in_order(shape, order[::-1]) == strides
    block_shape = tuple(shape[dim] for dim in order)
    return shape, strides, block_shape, inverse(order) if is_plain else None
