"""What sorts on the device make of rows and of all elements: medians, modes, quantiles, and elements that are unique."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.runtime.cuda.operators.sorting import Found, can_sort, sorted_rows
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim

Run = Callable[[Any, Sequence[Any]], Any]


def _missing(x: Tensor, dim: int) -> Tensor | None:
    """How many elements along a dimension are no numbers, which is kept; None of integers."""
    return x.isnan().sum([dim], True) if x.dtype.is_floating_point else None


def _picked(ranked: Found, rank: Tensor, dim: int, *, keepdim: bool) -> Found:
    """The elements of a rank, and where they stood."""
    values, places = (one.gather(dim, rank) for one in ranked)
    return (values, places) if keepdim else (values.squeeze(dim), places.squeeze(dim))


# Medians and modes


def _median(*, skips_missing: bool) -> Run:
    """`aten::median.dim` and `aten::nanmedian.dim`: the lower middle element; where one is no number, the first of these, unless they
    are left out.
    """

    def run(placed: Any, operands: Sequence[Any]) -> Any:
        x, *given = operands
        dim, keepdim = given or (0, False)
        flat = x if given else x.reshape([-1])
        if x.dtype is dtypes.bool_ or not can_sort(flat, dim):
            return placed.on_host(operands)
        dim = wrap_dim(dim, flat.array.ndim)
        rank = _middle(flat, dim, skips_missing=skips_missing)
        found = _picked(sorted_rows(flat, dim), rank, dim, keepdim=keepdim)
        return found if given else found[0]

    return run


def _middle(x: Tensor, dim: int, *, skips_missing: bool) -> Tensor:
    """The rank of the median of each row."""
    shape = list(x.array.shape)
    length, shape[dim] = shape[dim], 1
    middle = x.new_full(shape, (length - 1) // 2, dtype=dtypes.int64)
    missing = _missing(x, dim)
    if missing is None:
        return middle
    there = missing.neg().add(length)
    if skips_missing:
        return there.sub(1).clamp_min(0).floor_divide(2)
    return there.where(missing.gt(0), middle)


def _mode(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::mode`: the elements that are there most often, the smallest of several, and the last places at which they stand."""
    x, dim, keepdim = operands
    if not can_sort(x, dim):
        return placed.on_host(operands)
    dim = wrap_dim(dim, x.array.ndim)
    ranked = sorted_rows(x, dim)
    rows = ranked[0].swapaxes(dim, -1)
    length = rows.array.shape[-1]
    places = numbers(length, [length])
    starts = rows.ne(rows.roll([1], [-1])).logical_or(places.eq(0))
    first = places.where(starts, places * 0).cummax(-1)[0]
    rank = places.sub(first).argmax(-1, True).swapaxes(dim, -1)
    return _picked(ranked, rank, dim, keepdim=keepdim)


# Quantiles


_INTERPOLATED = (dtypes.float32, dtypes.float64)
_MODES = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(*, skips_missing: bool) -> Run:
    """`aten::quantile` and `aten::nanquantile`, for a number, or for one or several that a tensor holds."""

    def run(placed: Any, operands: Sequence[Any]) -> Any:
        x, q, dim, keepdim, interpolation = operands
        flat = x.reshape([-1]) if dim is None else x
        axis = 0 if dim is None else dim
        if x.dtype not in _INTERPOLATED or not can_sort(flat, axis) or interpolation not in _MODES:
            return placed.on_host(operands)
        if not _is_part(q, x):
            return placed.on_host(operands)
        parts = q.reshape([-1]) if isinstance(q, Tensor) else x.new_full([1], q)
        axis = wrap_dim(axis, flat.array.ndim)
        values = sorted_rows(flat.movedim(axis, -1).contiguous(), -1)[0]
        ranks = _ranks(values, parts, skips_missing=skips_missing)
        found = _interpolated(values, ranks, interpolation)
        if keepdim:
            found = found.unsqueeze(axis)
            found = found.view([1] * x.array.ndim + [-1]) if dim is None else found
        is_several = isinstance(q, Tensor) and q.array.ndim
        return found.movedim(-1, 0) if is_several else found.select(-1, 0)

    return run


def _is_part(q: Any, x: Tensor) -> bool:
    """Whether a number is between 0 and 1, or a tensor has the dtype of another one, as they must be."""
    if not isinstance(q, Tensor):
        return 0 <= q <= 1
    is_there = q.array.__class__ is x.array.__class__
    return q.dtype is x.dtype and q.array.ndim < 2 and bool(q.array.size) and is_there


def _ranks(values: Tensor, parts: Tensor, *, skips_missing: bool) -> Tensor:
    """Parts (Q) of the way along each sorted row (..., length), as ranks (..., Q)."""
    last = values.array.shape[-1] - 1
    missing = values.isnan().sum([-1], True)
    ranks = missing.neg().add(last).clamp_min(0).to(values.dtype).mul(parts)
    return ranks if skips_missing else ranks.masked_fill(missing.gt(0), last)


def _interpolated(values: Tensor, ranks: Tensor, interpolation: str) -> Tensor:
    """What stands at these ranks, or between two of them."""
    if interpolation == "nearest":
        ranks = ranks.round()
    below = ranks.ceil() if interpolation == "higher" else ranks.floor()
    low = values.gather(-1, below.to(dtypes.int64))
    if interpolation not in ("linear", "midpoint"):
        return low
    high = values.gather(-1, ranks.ceil().to(dtypes.int64))
    weight = ranks.sub(below)
    if interpolation == "midpoint":
        weight = weight.new_full(list(weight.array.shape), 0.5)
    gap = high.sub(low)
    rising, falling = low.add(weight.mul(gap)), high.sub(gap.mul(weight.neg().add(1)))
    return rising.where(weight.lt(0.5), falling)


# Unique elements


def _unique(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_unique2`, `aten::_unique`: the unique elements in order, which of them each element is, and how often each is there."""
    x, _, *wanted = operands
    flat = x.reshape([-1])
    if not can_sort(flat, 0):
        return placed.on_host(operands)
    values, places = sorted_rows(flat, 0)
    found, inverse, counts = _runs(values)
    shape = list(x.array.shape)
    inverse = inverse.scatter(0, places, inverse).view(shape)
    return _wanted(found, (inverse, counts), wanted)


def _unique_consecutive(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::unique_consecutive` of all elements: runs of equal ones as one."""
    x, *wanted, dim = operands
    is_whole = x.array.ndim == 1 and dim == 0
    if dim is not None and not is_whole:
        return _unique_slices(placed, operands, dim, is_sorted=False)
    if x.dtype.is_complex or not x.array.size:
        return placed.on_host(operands)
    found, inverse, counts = _runs(x.reshape([-1]))
    return _wanted(found, (inverse.view(list(x.array.shape)), counts), wanted)


def _unique_dim(*, is_sorted: bool) -> Run:
    """`aten::unique_dim` and `aten::unique_dim_consecutive`."""

    def run(placed: Any, operands: Sequence[Any]) -> Any:
        return _unique_slices(placed, operands, operands[1], is_sorted=is_sorted)

    return run


def _unique_slices(placed: Any, operands: Sequence[Any], dim: int, *, is_sorted: bool) -> Any:
    """The unique slices along a dimension, in order or as runs, which of them each slice is, and how often each is there: all three,
    whatever is asked for, as PyTorch gives them.
    """
    x: Tensor = operands[0]
    if not can_sort(x, dim):
        return placed.on_host(operands)
    axis = wrap_dim(dim, x.array.ndim)
    slices = x.movedim(axis, 0)
    length = slices.array.shape[0]
    rows = slices.reshape([length, x.array.size // length])
    order = numbers(length, [length])
    if is_sorted:
        for column in reversed(rows.unbind(1)):
            places = sorted_rows(column.index_select(0, order), 0)[1]
            order = order.index_select(0, places)
    found, inverse, counts = _runs(rows.index_select(0, order))
    inverse = inverse.scatter(0, order, inverse)
    shape = [found.array.shape[0], *slices.array.shape[1:]]
    return found.view(shape).movedim(0, axis), inverse, counts


def _runs(values: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The first of each run of equal elements, or rows, the number of its run for each one, and the lengths of the runs."""
    length = values.array.shape[0]
    places = numbers(length, [length])
    differs = values.ne(values.roll([1], [0]))
    if values.array.ndim > 1:
        differs = differs.any(1)
    starts = differs.logical_or(places.eq(0))
    first = starts.nonzero().view([-1])
    ends = first.roll([-1], [0]).masked_fill(first.eq(first.max()), length)
    return values.index_select(0, first), starts.cumsum(0).sub(1), ends.sub(first)


def _wanted(found: Tensor, others: Sequence[Tensor], wanted: Sequence[bool]) -> tuple[Tensor, ...]:
    """The results, of which those that are not wanted are empty."""
    nothing = (one.new_empty([0]) for one in others)
    given = zip(others, nothing, wanted)
    return found, *(one if is_wanted else empty for one, empty, is_wanted in given)


RANKED: dict[str, Run] = {
    "aten::median": _median(skips_missing=False),
    "aten::nanmedian": _median(skips_missing=True),
    "aten::mode": _mode,
    "aten::quantile": _quantile(skips_missing=False),
    "aten::nanquantile": _quantile(skips_missing=True),
    "aten::_unique2": _unique,
    "aten::_unique": _unique,
    "aten::unique_consecutive": _unique_consecutive,
    "aten::unique_dim": _unique_dim(is_sorted=True),
    "aten::unique_dim_consecutive": _unique_dim(is_sorted=False),
}
