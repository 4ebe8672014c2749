"""Sums over taps: points that read, with weights, a few pixels of an image each, and the way back.

Four arrays belong together: pixels (N, C, size), values (N, C, points), and for each tap of a point its weight and its place, (taps, N,
points). A place beyond the pixels is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.ops.native_code import NativeCode

Array = NDArray[Any]

NATIVE = NativeCode("torchscript_dialect.runtime.kernels.handwritten.tap_kernels", 1 << 18)
"""Counts products that are added up."""


def values_of(pixels: Array, weights: Array, places: Array) -> Array:
    """What the points read."""
    images, channels, _ = pixels.shape
    values = np.zeros((images, channels, places.shape[2]), pixels.dtype)
    if not _add_natively("values", values, pixels, weights, places):
        for weight, place in zip(weights, places):
            values += _read(pixels, place) * weight[:, None]
    return values


def pixels_of(values: Array, weights: Array, places: Array, size: int) -> Array:
    """What the points write: sums of values where they go to one pixel."""
    pixels = np.zeros((*values.shape[:2], size), values.dtype)
    if not _add_natively("pixels", values, pixels, weights, places):
        for weight, place in zip(weights, places):
            for image, value, factor, at in zip(pixels, values, weight, place):
                inside = (at >= 0) & (at < size)
                parts = value[:, inside] * factor[inside]
                combine_at(np.add, image, (slice(None), at[inside]), parts)
    return pixels


def weights_of(values: Array, pixels: Array, places: Array) -> Array:
    """The products of values and pixels, added up over channels."""
    weights = np.zeros(places.shape, values.dtype)
    if not _add_natively("weights", values, pixels, weights, places):
        for weight, place in zip(weights, places):
            weight += (_read(pixels, place) * values).sum(1)
    return weights


def _read(pixels: Array, place: Array) -> Array:
    """The pixels at the places of one tap; 0 where there is none."""
    inside = (place >= 0) & (place < pixels.shape[2])
    at = np.where(inside, place, 0)
    found = np.empty((*pixels.shape[:2], place.shape[1]), pixels.dtype)
    for image, each, into in zip(pixels, at, found):
        np.take(image, each, 1, into, "clip")
    return found if inside.all() else np.where(inside[:, None], found, pixels.dtype.type(0))


def _add_natively(target: str, values: Array, pixels: Array, weights: Array, places: Array) -> bool:
    """Do it in native code, if so much was added up before; the array that is the target is contiguous."""
    native = NATIVE.for_work(values.size * len(places))
    if native is None:
        return False
    given = map(np.ascontiguousarray, (values, pixels, weights, places))
    return native.add_products(target, *given)
