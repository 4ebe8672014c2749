"""Searches in sorted rows on the device, and what is counted or repeated there (`lowering/gpu/binary_search.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.sorting import can_sort, has_keys, keys_of
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import promote_types


def places_in(sequence: Tensor, values: Tensor, *, right: bool) -> Tensor:
    """How many elements of the sorted row (rows, length), or of the only one (length,), precede each value (rows, count)."""
    common = promote_types(sequence.dtype, values.dtype)
    rows, wished = (transfers.of_dtype(one, common) for one in (sequence, values))
    keys, given = (keys_of(one.contiguous()) for one in (rows, wished))
    length = sequence.array.shape[-1]
    is_shared = sequence.array.ndim == 1
    count = values.array.size
    together = count if is_shared else values.array.shape[-1]
    steps = length.bit_length()
    found = memory().empty(values.array.shape, dtypes.int64.numpy_dtype)
    words = [count, together, length, 0 if is_shared else length]
    arrays = [cast("DeviceArray", one.array) for one in (keys, given)]
    blocks = -(-count // THREADS)
    memory().launch("binary_search", [keys.dtype, steps, right], blocks, [*arrays, found], words)
    places = tensor_of(found)
    return places.masked_fill(wished.isnan(), length) if common.is_floating_point else places


def _can_search(sequence: Any, values: Any) -> bool:
    """Whether both are on the device, and have elements of kinds that are sorted there, and sizes that fit."""
    if not all(isinstance(one, Tensor) for one in (sequence, values)):
        return False
    if any(one.array.__class__ is not DeviceArray for one in (sequence, values)):
        return False
    shape, wished = sequence.array.shape, values.array.shape
    if not can_sort(sequence, -1) or not has_keys(values.dtype) or not prod(wished):
        return False
    return len(shape) == 1 or (len(shape) == len(wished) and shape[:-1] == wished[:-1])


def _searchsorted(placed: Any, operands: Sequence[Any]) -> Any:
    sequence, values, is_small, right, side, sorter = operands
    is_known = side in (None, "left", "right") and not (right and side == "left")
    if not is_known or sorter is not None or not _can_search(sequence, values):
        return placed.on_host(operands)
    found = places_in(sequence, values, right=right or side == "right")
    return transfers.of_dtype(found, dtypes.int32) if is_small else found


def _bucketize(placed: Any, operands: Sequence[Any]) -> Any:
    values, boundaries, is_small, right = operands
    if not _can_search(boundaries, values) or boundaries.array.ndim != 1:
        return placed.on_host(operands)
    found = places_in(boundaries, values, right=right)
    return transfers.of_dtype(found, dtypes.int32) if is_small else found


# Repeated


def _repeated_places(repeats: Tensor) -> Tensor | None:
    """Each place as often as a tensor says, whose sum the host waits for; None where a number is below 0."""
    ends = repeats.cumsum(0)
    least, total = (int(one) for one in (repeats.min(), ends.max()))
    if least < 0:
        return None
    if not total:
        return ends.new_empty([0])
    numbers = repeats.new_ones([total], dtype=dtypes.int64).cumsum(0).sub(1)
    return places_in(ends, numbers, right=True)


def _repeat_interleave(placed: Any, operands: Sequence[Any]) -> Any:
    """Slices as often as a tensor says."""
    x, repeats, dim, size = operands
    if not isinstance(repeats, Tensor) or repeats.array.__class__ is not DeviceArray:
        return placed.on_host(operands)
    flat = x.reshape([-1]) if dim is None else x
    rank = flat.array.ndim
    axis = 0 if dim is None else dim
    if not -rank <= axis < rank or repeats.dtype not in (dtypes.int32, dtypes.int64):
        return placed.on_host(operands)
    axis = wrap_dim(axis, rank)
    if repeats.array.shape != (flat.array.shape[axis],) or not repeats.array.size:
        return placed.on_host(operands)
    places = _repeated_places(repeats)
    if places is None or size not in (None, places.array.shape[0]):
        return placed.on_host(operands)
    return flat.index_select(axis, places)


def _places_repeated(placed: Any, operands: Sequence[Any]) -> Any:
    """Places as often as a tensor says."""
    repeats, size = operands
    is_fit = repeats.dtype in (dtypes.int32, dtypes.int64) and repeats.array.ndim == 1
    places = _repeated_places(repeats) if is_fit and repeats.array.size else None
    if places is None or size not in (None, places.array.shape[0]):
        return placed.on_host(operands)
    return transfers.of_dtype(places, repeats.dtype)


# Counted


def _bincount(placed: Any, operands: Sequence[Any]) -> Any:
    """How often each number is there, or the sum of the weights where it is; the host waits for the largest number."""
    x, weights, least_length = operands
    is_fit = x.dtype.is_integral and x.array.ndim == 1 and least_length >= 0
    if not is_fit or x.dtype is dtypes.bool_:
        return placed.on_host(operands)
    if weights is not None and weights.array.shape != x.array.shape:
        return placed.on_host(operands)
    numbers = transfers.of_dtype(x, dtypes.int64)
    smallest, largest = 0, -1
    if x.array.size:
        smallest, largest = (int(one) for one in (numbers.min(), numbers.max()))
    if smallest < 0:
        return placed.on_host(operands)
    given = numbers.new_ones([x.array.size]) if weights is None else weights
    if weights is not None and weights.dtype is not dtypes.float32:
        given = transfers.of_dtype(weights, dtypes.float64)
    counts = given.new_zeros([max(largest + 1, least_length)])
    return counts.scatter_add(0, numbers, given)


SEARCHING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::searchsorted": _searchsorted,
    "aten::bucketize": _bucketize,
    "aten::repeat_interleave.self_Tensor": _repeat_interleave,
    "aten::repeat_interleave.Tensor": _places_repeated,
    "aten::bincount": _bincount,
}
