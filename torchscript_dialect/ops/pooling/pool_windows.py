"""Where the windows of pooling are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.layouts import along_memory
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.ops.pooling.native_windows import Windows
from torchscript_dialect.tensor.tensor import Tensor

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
        """The elements of an array, along a dimension that is counted from the last; its dimensions keep their order in memory."""
        if isinstance(self.selector, slice):
            return x[(..., self.selector, *(slice(None),) * (-1 - axis))]
        numbers = self.selector
        return along_memory(lambda x, axis: np.take(x, numbers, axis), x, x.ndim + axis)


Positions = list[list[Places]]
"""For each dimension, where the elements of windows are, the first ones of all, then the second ones."""

_WORDS = {1: "one int", 2: "two ints", 3: "three ints"}


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


def spans(size: int, count: int) -> tuple[Array, Array]:
    """First and last element (exclusive) of `count` windows that cover `size` elements evenly."""
    places = np.arange(count)
    return places * size // max(count, 1), -(-(places + 1) * size // max(count, 1))


def counts_of(pool: Pool, sizes: Ints, channels: int) -> list[int]:
    counts = [pool.size(place, size) for place, size in enumerate(sizes)]
    if min(counts) < 1:
        given, found = ("x".join(map(str, (channels, *n))) for n in (sizes, counts))
        raise RuntimeError(
            f"Given input size: ({given}). Calculated output size: ({found}). Output size is too small"
        )
    return counts


def average_windows(
    rank: int,
    shape: tuple[int, ...],
    kernel: Ints,
    stride: Ints,
    padding: Ints,
    ceil_mode: bool,
    counts_padding: bool,
    divisor: int | None,
) -> Windows:
    """The windows of tensors of a shape, of whose last dimensions means are taken."""
    pool = Pool.of(f"avg_pool{rank}d", rank, kernel, stride, padding, [1], ceil_mode)
    counts = counts_of(pool, shape[-rank:], shape[-rank - 1])
    fields = [pool.kernel, pool.stride, pool.padding, pool.dilation]
    return Windows.of(shape, counts, fields, divisor, counts_padding)


@planned
def even_windows(shape: tuple[int, ...], output_size: Ints) -> Windows:
    """So many windows of the last dimensions of tensors of a shape, which cover them evenly."""
    return Windows.of(shape, output_size)


def suits_even_windows(x: Tensor, output_size: Ints) -> bool:
    """Whether means of even windows of a tensor are computed natively: where windows are equal NumPy does it with vectors."""
    if 0 in output_size:
        return False
    sizes = x.array.shape[-len(output_size) :]
    if any(size % count for size, count in zip(sizes, output_size)):
        return native_windows.are_native(x)
    return native_windows.are_few_native(x)
