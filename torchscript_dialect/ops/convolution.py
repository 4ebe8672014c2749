"""Convolutions of one, two and three dimensions, and transposed ones (PyTorch: aten/src/ATen/native/Convolution.cpp).

Windows of the input become the columns of a matrix (im2col), which the weights multiply; a transposed convolution multiplies first
and adds what it gets to overlapping windows of the result. 16-bit floats compute in float32 and round once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.layouts import row_format, row_strides
from torchscript_dialect.ops.matmul import cpp_name
from torchscript_dialect.ops.pointwise import opmath
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    dtype_of,
    fresh,
    is_known,
    known_ints,
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
from torchscript_dialect.types.tensor_type import Dims, TensorProperties

COLUMN_ELEMENTS = 1 << 22
"""About how many elements of the matrix of columns are held at a time; a single image may take more."""

Array = NDArray[Any]
Ints = Sequence[int]


@dataclass(frozen=True, slots=True)
class Windows:
    """The arguments that say where the windows are; a list of one number counts for all dimensions."""

    stride: Ints
    padding: Ints | str
    dilation: Ints
    groups: int
    output_padding: Ints | None = None
    """None where the convolution is not transposed."""

    def over(self, rank: int) -> Windows:
        """The same with a number for each of `rank` dimensions.

        Raises:
            RuntimeError: a list has another length, or a number is out of range.
        """
        output_padding = self.output_padding
        if output_padding is not None:
            output_padding = _spread("output_padding", output_padding, rank)
        padding = self.padding
        if not isinstance(padding, str):
            padding = _spread("padding", padding, rank)
        spread = Windows(
            _spread("stride", self.stride, rank),
            padding,
            _spread("dilation", self.dilation, rank),
            self.groups,
            output_padding,
        )
        spread._check()
        return spread

    def _check(self) -> None:
        if not isinstance(self.padding, str) and min(self.padding) < 0:
            raise RuntimeError("negative padding is not supported")
        if self.output_padding is not None and min(self.output_padding) < 0:
            raise RuntimeError("negative output_padding is not supported")
        if min(self.stride) <= 0:
            raise RuntimeError("non-positive stride is not supported")
        if min(self.dilation) <= 0:
            raise RuntimeError(
                f"dilation should be greater than zero, but got {list(self.dilation)}"
            )
        if self.groups <= 0:
            raise RuntimeError("non-positive groups is not supported")
        if self.padding not in ("same", "valid") and isinstance(self.padding, str):
            raise RuntimeError(f"Invalid padding string: '{self.padding}'")
        if self.padding == "same" and max(self.stride) > 1:
            raise RuntimeError("padding='same' is not supported for strided convolutions")

    def pads(self, kernel: Ints) -> list[tuple[int, int]]:
        """What is added before and after each dimension."""
        if isinstance(self.padding, str):
            if self.padding == "valid":
                return [(0, 0)] * len(kernel)
            totals = [d * (k - 1) for d, k in zip(self.dilation, kernel)]
            return [(total // 2, total - total // 2) for total in totals]
        return [(p, p) for p in self.padding]

    def sizes(self, sizes: Ints, kernel: Ints) -> list[int]:
        """The sizes of the result: negative or 0 where no window fits."""
        pads = self.pads(kernel)
        if self.output_padding is None:
            return [
                (size + sum(pad) - d * (k - 1) - 1) // s + 1
                for size, k, pad, s, d in zip(sizes, kernel, pads, self.stride, self.dilation)
            ]
        return [
            (size - 1) * s - sum(pad) + d * (k - 1) + more + 1
            for size, k, pad, s, d, more in zip(
                sizes, kernel, pads, self.stride, self.dilation, self.output_padding
            )
        ]


def _spread(name: str, numbers: Ints, rank: int) -> list[int]:
    if len(numbers) not in (1, rank):
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {rank} values to match the "
            f"convolution dimensions, but got {name}={list(numbers)}"
        )
    return [*numbers] if len(numbers) == rank else [*numbers] * rank


# The computation


def columns_of(x: Array, kernel: Ints, sizes: Ints, windows: Windows) -> Array:
    """A view (N, C, kernel, sizes) of the windows of `x` (N, C, ...), padded already."""
    steps = x.strides[2:]
    return storage.restride_unchecked(
        x,
        (*x.shape[:2], *kernel, *sizes),
        (
            *x.strides[:2],
            *(step * d for step, d in zip(steps, windows.dilation)),
            *(step * s for step, s in zip(steps, windows.stride)),
        ),
    )


@ignores_float_errors
def columns_times(x: Array, w: Array, out: Array, windows: Windows) -> None:
    """Fill `out` (N, O, sizes) with the convolution of `x` (N, C, sizes), padded already, and `w` (O, C / groups, kernel)."""
    n, channels = x.shape[:2]
    groups, kernel, sizes = windows.groups, w.shape[2:], out.shape[2:]
    over = columns_of(x, kernel, sizes, windows)
    rows = channels // groups * prod(kernel)
    weights = w.reshape(groups, -1, rows)
    at_once = max(1, COLUMN_ELEMENTS // max(1, channels * prod(kernel) * prod(sizes)))
    for first in range(0, n, at_once):
        part = over[first : first + at_once]
        columns = part.reshape(len(part), groups, rows, prod(sizes))
        product = np.matmul(weights, columns)
        out[first : first + at_once] = product.reshape(len(part), *out.shape[1:])


@ignores_float_errors
def scattered(x: Array, w: Array, out: Array, windows: Windows) -> None:
    """Add the transposed convolution of `x` (N, C, sizes) and `w` (C, O / groups, kernel) to `out`, the result before its padding
    is cut off.
    """
    n, channels = x.shape[:2]
    groups, kernel, sizes = windows.groups, w.shape[2:], x.shape[2:]
    weights = w.reshape(groups, channels // groups, -1).swapaxes(1, 2)
    for image in range(n):
        columns = np.matmul(weights, x[image].reshape(groups, channels // groups, prod(sizes)))
        columns = columns.reshape(out.shape[1], *kernel, *sizes)
        for place in np.ndindex(*kernel):
            target = tuple(
                slice(i * d, i * d + (size - 1) * s + 1, s)
                for i, d, s, size in zip(place, windows.dilation, windows.stride, sizes)
            )
            out[(image, slice(None), *target)] += columns[(slice(None), *place)]


def padded(x: Array, pads: list[tuple[int, int]]) -> Array:
    if not any(map(sum, pads)):
        return x
    sizes = [size + before + after for size, (before, after) in zip(x.shape[2:], pads)]
    result = np.zeros((*x.shape[:2], *sizes), x.dtype)
    inner = tuple(slice(pad[0], pad[0] + size) for size, pad in zip(x.shape[2:], pads))
    result[(slice(None), slice(None), *inner)] = x
    return result


# Checks


def _check_shapes(x: Array, w: Array, bias: Array | None, windows: Windows) -> None:
    groups, transposed = windows.groups, windows.output_padding is not None
    of = list(w.shape)
    if x.ndim != w.ndim:
        raise RuntimeError(
            f"Expected {w.ndim}-dimensional input for {w.ndim}-dimensional weight {of}, but got "
            f"{x.ndim}-dimensional input of size {list(x.shape)} instead"
        )
    if w.shape[0] < groups and w.shape[0]:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got "
            f"weight of size {of} instead"
        )
    if w.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but "
            f"got weight of size [{of}] instead"
        )
    if not transposed and not w.shape[0]:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least 1 at dimension 0, but got weight "
            f"of size {of} instead"
        )
    channels = w.shape[0] if transposed else w.shape[1] * groups
    if x.shape[1] != channels:
        given = "transposed=1" if transposed else f"groups={groups}"
        raise RuntimeError(
            f"Given {given}, weight of size {of}, expected input{list(x.shape)} to have {channels} "
            f"channels, but got {x.shape[1]} channels instead"
        )
    outputs = w.shape[1] * groups if transposed else w.shape[0]
    if bias is not None and bias.shape != (outputs,):
        given = "transposed=1, " if transposed else ""
        raise RuntimeError(
            f"Given {given}weight of size {of}, expected bias to be 1-dimensional with {outputs} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )


def _check_sizes(x: Array, w: Array, windows: Windows) -> None:
    kernel = w.shape[2:]
    if not all(kernel):
        raise RuntimeError(
            f"kernel size should be greater than zero, but got weight of size {list(w.shape)}"
        )
    if windows.output_padding is not None:
        _check_output_padding(windows)
    else:
        wide = [size + sum(pad) for size, pad in zip(x.shape[2:], windows.pads(kernel))]
        reach = [d * (k - 1) + 1 for d, k in zip(windows.dilation, kernel)]
        if any(size < least for size, least in zip(wide, reach)):
            raise RuntimeError(
                f"Calculated padded input size per channel: ({_by(wide)}). Kernel size: "
                f"({_by(reach)}). Kernel size can't be greater than actual input size"
            )
    if not all(x.shape[2:]):
        raise RuntimeError(
            "Only zero batch or zero channel inputs are supported, but got input shape: "
            f"{list(x.shape)}"
        )


def _check_output_padding(windows: Windows) -> None:
    assert windows.output_padding is not None
    of = {
        "output_padding": windows.output_padding,
        "stride": windows.stride,
        "dilation": windows.dilation,
    }
    if all(more < max(s, d) for more, s, d in zip(*of.values())):
        return
    names = ("depth", "height", "width")[-len(windows.stride) :]
    said = [f"{key}_{name}: {n}" for key, numbers in of.items() for name, n in zip(names, numbers)]
    raise RuntimeError(
        f"output padding must be smaller than either stride or dilation, but got {' '.join(said)}"
    )


def _by(sizes: Ints) -> str:
    return " x ".join(map(str, sizes))


def _check_dtypes(x: Tensor, weight: Tensor, bias: Tensor | None) -> None:
    if weight.dtype is not x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.type_name} but found {weight.dtype.type_name}"
        )
    if bias is not None and bias.dtype is not x.dtype:
        raise RuntimeError(
            f"Input type ({cpp_name(x.dtype)}) and bias type ({cpp_name(bias.dtype)}) should be the "
            "same"
        )
    if x.dtype is dtypes.bool_:
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
    if w.ndim < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if w.ndim > 5:
        raise RuntimeError(f"convolution of {w.ndim - 2} dimensions is not supported")
    windows = windows.over(w.ndim - 2)
    _check_shapes(array, w, None if bias is None else bias.array, windows)
    _check_sizes(array, w, windows)
    _check_dtypes(x, weight, bias)
    kernel = w.shape[2:]
    sizes = windows.sizes(array.shape[2:], kernel)
    transposed = windows.output_padding is not None
    if min(sizes) <= 0:
        raise RuntimeError(
            f"Given input size per channel: ({_by(array.shape[2:])}). Calculated output size per "
            f"channel: ({_by(sizes)}). Output size is too small"
        )
    channels = w.shape[1] * windows.groups if transposed else w.shape[0]
    shape = (array.shape[0], channels if array.shape[1] else 0, *sizes)
    format = result_format([(a.shape, element_strides(a)) for a in (array, w)])
    element, compute = array.dtype, opmath(x.dtype).numpy_dtype
    array, w = array.astype(compute, copy=False), w.astype(compute, copy=False)
    pads = windows.pads(kernel)
    if not prod(shape):
        out = np.empty(shape, compute)
    elif transposed:
        whole = np.zeros((*shape[:2], *(n + sum(pad) for n, pad in zip(sizes, pads))), compute)
        scattered(array, w, whole, windows)
        inner = tuple(slice(pad[0], pad[0] + n) for n, pad in zip(sizes, pads))
        out = whole[(slice(None), slice(None), *inner)]
    else:
        out = np.empty(shape, compute)
        columns_times(padded(array, pads), w, out, windows)
    if bias is not None and prod(shape):
        out = _shifted(out, bias.array.astype(compute, copy=False))
    return tensor_of(laid_out(out, element, format))


@ignores_float_errors
def _shifted(out: Array, bias: Array) -> Array:
    out += bias.reshape(-1, *(1,) * (out.ndim - 2))
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
    result = empty_strided(out.shape, strides, element)
    result[...] = out
    return result


def _shape(x: Fact, weight: Fact, windows: Windows) -> TensorProperties:
    """The rule, for an input with a batch."""
    sizes, of = rank_known(x), rank_known(weight)
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
        strides=_known_strides(x, weight, (sizes[0], outputs, *inner)),
    )


def _known_strides(x: TensorProperties, weight: TensorProperties, sizes: Dims) -> Dims | None:
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

    def kernel(x: Tensor, weight: Tensor, bias: Tensor | None, *arguments: Any) -> Tensor:
        windows = windows_of(*arguments)
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
            return NOTHING
        try:
            if len(sizes) + 1 != (rank or 0) + 2:
                return _shape(x, weight, windows_of(*arguments))
            found = _shape(
                TensorProperties(x.dtype, (1, *sizes), None, x.device),
                weight,
                windows_of(*arguments),
            )
        except RuntimeError:
            return NOTHING
        if found.sizes is None:
            return found
        return TensorProperties(found.dtype, found.sizes[1:], None, found.device)

    registry.implement(names, kernel, shape=rule)


def _transposed(
    stride: Ints, padding: Ints, output_padding: Ints, groups: int, dilation: Ints
) -> Windows:
    return Windows(stride, padding, dilation, groups, output_padding)


def _general(
    stride: Ints,
    padding: Ints,
    dilation: Ints,
    transposed: bool,
    output_padding: Ints,
    groups: int,
    *_library_settings: bool,
) -> Windows:
    return Windows(stride, padding, dilation, groups, output_padding if transposed else None)


for _rank in (1, 2, 3):
    _declare(f"conv{_rank}d", _rank, Windows)
    _declare(f"conv{_rank}d.padding", _rank, Windows)
    _overload = "" if _rank == 1 else ".input"
    _declare(f"conv_transpose{_rank}d{_overload}", _rank, _transposed)
_declare("_convolution_mode", None, Windows)
_declare("convolution", None, _general)
_declare("_convolution", None, _general)
_declare("_convolution.deprecated", None, _general)
