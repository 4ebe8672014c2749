"""Patches of images as columns, and back: `unfold` and `fold` of torch.nn.functional (PyTorch: native/Im2Col.cpp, Col2Im.cpp)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.images.native_planes import are_native, native
from torchscript_dialect.ops.plans import planned
from torchscript_dialect.ops.shapes import NOTHING, Fact, dtype_of, fresh, is_known, known_ints
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]
Ints = Sequence[int]


def _check(name: str, x: Tensor, lists: dict[str, Ints]) -> None:
    _check_lists(lists)
    if x.dtype.is_integral and x.dtype is not dtypes.bool_:
        raise NotImplementedError(f"\"{name}\" not implemented for '{x.dtype.type_name}'")


def _check_lists(lists: dict[str, Ints]) -> None:
    for what, numbers in lists.items():
        if len(numbers) != 2:
            raise RuntimeError(f"It is expected {what} equals to 2, but got size {len(numbers)}")
        if min(numbers) <= 0 and what != "padding":
            raise RuntimeError(
                f"{what} should be greater than zero, but got {what}_height: {numbers[0]} "
                f"{what}_width: {numbers[1]}"
            )
    if min(lists["padding"]) < 0:
        raise RuntimeError("padding should be non-negative")


def _counts(sizes: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> list[int]:
    """How many patches there are along each dimension."""
    return [
        (size + 2 * p - d * (k - 1) - 1) // s + 1
        for size, k, d, p, s in zip(sizes, kernel, dilation, padding, stride)
    ]


def _slices(
    counts: Ints, kernel: Ints, dilation: Ints, stride: Ints
) -> Iterator[tuple[tuple[int, ...], tuple[slice, slice]]]:
    """For each element of a patch, where it is in the padded image for all patches."""
    for place in np.ndindex(*kernel):
        rows, columns = (
            slice(i * d, i * d + (count - 1) * s + 1, s)
            for i, d, count, s in zip(place, dilation, counts, stride)
        )
        yield place, (rows, columns)


def _columns_shape(facts: Sequence[Fact]) -> Fact:
    x, *rest = facts
    sizes = known_ints(x.sizes) if isinstance(x, TensorProperties) else None
    if sizes is None or len(sizes) not in (3, 4) or not is_known(rest):
        return NOTHING
    kernel, *windows = rest
    counts = _counts(sizes[-2:], kernel, *windows)
    shape = (*sizes[:-3], sizes[-3] * prod(kernel), prod(counts))
    return fresh(dtype_of(x), shape, x)


def _counts_of_columns(
    shape: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> list[int]:
    """How many patches there are of images of this shape along each dimension.

    Raises:
        RuntimeError: it is no shape of images, or they have no patches.
    """
    if len(shape) not in (3, 4) or not all(shape[-3:]):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero "
            f"dimensions for input, but got: {list(shape)}"
        )
    counts = _counts(shape[-2:], kernel, dilation, padding, stride)
    if min(counts) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(shape[-2:])}, kernel_size={tuple(kernel)}, "
            f"dilation={tuple(dilation)}, padding={tuple(padding)}, stride={tuple(stride)}, calculated "
            f"shape of the array of sliding blocks as {tuple(counts)}, but its components must be at "
            "least one."
        )
    return counts


@planned
def _numbers_of_columns(
    shape: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> Tensor:
    """What describes the patches to native code."""
    windows = {"kernel_size": kernel, "dilation": dilation, "padding": padding, "stride": stride}
    _check_lists(windows)
    counts = _counts_of_columns(shape, kernel, dilation, padding, stride)
    result = (shape[-3] * prod(kernel), prod(counts))
    return native().numbers_of_patches(result, (shape[-2:], counts, *windows.values()))


@registry.kernel("im2col", shape=_columns_shape)
def im2col(x: Tensor, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints) -> Tensor:
    """The patches of each image, as columns (N, C * kernel, patches)."""
    array = x.array
    if are_native(x):
        numbers = _numbers_of_columns(array.shape, kernel, dilation, padding, stride)
        made = native().over_planes("columns", x, numbers, 3, 2)
        if made is not None:
            return made
    _check(
        "im2col_out_cpu",
        x,
        {"kernel_size": kernel, "dilation": dilation, "padding": padding, "stride": stride},
    )
    counts = _counts_of_columns(array.shape, kernel, dilation, padding, stride)
    batched = array if array.ndim == 4 else array[None]
    wide = np.pad(batched, ((0, 0), (0, 0), *((p, p) for p in padding)))
    n, channels = batched.shape[:2]
    out = np.empty((n, channels, *kernel, *counts), array.dtype)
    for place, where in _slices(counts, kernel, dilation, stride):
        out[(slice(None), slice(None), *place)] = wide[(slice(None), slice(None), *where)]
    columns = out.reshape(n, channels * prod(kernel), prod(counts))
    return tensor_of(columns if array.ndim == 4 else columns[0])


def _images_shape(facts: Sequence[Fact]) -> Fact:
    x, output_size, kernel, *_ = facts
    sizes = known_ints(x.sizes) if isinstance(x, TensorProperties) else None
    if sizes is None or len(sizes) not in (2, 3) or not is_known(output_size, kernel):
        return NOTHING
    if not prod(kernel):
        return NOTHING
    return fresh(dtype_of(x), (*sizes[:-2], sizes[-2] // prod(kernel), *output_size), x)


def _counts_of_images(
    shape: Ints, output_size: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> list[int]:
    """How many patches columns of this shape hold along each dimension of an image.

    Raises:
        RuntimeError: it is no shape of columns of such images.
    """
    if len(shape) not in (2, 3) or not all(shape[-2:]):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero "
            f"dimensions for input, but got: {list(shape)}"
        )
    if shape[-2] % prod(kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but "
            f"got input.size(1)={shape[-2]} and kernel_size={tuple(kernel)}."
        )
    counts = _counts(output_size, kernel, dilation, padding, stride)
    if min(counts) < 1 or prod(counts) != shape[-1]:
        raise RuntimeError(
            f"Given output_size={tuple(output_size)}, kernel_size={tuple(kernel)}, "
            f"dilation={tuple(dilation)}, padding={tuple(padding)}, stride={tuple(stride)}, expected "
            f"size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{' * '.join(map(str, counts))} = {prod(counts)}, but got input.size(2)={shape[-1]}."
        )
    return counts


@planned
def _numbers_of_images(
    shape: Ints, output_size: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> Tensor:
    """What describes the patches to native code."""
    windows = {"kernel_size": kernel, "dilation": dilation, "padding": padding, "stride": stride}
    _check_lists({"output_size": output_size, **windows})
    counts = _counts_of_images(shape, output_size, kernel, dilation, padding, stride)
    result = (shape[-2] // prod(kernel), *output_size)
    return native().numbers_of_patches(result, (output_size, counts, *windows.values()))


@registry.kernel("col2im", shape=_images_shape)
@ignores_float_errors
def col2im(
    x: Tensor, output_size: Ints, kernel: Ints, dilation: Ints, padding: Ints, stride: Ints
) -> Tensor:
    """Images in which each patch is added at its place."""
    array = x.array
    if are_native(x):
        windows = (kernel, dilation, padding, stride)
        numbers = _numbers_of_images(array.shape, output_size, *windows)
        made = native().over_planes("columns_back", x, numbers, 2, 3)
        if made is not None:
            return made
    _check(
        "col2im_out_cpu",
        x,
        {
            "output_size": output_size,
            "kernel_size": kernel,
            "dilation": dilation,
            "padding": padding,
            "stride": stride,
        },
    )
    counts = _counts_of_images(array.shape, output_size, kernel, dilation, padding, stride)
    channels = array.shape[-2] // prod(kernel)
    patches = array.reshape(-1, channels, *kernel, *counts)
    sizes = [size + 2 * p for size, p in zip(output_size, padding)]
    compute = array.dtype if array.dtype.kind in "bc" else opmath(x.dtype).numpy_dtype
    wide: Array = np.zeros((len(patches), channels, *sizes), compute)
    for place, where in _slices(counts, kernel, dilation, stride):
        wide[(slice(None), slice(None), *where)] += patches[(slice(None), slice(None), *place)]
    inner = tuple(slice(p, p + size) for p, size in zip(padding, output_size))
    images = np.ascontiguousarray(wide[(slice(None), slice(None), *inner)], array.dtype)
    return tensor_of(images if array.ndim == 3 else images[0])
