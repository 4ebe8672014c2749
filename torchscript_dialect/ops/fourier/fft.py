"""Discrete Fourier transforms (`torch.fft`), by NumPy's or by those of a device (`Transforms`).

Results of the host have the strides that PyTorch gives them with MKL (aten/src/ATen/native/mkl/SpectralOps.cpp): what is not
transformed comes first, in the order in which they lie in memory, then the transformed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod, sqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.factories import factory
from torchscript_dialect.ops.images.padding import constant_pad
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.ops.shaping.shaping import roll
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import element_strides, empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Array = NDArray[Any]
Ints = Sequence[int]

# Operands


def _float_dtype(x: Tensor) -> dtype:
    element = x.dtype
    if not (element.is_floating_point or element.is_complex):
        return dtypes.get_default_dtype()
    if element.itemsize < 4:
        raise RuntimeError(f"Unsupported dtype {element.type_name}")
    return element


def _floats(by: Transforms, x: Tensor, *, as_complex: bool) -> Tensor:
    element = _float_dtype(x)
    wanted = element.to_complex() if as_complex else element
    return x if wanted is x.dtype else by.of_dtype(x, wanted)


def _real(by: Transforms, name: str, x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        raise RuntimeError(f"{name} expects a real input tensor, but got {x.dtype.type_name}")
    return _floats(by, x, as_complex=False)


def _check_count(count: int) -> int:
    if count < 1:
        raise RuntimeError(f"Invalid number of data points ({count}) specified")
    return count


def _resized(by: Transforms, x: Tensor, dims: Ints, sizes: Ints) -> Tensor:
    """The tensor cut or padded with zeros at the end of each dimension."""
    pad = [0] * (2 * x.array.ndim)
    for dim, size in zip(dims, sizes):
        have = x.array.shape[dim]
        if have > size:
            x = tensor_of(x.array[(slice(None),) * dim + (slice(size),)])
        pad[2 * (x.array.ndim - 1 - dim) + 1] = max(size - have, 0)
    return by.padded(x, pad) if any(pad) else x


def _dims_and_sizes(x: Tensor, s: Ints | None, dim: Ints | None) -> tuple[list[int], list[int]]:
    """The dimensions to transform and their sizes."""
    shape = x.array.shape
    rank = len(shape)
    dims = None if dim is None else [wrap_dim(d, rank) for d in dim]
    if dims is not None and len(set(dims)) != len(dims):
        raise RuntimeError("FFT dims must be unique")
    if s is not None:
        if dims is not None and len(dims) != len(s):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
        if len(s) > rank:
            raise RuntimeError(
                f"Got shape with {len(s)} values but input tensor only has {rank} dimensions."
            )
        if dims is None:
            dims = list(range(rank - len(s), rank))
    if dims is None:
        dims = list(range(rank))
    sizes = [shape[d] for d in dims]
    if s is not None:
        sizes = [have if size == -1 else size for have, size in zip(sizes, s)]
    return dims, [_check_count(size) for size in sizes]


def _one_dim(x: Tensor, n: int | None, dim: int) -> tuple[list[int], list[int]]:
    if not x.array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, x.array.ndim)
    return [dim], [_check_count(x.array.shape[dim] if n is None else n)]


def _scale(norm: str | None, forward: bool, count: int) -> float:
    """What the transform of `count` numbers is multiplied by."""
    if norm == "ortho":
        return 1 / sqrt(count)
    if norm not in (None, "backward", "forward"):
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return 1 / count if forward == (norm == "forward") else 1.0


# Transforms of arrays


def _by_strides(array: Array, dims: Ints) -> list[int]:
    strides = element_strides(array)
    return sorted(dims, key=lambda dim: -strides[dim])


def _laid_out(raw: Array, source: Array, dims: Ints, element: np.dtype[Any]) -> Array:
    """`raw` with the strides that the transform of `source` over `dims` gives."""
    batch = _by_strides(source, [dim for dim in range(source.ndim) if dim not in dims])
    order = [*batch, *dims]
    block = np.empty([raw.shape[dim] for dim in order], element)
    result = block.transpose(np.argsort(order)) if order else block
    result[...] = raw
    return result


def complex_to_complex(array: Array, dims: Ints, forward: bool, scale: float) -> Array:
    """With negative exponents where `forward`."""
    if not dims:
        result = empty_like(array, array.dtype)
        result[...] = array
        return result
    dims = _by_strides(array, dims)
    raw = array
    for dim in dims:
        raw = np.fft.fft(raw, axis=dim) if forward else np.fft.ifft(raw, axis=dim, norm="forward")
    return _laid_out(raw if scale == 1 else raw * scale, array, dims, array.dtype)


def real_to_complex(array: Array, dims: Ints, scale: float, *, onesided: bool) -> Array:
    """With negative exponents; the last dimension keeps half of its numbers where `onesided`."""
    *others, last = dims
    raw = np.fft.rfft(array, axis=last) if onesided else np.fft.fft(array, axis=last)
    for dim in others:
        raw = np.fft.fft(raw, axis=dim)
    element = dtypes.of_array(array).to_complex().numpy_dtype
    order = [*_by_strides(array, others), last]
    return _laid_out(raw if scale == 1 else raw * scale, array, order, element)


def complex_to_real(array: Array, dims: Ints, scale: float, size: int) -> Array:
    """With positive exponents; the last dimension gets `size` numbers."""
    *others, last = dims
    if others:
        array = complex_to_complex(array, others, False, 1.0)
    raw = np.fft.irfft(array, size, last, norm="forward")
    element = dtypes.of_array(array).to_real().numpy_dtype
    return _laid_out(raw if scale == 1 else raw * scale, array, [last], element)


class Transforms(Protocol):
    """What operators are made of, for tensors of the host or of a device."""

    def of_dtype(self, x: Tensor, wanted: dtype) -> Tensor:
        """The numbers in another dtype."""
        ...

    def padded(self, x: Tensor, pads: Ints) -> Tensor:
        """With zeros around it: how many before and behind, of the last dimension first."""
        ...

    def conjugated(self, x: Tensor) -> Tensor:
        """The conjugates, in memory of their own."""
        ...

    def complex_to_complex(self, x: Tensor, dims: Ints, forward: bool, scale: float) -> Tensor:
        """With negative exponents where `forward`."""
        ...

    def real_to_complex(self, x: Tensor, dims: Ints, scale: float, *, onesided: bool) -> Tensor:
        """With negative exponents; the last dimension keeps half of its numbers where `onesided`."""
        ...

    def complex_to_real(self, x: Tensor, dims: Ints, scale: float, size: int) -> Tensor:
        """With positive exponents; the last dimension gets `size` numbers."""
        ...


class HostTransforms:
    """Those of NumPy."""

    def of_dtype(self, x: Tensor, wanted: dtype) -> Tensor:
        result = empty_like(x.array, wanted.numpy_dtype)
        result[...] = x.array
        return tensor_of(result)

    def padded(self, x: Tensor, pads: Ints) -> Tensor:
        return constant_pad(x, list(pads), 0)

    def conjugated(self, x: Tensor) -> Tensor:
        return tensor_of(np.conjugate(x.array))

    def complex_to_complex(self, x: Tensor, dims: Ints, forward: bool, scale: float) -> Tensor:
        return tensor_of(complex_to_complex(x.array, dims, forward, scale))

    def real_to_complex(self, x: Tensor, dims: Ints, scale: float, *, onesided: bool) -> Tensor:
        return tensor_of(real_to_complex(x.array, dims, scale, onesided=onesided))

    def complex_to_real(self, x: Tensor, dims: Ints, scale: float, size: int) -> Tensor:
        return tensor_of(complex_to_real(x.array, dims, scale, size))


# Operators

Where = tuple[list[int], list[int]]
"""The dimensions to transform and the sizes that they have before."""


def _count_of(x: Tensor, dims: Ints) -> int:
    return prod(x.array.shape[dim] for dim in dims)


def _transform(by: Transforms, x: Tensor, where: Where, norm: str | None, forward: bool) -> Tensor:
    """fft and ifft over any number of dimensions."""
    dims, sizes = where
    given = _resized(by, _floats(by, x, as_complex=True), dims, sizes)
    scale = _scale(norm, forward, _count_of(given, dims))
    return by.complex_to_complex(given, dims, forward, scale)


def _transform_one(
    by: Transforms, x: Tensor, where: Where, norm: str | None, forward: bool
) -> Tensor:
    """fft and ifft over one dimension, which start from real numbers where the operand is real."""
    if x.dtype.is_complex:
        return _transform(by, x, where, norm, forward)
    dims, sizes = where
    given = _resized(by, _floats(by, x, as_complex=False), dims, sizes)
    scale = _scale(norm, forward, _count_of(given, dims))
    result = by.real_to_complex(given, dims, scale, onesided=False)
    return result if forward else by.conjugated(result)


def _real_over_dims(by: Transforms, name: str, x: Tensor, where: Where) -> Tensor:
    """The real numbers that are transformed, resized, of which there must be a dimension."""
    dims, sizes = where
    given = _resized(by, _real(by, name, x), dims, sizes)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    return given


def _half(by: Transforms, x: Tensor, where: Where, norm: str | None) -> Tensor:
    """rfft: half of the transform of real numbers, as the other half follows."""
    given, dims = _real_over_dims(by, "rfft", x, where), where[0]
    return by.real_to_complex(
        given, dims, _scale(norm, True, _count_of(given, dims)), onesided=True
    )


def _half_inverse(by: Transforms, x: Tensor, where: Where, norm: str | None) -> Tensor:
    """ihfft: what hfft makes these real numbers of."""
    given, (*others, last) = _real_over_dims(by, "ihfft", x, where), where[0]
    scale = _scale(norm, False, _count_of(given, where[0]))
    result = by.conjugated(by.real_to_complex(given, [last], scale, onesided=True))
    return by.complex_to_complex(result, others, False, 1.0) if others else result


def _to_real(
    by: Transforms,
    name: str,
    x: Tensor,
    where: Where,
    last_size: int | None,
    norm: str | None,
) -> Tensor:
    """irfft and hfft: the real numbers whose transform has a Hermitian half."""
    dims, sizes = where
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    forward = name == "hfft"
    size = _check_count(2 * (x.array.shape[dims[-1]] - 1) if last_size is None else last_size)
    halves = [*sizes[:-1], size // 2 + 1]
    given = _resized(by, _floats(by, x, as_complex=True), dims, halves)
    scale = _scale(norm, forward, _count_of(given, dims[:-1]) * size)
    if not forward:
        return by.complex_to_real(given, dims, scale, size)
    if len(dims) > 1:
        given = by.complex_to_complex(given, dims[:-1], True, 1.0)
    return by.complex_to_real(by.conjugated(given), dims[-1:], scale, size)


def _last_of(s: Ints | None) -> int | None:
    return None if s is None or s[-1] == -1 else s[-1]


# Shape rules: dtype and sizes; strides depend on those of the operand


def _rule(kind: str) -> registry.ShapeRule:
    """`kind` says what an operator gives: `complex`, `half` of a transform, or `real` numbers."""

    def rule(facts: Sequence[Fact]) -> Fact:
        x = facts[0]
        sizes, element = rank_known(x), dtype_of(x)
        if element is not None and not (element.is_floating_point or element.is_complex):
            element = dtypes.get_default_dtype()
        if element is not None and element.itemsize >= 4:
            element = element.to_real() if kind == "real" else element.to_complex()
        else:
            element = None
        if sizes is None:
            return fresh(element, None, x)
        is_whole = kind == "complex" and is_known(facts[1]) and facts[1] is None
        unknown = tuple(None for _ in sizes)
        return fresh(element, sizes if is_whole else unknown, x, strides=unknown)

    return rule


Operator = Callable[..., Tensor]
_KINDS = {
    "fft": "complex",
    "ifft": "complex",
    "rfft": "half",
    "ihfft": "half",
    "irfft": "real",
    "hfft": "real",
}


def operators(by: Transforms) -> dict[str, Operator]:
    """What runs the operators: `fft_fft` and its like over one dimension, `fft_fft2` over two, `fft_fftn` over any number of them."""

    def run(name: str, x: Tensor, where: Where, last: int | None, norm: str | None) -> Tensor:
        match name:
            case "fft" | "ifft":
                return _transform(by, x, where, norm, name == "fft")
            case "rfft":
                return _half(by, x, where, norm)
            case "ihfft":
                return _half_inverse(by, x, where, norm)
            case _:
                return _to_real(by, name, x, where, last, norm)

    def one(name: str) -> Operator:
        def run_one(x: Tensor, n: int | None, dim: int, norm: str | None) -> Tensor:
            where = _one_dim(x, n, dim)
            if name in ("fft", "ifft"):
                return _transform_one(by, x, where, norm, name == "fft")
            return run(name, x, where, n, norm)

        return run_one

    def many(name: str) -> Operator:
        def run_many(x: Tensor, s: Ints | None, dim: Ints | None, norm: str | None) -> Tensor:
            return run(name, x, _dims_and_sizes(x, s, dim), _last_of(s), norm)

        return run_many

    found = {f"fft_{name}": one(name) for name in _KINDS}
    return found | {f"fft_{name}{rank}": many(name) for name in _KINDS for rank in ("2", "n")}


for _name, _run in operators(HostTransforms()).items():
    _kind = _KINDS[_name.removeprefix("fft_").removesuffix("2").removesuffix("n")]
    registry.implement(_name, ignores_float_errors(_run), shape=_rule(_kind))


# Frequencies and shifts


def _frequencies(name: str, frequencies: Callable[..., Array]) -> None:
    @factory(name)
    def _(n: int, d: float, wanted: int | None) -> Tensor:
        element = dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)
        if not (element.is_floating_point or element.is_complex):
            raise RuntimeError(f"{name} requires a floating point or complex dtype")
        values = frequencies(n) * n  # whole numbers
        scaled = values.astype(element.numpy_dtype) * element.numpy_dtype.type(1.0 / (n * d))
        return tensor_of(np.asarray(scaled, element.numpy_dtype))


_frequencies("fft_fftfreq", np.fft.fftfreq)
_frequencies("fft_rfftfreq", np.fft.rfftfreq)


def _shifted(x: Tensor, dim: Ints | None, half: Callable[[int], int]) -> Tensor:
    dims = range(x.array.ndim) if dim is None else dim
    return roll(x, [half(x.array.shape[wrap_dim(d, x.array.ndim)]) for d in dims], list(dims))


def _shift_shape(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0])


registry.implement(
    "fft_fftshift", lambda x, dim: _shifted(x, dim, lambda n: n // 2), shape=_shift_shape
)
registry.implement(
    "fft_ifftshift", lambda x, dim: _shifted(x, dim, lambda n: (n + 1) // 2), shape=_shift_shape
)
