"""Windows of elements on the device, added up or searched for the largest ones: by the kernel of `lowering/gpu/window_reduction.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    element_strides,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
_BITS = {one.itemsize: one for one in (dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)}
"""Elements that are only moved, by their size."""


class Table(NamedTuple):
    """The windows of a dimension."""

    places: Array
    """(elements of a window, windows) of int32; below 0 where a window has no more."""
    weights: Array | None = None
    """What elements are multiplied by."""

    @staticmethod
    def of_spans(size: int, starts: Array, ends: Array, step: int) -> Table:
        """Windows from `starts` to `ends`, not included, every `step`th element of a dimension of so many."""
        longest = int((-(-(ends - starts) // step)).max(initial=1))
        at = starts + np.arange(longest)[:, None] * step
        inside = (at >= 0) & (at < np.minimum(ends, size))
        return Table(np.where(inside, at, -1).astype(np.int32))

    @staticmethod
    def of_sliding(size: int, count: int, taps: int, stride: int, padding: int, step: int) -> Table:
        """So many windows of so many elements, of a dimension with padding around it."""
        starts = np.arange(count) * stride - padding
        return Table.of_spans(size, starts, starts + step * (taps - 1) + 1, step)

    @property
    def size(self) -> int:
        """How many windows there are."""
        return self.places.shape[1]

    @property
    def has_empty(self) -> bool:
        """Whether some window has no elements."""
        return bool((self.places < 0).all(0).any())

    def turned(self, size: int, step: int = 1, of_taps: int = 0) -> Table:
        """Of each of `size` elements where the windows are that it is in, in order: `step` for each window, and `of_taps` for each
        element of one.
        """
        taps = len(self.places)
        places = self.places.T.reshape(-1)
        (kept,) = np.nonzero(places >= 0)
        order = kept[np.argsort(places[kept], kind="stable")]
        elements = places[order]
        row = np.arange(len(order)) - np.searchsorted(elements, elements)
        found = np.full((int(row.max(initial=0)) + 1, size), -1, np.int32)
        found[row, elements] = order // taps * step + order % taps * of_taps
        if self.weights is None:
            return Table(found)
        weights = np.zeros(found.shape, self.weights.dtype)
        weights[row, elements] = self.weights.T.reshape(-1)[order]
        return Table(found, weights)


class Along(NamedTuple):
    """A dimension of a result that has windows."""

    table: Table
    stride: int
    """Elements between neighbours of the source."""
    numbered: int = 0
    """How far apart the numbers of neighbours are, where elements are counted through."""

    @property
    def size(self) -> int:
        return self.table.size


class Plain(NamedTuple):
    """A dimension of a result that has none."""

    size: int
    stride: int


def reduced(
    way: str,
    source: DeviceArray,
    dims: Sequence[Along | Plain],
    order: Sequence[int],
    wanted: dtypes.dtype,
    numbers: DeviceArray | None = None,
) -> tuple[Tensor, Tensor | None]:
    """What the kernel gives for windows of a source, in a way of `lowering/gpu/window_reduction.py`, and the numbers of largest ones.
    The dimensions of the result lie in memory in an order; `numbers` are laid out as the source.
    """
    ordered = [dims[dim] for dim in order]
    shape = [one.size for one in ordered]
    made = memory().empty(shape, wanted.numpy_dtype)
    element = dtypes.from_name(source.dtype.name)
    tables = [one.table for one in ordered if isinstance(one, Along)]
    weights = [one.weights for one in tables if one.weights is not None]
    arrays = [source, _constant([one.places for one in tables], np.int32), made]
    if way == "largest":
        numbers = memory().empty(shape, np.dtype(np.int64))
    if numbers is not None:
        arrays.append(numbers)
    if weights:
        arrays.append(_constant(weights, opmath(element).numpy_dtype))
    blocks = -(-made.size // THREADS)
    words, start = [blocks, made.size], 0
    for one in ordered:
        if isinstance(one, Plain):
            words += [one.size, one.stride]
        else:
            taps = len(one.table.places)
            words += [one.size, taps, start, one.stride, one.numbered]
            start += taps * one.size
    if way == "read":
        element = wanted = _BITS[element.itemsize]
    form = (way, tuple(isinstance(one, Along) for one in ordered), element, wanted, bool(weights))
    if blocks:
        memory().launch("window_reduction", form, blocks, arrays, words)
    back = [int(dim) for dim in np.argsort(order)]
    found = tensor_of(made.transpose(back))
    return found, tensor_of(
        numbers.transpose(back)
    ) if way == "largest" and numbers is not None else None


def _constant(tables: Sequence[Array], element: Any) -> DeviceArray:
    """Tables one behind the other, which stay on the device for the next call."""
    flat = np.concatenate([one.reshape(-1) for one in tables]).astype(element, copy=False)
    return memory().constant(("windows", flat.dtype.char, flat.tobytes()), lambda: flat)


def of_images(
    way: str,
    x: Tensor,
    tables: Sequence[Table | None],
    like: Tensor | None,
    numbers: Tensor | None = None,
    wanted: dtypes.dtype | None = None,
) -> tuple[Tensor, Tensor | None]:
    """What windows of the last dimensions give, but for those of None, and the numbers of largest elements. Channels are last in memory
    where those of `like` are. `numbers` have the shape of `x`.
    """
    if numbers is not None and numbers.array.strides != tuple(
        8 * n for n in element_strides(x.array)
    ):
        x, numbers = (call("aten::contiguous", (one,)) for one in (x, numbers))
    array = cast("DeviceArray", x.array)
    rank, lead = len(tables), array.ndim - len(tables)
    strides = element_strides(array)
    dims: list[Along | Plain] = [Plain(*one) for one in zip(array.shape, strides)]
    is_counted = way == "largest"
    for dim in range(lead, array.ndim):
        table = tables[dim - lead]
        if table is not None:
            dims[dim] = Along(table, strides[dim])
    counted = contiguous_strides(
        array.shape[lead:] if is_counted else [one.size for one in dims[lead:]]
    )
    dims[lead:] = [
        one._replace(numbered=n) if isinstance(one, Along) else one
        for one, n in zip(dims[lead:], counted, strict=True)
    ]
    shape = [one.size for one in dims]
    laid_out = contiguous_strides(shape)
    if like is not None and rank > 1 and lead == 2:
        format = suggest_memory_format(like.array.shape, element_strides(like.array))
        laid_out = strides_for_format(shape, format)
    order = sorted(range(array.ndim), key=lambda dim: (-laid_out[dim], dim))
    return reduced(
        way,
        array,
        dims,
        order,
        wanted or x.dtype,
        None if numbers is None else cast("DeviceArray", numbers.array),
    )


def overlapped(
    columns: Tensor, lead: Sequence[int], tables: Sequence[Table], sizes: Sequence[int]
) -> Tensor:
    """Windows side by side, added up where they overlap, to images of these sizes. `lead` are the dimensions of columns that come first
    in the result; the others are those of the elements of a window, and then those of windows.
    """
    array = cast("DeviceArray", columns.array)
    strides, rank = element_strides(array), len(tables)
    dims: list[Along | Plain] = [Plain(array.shape[dim], strides[dim]) for dim in lead]
    of_taps = [dim for dim in range(array.ndim) if dim not in lead]
    for place, (table, size) in enumerate(zip(tables, sizes, strict=True)):
        taps, windows = strides[of_taps[place]], strides[of_taps[rank + place]]
        dims.append(Along(table.turned(size, windows, taps), 1))
    return reduced("sum", array, dims, range(len(dims)), columns.dtype)[0]
