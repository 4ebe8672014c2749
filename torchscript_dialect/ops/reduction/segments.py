"""Reductions of segments, which follow one another along a dimension (PyTorch: native/SegmentReduce.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Array = NDArray[Any]

COMBINE: dict[str, tuple[np.ufunc, float]] = {
    "sum": (np.add, 0),
    "mean": (np.add, 0),
    "prod": (np.multiply, 1),
    "max": (np.maximum, -np.inf),
    "amax": (np.maximum, -np.inf),
    "min": (np.minimum, np.inf),
    "amin": (np.minimum, np.inf),
}
"""How elements are combined, and what the reduction of none gives."""


def _segments_shape(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    return fresh(dtype_of(facts[0]), None if sizes is None else (None,) * len(sizes), facts[0])


@registry.kernel("segment_reduce", shape=_segments_shape)
@ignores_float_errors
def segment_reduce(
    data: Tensor,
    reduce: str,
    lengths: Tensor | None,
    indices: Tensor | None,
    offsets: Tensor | None,
    axis: int,
    unsafe: bool,
    initial: complex | None,
) -> Tensor:
    """What the elements of each segment along `axis` give, the dimensions before it being a batch with segments of its own."""
    axis = wrap_dim(axis, data.array.ndim)
    if reduce not in COMBINE:
        raise RuntimeError(
            f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}"
        )
    if not data.dtype.is_floating_point:
        raise NotImplementedError(
            f"\"_segment_reduce_cpu\" not implemented for '{data.dtype.type_name}'"
        )
    if initial is not None:
        check_fits(data.dtype, initial)
    bounds = bounds_of(data.array, lengths, indices, offsets, axis, unsafe)
    return tensor_of(_reduced(data.array, reduce, bounds, initial))


def bounds_of(
    array: Array,
    lengths: Tensor | None,
    indices: Tensor | None,
    offsets: Tensor | None,
    axis: int,
    unsafe: bool,
) -> Array:
    """Where segments begin and end, in the last dimension; those before are dimensions of the data."""
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    given, name = (offsets, "offsets") if lengths is None else (lengths, "lengths")
    if given is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    places = given.array
    if places.ndim != axis + 1:
        raise RuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}."
        )
    if given.dtype not in (dtypes.int32, dtypes.int64):
        raise NotImplementedError(
            f"\"_segment_reduce_{name}_cpu_kernel1\" not implemented for '{given.dtype.type_name}'"
        )
    if places.shape[:axis] != array.shape[:axis]:
        raise RuntimeError(
            f"segment_reduce(): {name} must have the sizes of the data in the dimensions before axis."
        )
    if lengths is not None:
        if not unsafe and places.size and places.min() < 0:
            raise RuntimeError("lengths contains negative value!")
        if not unsafe and (places.sum(-1) != array.shape[axis]).any():
            raise RuntimeError(
                "segment_reduce(): Expected all rows of lengths along axis to sum to "
                "data.size(lengths.dim()-1) when !unsafe."
            )
        ends = np.cumsum(places, -1)
        places = np.concatenate([np.zeros((*places.shape[:-1], 1), ends.dtype), ends], -1)
    if places.size and (places.min() < 0 or places.max() > array.shape[axis]):
        raise RuntimeError(f"segment_reduce(): {name} reach beyond the data.")
    return places


def _reduced(array: Array, reduce: str, bounds: Array, initial: complex | None) -> Array:
    """Every step is rounded to the elements of the array, those of 16 bits too."""
    combine, empty = COMBINE[reduce]
    batch, count = bounds.shape[:-1], bounds.shape[-1] - 1
    result = np.empty((*batch, count, *array.shape[bounds.ndim :]), array.dtype)
    start = empty if initial is None else initial
    first = np.full((1, *array.shape[bounds.ndim :]), start, array.dtype)
    for place in np.ndindex(*batch, count):
        at, segment = place[:-1], place[-1]
        low, high = bounds[at][segment], bounds[at][segment + 1]
        steps = [first, array[at][low:high]]
        total = combine.accumulate(np.concatenate(steps), axis=0)[-1]
        if reduce == "mean" and (high > low or initial is None):
            total = total / array.dtype.type(max(high - low, 0))
        result[place] = total
    return result
