"""Deterministic NumPy arrays in every memory layout that a program must take."""

import zlib

import numpy as np

LAYOUTS = ("contiguous", "transposed", "sliced", "broadcast")


def values(
    name: str, shape: tuple[int, ...], dtype: np.dtype, low: float, high: float
) -> np.ndarray:
    """A C-contiguous array; the same `name` and `shape` give the same numbers, up to rounding to `dtype`."""
    rng = np.random.default_rng(zlib.crc32(f"{name}{shape}".encode()))
    return np.asarray(rng.random(shape) * (high - low) + low, dtype)


def array(
    name: str,
    shape: tuple[int, ...],
    dtype: np.dtype,
    layout: str = "contiguous",
    low: float = -2.0,
    high: float = 2.0,
) -> np.ndarray:
    """A writable array of `shape` in `layout`.

    transposed: dimensions in reverse order in memory; sliced: every second element of a larger array from an offset on;
    broadcast: stride 0 in the first dimension.
    """
    if layout == "contiguous":
        return values(name, shape, dtype, low, high)
    if layout == "transposed":
        return values(name, shape[::-1], dtype, low, high).T
    if layout == "sliced":
        base = values(name, tuple(2 * size + 1 for size in shape), dtype, low, high)
        return base[tuple(slice(1, None, 2) for _ in shape)]
    if layout == "broadcast":
        base = values(name, (1, *shape[1:]), dtype, low, high)
        return np.lib.stride_tricks.as_strided(base, shape, (0, *base.strides[1:]))
    raise ValueError(f"no such layout: {layout}")


def special(dtype: np.dtype) -> np.ndarray:
    """Infinities, NaN, both zeros, denormals, the largest and the smallest normal numbers, and ordinary ones: (20,)."""
    info = np.finfo(dtype)
    tiny, largest = float(info.tiny), float(info.max)
    numbers = [np.inf, np.nan, 0.0, tiny, tiny / 4, largest, 1.0, 0.5, 1e-3, 88.0]
    return np.array([sign * number for number in numbers for sign in (1, -1)], dtype)
