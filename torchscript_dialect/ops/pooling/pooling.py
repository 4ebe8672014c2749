"""Pooling of one, two and three dimensions: the largest element or the mean of each window (PyTorch: aten/src/ATen/native/Pool.h).

A window is a product of ranges, so that dimensions reduce one after the other. Channels come last in the result where they do in
the input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import (
    in_rows,
    laid_out,
    laid_out_strides,
    row_laid_out,
    row_laid_out_strides,
)
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.ops.pooling.native_windows import Windows
from torchscript_dialect.ops.pooling.pool_windows import (
    Ints,
    Places,
    Pool,
    Positions,
    average_windows,
    counts_of,
    even_windows,
    spans,
    suits_even_windows,
    window_sizes,
)
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    dtype_of,
    fresh,
    is_known,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import Dims, TensorProperties

Array = NDArray[Any]


_RANKS = {1: "2D or 3D", 2: "3D or 4D", 3: "4D or 5D"}

# Windows


@ignores_float_errors
def _largest(x: Array, positions: Positions) -> Array:
    for axis, columns in enumerate(positions, -len(positions)):
        x = reduce(np.maximum, (column.of_array(x, axis) for column in columns))
    return x


def _block(columns: Sequence[Places], size: int) -> int:
    """How many elements windows have that are side by side and cover a dimension; 0 where they are not."""
    length = len(columns)
    count = size // length if length else 0
    if not count or count * length != size:
        return 0
    for first, column in enumerate(columns):
        step = length if count > 1 else 1
        wanted = slice(first, first + (count - 1) * length + 1, step)
        if not isinstance(column.selector, slice) or column.selector != wanted:
            return 0
    return length


def _largest_of_blocks(x: Array, blocks: Sequence[int]) -> tuple[Array, Array]:
    """As `_largest_and_where` where the planes are cut into blocks, and no element is NaN."""
    rank, lead, sizes = len(blocks), x.shape[: -len(blocks)], x.shape[-len(blocks) :]
    counts = [size // block for size, block in zip(sizes, blocks)]
    cut = x.reshape(*lead, *(n for pair in zip(counts, blocks) for n in pair))
    first = len(lead)
    order = [*range(first), *range(first, cut.ndim, 2), *range(first + 1, cut.ndim, 2)]
    windows = cut.transpose(order).reshape(*lead, *counts, prod(blocks))
    at = windows.argmax(-1)
    places: Array = np.zeros((1,) * rank, np.int64)
    inside = cast("Sequence[Array]", np.unravel_index(at, tuple(blocks)))
    for axis, (inner, size, block) in enumerate(zip(inside, sizes, blocks)):
        begins: Array = np.asarray(range(0, size, block))
        places = places * size + begins.reshape(-1, *(1,) * (rank - 1 - axis)) + inner
    return np.take_along_axis(windows, at[..., None], -1)[..., 0], places


@ignores_float_errors
def _largest_and_where(x: Array, positions: Positions) -> tuple[Array, Array]:
    """The largest elements, the first of equal ones or the last NaN, and their places in the flat plane."""
    blocks = [
        _block(columns, size)
        for columns, size in zip(positions, x.shape[-len(positions) :], strict=True)
    ]
    if x.size and x.dtype.kind in "fiu" and 0 not in blocks:
        values, found = _largest_of_blocks(x, blocks)
        if x.dtype.kind != "f" or not np.isnan(values).any():
            return values, found
    places: Array = np.zeros((1,) * len(positions), np.int64)
    weight = 1
    for axis in range(-1, -len(positions) - 1, -1):
        size = int(x.shape[axis])
        first: tuple[Array, Array] | None = None
        for column in positions[axis]:
            along = (column.numbers * weight).reshape(-1, *(1,) * (-1 - axis))
            value = column.of_array(x, axis)
            place: Array = along + (places if axis == -1 else column.of_array(places, axis))
            place = np.broadcast_to(place, value.shape)
            if first is None:
                first = (value, place)
                continue
            better = (value > first[0]) | (value != value)
            first = (np.where(better, value, first[0]), np.where(better, place, first[1]))
        assert first is not None
        x, places = first
        weight *= size
    return x, places


@ignores_float_errors
def _summed(x: Array, pool: Pool, counts: Ints) -> Array:
    """The sums of the windows of a plane that is padded with zeros."""
    rank = len(counts)
    sizes = x.shape[-rank:]
    least = [(count - 1) * s + k for count, s, k in zip(counts, pool.stride, pool.kernel)]
    wide = [max(size + pad, n) for size, pad, n in zip(sizes, pool.padding, least)]
    if any(pool.padding) or list(sizes) != wide:
        whole = np.zeros((*x.shape[:-rank], *(n + p for n, p in zip(wide, pool.padding))), x.dtype)
        whole[(..., *(slice(p, p + size) for p, size in zip(pool.padding, sizes)))] = x
        x = whole
    for place, count in enumerate(counts):
        stride, after = pool.stride[place], (slice(None),) * (rank - 1 - place)
        x = reduce(
            np.add,
            (
                x[(..., slice(i, i + (count - 1) * stride + 1, stride), *after)]
                for i in range(pool.kernel[place])
            ),
        )
    return x


# Results


def _check(name: str, rank: int, x: Tensor, *, empty_channels: bool = False) -> None:
    """The input has a batch or not, and is empty at most in its batch."""
    array = x.array
    if array.ndim not in (rank + 1, rank + 2) or not all(array.shape[array.ndim - rank - 1 :]):
        raise RuntimeError(
            f"{name}: Expected {_RANKS[rank]} (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(array.shape)}"
        )
    _check_dtype(name, x)


def _check_dtype(name: str, x: Tensor) -> None:
    kind = x.array.dtype.kind
    is_average = "avg" in name
    if kind in "bc" or (kind in "iu" and is_average and x.dtype is not dtypes.int64):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")
    if name == "avg_pool3d" and x.dtype.itemsize < 4:
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")
    if kind in "iu" and ("adaptive" in name or name == "max_pool1d"):
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _size_rule(
    rank: int,
    outputs: int,
    size_of: Callable[..., Callable[[int, int], int]],
    strides_of: Callable[[TensorProperties, Dims], Dims | None],
) -> registry.ShapeRule:
    """The rule of an operator with `outputs` results; `size_of` takes the arguments and gives the size of a result's dimension."""

    def rule(facts: Sequence[Fact]) -> Fact:
        x, *arguments = facts
        sizes, unknown = rank_known(x), (NOTHING, NOTHING)
        if sizes is None or not is_known(arguments) or len(sizes) < rank:
            return NOTHING if outputs == 1 else unknown
        try:
            size = size_of(*arguments)
        except RuntimeError:
            return NOTHING if outputs == 1 else unknown
        inner = [None if n is None else size(place, n) for place, n in enumerate(sizes[-rank:])]
        shape = (*sizes[:-rank], *inner)
        strides = strides_of(x, shape)
        first = fresh(dtype_of(x), shape, x, strides=strides)
        return first if outputs == 1 else (first, fresh(dtypes.int64, shape, x, strides=strides))

    return rule


# Operators

_Layout = tuple[Callable[..., Array], Callable[[TensorProperties, Dims], Dims | None]]
"""How a result lies in memory: what gives it that form, and its strides as far as they are known."""
_AS_IMAGE: _Layout = (row_laid_out, row_laid_out_strides)
_AS_INPUT: _Layout = (laid_out, laid_out_strides)
_IN_ROWS: _Layout = (in_rows, lambda _like, _shape: None)
_LAYOUTS = {1: _AS_IMAGE, 2: _AS_INPUT, 3: _IN_ROWS}
"""Those of averages and adaptive pooling by the number of dimensions."""


def _declare_max(rank: int) -> None:
    name = f"max_pool{rank}d"
    in_layout, strides_of = _AS_IMAGE if rank == 1 else _AS_INPUT

    def pool_of(kernel: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Pool:
        return Pool.of(name, rank, kernel, stride, padding, dilation, ceil_mode)

    @planned
    def positions(sizes: tuple[int, ...], channels: int, *arguments: Any) -> Positions:
        pool = pool_of(*arguments)
        return pool.positions(sizes, counts_of(pool, sizes, channels))

    @planned
    def windows(shape: tuple[int, ...], *arguments: Any) -> Windows:
        pool, sizes = pool_of(*arguments), shape[-rank:]
        counts = counts_of(pool, sizes, shape[-rank - 1])
        positions(sizes, shape[-rank - 1], *arguments)
        return Windows.of(shape, counts, [pool.kernel, pool.stride, pool.padding, pool.dilation])

    def natively(kind: str, x: Tensor, arguments: Sequence[Any]) -> Any:
        found = windows(x.array.shape, *arguments)
        return native_windows.over_windows(f"{kind}_fixed", x, found, rank)

    def prepared(x: Tensor, arguments: Sequence[Any]) -> Positions:
        shape = x.array.shape
        return positions(shape[-rank:], shape[-rank - 1], *arguments)

    def largest(x: Tensor, *arguments: Any) -> Tensor:
        _check(name, rank, x)
        if native_windows.are_few_native(x):
            found = natively("largest", x, arguments)
            if found is not None:
                return found
        raw = _largest(x.array, prepared(x, arguments))
        return tensor_of(laid_out(raw, x.array))

    def largest_and_where(x: Tensor, *arguments: Any) -> tuple[Tensor, Tensor]:
        _check(name if rank > 1 else "max_pool2d", rank, x)
        if native_windows.are_native(x):
            found = natively("places", x, arguments)
            if found is not None:
                return found
        raw, places = _largest_and_where(x.array, prepared(x, arguments))
        return (
            tensor_of(in_layout(raw, x.array)),
            tensor_of(in_layout(places, x.array, np.dtype(np.int64))),
        )

    def size_of(*arguments: Any) -> Callable[[int, int], int]:
        return pool_of(*arguments).size

    registry.implement(name, largest, shape=_size_rule(rank, 1, size_of, laid_out_strides))
    registry.implement(
        f"{name}_with_indices", largest_and_where, shape=_size_rule(rank, 2, size_of, strides_of)
    )


def _declare_average(rank: int) -> None:
    name = f"avg_pool{rank}d"
    in_layout, strides_of = _LAYOUTS[rank]

    def pool_of(kernel: Ints, stride: Ints, padding: Ints, ceil_mode: bool) -> Pool:
        return Pool.of(name, rank, kernel, stride, padding, [1], ceil_mode)

    @planned
    def windows(shape: tuple[int, ...], *arguments: Any) -> Windows:
        return average_windows(rank, shape, *arguments)

    @ignores_float_errors
    def average(
        x: Tensor,
        kernel: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor: int | None = None,
    ) -> Tensor:
        _check(name, rank, x)
        if divisor == 0:
            raise RuntimeError("divisor must be not zero")
        if native_windows.are_few_native(x):
            arguments = kernel, stride, padding, ceil_mode, count_include_pad, divisor
            at = windows(x.array.shape, *arguments)
            found = native_windows.over_windows("mean_fixed", x, at, rank)
            if found is not None:
                return found
        pool = pool_of(kernel, stride, padding, ceil_mode)
        sizes = x.array.shape[-rank:]
        counts = counts_of(pool, sizes, x.array.shape[-rank - 1])
        total = _summed(x.array.astype(opmath(x.dtype).numpy_dtype, copy=False), pool, counts)
        number = divisor or window_sizes(sizes, pool, counts, count_include_pad)
        if total.dtype.kind == "i":
            raw = np.sign(total) * np.sign(number) * (np.abs(total) // np.abs(number))
        else:
            raw = total / np.asarray(number, total.dtype)
        return tensor_of(in_layout(raw, x.array))

    def size_of(
        kernel: Ints, stride: Ints, padding: Ints, ceil_mode: bool, *_: Any
    ) -> Callable[[int, int], int]:
        return pool_of(kernel, stride, padding, ceil_mode).size

    registry.implement(name, average, shape=_size_rule(rank, 1, size_of, strides_of))


# Windows by the size of the result


def _layout_of_means(rank: int, output_size: Sequence[int | None]) -> _Layout:
    """What PyTorch takes for the mean of each volume keeps its format."""
    is_mean = rank == 3 and all(count == 1 for count in output_size)
    return _AS_INPUT if is_mean else _LAYOUTS[rank]


def _mean_of_last(x: Tensor, rank: int) -> Tensor:
    """What PyTorch takes for windows that are all of an image: it asks for no number of dimensions then, nor for elements."""
    operator = registry.find("aten::mean.dim")
    assert operator is not None and operator.kernel is not None
    found = operator.kernel(x, list(range(-rank, 0)), True, None)
    return tensor_of(laid_out(found.array, x.array))


def _fits(x: Tensor, rank: int) -> bool:
    return x.array.ndim in (rank + 1, rank + 2)


def _check_adaptive(name: str, rank: int, x: Tensor, output_size: Ints) -> None:
    array = x.array
    if not _fits(x, rank):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {array.ndim}-dimensional tensor for argument #1 'self' (while checking "
            f"arguments for {name})"
            if name == "adaptive_avg_pool1d"
            else f"{name}(): Expected {_RANKS[rank]} tensor, but got {list(array.shape)}"
        )
    first = array.ndim - rank - (1 if "max" in name or rank == 3 else 0)
    for dim in range(max(first, 0 if array.ndim == rank + 1 else 1), array.ndim):
        if not array.shape[dim]:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {list(array.shape)} with dimension {dim} being empty"
            )
    if len(output_size) != rank:
        raise RuntimeError(f"{name}: output_size must be {rank}")
    if min(output_size) < 0:
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, output_size))}}}"
        )
    _check_dtype(name, x)


def _means_along(raw: Array, axis: int, count: int) -> Array:
    """So many means of neighbouring elements along an axis, which is counted from the end."""
    size, after = raw.shape[axis], (slice(None),) * (-1 - axis)
    if count == size:
        return raw
    if count and size % count == 0:
        cut = (*raw.shape[:axis], count, size // count, *raw.shape[raw.ndim + axis + 1 :])
        return raw.reshape(cut).mean(axis)
    parts = [
        raw[(..., slice(start, end), *after)].mean(axis, keepdims=True)
        for start, end in zip(*spans(size, count))
    ]
    return np.concatenate(parts, axis) if parts else raw[(..., slice(0), *after)]


def _declare_adaptive_average(rank: int) -> None:
    name = f"adaptive_avg_pool{rank}d"

    @ignores_float_errors
    def average(x: Tensor, output_size: Ints) -> Tensor:
        _check_adaptive(name, rank, x, output_size)
        if suits_even_windows(x, output_size):
            at = even_windows(x.array.shape, output_size)
            found = native_windows.over_windows("mean_even", x, at, rank)
            if found is not None:
                return found
        raw = x.array.astype(opmath(x.dtype).numpy_dtype, copy=False)
        if raw.size and all(count == 1 for count in output_size):
            rows = raw.reshape(*raw.shape[:-rank], -1)
            number = np.asarray(rows.shape[-1], raw.dtype)
            raw = (np.add.reduce(rows, -1) / number).reshape(*raw.shape[:-rank], *(1,) * rank)
        for axis, count in enumerate(output_size, -rank):
            raw = _means_along(raw, axis, count)
        place, _ = _layout_of_means(rank, output_size)
        return tensor_of(place(raw, x.array))

    def average_or_mean(x: Tensor, output_size: Ints) -> Tensor:
        is_usual = _fits(x, rank) and x.array.size and x.dtype.is_floating_point
        if not is_usual and list(output_size) == [1] * rank:
            return _mean_of_last(x, rank)
        return average(x, output_size)

    rule = _size_rule(
        rank,
        1,
        _adaptive_sizes(rank),
        lambda like, shape: _layout_of_means(rank, shape[-rank:])[1](like, shape),
    )
    registry.implement(name, average if rank == 1 else average_or_mean, shape=rule)
    if rank > 1:
        registry.implement(f"_{name}", average, shape=rule)


@planned
def _even_positions(sizes: tuple[int, ...], output_size: Ints) -> Positions:
    found: Positions = []
    for size, count in zip(sizes, output_size):
        start, end = spans(size, count)
        longest = int((end - start).max(initial=1))
        table = np.minimum(start[:, None] + np.arange(longest), end[:, None] - 1)
        found.append(Places.of_table(table.reshape(count, longest)))
    return found


def _declare_adaptive_max(rank: int) -> None:
    name = f"adaptive_max_pool{rank}d"
    in_layout, strides_of = _LAYOUTS[rank]

    def largest(x: Tensor, output_size: Ints) -> tuple[Tensor, Tensor]:
        _check_adaptive(name, rank, x, output_size)
        if prod(output_size) and native_windows.are_native(x):
            at = even_windows(x.array.shape, output_size)
            found = native_windows.over_windows("places_even", x, at, rank)
            if found is not None:
                return found
        positions = _even_positions(x.array.shape[-rank:], output_size)
        raw, places = _largest_and_where(x.array, positions)
        return (
            tensor_of(in_layout(raw, x.array)),
            tensor_of(in_layout(places, x.array, np.dtype(np.int64))),
        )

    registry.implement(name, largest, shape=_size_rule(rank, 2, _adaptive_sizes(rank), strides_of))


def _adaptive_sizes(rank: int) -> Callable[[Ints], Callable[[int, int], int]]:
    def size_of(output_size: Ints) -> Callable[[int, int], int]:
        if len(output_size) != rank:
            raise RuntimeError(f"output_size must be {rank}")
        return lambda place, _: output_size[place]

    return size_of


for _rank in (1, 2, 3):
    _declare_max(_rank)
    _declare_average(_rank)
    _declare_adaptive_average(_rank)
    _declare_adaptive_max(_rank)
