"""Histograms on the device: where the edges of bins follow from the elements, the host waits for the smallest and largest ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.reduction.histograms import check_histogram, even_edges, outer_edges
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.searching import places_in
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def _extremes(points: Tensor) -> NDArray[Any]:
    """On the host, the smallest and largest elements of columns; nothing where there are no rows."""
    if not points.array.shape[0]:
        return np.empty(points.array.shape, points.array.dtype)
    found = call("aten::stack", ([points.amin([0]), points.amax([0])],))
    return found.array.on_host()


def _counted(
    places: Tensor, inside: Tensor, values: Tensor | None, count: int, like: Tensor
) -> Tensor:
    """Sums of values, or ones, at places that are inside, in so many bins."""
    kept = places.masked_fill(inside.logical_not(), count)
    given = like.new_ones([kept.array.size]) if values is None else values
    return like.new_zeros([count + 1]).scatter_add(0, kept, given).narrow(0, 0, count)


def _histc(x: Tensor, bins: int, low: Any, high: Any) -> Any:
    """`aten::histc`: as many elements as are in each of `bins` equal parts of the range."""
    if not x.dtype.is_floating_point or bins <= 0 or low > high:
        return NOTHING
    for bound in (low, high):
        check_fits(x.dtype, bound)
    flat = transfers.of_dtype(x.reshape([-1]), dtypes.float64)
    is_asked = low == high and flat.array.size
    around = _extremes(flat.unsqueeze(1)) if is_asked else np.empty(0)
    first, last = outer_edges(around, float(low), float(high), 1)
    inside = flat.ge(first).logical_and(flat.le(last))
    parts = flat.sub(first).div(last - first).mul(bins).masked_fill(inside.logical_not(), 0)
    places = transfers.of_dtype(parts, dtypes.int64).clamp_max(bins - 1)
    counts = _counted(places, inside, None, bins, places)
    return transfers.of_dtype(counts, x.dtype)


def _histogram(
    points: Tensor, edges: Sequence[Tensor], weight: Tensor | None, density: bool
) -> Tensor:
    """Counts of the rows of `points` in the boxes between the edges of each column."""
    count = points.array.shape[0]
    shape = [edge.array.size - 1 for edge in edges]
    inside = points.new_ones([count], dtype=dtypes.bool_)
    place = points.new_zeros([count], dtype=dtypes.int64)
    for number, (edge, size) in enumerate(zip(edges, shape, strict=True)):
        column = points.select(1, number).contiguous()
        inside = inside.logical_and(column.ge(edge.select(0, 0)))
        inside = inside.logical_and(column.le(edge.select(0, size)))
        if count:
            at = places_in(edge.contiguous(), column, right=True).sub(1).clamp(0, size - 1)
            place = place.mul(size).add(at)
    values = None if weight is None else weight.reshape([-1])
    found = _counted(place, inside, values, prod(shape), points).view(shape)
    if density:
        found = found.div(found.sum())
        for axis, edge in enumerate(edges):
            width = edge.narrow(0, 1, shape[axis]).sub(edge.narrow(0, 0, shape[axis]))
            found = found.div(width.view([-1 if dim == axis else 1 for dim in range(len(shape))]))
    return found.contiguous()


def _between(points: Tensor, edges: Sequence[Tensor], weight: Tensor | None, density: bool) -> Any:
    """`_histogram` where operands fit."""
    if any(edge.array.ndim != 1 or edge.array.size < 2 for edge in edges):
        return NOTHING
    if weight is not None and weight.array.size != points.array.shape[0]:
        return NOTHING
    return _histogram(points, edges, weight, density)


def _evenly(
    points: Tensor,
    bins: Sequence[int],
    given: Sequence[float] | None,
    weight: Tensor | None,
    density: bool,
) -> Any:
    """The counts, and the edges."""
    empty = np.empty((0, len(bins)), points.array.dtype)
    around = _extremes(points) if given is None else empty
    edges = [
        transfers.to_device(tensor_of(one), points.device)
        for one in even_edges(around, bins, given)
    ]
    found = _between(points, edges, weight, density)
    return NOTHING if found is NOTHING else (found, edges)


def _bin_ct(x: Tensor, bins: int, *options: Any) -> Any:
    """`aten::histogram.bin_ct`."""
    check_histogram("histogram", x, options[1], ())
    found = _evenly(x.reshape([-1, 1]), [bins], *options)
    return NOTHING if found is NOTHING else (found[0], found[1][0])


def _bins_tensor(x: Tensor, bins: Tensor, weight: Tensor | None, density: bool) -> Any:
    """`aten::histogram.bins_tensor`."""
    check_histogram("histogram", x, weight, (bins,))
    found = _between(x.reshape([-1, 1]), [bins], weight, density)
    return NOTHING if found is NOTHING else (found, bins.clone())


def _points(x: Tensor) -> Tensor:
    return x.reshape([prod(x.array.shape[:-1]), x.array.shape[-1]])


def _histogramdd(x: Tensor, bins: int | Sequence[int], *options: Any) -> Any:
    """`aten::histogramdd`, of as many bins in each dimension or in all."""
    check_histogram("histogramdd", x, options[1], ())
    columns = x.array.shape[-1]
    counts = [bins] * columns if isinstance(bins, int) else list(bins)
    return _evenly(_points(x), counts, *options) if len(counts) == columns else NOTHING


def _histogramdd_between(
    x: Tensor, bins: Sequence[Tensor], _range: Any, weight: Tensor | None, density: bool
) -> Any:
    """`aten::histogramdd.TensorList_bins`."""
    check_histogram("histogramdd", x, weight, bins)
    if len(bins) != x.array.shape[-1]:
        return NOTHING
    found = _between(_points(x), bins, weight, density)
    return NOTHING if found is NOTHING else (found, list(bins))


HISTOGRAMS: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::histc": own(_histc),
    "aten::histogram.bin_ct": own(_bin_ct),
    "aten::histogram.bins_tensor": own(_bins_tensor),
    "aten::histogramdd": own(_histogramdd),
    "aten::histogramdd.int_bins": own(_histogramdd),
    "aten::histogramdd.TensorList_bins": own(_histogramdd_between),
}
"""What runs operators, by their names or qualified names."""
