"""Operators on the device that put elements elsewhere, made of those that have kernels."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.strides import element_strides, suggest_memory_format
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim


def numbers(count: int, shape: Sequence[int]) -> Tensor:
    """The numbers from 0 on, of int64, on the device."""
    made = np.arange(count, dtype=np.int64).reshape(tuple(shape))
    return transfers.to_device(tensor_of(made), memory().device)


def _flip(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::flip`."""
    x, dims = operands
    rank = x.array.ndim
    if not rank or not all(-rank <= dim < rank for dim in dims):
        return placed.on_host(operands)
    axes = [wrap_dim(dim, rank) for dim in dims]
    if len({*axes}) < len(axes):
        return placed.on_host(operands)
    made = call("aten::empty_like", (x,))
    turned = tuple(slice(None, None, -1 if axis in axes else 1) for axis in range(rank))
    memory().assign(made.array, x.array[turned])
    return made


def _filled_like(value: int | None) -> Any:
    """`aten::zeros_like` and its like, of tensors whose elements are not in the order of their indices. A number that is given stands
    before the options.
    """

    def run(_: Any, operands: Sequence[Any]) -> Any:
        x, *options = operands
        if x.array.flags.c_contiguous:
            return NOTHING
        number = options.pop(0) if value is None else value
        empty = registry.find("aten::empty_like")
        assert empty is not None and empty.placed is not None
        return empty.placed(x, *options).fill_(number)

    return run


def _constant_pad_nd(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::constant_pad_nd`, which cuts where a pad is below 0."""
    x, pads, value = operands
    rank = x.array.ndim
    pairs = [(pads[at], pads[at + 1]) for at in range(0, len(pads) - 1, 2)]
    sizes = [*x.array.shape]
    for number, (before, after) in enumerate(pairs):
        if number < rank:
            sizes[rank - 1 - number] += before + after
    if len(pads) % 2 or len(pairs) > rank or min(sizes, default=0) < 0:
        return placed.on_host(operands)
    check_fits(x.dtype, value)
    made = x.new_full(sizes, value)
    part, source = made, x
    for number, (before, after) in enumerate(pairs):
        axis = rank - 1 - number
        size = x.array.shape[axis] + min(before, 0) + min(after, 0)
        if size < 0:
            return placed.on_host(operands)
        source = source.narrow(axis, max(-before, 0), size)
        part = part.narrow(axis, max(before, 0), size)
    part.copy_(source)
    return made


def _triangle(is_lower: bool) -> Any:
    """`aten::tril` or `aten::triu`."""

    def run(placed: Any, operands: Sequence[Any]) -> Tensor:
        x, diagonal = operands
        if x.array.ndim < 2:
            return placed.on_host(operands)
        rows, columns = x.array.shape[-2:]
        across, down = numbers(columns, [columns]), numbers(rows, [rows, 1])
        last = down + diagonal
        is_kept = across.le(last) if is_lower else across.ge(last)
        return x.contiguous().masked_fill(is_kept.logical_not(), 0)

    return run


def _count_nonzero(_: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::count_nonzero`."""
    x, dims = operands
    mask = x if x.dtype is dtypes.bool_ else x.ne(0)
    given = cast("list[int]", dims if isinstance(dims, list) else [] if dims is None else [dims])
    return mask.sum(given) if given else mask.sum()


def _adjoint(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::adjoint`, a view where numbers are real."""
    (x,) = operands
    if x.array.ndim < 2 or x.dtype.is_complex:
        return placed.on_host(operands)
    return x.transpose(-2, -1)


def _channel_shuffle(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::channel_shuffle`: channels that are neighbours go to neighbouring groups."""
    x, groups = operands
    if x.array.ndim < 3 or groups < 1 or x.array.shape[1] % groups or not x.array.size:
        return placed.on_host(operands)
    batch, channels, *sizes = x.array.shape
    by_group = x.reshape([batch, groups, channels // groups, *sizes]).transpose(1, 2)
    return by_group.reshape([batch, channels, *sizes])


def _argwhere(_: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::argwhere`."""
    return call("aten::nonzero", tuple(operands))


def _parts(name: str) -> Any:
    """`aten::unsafe_chunk` and its like: what `name` gives, which are views."""

    def run(_: Any, operands: Sequence[Any]) -> Any:
        return call(name, tuple(operands))

    return run


def _of_host(placed: Any, operands: Sequence[Any]) -> Any:
    """What the kernel of the host gives, which makes views of tensors in lists."""
    return placed.kernel(*operands)


def _pixel_unshuffle(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::pixel_unshuffle`: neighbouring elements go to neighbouring channels."""
    x, factor = operands
    shape = x.array.shape
    if len(shape) < 3 or factor < 1 or shape[-2] % factor or shape[-1] % factor or not x.array.size:
        return placed.on_host(operands)
    *batch, channels, height, width = shape
    sizes = [*batch, channels, height // factor, factor, width // factor, factor]
    first = len(batch)
    order = [*range(first + 1), first + 2, first + 4, first + 1, first + 3]
    moved = x.reshape(sizes).permute(order)
    found = moved.reshape([*batch, channels * factor**2, height // factor, width // factor])
    return found.contiguous(memory_format=suggest_memory_format(shape, element_strides(x.array)))


def _fill_diagonal(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::fill_diagonal_`."""
    x, value, wraps = operands
    shape = x.array.shape
    if len(shape) != 2 or (wraps and shape[0] > shape[1] + 1) or not x.array.size:
        return placed.on_host(operands)
    x.diagonal().fill_(value)
    return x


def _nonzero_static(placed: Any, operands: Sequence[Any]) -> Tensor:
    """`aten::nonzero_static`."""
    x, size, value = operands
    if size < 0 or not x.array.ndim:
        return placed.on_host(operands)
    found = call("aten::nonzero", (x,))
    count = min(size, found.array.shape[0])
    made = found.new_full([size, x.array.ndim], value)
    made.narrow(0, 0, count).copy_(found.narrow(0, 0, count))
    return made


def _max_unpool(rank: int) -> Any:
    """`aten::max_unpool2d` or `aten::max_unpool3d`: elements at their places in a plane of zeros."""

    def run(placed: Any, operands: Sequence[Any]) -> Tensor:
        x, places, sizes = operands[:3]
        shape = x.array.shape
        is_fit = len(sizes) == rank and len(shape) in (rank + 1, rank + 2) and x.array.size > 0
        if not is_fit or places.array.shape != shape or places.dtype is not dtypes.int64:
            return placed.on_host(operands)
        if not x.dtype.is_floating_point:
            return placed.on_host(operands)
        lead, count = shape[:-rank], prod(sizes)
        flat, at = (one.reshape([prod(lead), prod(shape[-rank:])]) for one in (x, places))
        found = flat.new_zeros([prod(lead), count]).scatter(1, at, flat).view([*lead, *sizes])
        if rank != 2:
            return found
        format = suggest_memory_format(shape, element_strides(x.array))
        return found.contiguous(memory_format=format)

    return run


REARRANGED = {
    "aten::meshgrid": _of_host,
    **{f"aten::atleast_{rank}d.Sequence": _of_host for rank in (1, 2, 3)},
    "aten::pixel_unshuffle": _pixel_unshuffle,
    "aten::fill_diagonal_": _fill_diagonal,
    "aten::nonzero_static": _nonzero_static,
    "aten::max_unpool2d": _max_unpool(2),
    "aten::max_unpool3d": _max_unpool(3),
    "aten::unsafe_chunk": _parts("aten::chunk"),
    "aten::unsafe_split": _parts("aten::split"),
    "aten::unsafe_split_with_sizes": _parts("aten::split_with_sizes"),
    "aten::flip": _flip,
    "aten::zeros_like": _filled_like(0),
    "aten::ones_like": _filled_like(1),
    "aten::full_like": _filled_like(None),
    "aten::constant_pad_nd": _constant_pad_nd,
    "aten::tril": _triangle(True),
    "aten::triu": _triangle(False),
    "aten::count_nonzero": _count_nonzero,
    "aten::adjoint": _adjoint,
    "aten::channel_shuffle": _channel_shuffle,
    "aten::argwhere": _argwhere,
}
