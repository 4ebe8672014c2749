"""Which elements of a dimension each element of a resized one is made of, and in which parts (PyTorch: native/UpSample.h,
cpu/UpSampleKernel.cpp).

Positions are computed in float32, in float64 for float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.tensor.float_errors import ignores_float_errors

Array = NDArray[Any]

NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.resize_kernels", 1 << 14)
"""Counts elements that are resized."""
LARGE = 1 << 14
"""Elements from which on NumPy resizes the last dimension sooner."""


@dataclass(frozen=True, slots=True)
class Taps:
    """Element i of the result is the sum of `weights[i, k] * x[places[i, k]]`; without weights it is `x[places[i, 0]]`."""

    places: NDArray[np.int64]
    weights: Array | None = None

    @ignores_float_errors
    def apply(self, x: Array, axis: int) -> Array:
        """The resized dimension."""
        if self.weights is None:
            return np.take(x, self.places[:, 0], axis)
        found = self._natively("resize", x, axis, len(self.places))
        if found is not None:
            return found
        shape = (-1, *(1,) * (x.ndim - 1 - axis))
        parts = [
            np.take(x, places, axis) * weights.reshape(shape)
            for places, weights in zip(self.places.T, self.weights.T)
        ]
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total

    def merged(self, size: int) -> Taps:
        """The same with each element of the input once; those beyond its ends were the last ones again."""
        assert self.weights is not None
        whole = np.zeros((len(self.places), size))
        np.add.at(whole, (np.arange(len(self.places))[:, None], self.places), self.weights)
        steps: Array = np.asarray(range(self.places.shape[1]))
        places: Array = self.places[:, :1] + steps
        inside: Array = np.minimum(places, size - 1)
        weights = np.where(places < size, np.take_along_axis(whole, inside, 1), 0)
        return Taps(inside, weights)

    def in_steps(self) -> tuple[Taps, int]:
        """Weights as integers of 16 bits, and of what power of two they are counts: the largest that has room for all."""
        assert self.weights is not None
        largest = float(self.weights.max())
        bits = next(n for n in range(23) if n == 22 or int(0.5 + largest * 2 ** (n + 1)) >= 2**15)
        scaled = self.weights * 2**bits
        return Taps(self.places, np.trunc(scaled + np.copysign(0.5, scaled)).astype(np.int32)), bits

    def apply_to_bytes(self, x: Array, axis: int) -> Array:
        """The resized dimension of a uint8 array, computed in integers (PyTorch: `compute_index_ranges_int16_weights`)."""
        steps, bits = self.merged(x.shape[axis]).in_steps()
        return np.clip(
            steps.apply(x.astype(np.int32), axis) + (1 << bits - 1) >> bits, 0, 255
        ).astype(np.uint8)

    @ignores_float_errors
    def gather_gradient(self, grad: Array, axis: int, size: int) -> Array:
        """To each of `size` elements the parts of the gradients of what it went into."""
        found = self._natively("gather", grad, axis, size)
        if found is not None:
            return found
        whole = np.zeros((*grad.shape[:axis], size, *grad.shape[axis + 1 :]), grad.dtype)
        for k, places in enumerate(self.places.T):
            part = grad
            if self.weights is not None:
                part = grad * self.weights[:, k].reshape(-1, *(1,) * (grad.ndim - 1 - axis))
            combine_at(np.add, whole, (slice(None),) * axis + (places,), part)
        return whole

    def _natively(self, direction: str, x: Array, axis: int, size: int) -> Array | None:
        """What a direction of native code gives, whose dimension has that size; None where it does not do it, or not yet."""
        weights, dtype = self.weights, x.dtype
        if dtype.char not in "fd" or (weights is not None and weights.dtype != dtype):
            return None
        if direction == "resize" and axis == x.ndim - 1 and x.size >= LARGE:
            return None  # NumPy takes several elements at a time
        native = NATIVE.for_work(x.size)
        if native is None:
            return None
        if weights is None:
            weights = np.ones(self.places.shape, dtype)
        shape = (*x.shape[:axis], size, *x.shape[axis + 1 :])
        made = np.empty(shape, dtype) if direction == "resize" else np.zeros(shape, dtype)
        x, contiguous = np.ascontiguousarray(x), np.ascontiguousarray
        wide, narrow = (made, x) if direction == "resize" else (x, made)
        given = contiguous(self.places), contiguous(weights)
        return made if native.resize(direction, wide, narrow, *given, axis) else None


@dataclass(frozen=True, slots=True)
class Resize:
    """One dimension: its size before and after, the factor that was asked for, and how corners are aligned."""

    size: int
    count: int
    scale: float | None
    align_corners: bool
    compute: np.dtype[Any]

    def step(self) -> Any:
        """How far apart in the input neighbours of the result are."""
        number = self.compute.type
        if self.align_corners:
            return number(self.size - 1) / number(self.count - 1) if self.count > 1 else number(0)
        if self.scale is not None and self.scale > 0:
            return number(1.0 / self.scale)
        return number(self.size) / number(self.count)

    def positions(self) -> Array:
        """Where in the input the elements of the result are, as real numbers."""
        at = np.arange(self.count, dtype=self.compute)
        if self.align_corners:
            return at * self.step()
        half = self.compute.type(0.5)
        return self.step() * (at + half) - half


def nearest(resize: Resize, *, exact: bool) -> Taps:
    """The element at the position; with `exact`, at the middle of the element that it becomes."""
    at = np.arange(resize.count, dtype=resize.compute)
    places = np.floor((at + resize.compute.type(0.5) if exact else at) * resize.step())
    return Taps(np.minimum(places.astype(np.int64), resize.size - 1)[:, None])


def linear(resize: Resize) -> Taps:
    """The two elements around the position."""
    at = np.maximum(resize.positions(), 0)
    before = np.minimum(np.floor(at).astype(np.int64), resize.size - 1)
    after = np.minimum(before + 1, resize.size - 1)
    part = np.clip(at - before.astype(at.dtype), 0, 1)
    return Taps(np.stack([before, after], 1), np.stack([1 - part, part], 1))


def cubic_weights(part: Array, a: float = -0.75) -> Array:
    """The weights (positions, 4) of the elements around a position, by the cubic convolution of Keys."""
    number = part.dtype.type
    one, two = number(1), number(2)

    def near(x: Array) -> Array:
        return ((number(a) + two) * x - (number(a) + number(3))) * x * x + one

    def far(x: Array) -> Array:
        return ((number(a) * x - number(5 * a)) * x + number(8 * a)) * x - number(4 * a)

    return np.stack([far(part + one), near(part), near(one - part), far(two - part)], -1)


def cubic_slopes(part: Array, a: float = -0.75) -> Array:
    """The derivatives of `cubic_weights` with respect to the position."""
    number = part.dtype.type
    one, two = number(1), number(2)

    def near(x: Array) -> Array:
        return (number(3 * (a + 2)) * x - number(2 * (a + 3))) * x

    def far(x: Array) -> Array:
        return (number(3 * a) * x - number(10 * a)) * x + number(8 * a)

    return np.stack([far(part + one), near(part), -near(one - part), -far(two - part)], -1)


def cubic(resize: Resize) -> Taps:
    """The four elements around the position."""
    at = resize.positions()
    before = np.floor(at)
    places = before.astype(np.int64)[:, None] + np.arange(-1, 3)
    return Taps(np.clip(places, 0, resize.size - 1), cubic_weights(at - before))


# Filters against aliasing


def _triangle(x: Array) -> Array:
    return np.maximum(1 - np.abs(x), 0)


def _keys(x: Array) -> Array:
    a = x.dtype.type(-0.5)
    x = np.abs(x)
    near: Array = ((a + 2) * x - (a + 3)) * x * x + 1
    far: Array = (((x - 5) * x + 8) * x - 4) * a
    outer: Array = np.where(x < 2, far, x.dtype.type(0))
    return np.where(x < 1, near, outer)


def _lanczos(x: Array) -> Array:
    inside = (x >= -3) & (x < 3)
    return np.where(inside, np.sinc(x) * np.sinc(x / x.dtype.type(3)), 0).astype(x.dtype)


FILTERS = {"bilinear": (_triangle, 1), "bicubic": (_keys, 2), "lanczos": (_lanczos, 3)}
"""Each filter and how far it reaches."""


@ignores_float_errors
def antialiased(resize: Resize, name: str) -> Taps:
    """All elements within reach of a filter that is as wide as the elements of the result."""
    function, reach = FILTERS[name]
    number = resize.compute.type
    step = resize.step()
    wide = step >= 1
    support = number(reach) * step if wide else number(reach)
    inverse = number(1) / step if wide else number(1)
    centre = step * (np.arange(resize.count, dtype=resize.compute) + number(0.5))
    first = np.maximum((centre - support + number(0.5)).astype(np.int64), 0)
    end = np.minimum((centre + support + number(0.5)).astype(np.int64), resize.size)
    places = first[:, None] + np.arange(max(int((end - first).max()), 1))
    distance = places.astype(resize.compute) - centre[:, None] + number(0.5)
    weights = np.where(places < end[:, None], function(distance * inverse), number(0))
    total = weights.sum(1, keepdims=True)
    weights = np.where(total != 0, weights / total, weights).astype(resize.compute)
    return Taps(np.minimum(places, resize.size - 1), weights)
