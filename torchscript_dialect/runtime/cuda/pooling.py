"""Pooling and resizing on the device, and their gradients: elements of windows are read, or added to, at places that the host finds
from sizes alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.ops.pool_windows import Pool, spans, window_sizes
from torchscript_dialect.ops.resampling import Taps
from torchscript_dialect.ops.upsampling import MODES, Mode, check_sizes
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.composites import own
from torchscript_dialect.runtime.cuda.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Ints = Sequence[int]


def _there(array: Array, like: Tensor) -> Tensor:
    return transfers.to_device(tensor_of(np.ascontiguousarray(array)), like.device)


class _Table(NamedTuple):
    """Which elements of an image, counted through, are in which window."""

    counts: tuple[int, ...]
    """How many windows there are along each dimension."""
    places: Array
    """(windows, elements); a neighbour's where there is none."""
    is_padding: Array

    @staticmethod
    def of(sizes: Ints, starts: Sequence[Array], ends: Sequence[Array], steps: Ints) -> _Table:
        """Windows along each dimension from `starts` to `ends`, not included."""
        rank = len(sizes)
        flat, padding = np.zeros((1,) * 2 * rank, np.int64), np.zeros((1,) * 2 * rank, bool)
        for axis, (size, start, end, step) in enumerate(zip(sizes, starts, ends, steps)):
            longest = int((-(-(end - start) // step)).max(initial=1))
            at = start[:, None] + np.arange(longest) * step
            inside = (at >= 0) & (at < np.minimum(end, size)[:, None])
            first = np.where(inside, at, size).min(1, keepdims=True)
            last = np.where(inside, at, -1).max(1, keepdims=True)
            shape = [1] * 2 * rank
            shape[axis], shape[rank + axis] = at.shape
            flat = flat * size + np.clip(at, first, last).reshape(shape)
            padding = padding | ~inside.reshape(shape)
        counts = flat.shape[:rank]
        table = (prod(counts), -1)
        return _Table(counts, flat.reshape(table), padding.reshape(table))

    @staticmethod
    def of_pool(pool: Pool, sizes: Ints) -> _Table:
        counts = [pool.size(place, size) for place, size in enumerate(sizes)]
        starts = [
            np.arange(count) * stride - padding
            for count, stride, padding in zip(counts, pool.stride, pool.padding)
        ]
        reach = [step * (size - 1) + 1 for step, size in zip(pool.dilation, pool.kernel)]
        ends = [start + length for start, length in zip(starts, reach)]
        return _Table.of(sizes, starts, ends, pool.dilation)

    @staticmethod
    def of_spans(sizes: Ints, counts: Ints) -> _Table:
        """Windows that cover an image evenly."""
        each = [spans(size, count) for size, count in zip(sizes, counts)]
        return _Table.of(
            sizes, [one for one, _ in each], [one for _, one in each], (1,) * len(sizes)
        )

    @property
    def has_only_padding(self) -> bool:
        """Whether some window holds nothing else."""
        return bool(self.is_padding.all(1).any())

    def read(self, x: Tensor) -> Tensor:
        """The elements (images, windows, elements) of images that are rows."""
        flat = call("aten::index_select", (x, 1, _there(self.places.reshape(-1), x)))
        return flat.view([x.array.shape[0], *self.places.shape])

    def without_padding(self, parts: Tensor) -> Tensor:
        """Elements (images, windows, elements), with 0 for padding."""
        is_whole = not self.is_padding.any()
        return parts if is_whole else parts.masked_fill(_there(self.is_padding, parts), 0)

    def added(self, parts: Tensor, size: int) -> Tensor:
        """Images that are rows of `size` elements, the sums of elements (images, windows, elements) at their places."""
        images = parts.array.shape[0]
        flat = self.without_padding(parts).reshape([images, self.places.size])
        places = _there(self.places.reshape(-1), parts)
        return parts.new_zeros([images, size]).index_add(1, places, flat)


def _rows(x: Tensor, rank: int) -> Tensor:
    """Each image as a row."""
    shape = x.array.shape
    return x.reshape([prod(shape[:-rank]), prod(shape[-rank:])])


def _fits(x: Tensor, rank: int) -> bool:
    is_image = x.array.ndim in (rank + 1, rank + 2) and bool(x.array.size)
    return is_image and x.dtype.is_floating_point


def _largest(x: Tensor, table: _Table, rank: int) -> Any:
    """The largest element of each window, and where it is."""
    if table.has_only_padding:
        return NOTHING
    values, which = call("aten::max", (table.read(_rows(x, rank)), -1))
    rows = which.array.shape[0]
    places = _there(table.places, x).unsqueeze(0).expand([rows, *table.places.shape])
    found = call("aten::gather", (places, -1, which.unsqueeze(-1)))
    shape = [*x.array.shape[:-rank], *table.counts]
    return values.view(shape), found.view(shape)


def _max(rank: int, results: int) -> Callable[..., Any]:
    """`aten::max_pool2d`, with the places or without."""

    def run(
        x: Tensor, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
    ) -> Any:
        if not _fits(x, rank):
            return NOTHING
        name = f"max_pool{rank}d"
        pool = Pool.of(name, rank, kernel, stride, padding, dilation, ceil_mode)
        sizes = x.array.shape[-rank:]
        if min(pool.size(place, size) for place, size in enumerate(sizes)) < 1:
            return NOTHING
        found = _largest(x, _Table.of_pool(pool, sizes), rank)
        return found if found is NOTHING or results == 2 else found[0]

    return run


def _adaptive_max(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, counts: Ints) -> Any:
        if not _fits(x, rank) or len(counts) != rank or min(counts) < 1:
            return NOTHING
        return _largest(x, _Table.of_spans(x.array.shape[-rank:], counts), rank)

    return run


def _returned(rank: int) -> Callable[..., Any]:
    """The gradient goes back to where the largest elements were."""

    def run(grad: Tensor, x: Tensor, *rest: Any) -> Any:
        places: Tensor = rest[-1]
        if not _fits(x, rank) or grad.array.shape != places.array.shape:
            return NOTHING
        rows = _rows(x, rank)
        found = rows.new_zeros(list(rows.array.shape)).scatter_add(
            1, _rows(places, rank), _rows(grad, rank)
        )
        return found.view(list(x.array.shape))

    return run


def _mean(x: Tensor, table: _Table, numbers: Array, rank: int) -> Tensor:
    wide = transfers.of_dtype(x, opmath(x.dtype))
    parts = table.without_padding(table.read(_rows(wide, rank)))
    divisors = _there(numbers.reshape(-1).astype(wide.array.dtype), x)
    found = parts.sum([-1]).div(divisors).view([*x.array.shape[:-rank], *table.counts])
    return transfers.of_dtype(found, x.dtype)


def _mean_backward(grad: Tensor, x: Tensor, table: _Table, numbers: Array, rank: int) -> Tensor:
    """To each element the gradients of the windows that hold it."""
    wide = transfers.of_dtype(grad, opmath(grad.dtype))
    rows = _rows(wide, rank).div(_there(numbers.reshape(-1).astype(wide.array.dtype), x))
    parts = rows.unsqueeze(-1).expand([rows.array.shape[0], *table.places.shape])
    found = table.added(parts, prod(x.array.shape[-rank:]))
    return transfers.of_dtype(found.view(list(x.array.shape)), grad.dtype)


class _Means(NamedTuple):
    table: _Table
    numbers: Array
    """By how much the sums are divided."""


def _means_of(
    x: Tensor,
    rank: int,
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    count_include_pad: bool,
    divisor: int | None = None,
) -> _Means | None:
    """Those of `aten::avg_pool2d`, whose arguments these are; None where it is left to the host."""
    if not _fits(x, rank) or divisor == 0:
        return None
    pool = Pool.of(f"avg_pool{rank}d", rank, kernel, stride, padding, [1], ceil_mode)
    sizes = x.array.shape[-rank:]
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    if min(counts) < 1:
        return None
    numbers = window_sizes(sizes, pool, counts, count_include_pad)
    if divisor is not None:
        numbers = np.full_like(numbers, divisor)
    table = _Table.of_pool(pool, sizes)
    return None if table.has_only_padding else _Means(table, numbers)


def _average(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, *arguments: Any) -> Any:
        means = _means_of(x, rank, *arguments)
        return NOTHING if means is None else _mean(x, *means, rank)

    return run


def _average_backward(rank: int) -> Callable[..., Any]:

    def run(grad: Tensor, x: Tensor, *arguments: Any) -> Any:
        means = _means_of(x, rank, *arguments)
        if means is None or grad.array.shape[-rank:] != means.table.counts:
            return NOTHING
        return _mean_backward(grad, x, *means, rank)

    return run


def _even_means(x: Tensor, counts: Ints, rank: int) -> _Means | None:
    if not _fits(x, rank) or len(counts) != rank or min(counts) < 1:
        return None
    table = _Table.of_spans(x.array.shape[-rank:], counts)
    return _Means(table, (~table.is_padding).sum(1))


def _adaptive_average(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, counts: Ints) -> Any:
        means = _even_means(x, counts, rank)
        return NOTHING if means is None else _mean(x, *means, rank)

    return run


def _adaptive_average_backward(rank: int) -> Callable[..., Any]:

    def run(grad: Tensor, x: Tensor) -> Any:
        means = _even_means(x, grad.array.shape[-rank:], rank)
        if means is None or grad.array.shape[:-rank] != x.array.shape[:-rank]:
            return NOTHING
        return _mean_backward(grad, x, *means, rank)

    return run


# Windows side by side


def _window_table(
    sizes: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> _Table | None:
    """Those of `aten::im2col`; None where they are left to the host."""
    given = [
        list(one) * 2 if len(one) == 1 else list(one) for one in (kernel, dilation, padding, stride)
    ]
    if any(len(one) != 2 for one in given) or min(*given[0], *given[1], *given[3]) < 1:
        return None
    pool = Pool(given[0], given[3], given[2], given[1], ceil_mode=False)
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    if min(*counts, *sizes) < 1 or min(given[2]) < 0:
        return None
    return _Table.of_pool(pool, sizes)


def _im2col(x: Tensor, *windows: Ints) -> Any:
    """`aten::im2col`."""
    if not _fits(x, 2):
        return NOTHING
    *lead, channels, _, _ = x.array.shape
    table = _window_table(x.array.shape[-2:], *windows)
    if table is None:
        return NOTHING
    parts = table.without_padding(table.read(_rows(x, 2)))
    count, elements = table.places.shape
    return parts.transpose(1, 2).reshape([*lead, channels * elements, count])


def _col2im(x: Tensor, output_size: Ints, *windows: Ints) -> Any:
    """`aten::col2im`: what windows hold, added up where they overlap."""
    if x.array.ndim not in (2, 3) or not x.array.size or not x.dtype.is_floating_point:
        return NOTHING
    table = _window_table(output_size, *windows) if len(output_size) == 2 else None
    if table is None:
        return NOTHING
    count, elements = table.places.shape
    *lead, rows, found = x.array.shape
    if found != count or rows % elements:
        return NOTHING
    images = prod(lead) * (rows // elements)
    wide = transfers.of_dtype(x, opmath(x.dtype))
    parts = wide.reshape([images, elements, count]).transpose(1, 2)
    total = table.added(parts, prod(output_size))
    return transfers.of_dtype(total.view([*lead, rows // elements, *output_size]), x.dtype)


# Resizing


def _weighted(x: Tensor, taps: Taps, number: int, axis: int) -> Tensor:
    """Elements times the weights that one tap of each has along a dimension."""
    if taps.weights is None:
        return x
    factors = taps.weights[:, number].astype(x.array.dtype)
    return x.mul(_there(factors, x).view([-1, *(1,) * (x.array.ndim - 1 - axis)]))


def _resized(mode: Mode) -> Callable[..., Any]:

    def run(x: Tensor, output_size: Ints | None, *arguments: Any) -> Any:
        found = mode.sizes_and_scales(x.array.shape, output_size, arguments)
        is_exact = x.dtype is dtypes.uint8 and not mode.has_corners
        if found is None or not x.array.size or not (x.dtype.is_floating_point or is_exact):
            return NOTHING
        output_size, align_corners, scales = found
        check_sizes(mode.name, mode.rank, x.array.shape, output_size)
        raw = transfers.of_dtype(x, opmath(x.dtype))
        element = np.empty(0, raw.array.dtype)
        sizes = x.array.shape[2:]
        for axis, taps in mode.taps_of(element, sizes, output_size, align_corners, scales):
            parts: list[Tensor] = []
            for number, places in enumerate(taps.places.T):
                part = call("aten::index_select", (raw, axis, _there(places, x)))
                parts.append(_weighted(part, taps, number, axis))
            raw = parts[0]
            for part in parts[1:]:
                raw = raw.add(part)
        return transfers.of_dtype(raw, x.dtype)

    return run


def _resized_backward(mode: Mode) -> Callable[..., Any]:

    def run(grad: Tensor, output_size: Ints, input_size: Ints, *arguments: Any) -> Any:
        expected = (*input_size[:2], *output_size)
        if len(input_size) != mode.rank + 2 or grad.array.shape != expected:
            return NOTHING
        if not grad.array.size or not grad.dtype.is_floating_point:
            return NOTHING
        align_corners, scales = mode.split(arguments)
        raw = transfers.of_dtype(grad, opmath(grad.dtype))
        element, sizes = np.empty(0, raw.array.dtype), input_size[2:]
        for axis, taps in mode.taps_of(element, sizes, output_size, align_corners, scales):
            shape = list(raw.array.shape)
            shape[axis] = sizes[axis - 2]
            made = raw.new_zeros(shape)
            for number, places in enumerate(taps.places.T):
                part = _weighted(raw, taps, number, axis)
                made = made.index_add(axis, _there(places, grad), part)
            raw = made
        return transfers.of_dtype(raw, grad.dtype)

    return run


POOLING: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::im2col": own(_im2col),
    "aten::col2im": own(_col2im),
}
"""What runs operators, by their names or qualified names."""
for _rank in (1, 2, 3):
    _made = {
        f"max_pool{_rank}d": _max(_rank, 1),
        f"max_pool{_rank}d_with_indices": _max(_rank, 2),
        f"max_pool{_rank}d_with_indices_backward": _returned(_rank),
        f"avg_pool{_rank}d": _average(_rank),
        f"avg_pool{_rank}d_backward": _average_backward(_rank),
        f"adaptive_avg_pool{_rank}d": _adaptive_average(_rank),
        f"_adaptive_avg_pool{_rank}d": _adaptive_average(_rank),
        f"_adaptive_avg_pool{_rank}d_backward": _adaptive_average_backward(_rank),
        f"adaptive_max_pool{_rank}d": _adaptive_max(_rank),
        f"adaptive_max_pool{_rank}d_backward": _returned(_rank),
    }
    POOLING.update({f"aten::{name}": own(run) for name, run in _made.items()})
for _name, _mode in MODES.items():
    POOLING[f"aten::{_name}"] = own(_resized(_mode))
    POOLING[f"aten::{_name}_backward"] = own(_resized_backward(_mode))
