"""Small deterministic arrays for samples."""

import zlib
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {"bfloat16": ml_dtypes.bfloat16}


def array(
    shape: tuple[int, ...] = (2, 3),
    dtype: str = "float32",
    low: float = -3,
    high: float = 3,
    seed: str = "",
) -> np.ndarray:
    """Numbers between two bounds in C order; integers are whole, bools about half true."""
    return _array(shape, dtype, low, high, seed).copy()


@lru_cache(maxsize=None, typed=True)
def _array(shape: tuple[int, ...], dtype: str, low: float, high: float, seed: str) -> np.ndarray:
    rng = np.random.default_rng(zlib.crc32(f"{shape}{dtype}{low}{high}{seed}".encode()))
    values = rng.random(shape) * (high - low) + low
    if dtype == "bool":
        return np.asarray(values > (low + high) / 2)
    if dtype.startswith("uint"):
        values = np.abs(values)
    if dtype.startswith("complex"):
        values = values + 1j * (rng.random(shape) * (high - low) + low)
    return np.asarray(values).astype(DTYPES.get(dtype, dtype))


def transposed(shape: tuple[int, ...], dtype: str = "float32", **limits: Any) -> np.ndarray:
    """Dimensions in reverse order in memory."""
    return array(shape[::-1], dtype, **limits).T


def sliced(shape: tuple[int, ...], dtype: str = "float32", **limits: Any) -> np.ndarray:
    """Every second element of a larger array."""
    base = array(tuple(2 * size + 1 for size in shape), dtype, **limits)
    return base[tuple(slice(1, None, 2) for _ in shape)]


def expanded(shape: tuple[int, ...], dtype: str = "float32", **limits: Any) -> np.ndarray:
    """Stride 0 in the first dimension."""
    base = array((1, *shape[1:]), dtype, **limits)
    return np.lib.stride_tricks.as_strided(base, shape, (0, *base.strides[1:]))


def channels_last(shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    """(N, C, H, W) with C fastest."""
    n, c, h, w = shape
    return array((n, h, w, c), dtype).transpose(0, 3, 1, 2)


def special() -> np.ndarray:
    """Infinities, NaN, zeros of both signs, and numbers at which functions change their way."""
    numbers = [
        np.inf,
        -np.inf,
        np.nan,
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        -1.0,
        1.5,
        2.5,
        -2.5,
        20.0,
        -20.0,
        1e-5,
        88.0,
    ]
    return np.array(numbers, np.float32)
