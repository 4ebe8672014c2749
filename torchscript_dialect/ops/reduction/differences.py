"""Differences, gradients and integrals along a dimension (PyTorch: native/Integration.cpp, native/ReduceOps.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.pointwise.steps import rounded
from torchscript_dialect.ops.reduction.reduction import computed, stored
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim

composite(
    "aten::diff",
    """
def diff(
    self: Tensor, n: int, dim: int, prepend: Optional[Tensor], append: Optional[Tensor]
) -> Tensor:
    if self.dim() < 1:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError("order must be non-negative but got " + str(n))
    if prepend is not None:
        if prepend.dim() != self.dim():
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    if append is not None:
        if append.dim() != self.dim():
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    result = self
    if n != 0:
        if prepend is not None and append is not None:
            result = torch.cat([prepend, self, append], dim)
        elif prepend is not None:
            result = torch.cat([prepend, self], dim)
        elif append is not None:
            result = torch.cat([self, append], dim)
    for _ in range(min(n, result.size(dim))):
        length = result.size(dim) - 1
        later, earlier = result.narrow(dim, 1, length), result.narrow(dim, 0, length)
        if self.dtype == torch.bool:
            result = torch.logical_xor(later, earlier)
        else:
            result = later - earlier
    if n == 0:
        result = result.clone()
    return result
""",
)

_SAMPLES = """
def {name}(y: Tensor, x: Tensor, dim: int) -> Tensor:
    if y.dtype == torch.bool or x.dtype == torch.bool:
        raise RuntimeError("{name}: received a bool input for `x` or `y`, but bool is not supported")
    places = x
    if {is_empty}:
        sizes = y.size()
        sizes.pop(dim)
        return torch.zeros(sizes, dtype=y.dtype, device=y.device)
    if x.dim() == 1:
        if x.size(0) != y.size(dim):
            raise RuntimeError("{name}: There must be one `x` value for each sample point")
        sizes = [1] * y.dim()
        sizes[dim] = x.size(0)
        places = x.view(sizes)
    elif x.dim() < y.dim():
        places = x.view([1] * (y.dim() - x.dim()) + x.size())
    steps = places.slice(dim, 1) - places.slice(dim, 0, -1)
    return {result}
"""
_SPACED = """
def {name}(y: Tensor, dx: number, dim: int) -> Tensor:
    if y.dtype == torch.bool:
        raise RuntimeError("{name}: received a bool input for `y`, but bool is not supported")
    if isinstance(dx, complex):
        raise RuntimeError("{name}: Currently, we only support dx as a real number.")
    if {is_empty}:
        sizes = y.size()
        sizes.pop(dim)
        return torch.zeros(sizes, dtype=y.dtype, device=y.device)
    return {result}
"""
_PAIRS = "(y.slice(dim, 1) + y.slice(dim, 0, -1))"


def _integral(name: str, is_empty: str, sampled: str, spaced: str) -> None:
    known = {"name": name, "is_empty": is_empty}
    composite(f"aten::{name}.x", _SAMPLES.format(result=sampled, **known))
    composite(f"aten::{name}.dx", _SPACED.format(result=spaced, **known))


_integral(
    "trapezoid",
    "y.size(dim) == 0",
    f"({_PAIRS} * steps).sum(dim) / 2.0",
    "(y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * float(dx)",
)
_integral(
    "cumulative_trapezoid",
    "False",
    f"({_PAIRS} * steps).cumsum(dim) / 2.0",
    f"(float(dx) / 2.0 * {_PAIRS}).cumsum(dim)",
)
composite(
    "aten::trapz.x",
    "def trapz(y: Tensor, x: Tensor, dim: int) -> Tensor:\n    return torch.trapezoid(y, x, dim=dim)\n",
)
composite(
    "aten::trapz.dx",
    "def trapz(y: Tensor, dx: float, dim: int) -> Tensor:\n    return torch.trapezoid(y, dx=dx, dim=dim)\n",
)


# Gradients


@ignores_float_errors
def _gradient(
    x: Tensor, spacing: Sequence[Any], dims: Sequence[int], edge_order: int
) -> list[Tensor]:
    """Central differences; `spacing` has a number or the coordinates for each of `dims`."""
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    if len(spacing) != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal "
            f"to 'self.dim() = {x.array.ndim}', since dim argument was not given"
        )
    axes = [wrap_dim(dim, x.array.ndim) for dim in dims]
    for axis in axes:
        if axes.count(axis) > 1:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
        if x.array.shape[axis] < edge_order + 1:
            raise RuntimeError(
                "torch.gradient expected each dimension size to be at least edge_order+1"
            )
    element = x.dtype
    if element is dtypes.uint8:
        raise RuntimeError("torch.gradient does not support uint8 input.")
    if not (element.is_floating_point or element.is_complex):
        element = dtypes.get_default_dtype()
    array = computed(x.array)
    results: list[Tensor] = []
    for step, axis in zip(spacing, axes):
        given = computed(step.array) if isinstance(step, Tensor) else step
        if array.dtype.kind in "fc" and not isinstance(step, Tensor):
            raw: Any = _evenly(array, axis, edge_order, given, element)
        elif array.dtype.kind in "fc":
            raw = np.gradient(array, given, axis=axis, edge_order=edge_order)
        elif isinstance(step, Tensor):
            wide = array.astype(element.numpy_dtype)
            raw = np.gradient(wide, given, axis=axis, edge_order=edge_order)
            if edge_order == 1:
                rows, ends = (np.moveaxis(one, axis, 0) for one in (raw, np.diff(array, axis=axis)))
                rows[0], rows[-1] = (
                    ends[0] / (given[1] - given[0]),
                    ends[-1] / (given[-1] - given[-2]),
                )
        else:
            raw = _of_integers(array, axis, edge_order, element.numpy_dtype) / given
        results.append(stored(raw.astype(element.numpy_dtype), element))
    return results


def _evenly(
    array: NDArray[Any], axis: int, edge_order: int, gap: Any, element: dtypes.dtype
) -> NDArray[Any]:
    """Differences of floats, each step of which is rounded."""

    def step(value: NDArray[Any]) -> NDArray[Any]:
        return rounded(value, element)

    x = np.moveaxis(array, axis, 0)
    middle = step(step(x[2:] - x[:-2]) / 2)
    if edge_order == 1:
        first, last = step(x[1] - x[0]), step(x[-1] - x[-2])
    else:
        first = step(step(step(-1.5 * x[0]) + 2 * x[1]) - step(0.5 * x[2]))
        last = step(step(step(0.5 * x[-3]) - 2 * x[-2]) + step(1.5 * x[-1]))
    return np.moveaxis(np.concatenate([first[None], middle, last[None]]) / gap, 0, axis)


def _of_integers(
    array: NDArray[Any], axis: int, edge_order: int, element: np.dtype[Any]
) -> NDArray[Any]:
    """Differences of neighbours are integers of the same dtype, which wrap around; what they are divided by is none."""
    x = np.moveaxis(array, axis, 0)
    center = (x[2:] - x[:-2]).astype(element) / 2
    if edge_order == 1:
        first, last = (x[1] - x[0]).astype(element), (x[-1] - x[-2]).astype(element)
    else:
        y, doubled = x.astype(element), (x * x.dtype.type(2)).astype(element)
        first = -1.5 * y[0] + doubled[1] - 0.5 * y[2]
        last = 0.5 * y[-3] - doubled[-2] + 1.5 * y[-1]
    return np.moveaxis(np.concatenate([first[None], center, last[None]]), 0, axis)


def _all_dims(x: Tensor, dim: int | None) -> list[int]:
    return list(range(x.array.ndim)) if dim is None else [dim]


def _one_spacing(x: Tensor, spacing: complex | None, dim: int | None, edge: int) -> list[Tensor]:
    dims = _all_dims(x, dim)
    return _gradient(x, [1.0 if spacing is None else spacing] * len(dims), dims, edge)


def _same_spacing(x: Tensor, spacing: complex, dims: Sequence[int], edge: int) -> list[Tensor]:
    return _gradient(x, [spacing] * len(dims), dims, edge)


registry.implement("gradient.scalarint", _one_spacing)
registry.implement("gradient.scalararray", _same_spacing)
registry.implement("gradient.array", lambda x, dims, edge: _same_spacing(x, 1.0, dims, edge))
registry.implement(
    "gradient.scalarrayint gradient.tensorarrayint",
    lambda x, spacing, dim, edge: _gradient(x, spacing, _all_dims(x, dim), edge),
)
registry.implement("gradient.scalarrayarray gradient.tensorarray", _gradient)
