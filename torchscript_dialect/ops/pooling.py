"""Pooling of one, two and three dimensions: the largest element or the mean of each window (PyTorch: aten/src/ATen/native/Pool.h).

A window is a product of ranges, so that dimensions reduce one after the other. Channels come last in the result where they do in
the input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, NamedTuple, cast

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
Ints = Sequence[int]


class Places(NamedTuple):
    """Which elements of a dimension one element of each window is, and how they are taken out of an array."""

    numbers: NDArray[np.int64]
    selector: slice | NDArray[np.int64]

    @staticmethod
    def of(numbers: NDArray[np.int64]) -> Places:
        """A slice takes those that are evenly apart, without a copy."""
        if not len(numbers):
            return Places(numbers, slice(0))
        step = int(numbers[1] - numbers[0]) if len(numbers) > 1 else 1
        is_even = step > 0 and bool((np.diff(numbers) == step).all())
        evenly = slice(int(numbers[0]), int(numbers[-1]) + 1, step)
        return Places(numbers, evenly if is_even else numbers)

    @staticmethod
    def of_table(table: Array) -> list[Places]:
        """Of a table (windows, elements of a window)."""
        return [Places.of(column) for column in table.T]

    def of_array(self, x: Array, axis: int) -> Array:
        """The elements of an array, along a dimension that is counted from the last."""
        if isinstance(self.selector, slice):
            return x[(..., self.selector, *(slice(None),) * (-1 - axis))]
        return np.take(x, self.selector, axis)


Positions = list[list[Places]]
"""For each dimension, where the elements of windows are, the first ones of all, then the second ones."""

_WORDS = {1: "one int", 2: "two ints", 3: "three ints"}
_RANKS = {1: "2D or 3D", 2: "3D or 4D", 3: "4D or 5D"}


@dataclass(frozen=True, slots=True)
class Pool:
    """Where the windows of a pooling operator are."""

    kernel: Ints
    stride: Ints
    padding: Ints
    dilation: Ints
    ceil_mode: bool

    @staticmethod
    def of(
        name: str,
        rank: int,
        kernel: Ints,
        stride: Ints,
        padding: Ints,
        dilation: Ints,
        ceil_mode: bool,
    ) -> Pool:
        """From the arguments of an operator, of which one number counts for all dimensions.

        Raises:
            RuntimeError: a list has another length, or a number is out of range.
        """
        kernel = _spread(name, "kernel_size", kernel, rank)
        stride = _spread(name, "stride", stride, rank) if stride else kernel
        padding = _spread(name, "padding", padding, rank)
        dilation = _spread(name, "dilation", dilation, rank)
        if not all(stride):
            raise RuntimeError("stride should not be zero")
        for pad, size, step in zip(padding, kernel, dilation):
            if pad < 0:
                raise RuntimeError(f"pad must be non-negative, but got pad: {pad}")
            if pad > ((size - 1) * step + 1) // 2:
                raise RuntimeError(
                    "pad should be at most half of effective kernel size, but got "
                    f"pad={pad}, kernel_size={size} and dilation={step}"
                )
        for what, numbers in (("kernel size", kernel), ("stride", stride), ("dilation", dilation)):
            if min(numbers) <= 0:
                raise RuntimeError(
                    f"{what} should be greater than zero, but got {_letters(what, numbers)}"
                )
        return Pool(kernel, stride, padding, dilation, ceil_mode)

    def size(self, place: int, size: int) -> int:
        """The number of windows along a dimension: below 1 where none fits."""
        stride, padding = self.stride[place], self.padding[place]
        room = size + 2 * padding - self.dilation[place] * (self.kernel[place] - 1) - 1
        if not self.ceil_mode:
            return room // stride + 1
        count = -(-room // stride) + 1
        return count - 1 if (count - 1) * stride >= size + padding else count

    def positions(self, sizes: Ints, counts: Ints) -> Positions:
        """The elements of the windows; the first and the last in the place of padding before and after them.

        Raises:
            RuntimeError: a window holds padding only.
        """
        found: Positions = []
        for place, (size, count) in enumerate(zip(sizes, counts)):
            step = self.dilation[place]
            start = np.arange(count) * self.stride[place] - self.padding[place]
            table = start[:, None] + np.arange(self.kernel[place]) * step
            inside = (table >= 0) & (table < size)
            if not inside.any(1).all():
                raise RuntimeError(
                    "pooling windows that hold nothing but padding are not supported"
                )
            first = np.where(inside, table, size).min(1, keepdims=True)
            last = np.where(inside, table, -1).max(1, keepdims=True)
            found.append(Places.of_table(np.clip(table, first, last)))
        return found


def _spread(name: str, what: str, numbers: Ints, rank: int) -> list[int]:
    if len(numbers) not in (1, rank):
        omitted = "omitted, " if what == "stride" else ""
        raise RuntimeError(
            f"{name}: {what} must either be {omitted}a single int, or a tuple of {_WORDS[rank]}"
        )
    return [*numbers] if len(numbers) == rank else [*numbers] * rank


def _letters(what: str, numbers: Ints) -> str:
    prefix = {"kernel size": "k", "stride": "d", "dilation": "dilation"}[what]
    return " ".join(f"{prefix}{axis}: {n}" for axis, n in zip("THW"[-len(numbers) :], numbers))


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


def window_sizes(sizes: Ints, pool: Pool, counts: Ints, count_include_pad: bool) -> Array:
    """How many elements each window holds."""
    result: Array = np.ones((), np.int64)
    for place, (size, count) in enumerate(zip(sizes, counts)):
        padding = pool.padding[place]
        start = np.arange(count) * pool.stride[place] - padding
        end = np.minimum(start + pool.kernel[place], size + padding)
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, size)
        result = result[..., None] * (end - start)
    return result


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


def _counts(pool: Pool, sizes: Ints, channels: int) -> list[int]:
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    if min(counts) < 1:
        given, found = ("x".join(map(str, (channels, *n))) for n in (sizes, counts))
        raise RuntimeError(
            f"Given input size: ({given}). Calculated output size: ({found}). Output size is too small"
        )
    return counts


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
        return pool.positions(sizes, _counts(pool, sizes, channels))

    def prepared(x: Tensor, arguments: Sequence[Any]) -> Positions:
        shape = x.array.shape
        return positions(shape[-rank:], shape[-rank - 1], *arguments)

    def largest(x: Tensor, *arguments: Any) -> Tensor:
        _check(name, rank, x)
        raw = _largest(x.array, prepared(x, arguments))
        return tensor_of(laid_out(raw, x.array))

    def largest_and_where(x: Tensor, *arguments: Any) -> tuple[Tensor, Tensor]:
        _check(name if rank > 1 else "max_pool2d", rank, x)
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
        pool = pool_of(kernel, stride, padding, ceil_mode)
        sizes = x.array.shape[-rank:]
        counts = _counts(pool, sizes, x.array.shape[-rank - 1])
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


def spans(size: int, count: int) -> tuple[Array, Array]:
    """First and last element (exclusive) of `count` windows that cover `size` elements evenly."""
    places = np.arange(count)
    return places * size // max(count, 1), -(-(places + 1) * size // max(count, 1))


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


def _declare_adaptive(rank: int) -> None:
    average_name, max_name = f"adaptive_avg_pool{rank}d", f"adaptive_max_pool{rank}d"
    in_layout, strides_of = _LAYOUTS[rank]

    def fits(x: Tensor) -> bool:
        return x.array.ndim in (rank + 1, rank + 2)

    def check(name: str, x: Tensor, output_size: Ints) -> None:
        array = x.array
        if not fits(x):
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

    @ignores_float_errors
    def average(x: Tensor, output_size: Ints) -> Tensor:
        check(average_name, x, output_size)
        raw = x.array.astype(opmath(x.dtype).numpy_dtype, copy=False)
        if raw.size and all(count == 1 for count in output_size):
            rows = raw.reshape(*raw.shape[:-rank], -1)
            number = np.asarray(rows.shape[-1], raw.dtype)
            raw = (np.add.reduce(rows, -1) / number).reshape(*raw.shape[:-rank], *(1,) * rank)
        for axis, count in enumerate(output_size, -rank):
            if count == raw.shape[axis]:
                continue
            size, after = raw.shape[axis], (slice(None),) * (-1 - axis)
            if count and size % count == 0:
                cut = (*raw.shape[:axis], count, size // count, *raw.shape[raw.ndim + axis + 1 :])
                raw = raw.reshape(cut).mean(axis)
                continue
            parts = [
                raw[(..., slice(start, end), *after)].mean(axis, keepdims=True)
                for start, end in zip(*spans(size, count))
            ]
            empty = raw[(..., slice(0), *after)]
            raw = np.concatenate(parts, axis) if parts else empty
        place, _ = _layout_of_means(rank, output_size)
        return tensor_of(place(raw, x.array))

    def average_or_mean(x: Tensor, output_size: Ints) -> Tensor:
        is_usual = fits(x) and x.array.size and x.dtype.is_floating_point
        if not is_usual and list(output_size) == [1] * rank:
            return _mean_of_last(x, rank)
        return average(x, output_size)

    @planned
    def positions(sizes: tuple[int, ...], output_size: Ints) -> Positions:
        found: Positions = []
        for size, count in zip(sizes, output_size):
            start, end = spans(size, count)
            longest = int((end - start).max(initial=1))
            table = np.minimum(start[:, None] + np.arange(longest), end[:, None] - 1)
            found.append(Places.of_table(table.reshape(count, longest)))
        return found

    def largest(x: Tensor, output_size: Ints) -> tuple[Tensor, Tensor]:
        check(max_name, x, output_size)
        raw, places = _largest_and_where(x.array, positions(x.array.shape[-rank:], output_size))
        return (
            tensor_of(in_layout(raw, x.array)),
            tensor_of(in_layout(places, x.array, np.dtype(np.int64))),
        )

    def size_of(output_size: Ints) -> Callable[[int, int], int]:
        if len(output_size) != rank:
            raise RuntimeError(f"output_size must be {rank}")
        return lambda place, _: output_size[place]

    takes_mean = average if rank == 1 else average_or_mean
    rule = _size_rule(
        rank,
        1,
        size_of,
        lambda like, shape: _layout_of_means(rank, shape[-rank:])[1](like, shape),
    )
    registry.implement(average_name, takes_mean, shape=rule)
    if rank > 1:
        registry.implement(f"_{average_name}", average, shape=rule)
    registry.implement(max_name, largest, shape=_size_rule(rank, 2, size_of, strides_of))


for _rank in (1, 2, 3):
    _declare_max(_rank)
    _declare_average(_rank)
    _declare_adaptive(_rank)
