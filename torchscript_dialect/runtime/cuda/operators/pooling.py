"""Pooling and resizing on the device, and their gradients: sums of windows, or their largest elements (`windows.py`). The gradient of
an element is the sum of those of the windows that it is in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.images.upsampling import MODES, Mode, check_sizes
from torchscript_dialect.ops.layouts import row_format, row_strides
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.pooling.pool_windows import Pool, spans, window_sizes
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.windows import Table, of_images, overlapped
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import (
    element_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath

Array = NDArray[Any]
Ints = Sequence[int]
Tables = tuple[Table, ...]


@planned
def _windows(
    sizes: Ints, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
) -> Tables:
    pool = Pool([*kernel], [*stride], [*padding], [*dilation], ceil_mode)
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    return tuple(
        Table.of_sliding(*one) for one in zip(sizes, counts, kernel, stride, padding, dilation)
    )


def _of_pool(pool: Pool, sizes: Ints) -> Tables | None:
    """The windows along each dimension; None where one has none, or one without elements."""
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    if min(counts) < 1:
        return None
    found = _windows(sizes, pool.kernel, pool.stride, pool.padding, pool.dilation, pool.ceil_mode)
    return None if any(one.has_empty for one in found) else found


@planned
def _even(sizes: Ints, counts: Ints) -> Tables:
    """Windows that cover an image evenly."""
    return tuple(Table.of_spans(size, *spans(size, count), 1) for size, count in zip(sizes, counts))


def _turned(tables: Tables, sizes: Ints) -> list[Table]:
    return [one.turned(size) for one, size in zip(tables, sizes, strict=True)]


def _fits(x: Tensor, rank: int) -> bool:
    is_image = x.array.ndim in (rank + 1, rank + 2) and bool(x.array.size)
    return is_image and x.dtype.is_floating_point


def _largest(x: Tensor, tables: Tables | None, like: Tensor | None) -> Any:
    """The largest element of each window, and where it is."""
    return NOTHING if tables is None else of_images("largest", x, tables, like)


def _of_plane(x: Tensor, rank: int) -> Tensor | None:
    """The tensor where its channels may be last in memory: PyTorch's kernels do not keep that of volumes."""
    return x if rank == 2 else None


def _max(rank: int, results: int) -> Callable[..., Any]:
    """`aten::max_pool2d`, with the places or without."""

    def run(
        x: Tensor, kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
    ) -> Any:
        if not _fits(x, rank):
            return NOTHING
        name = f"max_pool{rank}d"
        pool = Pool.of(name, rank, kernel, stride, padding, dilation, ceil_mode)
        found = _largest(x, _of_pool(pool, x.array.shape[-rank:]), x)
        return found if found is NOTHING or results == 2 else found[0]

    return run


def _max_backward(rank: int) -> Callable[..., Any]:
    """Windows pass their gradients to their largest elements."""

    def run(grad: Tensor, x: Tensor, *arguments: Any) -> Any:
        *windows, places = arguments
        if not _fits(x, rank) or grad.array.shape != places.array.shape:
            return NOTHING
        tables = _of_pool(Pool.of(f"max_pool{rank}d", rank, *windows), x.array.shape[-rank:])
        return _passed(grad, x, places, tables)

    return run


def _passed(grad: Tensor, x: Tensor, places: Tensor, tables: Tables | None) -> Any:
    """Each element has the gradients of the windows around it whose places are its own, as in PyTorch's kernel of `max_pool2d`."""
    rank = 0 if tables is None else len(tables)
    if tables is None or [one.size for one in tables] != [*grad.array.shape[-rank:]]:
        return NOTHING
    turned = _turned(tables, x.array.shape[-rank:])
    return of_images("chosen", grad, turned, x, places)[0]


def _adaptive_max(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, counts: Ints) -> Any:
        if not _fits(x, rank) or len(counts) != rank or min(counts) < 1:
            return NOTHING
        return _largest(x, _even(x.array.shape[-rank:], counts), _of_plane(x, rank))

    return run


def returned(rank: int) -> Callable[..., Any]:
    """Gradients go to places in planes, wherever these are."""

    def run(grad: Tensor, x: Tensor, *arguments: Any) -> Any:
        places: Tensor = arguments[-1]
        is_fit = _fits(x, rank) and places.dtype is dtypes.int64 and grad.dtype is x.dtype
        if not is_fit or grad.array.shape != places.array.shape or not grad.array.size:
            return NOTHING
        sizes = x.array.shape[-rank:]
        planes, wide = x.array.size // prod(sizes), opmath(x.dtype)
        given = transfers.of_dtype(grad, wide).reshape([planes, -1])
        total = given.new_zeros([planes, prod(sizes)])
        total = total.scatter_add(1, places.reshape([planes, -1]), given)
        return call("aten::empty_like", (x,)).copy_(total.view(list(x.array.shape)))

    return run


class _Means(NamedTuple):
    tables: Tables
    numbers: Array
    """By how much the sums are divided."""

    def divided(self, x: Tensor) -> Tensor:
        """Sums, or gradients of means, divided."""
        first = self.numbers.reshape(-1)[0]
        if (self.numbers == first).all():
            return x.div(float(first))
        numbers = self.numbers.astype(x.array.dtype)
        name = ("divisors", numbers.dtype.char, numbers.shape, numbers.tobytes())
        return x.div(tensor_of(memory().constant(name, lambda: numbers)))

    def of(self, x: Tensor) -> Tensor:
        like = _of_plane(x, len(self.tables))
        sums = of_images("sum", x, self.tables, like, wanted=opmath(x.dtype))[0]
        return transfers.of_dtype(self.divided(sums), x.dtype)

    def backward(self, grad: Tensor, x: Tensor) -> Tensor:
        """To each element the gradients of the windows that hold it."""
        each = self.divided(transfers.of_dtype(grad, opmath(grad.dtype)))
        turned = _turned(self.tables, x.array.shape[-len(self.tables) :])
        return of_images("sum", each, turned, x, wanted=grad.dtype)[0]


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
    tables = _of_pool(pool, sizes)
    if tables is None:
        return None
    numbers = window_sizes(sizes, pool, [one.size for one in tables], count_include_pad)
    if divisor is not None:
        numbers = np.full_like(numbers, divisor)
    return _Means(tables, numbers)


def _average(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, *arguments: Any) -> Any:
        means = _means_of(x, rank, *arguments)
        return NOTHING if means is None else means.of(x)

    return run


def _average_backward(rank: int) -> Callable[..., Any]:

    def run(grad: Tensor, x: Tensor, *arguments: Any) -> Any:
        means = _means_of(x, rank, *arguments)
        if means is None or grad.array.shape[-rank:] != tuple(one.size for one in means.tables):
            return NOTHING
        return means.backward(grad, x)

    return run


def _even_means(x: Tensor, counts: Ints, rank: int) -> _Means | None:
    if not _fits(x, rank) or len(counts) != rank or min(counts) < 1:
        return None
    tables, numbers = _even(x.array.shape[-rank:], counts), np.ones((), np.int64)
    for table in tables:
        numbers = numbers[..., None] * (table.places >= 0).sum(0)
    return _Means(tables, numbers)


def _like(x: Tensor, other: Tensor) -> Tensor:
    """Images of one element each, with strides that tell whether channels are last in memory."""
    shape = x.array.shape
    strides = row_strides(shape, row_format(other.array.shape, element_strides(other.array)))
    steps = [stride * x.array.itemsize for stride in strides]
    array: Any = x.array
    return tensor_of(array.restrided(shape, steps))


def _adaptive_average(rank: int) -> Callable[..., Any]:

    def run(x: Tensor, counts: Ints) -> Any:
        if _fits(x, rank) and [*counts] == [1] * rank:
            return _like(x.mean([*range(-rank, 0)], True), x)
        means = _even_means(x, counts, rank)
        return NOTHING if means is None else means.of(x)

    return run


def _adaptive_average_backward(rank: int) -> Callable[..., Any]:

    def run(grad: Tensor, x: Tensor) -> Any:
        means = _even_means(x, grad.array.shape[-rank:], rank)
        if means is None or grad.array.shape[:-rank] != x.array.shape[:-rank]:
            return NOTHING
        return means.backward(grad, x)

    return run


# Windows side by side


def _pool_of_columns(
    sizes: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> Pool | None:
    """The windows of `aten::im2col`; None where they are left to the host."""
    given = [
        list(one) * 2 if len(one) == 1 else list(one) for one in (kernel, dilation, padding, stride)
    ]
    if any(len(one) != 2 for one in given) or min(*given[0], *given[1], *given[3], *sizes) < 1:
        return None
    pool = Pool(given[0], given[3], given[2], given[1], ceil_mode=False)
    if min(pool.size(place, size) for place, size in enumerate(sizes)) < 1 or min(given[2]) < 0:
        return None
    return pool


def _im2col(x: Tensor, *windows: Ints) -> Any:
    """`aten::im2col`."""
    pool = _pool_of_columns(x.array.shape[-2:], *windows) if _fits(x, 2) else None
    if pool is None:
        return NOTHING
    *lead, channels, height, width = x.array.shape
    (down, across), (above, before) = (
        [pool.size(place, size) for place, size in enumerate((height, width))],
        pool.padding,
    )
    padded = call("aten::constant_pad_nd", (x, [before, before, above, above], 0)).contiguous()
    *outer, row, column = element_strides(padded.array)
    shape = [*lead, channels, *pool.kernel, down, across]
    (y, z), (t, u) = pool.dilation, pool.stride
    steps = [*outer, y * row, z * column, t * row, u * column]
    found = call("aten::as_strided", (padded, shape, steps))
    return found.reshape([*lead, channels * prod(pool.kernel), down * across])


def _col2im(x: Tensor, output_size: Ints, *windows: Ints) -> Any:
    """`aten::col2im`: what windows hold, added up where they overlap."""
    if x.array.ndim not in (2, 3) or not x.array.size or not x.dtype.is_floating_point:
        return NOTHING
    pool = _pool_of_columns(output_size, *windows) if len(output_size) == 2 else None
    if pool is None:
        return NOTHING
    tables = _windows(output_size, pool.kernel, pool.stride, pool.padding, pool.dilation, False)
    counts = [one.size for one in tables]
    *lead, rows, found = x.array.shape
    channels, rest = divmod(rows, prod(pool.kernel))
    if found != prod(counts) or rest:
        return NOTHING
    columns = x.contiguous().view([*lead, channels, *pool.kernel, *counts])
    return overlapped(columns, [*range(len(lead) + 1)], tables, output_size)


# Resizing


MOST_TAPS = 16
"""Elements of a window of all dimensions, where they are resized at once."""


def _resized_by(x: Tensor, tables: Sequence[Table | None], like: Tensor, way: str) -> Tensor:
    """All dimensions resized at once, or one after the other where that takes less."""
    if not any(tables):
        return x.clone()
    taps = prod(len(one.places) for one in tables if one is not None)
    if way == "read" or taps <= MOST_TAPS:
        return of_images(way, x, tables, like)[0]
    found = transfers.of_dtype(x, opmath(x.dtype))
    for axis, table in enumerate(tables):
        if table is not None:
            only = [table if one == axis else None for one in range(len(tables))]
            found = of_images(way, found, only, like)[0]
    return transfers.of_dtype(found, x.dtype)


def _tables(
    mode: Mode, x: Tensor, sizes: Ints, output_size: Ints, align_corners: bool, scales: Any
) -> list[Table | None]:
    """The windows of each dimension that changes."""
    raw = np.empty(0, opmath(x.dtype).numpy_dtype)
    found: list[Table | None] = [None] * mode.rank
    for axis, taps in mode.taps_of(raw, sizes, output_size, align_corners, scales):
        weights = None if taps.weights is None else taps.weights.T.astype(raw.dtype)
        found[axis - 2] = Table(taps.places.T.astype(np.int32), weights)
    return found


def _resized(mode: Mode) -> Callable[..., Any]:

    def run(x: Tensor, output_size: Ints | None, *arguments: Any) -> Any:
        found = mode.sizes_and_scales(x.array.shape, output_size, arguments)
        is_byte = x.dtype is dtypes.uint8 and not mode.has_corners
        if found is None or not x.array.size or not (x.dtype.is_floating_point or is_byte):
            return NOTHING
        output_size, align_corners, scales = found
        check_sizes(mode.name, mode.rank, x.array.shape, output_size)
        sizes = x.array.shape[2:]
        tables = _tables(mode, x, sizes, output_size, align_corners, scales)
        return _resized_by(x, tables, x, "sum" if mode.has_corners else "read")

    return run


def _resized_backward(mode: Mode) -> Callable[..., Any]:

    def run(grad: Tensor, output_size: Ints, input_size: Ints, *arguments: Any) -> Any:
        expected = (*input_size[:2], *output_size)
        if len(input_size) != mode.rank + 2 or grad.array.shape != expected:
            return NOTHING
        if not grad.array.size or not grad.dtype.is_floating_point:
            return NOTHING
        align_corners, scales = mode.split(arguments)
        sizes = input_size[2:]
        each = _tables(mode, grad, sizes, output_size, align_corners, scales)
        turned = [None if one is None else one.turned(n) for one, n in zip(each, sizes)]
        return _resized_by(grad, turned, grad, "sum")

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
        f"max_pool{_rank}d_with_indices_backward": _max_backward(_rank),
        f"avg_pool{_rank}d": _average(_rank),
        f"avg_pool{_rank}d_backward": _average_backward(_rank),
        f"adaptive_avg_pool{_rank}d": _adaptive_average(_rank),
        f"_adaptive_avg_pool{_rank}d": _adaptive_average(_rank),
        f"_adaptive_avg_pool{_rank}d_backward": _adaptive_average_backward(_rank),
        f"adaptive_max_pool{_rank}d": _adaptive_max(_rank),
        f"adaptive_max_pool{_rank}d_backward": returned(_rank),
    }
    POOLING.update({f"aten::{name}": own(run) for name, run in _made.items()})
for _name, _mode in MODES.items():
    POOLING[f"aten::{_name}"] = own(_resized(_mode))
    POOLING[f"aten::{_name}_backward"] = own(_resized_backward(_mode))
