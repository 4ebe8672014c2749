"""Convolutions of one, two and three dimensions, and transposed ones (PyTorch: aten/src/ATen/native/Convolution.cpp).

Windows of the input become the columns of a matrix (im2col), which the weights multiply; a transposed convolution multiplies first
and adds what it gets to overlapping windows of the result. 16-bit floats compute in float32 and round once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.convolution.convolution_plan import (
    Columns,
    Ints,
    Windows,
    columns_for,
    images_at_once,
    plan_for,
)
from torchscript_dialect.ops.layouts import row_format, row_strides
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.products.matmul import cpp_name
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    dtype_of,
    fresh,
    is_known,
    known_ints,
    of_any_sizes,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.layout import channels_last, contiguous_format, memory_format
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    element_strides,
    empty_strided,
    is_contiguous,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import Dims, TensorProperties

Array = NDArray[Any]
Shape = tuple[int, ...]


# The computation


def columns_of(x: Array, shape: Shape, windows: Windows) -> Array:
    """A view (N, C, kernel, sizes) of the windows of `x` (N, C, ...), padded already."""
    steps = x.strides[2:]
    strides = (
        *x.strides[:2],
        *map(mul, steps, windows.dilation),
        *map(mul, steps, windows.stride),
    )
    if x.flags.c_contiguous:
        return np.ndarray(shape, x.dtype, x, 0, strides)
    return storage.restride_unchecked(x, shape, strides)


def columns_times(x: Array, w: Array, out: Array, windows: Windows) -> None:
    """Fill `out` (N, O, sizes) with the convolution of `x` (N, C, sizes), padded already, and `w` (O, C / groups, kernel)."""
    columns = columns_for(x.shape, w.shape, out.shape[2:], windows.groups)
    _multiply(x, w, out, columns, windows)


@ignores_float_errors
def _multiply(x: Array, w: Array, out: Array, columns: Columns, windows: Windows) -> None:
    over = columns_of(x, columns.windows, windows)
    weights, result = w.reshape(columns.weights), out.reshape(columns.result)
    if columns.at_once >= len(x):
        np.matmul(weights, over.reshape(columns.matrix), out=result)
        return
    for first in range(0, len(x), columns.at_once):
        part = result[first : first + columns.at_once]
        images = over[first : first + columns.at_once]
        np.matmul(weights, images.reshape(len(part), *columns.matrix[1:]), out=part)


@ignores_float_errors
def scattered(x: Array, w: Array, out: Array, windows: Windows) -> None:
    """Add the transposed convolution of `x` (N, C, sizes) and `w` (C, O / groups, kernel) to `out`, the result before its padding
    is cut off.
    """
    n, channels = x.shape[:2]
    groups, kernel, sizes = windows.groups, w.shape[2:], x.shape[2:]
    weights = w.reshape(groups, channels // groups, -1).swapaxes(1, 2)
    at_once = images_at_once(out.shape[1] * prod(kernel) * prod(sizes))
    for first in range(0, n, at_once):
        target = out[first : first + at_once]
        images = x[first : first + at_once].reshape(
            len(target), groups, channels // groups, prod(sizes)
        )
        columns = np.matmul(weights, images).reshape(*target.shape[:2], *kernel, *sizes)
        for place in np.ndindex(*kernel):
            window = tuple(
                slice(i * d, i * d + (size - 1) * s + 1, s)
                for i, d, s, size in zip(place, windows.dilation, windows.stride, sizes)
            )
            target[(..., *window)] += columns[(slice(None), slice(None), *place)]


def padded(x: Array, pads: list[tuple[int, int]]) -> Array:
    """`x` (N, C, ...) with zeros before and after each dimension."""
    sizes, inner = list(x.shape), [slice(None)] * x.ndim
    is_padded = False
    for axis, (before, after) in enumerate(pads, 2):
        if before or after:
            is_padded = True
            inner[axis] = slice(before, before + sizes[axis])
            sizes[axis] += before + after
    if not is_padded:
        return x
    result = np.zeros(sizes, x.dtype)
    result[tuple(inner)] = x
    return result


def _check_dtypes(x: Tensor, weight: Tensor, bias: Tensor | None) -> None:
    of = x.dtype
    if weight.dtype is not of:
        raise RuntimeError(
            f"expected scalar type {of.type_name} but found {weight.dtype.type_name}"
        )
    if bias is not None and bias.dtype is not of:
        raise RuntimeError(
            f"Input type ({cpp_name(of)}) and bias type ({cpp_name(bias.dtype)}) should be the same"
        )
    if of is dtypes.bool_:
        raise NotImplementedError("\"convolution\" not implemented for 'Bool'")


# Operators


def result_format(layouts: Sequence[tuple[Sequence[int], Sequence[int]]]) -> memory_format:
    """Channels come last in the result of a convolution where they do in its input or weights (shape and strides of each).

    PyTorch copies an input of rows (N, C, L) that is not contiguous, so that it does not count.
    """
    first, *rest = layouts
    if len(first[0]) == 3 and not is_contiguous(*first):
        layouts = rest
    formats = [row_format(*layout) for layout in layouts if len(layout[0]) in (3, 4)]
    return channels_last if channels_last in formats else contiguous_format


def convolve(x: Tensor, weight: Tensor, bias: Tensor | None, windows: Windows) -> Tensor:
    """The convolution of `x` (N, C, sizes).

    Raises:
        RuntimeError: ranks, sizes, dtypes or numbers do not fit, in PyTorch's words.
    """
    array, w = x.array, weight.array
    plan = plan_for(array.shape, w.shape, None if bias is None else bias.array.shape, windows)
    _check_dtypes(x, weight, bias)
    strides = _strides_of(plan.shape, array.shape, array.strides, w.shape, w.strides, array.dtype)
    element, compute = array.dtype, opmath(x.dtype).numpy_dtype
    if element is not compute:
        array, w = array.astype(compute, copy=False), w.astype(compute, copy=False)
    if plan.is_empty:
        out = np.empty(plan.shape, compute)
    elif plan.is_transposed:
        whole = np.zeros(plan.outer_shape, compute)
        scattered(array, w, whole, plan.windows)
        out = whole[plan.inner]
    else:
        if plan.is_padded:
            whole = np.zeros(plan.outer_shape, compute)
            whole[plan.inner] = array
            array = whole
        out = np.empty(plan.shape, compute)
        _multiply(array, w, out, plan.columns, plan.windows)
    if bias is not None and not plan.is_empty:
        out = _shifted(out, bias.array.astype(compute, copy=False).reshape(plan.bias_shape))
    is_cut = (
        plan.is_transposed and plan.outer_shape != plan.shape
    )  # NumPy forgives strides of size 1
    if strides is not None or out.dtype is not element or is_cut:
        out = _copied(out, strides or contiguous_strides(plan.shape), element)
    return tensor_of(out)


@lru_cache(maxsize=2048)
def _strides_of(
    result: Shape, x: Shape, x_strides: Shape, w: Shape, w_strides: Shape, element: np.dtype[Any]
) -> Shape | None:
    """The strides of a result; None of one that is contiguous. Those of the operands are in bytes."""
    layouts = [
        (shape, [stride // element.itemsize for stride in strides])
        for shape, strides in ((x, x_strides), (w, w_strides))
    ]
    strides = _strides(result, result_format(layouts), element.kind == "c")
    return None if strides == contiguous_strides(result) else strides


@ignores_float_errors
def _shifted(out: Array, bias: Array) -> Array:
    out += bias
    return out


def _strides(shape: Ints, wanted: memory_format, is_complex: bool) -> tuple[int, ...]:
    """The strides of a result. Complex ones are sums of real ones, for which one channel or one row is contiguous in either format."""
    strides = row_strides(shape, wanted)
    if is_complex and is_contiguous(shape, strides):
        return contiguous_strides(shape)
    return strides


@ignores_float_errors
def laid_out(out: Array, element: np.dtype[Any], wanted: memory_format) -> Array:
    """A fresh array with these elements, in that dtype and memory format."""
    strides = _strides(out.shape, wanted, element.kind == "c")
    if out.dtype == element and element_strides(out) == strides:
        return out
    return _copied(out, strides, element)


@ignores_float_errors
def _copied(values: Array, strides: Shape, element: np.dtype[Any]) -> Array:
    result = empty_strided(values.shape, strides, element)
    result[...] = values
    return result


def _shape(x: Fact, weight: Fact, windows: Windows) -> TensorProperties:
    """The rule, for an input with a batch; a weight of which nothing is known has as many dimensions as that."""
    sizes, of = rank_known(x), rank_known(weight)
    if sizes is not None and of is None:
        of = (None,) * len(sizes)
    if sizes is None or of is None or len(sizes) != len(of) or len(of) < 3:
        return NOTHING
    windows = windows.over(len(of) - 2)
    transposed = windows.output_padding is not None
    outputs = of[1] if transposed else of[0]
    if transposed and outputs is not None:
        outputs *= windows.groups
    inner: list[int | None] = []
    for place, (size, kernel) in enumerate(zip(sizes[2:], of[2:])):
        if windows.padding == "same":
            inner.append(size)
        elif size is None or kernel is None:
            inner.append(None)
        else:
            inner.append(windows.sizes([size] * (place + 1), [kernel] * (place + 1))[place])
    if sizes[1] == 0:
        outputs = 0
    elif sizes[1] is None:
        outputs = None
    return fresh(
        dtype_of(x),
        (sizes[0], outputs, *inner),
        x,
        strides=known_strides(x, weight, (sizes[0], outputs, *inner)),
    )


def _batch_of(x: TensorProperties, sizes: Dims) -> TensorProperties:
    """A batch of one image."""
    strides = known_ints(x.strides)
    if strides is None or sizes[0] is None:
        return TensorProperties(x.dtype, (1, *sizes), None, x.device)
    return TensorProperties(x.dtype, (1, *sizes), (sizes[0] * strides[0], *strides), x.device)


def known_strides(x: TensorProperties, weight: TensorProperties, sizes: Dims) -> Dims | None:
    """The strides of a result, as far as types tell."""
    exact = known_ints(sizes)
    layouts = [(known_ints(fact.sizes), known_ints(fact.strides)) for fact in (x, weight)]
    known = [(n, s) for n, s in layouts if n is not None and s is not None]
    if exact is None or len(known) < 2:
        return (None,) * len(sizes)
    of = dtype_of(x)
    return _strides(exact, result_format(known), of is not None and of.is_complex)


def _declare(names: str, rank: int | None, windows_of: Callable[..., Windows]) -> None:
    """Operators whose arguments after input, weight and bias are those of `windows_of`; with a rank, the input may lack its batch."""
    name = names.partition(".")[0]

    windows_by = planned(windows_of)

    def kernel(x: Tensor, weight: Tensor, bias: Tensor | None, *arguments: Any) -> Tensor:
        windows = windows_by(*arguments)
        if rank is None or x.array.ndim == rank + 2:
            return convolve(x, weight, bias, windows)
        if x.array.ndim != rank + 1:
            raise RuntimeError(
                f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got "
                f"input of size: {list(x.array.shape)}"
            )
        return tensor_of(convolve(tensor_of(x.array[None]), weight, bias, windows).array[0])

    def rule(facts: Sequence[Fact]) -> TensorProperties:
        x, weight, _, *arguments = facts
        sizes = rank_known(x)
        if sizes is None or not is_known(arguments):
            return of_any_sizes(x)
        try:
            if len(sizes) + 1 != (rank or 0) + 2:
                return _shape(x, weight, windows_of(*arguments))
            found = _shape(_batch_of(x, sizes), weight, windows_of(*arguments))
        except RuntimeError:
            return NOTHING
        if found.sizes is None:
            return found
        strides = None if found.strides is None else found.strides[1:]
        return TensorProperties(found.dtype, found.sizes[1:], strides, found.device)

    registry.implement(names, kernel, shape=rule)


for _rank in (1, 2, 3):
    _declare(f"conv{_rank}d", _rank, Windows)
    _declare(f"conv{_rank}d.padding", _rank, Windows)
    _overload = "" if _rank == 1 else ".input"
    _declare(f"conv_transpose{_rank}d{_overload}", _rank, Windows.of_transposed)
_declare("_convolution_mode", None, Windows)
_declare("convolution", None, Windows.of_either)
_declare("_convolution", None, Windows.of_either)
_declare("_convolution.deprecated", None, Windows.of_either)
