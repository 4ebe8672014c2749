"""Fresh tensors: constants, ranges, random numbers (ATen/native/TensorFactories.cpp,
RangeFactories.cpp).

`dtype` is anything that `as_dtype` takes; absent, it is the default dtype unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import generator as generators
from torchscript_dialect.tensor import strides as layouts
from torchscript_dialect.tensor.conversion import array_from_data, as_tensor, cast_array
from torchscript_dialect.tensor.dtype import (
    as_dtype,
    bool_,
    dtype,
    get_default_complex_dtype,
    get_default_dtype,
    int64,
)
from torchscript_dialect.tensor.layout import contiguous_format, memory_format
from torchscript_dialect.tensor.tensor import Scalar, Tensor
from torchscript_dialect.tensor.type_promotion import scalar_dtype


def _chosen(wanted: object, default: dtype) -> dtype:
    return default if wanted is None else as_dtype(wanted)


def _checked(size: Sequence[int]) -> tuple[int, ...]:
    shape = tuple(size)
    if any(n < 0 for n in shape):
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}"
        )
    return shape


def _fresh(size: Sequence[int], kind: dtype) -> NDArray[Any]:
    """An uninitialized contiguous array whose strides are PyTorch's even where it is empty."""
    shape = _checked(size)
    if 0 in shape:
        return layouts.empty_strided(shape, layouts.contiguous_strides(shape), kind.numpy_dtype)
    return np.empty(shape, kind.numpy_dtype)


def empty(
    size: Sequence[int], dtype: object = None, format: memory_format = contiguous_format
) -> Tensor:
    """A tensor of unspecified elements, laid out in a memory format."""
    kind = _chosen(dtype, get_default_dtype())
    if format == contiguous_format:
        return Tensor(_fresh(size, kind))
    shape = _checked(size)
    wanted = layouts.strides_for_format(shape, format)
    return Tensor(layouts.empty_strided(shape, wanted, kind.numpy_dtype))


def full(size: Sequence[int], value: Scalar, dtype: object = None) -> Tensor:
    """A tensor of equal elements; without `dtype` it follows from the kind of number."""
    array = _fresh(size, _chosen(dtype, scalar_dtype(value)))
    array[...] = array_from_data(value, as_dtype(array.dtype))
    return Tensor(array)


def zeros(size: Sequence[int], dtype: object = None) -> Tensor:
    """A tensor of zeros."""
    kind = _chosen(dtype, get_default_dtype())
    array = _fresh(size, kind) if 0 in size else np.zeros(_checked(size), kind.numpy_dtype)
    return Tensor(array)


def ones(size: Sequence[int], dtype: object = None) -> Tensor:
    """A tensor of ones."""
    array = _fresh(size, _chosen(dtype, get_default_dtype()))
    array.fill(1)
    return Tensor(array)


def eye(n: int, m: int | None = None, dtype: object = None) -> Tensor:
    """An (n, m) tensor with ones on the main diagonal; m is n where absent."""
    columns = n if m is None else m
    for name, count in (("n", n), ("m", columns)):
        if count < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {count}")
    result = zeros((n, columns), dtype)
    np.fill_diagonal(result.array, 1)
    return result


def arange(start: float, end: float | None = None, step: float = 1, dtype: object = None) -> Tensor:
    """The numbers start, start + step, ... before `end`; one argument is the end of a range from 0.

    Without `dtype` the result is int64 where all three are integers. Element i is computed as start
    + i * step, in float64 for floating results; for integer results the three lose their fractions
    first. RuntimeError where the step is 0 or leads away.
    """
    if end is None:
        start, end = 0, start
    whole = all(isinstance(number, int) for number in (start, end, step))
    kind = _chosen(dtype, int64 if whole else get_default_dtype())
    if kind is bool_:
        raise RuntimeError("\"arange_cpu\" not implemented for 'Bool'")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end < start) if step > 0 else (end > start):
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    exact = None if kind is int64 else (end - start) / step
    if kind.is_integral:
        start, end, step = int(start), int(end), int(step)
    if exact is None:
        if step == 0:
            raise RuntimeError("step must be nonzero")
        exact = -((start - end) // step)
    index = np.arange(math.ceil(exact))
    if kind.is_integral:
        return Tensor((start + index * step).astype(kind.numpy_dtype))
    return Tensor((float(start) + index.astype(np.float64) * float(step)).astype(kind.numpy_dtype))


def linspace(start: Scalar, end: Scalar, steps: int, dtype: object = None) -> Tensor:
    """`steps` evenly spaced numbers from `start` to `end`, both included.

    The first half counts up from `start`, the second half down from `end`, as PyTorch does.
    """
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    kind = _chosen(dtype, get_default_complex_dtype() if is_complex else get_default_dtype())
    if steps == 1:
        return full((1,), start, kind)
    work = _linspace_type(kind)
    first, last = work(start), work(end)
    index = np.arange(steps)
    if kind.is_integral:
        step = (float(last) - float(first)) / (steps - 1) if steps else 0.0
        half = index.astype(np.float64)
        up, down = float(first) + half * step, float(last) - (steps - 1 - half) * step
    else:
        step = (last - first) / work(steps - 1) if steps else work(0)
        up = first + step * index.astype(work)
        down = last - step * (steps - 1 - index).astype(work)
    return Tensor(np.where(index < steps // 2, up, down).astype(kind.numpy_dtype))


def _linspace_type(kind: dtype) -> Any:
    if kind.is_integral:
        return np.int64
    return np.float32 if kind.itemsize < 4 else kind.numpy_dtype.type


def tensor(data: Any, dtype: object = None) -> Tensor:
    """A fresh contiguous tensor of the elements that `data` holds (see `as_tensor`)."""
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(data, (bool, int, float, complex, list, tuple)):
        return Tensor(array_from_data(data, wanted))
    array = as_tensor(data).array
    copied = array.copy() if wanted is None else cast_array(array, wanted)
    return Tensor(np.ascontiguousarray(copied).reshape(array.shape))


def rand(
    size: Sequence[int], dtype: object = None, generator: generators.Generator | None = None
) -> Tensor:
    """Uniformly distributed numbers from [0, 1)."""
    source = generator or generators.default_generator
    return Tensor(source.uniform(_checked(size), _chosen(dtype, get_default_dtype())))


def randn(
    size: Sequence[int], dtype: object = None, generator: generators.Generator | None = None
) -> Tensor:
    """Numbers with a standard normal distribution."""
    source = generator or generators.default_generator
    return Tensor(source.normal(_checked(size), _chosen(dtype, get_default_dtype())))


def randint(
    low: int,
    high: int,
    size: Sequence[int],
    dtype: object = None,
    generator: generators.Generator | None = None,
) -> Tensor:
    """Integers from [low, high), int64 where no dtype is given."""
    source = generator or generators.default_generator
    return Tensor(source.integers(_checked(size), low, high, _chosen(dtype, int64)))


def randperm(n: int, dtype: object = None, generator: generators.Generator | None = None) -> Tensor:
    """The integers below `n` in random order, int64 where no dtype is given."""
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    source = generator or generators.default_generator
    return Tensor(source.permutation(n, _chosen(dtype, int64)))
