"""How often numbers fall into bins (PyTorch: native/Histogram.cpp, native/SummaryOps.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing, Origin
from torchscript_dialect.ops.creation.ranges import linspaced
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]


def _one_dim(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), (None,), facts[0])


@registry.kernel("bincount", shape=lambda facts: fresh(None, (None,), facts[0]))
def bincount(x: Tensor, weights: Tensor | None, minlength: int) -> Tensor:
    """How often each number is there, or the sum of the weights where it is."""
    array = x.array
    if x.dtype.is_floating_point or x.dtype.is_complex or x.dtype is dtypes.bool_:
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{x.dtype.type_name}'")
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if array.ndim == 1 and not array.size:
        return tensor_of(np.zeros(minlength, np.int64))
    if array.ndim != 1 or array.min() < 0:
        raise RuntimeError(
            "bincount only supports 1-d non-negative integral inputs with number of values less than "
            "9223372036854775807."
        )
    largest = int(array.max())
    if largest >= np.iinfo(np.int64).max:
        raise RuntimeError(
            f"maximum value of input overflowed, it should be < 9223372036854775807 but got {largest}"
        )
    if weights is None:
        return tensor_of(np.bincount(array, minlength=minlength).astype(np.int64))
    if weights.array.shape != array.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    element = weights.dtype if weights.dtype is dtypes.float32 else dtypes.float64
    given = weights.array.astype(np.float64)
    totals = np.bincount(array, given, minlength)
    return tensor_of(totals.astype(element.numpy_dtype))


def outer_edges(array: Array, low: float, high: float, margin: float) -> tuple[float, float]:
    """The range of the bins: that of the elements where none is given, with a margin where it is empty."""
    if low == high and array.size:
        low, high = float(array.min()), float(array.max())
    if low == high:
        low, high = low - margin, high + margin
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"range of [{low:g}, {high:g}] is not finite")
    return low, high


@registry.kernel("histc", shape=_one_dim)
@ignores_float_errors
def histc(x: Tensor, bins: int, low: Any, high: Any) -> Tensor:
    """How many elements are in each of `bins` equal parts of the range."""
    if bins <= 0:
        raise RuntimeError("bins must be > 0")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if not x.dtype.is_floating_point:
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{x.dtype.type_name}'")
    for bound in (low, high):
        check_fits(x.dtype, bound)
    array = x.array.reshape(-1).astype(np.float64)
    first, last = outer_edges(array, float(low), float(high), 1)
    inside = array[(array >= first) & (array <= last)]
    places = ((inside - first) / (last - first) * bins).astype(np.int64)
    counts = np.bincount(np.minimum(places, bins - 1), minlength=bins)
    return tensor_of(counts.astype(x.array.dtype))


_SHORT = (dtypes.float16, dtypes.bfloat16)
"""What PyTorch counts between edges that it is given, and finds no edges for."""


def check_histogram(name: str, x: Tensor, weight: Tensor | None, edges: Sequence[Tensor]) -> None:
    """Raise RuntimeError or NotImplementedError where there is no histogram of such operands."""
    if x.array.ndim < 2 and name == "histogramdd":
        raise RuntimeError(
            "torch.histogramdd: input tensor should have at least 2 dimensions, but got 1"
        )
    if not (x.dtype in (dtypes.float32, dtypes.float64) or (edges and x.dtype in _SHORT)):
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{x.dtype.type_name}'")
    for other in edges:
        if other.dtype is not x.dtype:
            raise RuntimeError(
                f"torch.{name}: input tensor and bins tensors should have the same dtype, but got input "
                f"with dtype {x.dtype.type_name} and bins with dtype {other.dtype.type_name}"
            )
    if weight is not None and weight.dtype is not x.dtype:
        raise RuntimeError(
            f"torch.{name}: if weight tensor is provided, input tensor and weight tensor should have the "
            f"same dtype, but got input(dtype={x.dtype.type_name}), and weight(dtype={weight.dtype.type_name})"
        )


def _histogram(points: Array, edges: Sequence[Array], weight: Array | None, density: bool) -> Array:
    """Counts of the rows of `points` in the boxes between the edges of each column."""
    inside = np.ones(len(points), np.bool_)
    places: list[Array] = []
    for column, edge in zip(points.T, edges):
        inside &= (column >= edge[0]) & (column <= edge[-1])
        found = cast("Any", np).searchsorted(edge, column, side="right") - 1
        places.append(np.minimum(found, len(edge) - 2))
    shape = tuple(len(edge) - 1 for edge in edges)
    result = np.zeros(shape, points.dtype)
    key = tuple(place[inside] for place in places)
    np.add.at(result, key, 1 if weight is None else weight.reshape(-1)[inside])
    if density:
        total = result.sum()
        result = result / total
        for axis, edge in enumerate(edges):
            width = np.diff(edge).reshape([-1 if d == axis else 1 for d in range(len(edges))])
            result = result / width
    return result.astype(points.dtype)


def even_edges(points: Array, bins: Sequence[int], given: Sequence[float] | None) -> list[Array]:
    """The edges of bins of one width in each column: those of a range, or of what its points are between."""
    edges: list[Array] = []
    for place, (column, count) in enumerate(zip(points.T, bins)):
        if count <= 0:
            raise RuntimeError("torch.histogramdd: bins must be > 0")
        if given is None:
            low, high = outer_edges(column, 0.0, 0.0, 0.5) if column.size else (0.0, 1.0)
        else:
            low, high = given[2 * place : 2 * place + 2]
            low, high = (low - 0.5, high + 0.5) if low == high else (low, high)
        edges.append(linspaced(low, high, count + 1, dtypes.of_array(points)))
    return edges


def _weights(weight: Tensor | None) -> Array | None:
    return None if weight is None else weight.array


@registry.kernel("histogram.bin_ct")
@ignores_float_errors
def histogram(
    x: Tensor, bins: int, given: Sequence[float] | None, weight: Tensor | None, density: bool
) -> tuple[Tensor, Tensor]:
    check_histogram("histogram", x, weight, ())
    points = x.array.reshape(-1, 1)
    (edges,) = even_edges(points, [bins], given)
    counts = _histogram(points, [edges], _weights(weight), density)
    return tensor_of(counts), tensor_of(edges)


@registry.kernel("histogram.bins_tensor")
@ignores_float_errors
def histogram_between(
    x: Tensor, bins: Tensor, weight: Tensor | None, density: bool
) -> tuple[Tensor, Tensor]:
    check_histogram("histogram", x, weight, (bins,))
    edges = bins.array.copy()
    counts = _histogram(x.array.reshape(-1, 1), [edges], _weights(weight), density)
    return tensor_of(counts), tensor_of(edges)


@registry.kernel("histogramdd")
@ignores_float_errors
def histogramdd(
    x: Tensor,
    bins: Sequence[int],
    given: Sequence[float] | None,
    weight: Tensor | None,
    density: bool,
) -> tuple[Tensor, list[Tensor]]:
    """Counts of points, of which the last dimension has the coordinates."""
    check_histogram("histogramdd", x, weight, ())
    points = x.array.reshape(-1, x.array.shape[-1])
    if len(bins) != points.shape[1]:
        raise RuntimeError(
            f"torch.histogramdd: expected {points.shape[1]} sequences of bin edges for a "
            f"{points.shape[1]}-dimensional histogram but got {len(bins)}"
        )
    edges = even_edges(points, bins, given)
    counts = _histogram(points, edges, _weights(weight), density)
    return tensor_of(counts), [tensor_of(edge) for edge in edges]


@registry.kernel("histogramdd.int_bins")
def histogramdd_evenly(
    x: Tensor, bins: int, given: Sequence[float] | None, weight: Tensor | None, density: bool
) -> tuple[Tensor, list[Tensor]]:
    check_histogram("histogramdd", x, weight, ())
    return histogramdd(x, [bins] * x.array.shape[-1], given, weight, density)


@registry.kernel(
    "histogramdd.TensorList_bins", aliases=Aliasing(results=Origin.ANYWHERE, keeps=(1,))
)
@ignores_float_errors
def histogramdd_between(
    x: Tensor,
    bins: Sequence[Tensor],
    _range: Sequence[float] | None,
    weight: Tensor | None,
    density: bool,
) -> tuple[Tensor, list[Tensor]]:
    check_histogram("histogramdd", x, weight, bins)
    points = x.array.reshape(-1, x.array.shape[-1])
    counts = _histogram(points, [edge.array for edge in bins], _weights(weight), density)
    return tensor_of(counts), list(bins)
