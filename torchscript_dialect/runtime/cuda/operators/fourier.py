"""Transforms of Fourier on the device: products with matrices of roots of unity.

Note [Transforms by products]
A pair of parts is two neighbouring floats, so that complex rows are rows of twice as many floats, and a transform of up to `DIRECT`
numbers is their product with one matrix. Longer rows of `f * m` numbers go by `f` and by `m` numbers, with factors in between (Cooley
and Tukey 1965); those whose length has no small divisor are convolved with a chirp, by rows of a power of two (Bluestein 1970).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.fourier import fft
from torchscript_dialect.ops.internal.inner_kernels import factor_of
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.operators.complex_numbers import parts
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim

Ints = Sequence[int]
DIRECT = 128
"""Numbers that one product transforms."""
DIVISOR = 64
"""Of longer rows, the most numbers that the first product transforms."""
LONGEST_DIRECT = 1024
"""Numbers that one product transforms where they have no divisor to go by."""


def _constant(make: Callable[..., NDArray[Any]], how: tuple[Any, ...], of: dtype) -> Tensor:
    """Numbers of a dtype that are made on the host, once."""

    def made() -> NDArray[Any]:
        return np.ascontiguousarray(make(*how).astype(of.numpy_dtype))

    return tensor_of(memory().constant((make.__name__, how, of.name), made))


def _roots(turns: NDArray[np.int64], count: int, forward: bool) -> NDArray[np.complex128]:
    """e^(2 pi i t / count) for each of whole numbers, or of their negatives where `forward`."""
    angles = (turns % count) * (2 * np.pi / count)
    return np.exp((-1j if forward else 1j) * angles)


class DeviceTransforms:
    """Those of the device: see Note [Transforms by products]."""

    # What operators ask for

    def of_dtype(self, x: Tensor, wanted: dtype) -> Tensor:
        return transfers.of_dtype(x, wanted)

    def padded(self, x: Tensor, pads: Ints) -> Tensor:
        return call("aten::constant_pad_nd", (x, list(pads), 0))

    def conjugated(self, x: Tensor) -> Tensor:
        return call("aten::conj_physical", (x,))

    def complex_to_complex(self, x: Tensor, dims: Ints, forward: bool, scale: float) -> Tensor:
        found = x
        for place, dim in enumerate(dims):
            found = self.along(found, dim, forward, scale if place == 0 else 1.0)
        return found if dims else x.clone()

    def real_to_complex(self, x: Tensor, dims: Ints, scale: float, *, onesided: bool) -> Tensor:
        *others, last = dims
        found = self.along(x, last, True, scale)
        if onesided:
            found = found.narrow(last, 0, x.array.shape[last] // 2 + 1).contiguous()
        return self.complex_to_complex(found, others, True, 1.0) if others else found

    def complex_to_real(self, x: Tensor, dims: Ints, scale: float, size: int) -> Tensor:
        """Of the half that is given and the conjugates of it that are the other one."""
        *others, last = dims
        count = size // 2 + 1
        missing = count - x.array.shape[last]
        if missing > 0:
            pads = [0] * (2 * (x.array.ndim - last))
            pads[-1] = missing
            x = self.padded(x, pads)
        half = x.narrow(last, 0, count)
        if others:
            half = self.complex_to_complex(half, others, False, 1.0)
        whole = half
        if size > 2 and x.array.size:
            rest = self.conjugated(half.narrow(last, 1, (size - 1) // 2).flip([last]))
            whole = call("aten::cat", ([half, rest], last))
        return parts(self.along(whole, last, False, scale))[0].contiguous()

    # Rows

    def along(self, x: Tensor, dim: int, forward: bool, scale: float) -> Tensor:
        """The transform over one dimension, in new memory."""
        turned = x.transpose(dim, -1)
        shape = list(turned.array.shape)
        element = x.dtype.to_complex()
        if not x.array.size:
            return call("aten::empty_like", (x,), {"dtype": element})
        rows = self.of_rows(turned.reshape([prod(shape[:-1]), shape[-1]]), forward, scale)
        return rows.view(shape).transpose(dim, -1).contiguous()

    def of_rows(self, x: Tensor, forward: bool, scale: float) -> Tensor:
        """The transforms of rows (rows, count), which are real or complex."""
        rows, count = x.array.shape
        divisor = max(one for one in range(1, DIVISOR + 1) if count % one == 0)
        if count <= DIRECT or (divisor == 1 and count <= LONGEST_DIRECT):
            return self.multiplied(x, forward, scale)
        if divisor == 1:
            return self.by_chirp(x, forward, scale)
        rest = count // divisor
        first = x.reshape([rows, divisor, rest]).transpose(1, 2).reshape([rows * rest, divisor])
        found = self.multiplied(first, forward, 1.0).view([rows, rest, divisor])
        how = (rest, divisor, forward)
        found = found.mul(_constant(_twiddles, how, found.dtype))
        second = found.transpose(1, 2).reshape([rows * divisor, rest])
        last = self.of_rows(second, forward, scale).view([rows, divisor, rest])
        return last.transpose(1, 2).reshape([rows, count])

    def multiplied(self, x: Tensor, forward: bool, scale: float) -> Tensor:
        """By one product of floats; never of factors that are rounded to tf32."""
        rows, count = x.array.shape
        is_complex, real = x.dtype.is_complex, x.dtype.to_real()
        numbers = x
        if is_complex:
            numbers = call("aten::view_as_real", (x.contiguous(),)).view([rows, 2 * count])
        wide = dtypes.float64 if settings.current().allows_tf32 else real
        matrix = _constant(_matrix, (count, forward, scale, is_complex), wide)
        found = transfers.of_dtype(transfers.of_dtype(numbers, wide).mm(matrix), real)
        return call("aten::view_as_complex", (found.view([rows, count, 2]),))

    def by_chirp(self, x: Tensor, forward: bool, scale: float) -> Tensor:
        """By a convolution."""
        count = x.array.shape[1]
        length = 1 << (2 * count - 2).bit_length()
        element = x.dtype.to_complex()
        chirp = _constant(_chirp, (count, forward, 1.0), element)
        moved = self.padded(x.mul(chirp), [0, length - count])
        spectrum = _constant(_spectrum_of_chirp, (count, length, forward), element)
        product = self.of_rows(moved, True, 1.0).mul(spectrum)
        found = self.of_rows(product, False, 1 / length).narrow(1, 0, count)
        return found.mul(_constant(_chirp, (count, forward, scale), element))


def _matrix(count: int, forward: bool, scale: float, is_complex: bool) -> NDArray[np.float64]:
    """What rows of numbers, or of pairs of parts, are multiplied by."""
    places = np.arange(count)
    roots = _roots(np.multiply.outer(places, places), count, forward) * scale
    of_reals = np.stack([roots.real, roots.imag], -1)
    if not is_complex:
        return of_reals.reshape(count, 2 * count)
    of_imaginary = np.stack([-roots.imag, roots.real], -1)
    return np.stack([of_reals, of_imaginary], 1).reshape(2 * count, 2 * count)


def _twiddles(rest: int, divisor: int, forward: bool) -> NDArray[np.complex128]:
    """The factors (rest, divisor) between two transforms."""
    return _roots(np.multiply.outer(np.arange(rest), np.arange(divisor)), rest * divisor, forward)


def _chirp(count: int, forward: bool, scale: float) -> NDArray[np.complex128]:
    places = np.arange(count)
    return _roots(places * places, 2 * count, forward) * scale


def _spectrum_of_chirp(count: int, length: int, forward: bool) -> NDArray[np.complex128]:
    """Of the conjugates, for distances of either sign."""
    chirp = np.conj(_chirp(count, forward, 1.0))
    whole = np.zeros(length, np.complex128)
    whole[:count] = chirp
    whole[length - count + 1 :] = chirp[:0:-1]
    return np.fft.fft(whole)


# Operators


DEVICE = DeviceTransforms()


def _count(x: Tensor, dims: Ints) -> tuple[list[int], int]:
    axes = [wrap_dim(dim, x.array.ndim) for dim in dims]
    return axes, prod(x.array.shape[axis] for axis in axes)


def _complex_to_complex(x: Tensor, dims: Ints, normalization: int, forward: bool) -> Any:
    """`aten::_fft_c2c`."""
    if not x.dtype.is_complex:
        return NOTHING  # the kernel of the host says why
    axes, count = _count(x, dims)
    return DEVICE.complex_to_complex(x, axes, forward, factor_of(normalization, count))


def _real_to_complex(x: Tensor, dims: Ints, normalization: int, onesided: bool) -> Any:
    """`aten::_fft_r2c`."""
    if x.dtype not in (dtypes.float32, dtypes.float64) or not dims:
        return NOTHING
    axes, count = _count(x, dims)
    return DEVICE.real_to_complex(x, axes, factor_of(normalization, count), onesided=onesided)


def _complex_to_real(x: Tensor, dims: Ints, normalization: int, last: int) -> Any:
    """`aten::_fft_c2r`."""
    if not x.dtype.is_complex or not dims or last < 1:
        return NOTHING
    axes, _ = _count(x, dims)
    _, count = _count(x, dims[:-1])
    return DEVICE.complex_to_real(x, axes, factor_of(normalization, count * last), last)


def _shifted(half: Callable[[int], int]) -> Callable[..., Tensor]:
    """`aten::fft_fftshift` or `aten::fft_ifftshift`."""

    def run(x: Tensor, dims: Ints | None) -> Tensor:
        axes = list(range(x.array.ndim) if dims is None else dims)
        sizes = x.array.shape
        shifts = [half(sizes[wrap_dim(axis, x.array.ndim)]) for axis in axes]
        return call("aten::roll", (x, shifts, axes))

    return run


FOURIER: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::_fft_c2c": own(_complex_to_complex),
    "aten::_fft_r2c": own(_real_to_complex),
    "aten::_fft_c2r": own(_complex_to_real),
    "aten::fft_fftshift": own(_shifted(lambda size: size // 2)),
    "aten::fft_ifftshift": own(_shifted(lambda size: (size + 1) // 2)),
    **{f"aten::{name}": own(run) for name, run in fft.operators(DEVICE).items()},
}
"""What runs operators, by their names."""
