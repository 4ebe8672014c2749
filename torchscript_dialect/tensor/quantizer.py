"""Quantized tensors: integers that stand for `(integer - zero_point) * scale` (PyTorch: aten/src/ATen/quantized/Quantizer.cpp).

Note [Quantized tensors]
The array of a quantized tensor has a NumPy dtype of its own, which holds integers but has no arithmetic (`dtype._quantized`), so that a
kernel for numbers raises. Its metadata hold the quantizer: NumPy hands a dtype on to every view and copy, and so the quantizer goes
where the elements go, through kernels that know nothing of it. Kernels that do know take the integers out (`ints`), compute, and
put integers in (`of_ints`). Dtypes compare equal whatever their metadata are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.storage import view_of
from torchscript_dialect.tensor.strides import element_strides

Array = NDArray[Any]

PER_TENSOR_AFFINE, PER_CHANNEL_AFFINE, PER_CHANNEL_AFFINE_FLOAT_QPARAMS = 0, 1, 4
"""PyTorch's numbers of `QScheme`."""
SCHEMES = {
    PER_TENSOR_AFFINE: "per_tensor_affine",
    PER_CHANNEL_AFFINE: "per_channel_affine",
    PER_CHANNEL_AFFINE_FLOAT_QPARAMS: "per_channel_affine_float_qparams",
}
"""Their names in `torch`."""


@dataclass(frozen=True, eq=False, slots=True)
class PerTensor:
    """One scale and zero point for all elements."""

    scale: float
    zero_point: int

    @property
    def scheme(self) -> int:
        return PER_TENSOR_AFFINE

    def over(self, array: Array) -> tuple[Array, Array]:
        """Scale and zero point of each element, to be broadcast."""
        return np.asarray(self.scale), np.asarray(self.zero_point)


@dataclass(frozen=True, eq=False, slots=True)
class PerChannel:
    """Scales and zero points, one for each index of dimension `axis`. Zero points that are floats are added before the scale."""

    scales: Array
    zero_points: Array
    axis: int
    strides: tuple[int, ...]
    """Strides in elements of the tensor that it belongs to: views of that have no quantizer."""

    @property
    def scheme(self) -> int:
        is_float = self.zero_points.dtype.kind == "f"
        return PER_CHANNEL_AFFINE_FLOAT_QPARAMS if is_float else PER_CHANNEL_AFFINE

    def over(self, array: Array) -> tuple[Array, Array]:
        """Scale and zero point of each element, to be broadcast; RuntimeError for a view."""
        if element_strides(array) != self.strides or array.shape[self.axis] != self.scales.size:
            raise RuntimeError(
                "Setting strides is possible only on uniformly quantized tensor: this is a view of one with a scale for each channel"
            )
        shape = (-1, *(1,) * (array.ndim - 1 - self.axis))
        return self.scales.reshape(shape), self.zero_points.reshape(shape)


Quantizer = PerTensor | PerChannel


def quantizer_of(array: Array) -> Quantizer | None:
    """How the integers of an array stand for numbers; None for an array of numbers."""
    metadata = array.dtype.metadata
    return None if metadata is None else metadata["quantizer"]


def ints(array: Array) -> Array:
    """The integers of a quantized array, on its memory."""
    integers = dtypes.of_array(array).integers
    assert integers is not None
    return array.view(integers)


def of_ints(integers: Array, quantizer: Quantizer, dtype: dtypes.dtype) -> Array:
    """The quantized array on the memory of integers of the dtype's kind."""
    assert integers.dtype == dtype.integers, f"{integers.dtype} for {dtype}"
    described: Any = np.dtype  # whose stubs know no metadata
    return integers.view(described(dtype.numpy_dtype, metadata={"quantizer": quantizer}))


def per_channel(array: Array, scales: Array, zero_points: Array, axis: int) -> PerChannel:
    """The quantizer of an array, or of its integers. Scales and zero points are float64 and int64, or float32 both."""
    if zero_points.dtype.kind == "f":
        kinds = (np.float32, np.float32)
    else:
        kinds = (np.float64, np.int64)
    return PerChannel(
        scales.astype(kinds[0]), zero_points.astype(kinds[1]), axis, element_strides(array)
    )


@ignores_float_errors
def quantized(numbers: Array, quantizer: Quantizer, dtype: dtypes.dtype) -> Array:
    """The integers nearest to float32 numbers, ties to even; what is out of range is at the end of the range.

    NaN is the largest integer where there is one scale and 0 where there are more, and always the smallest of 32 bits, as in PyTorch.
    """
    assert dtype.integers is not None
    scale, zero_point = quantizer.over(numbers)
    zero = zero_point.astype(np.float32)
    if quantizer.scheme == PER_CHANNEL_AFFINE_FLOAT_QPARAMS:
        steps = numbers / scale.astype(np.float32) + zero
    else:
        steps = numbers * (np.float32(1) / scale.astype(np.float32)) + zero
    at_nan = 0 if isinstance(quantizer, PerChannel) else None
    return of_ints(rounded(steps, dtype, at_nan), quantizer, dtype)


@ignores_float_errors
def rounded(steps: Array, dtype: dtypes.dtype, at_nan: int | None = None) -> Array:
    """Integers nearest to float numbers, held in the range of the dtype; NaN is `at_nan`, or the largest of 8 bits."""
    assert dtype.integers is not None
    limits = np.iinfo(dtype.integers)
    if dtype is dtypes.qint32:
        steps, at_nan = (
            steps.astype(np.float64),
            limits.min,
        )  # float32 has no largest integer of 32 bits
    held = np.clip(np.rint(steps), limits.min, limits.max)
    return np.nan_to_num(held, nan=limits.max if at_nan is None else at_nan).astype(dtype.integers)


@ignores_float_errors
def dequantized(array: Array) -> Array:
    """The float32 numbers that a quantized array stands for."""
    quantizer = quantizer_of(array)
    assert quantizer is not None
    scale, zero_point = quantizer.over(array)
    if isinstance(quantizer, PerChannel):
        steps = ints(array).astype(np.float32) - zero_point.astype(np.float32)
    else:
        steps = (ints(array).astype(np.int32) - zero_point.astype(np.int32)).astype(np.float32)
    return steps * scale.astype(np.float32)


def rebuild_quantized(
    storage: Array,
    dtype: dtypes.dtype,
    offset: int,
    size: tuple[int, ...],
    stride: tuple[int, ...],
    parameters: tuple[Any, ...],
) -> Array:
    """The array of a tensor that an archive holds (PyTorch: torch._utils._rebuild_qtensor).

    `storage` is the contiguous block of bytes, `offset` and `stride` count elements, `parameters` begin with the number of the scheme;
    scale and zero point follow, or tensors of them and the axis.

    Raises:
        ValueError: the tensor reaches outside of the storage.
        RuntimeError: the dtype is not quantized, or the scheme is none that PyTorch quantizes by.
    """
    if dtype.integers is None:
        raise RuntimeError(f"{dtype} is not the dtype of a quantized tensor")
    block = storage.reshape(-1).view(np.uint8)
    block = block[: block.size // dtype.itemsize * dtype.itemsize].view(dtype.integers)
    strides = tuple(step * dtype.itemsize for step in stride)
    array = view_of(block, offset * dtype.itemsize, size, strides, block)
    scheme, *rest = parameters
    if scheme == PER_TENSOR_AFFINE:
        quantizer = PerTensor(float(rest[0]), int(rest[1]))
    elif scheme in (PER_CHANNEL_AFFINE, PER_CHANNEL_AFFINE_FLOAT_QPARAMS):
        scales, zero_points, axis = rest
        quantizer = per_channel(array, np.asarray(scales), np.asarray(zero_points), int(axis))
    else:
        raise RuntimeError(f"Can't deserialize quantized tensor with qscheme {scheme}")
    return of_ints(array, quantizer, dtype)
