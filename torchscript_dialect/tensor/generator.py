"""Random numbers: PyTorch's CPU generator, drawing the same stream from the same seed.

The engine is the 32-bit Mersenne Twister (ATen/CPUGeneratorImpl.cpp, ATen/core/MT19937RNGEngine.h);
distributions consume it as ATen/core/DistributionsHelper.h and native/cpu/DistributionTemplates.h
do. `integers`, `permutation` and `uniform` on [0, 1) equal PyTorch's bit for bit. `normal` equals
it to a few units in the last place, because PyTorch takes other `log`, `sin` and `cos` routines.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.dtype import bfloat16, dtype, float16, float32, float64

if TYPE_CHECKING:
    from numpy.random import MT19937

DEFAULT_SEED = 67280421310721

_STATE_WORDS = 624
_MANTISSA_BITS = {float16: 24, bfloat16: 24, float32: 24, float64: 53}  # 16-bit types round
_BLOCK = 16  # normal numbers are made in pairs from blocks of this many uniform ones


@final
class Generator:
    """A source of random numbers that starts at `seed`; not safe for use by several threads at
    once.
    """

    __slots__ = ("_engine", "_kept_normal", "_seed")

    def __init__(self, seed: int = DEFAULT_SEED) -> None:
        self._seed = seed
        self._engine: MT19937 | None = None
        self._kept_normal: float | None = None

    def manual_seed(self, seed: int) -> Generator:
        """Restarts the stream at a seed; RuntimeError where it does not fit 64 bits."""
        if not -(1 << 63) <= seed < 1 << 64:
            raise RuntimeError("Overflow when unpacking long long")
        self._seed = seed % (1 << 64)
        self._engine = None
        self._kept_normal = None
        return self

    def seed(self) -> int:
        """Restarts the stream at a seed that nobody can foresee, and returns it."""
        return self.manual_seed(secrets.randbits(53)).initial_seed()

    def initial_seed(self) -> int:
        """The seed at which the stream started."""
        return self._seed

    def words(self, count: int) -> NDArray[np.uint64]:
        """The next `count` 32-bit outputs of the engine."""
        if self._engine is None:
            self._engine = _seeded_engine(self._seed)
        return self._engine.random_raw(count)

    def _double_words(self, count: int) -> NDArray[np.uint64]:
        pairs = self.words(2 * count)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def uniform(
        self, shape: Sequence[int], dtype: dtype, low: float = 0.0, high: float = 1.0
    ) -> NDArray[Any]:
        """Numbers from [low, high) as a contiguous array; TypeError for a dtype that is not one of
        the real floating-point types.
        """
        bits = _random_bits(dtype)
        count = math.prod(shape)
        drawn = self._double_words(count) if dtype is float64 else self.words(count)
        unit = (drawn & np.uint64((1 << bits) - 1)).astype(np.float64) / (1 << bits)
        scaled = unit * (high - low) + low
        if dtype is float64:
            return scaled.reshape(tuple(shape))
        # The one rounding to float32 is that of a fused multiply-add, PyTorch's.
        numbers = scaled.astype(np.float32).astype(dtype.numpy_dtype)
        if dtype.itemsize == 2:  # rounding can reach the excluded end
            numbers[numbers == dtype.numpy_dtype.type(high)] = low
        return numbers.reshape(tuple(shape))

    def normal(
        self, shape: Sequence[int], dtype: dtype, mean: float = 0.0, std: float = 1.0
    ) -> NDArray[Any]:
        """Normally distributed numbers as a contiguous array; TypeError as `uniform`."""
        _random_bits(dtype)
        count = math.prod(shape)
        if count < _BLOCK:
            numbers = np.array([self._one_normal() for _ in range(count)], np.float64)
            return (numbers * std + mean).astype(dtype.numpy_dtype).reshape(tuple(shape))
        whole = count - count % _BLOCK
        kind = float32 if dtype.itemsize == 2 else dtype
        # PyTorch draws for the incomplete last block too, except where it computes in a wider type.
        uniform = self.uniform((count if kind is dtype else whole,), kind)
        numbers = np.empty(count, uniform.dtype)
        numbers[:whole] = _box_muller(uniform[:whole], mean, std)
        if whole != count:
            numbers[-_BLOCK:] = _box_muller(self.uniform((_BLOCK,), kind), mean, std)
        return numbers.astype(dtype.numpy_dtype).reshape(tuple(shape))

    def _one_normal(self) -> float:
        if self._kept_normal is not None:
            kept, self._kept_normal = self._kept_normal, None
            return kept
        first, second = self.uniform((2,), float64).tolist()
        radius = math.sqrt(-2.0 * math.log1p(-second))
        self._kept_normal = radius * math.sin(2.0 * math.pi * first)
        return radius * math.cos(2.0 * math.pi * first)

    def integers(self, shape: Sequence[int], low: int, high: int, dtype: dtype) -> NDArray[Any]:
        """Integers from [low, high) as a contiguous array; RuntimeError for a range
        that is empty or that the dtype does not hold."""
        if low >= high:
            raise RuntimeError(
                f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
            )
        limits = np.iinfo(dtype.numpy_dtype) if dtype.is_integral else None
        if limits and not limits.min <= low <= high - 1 <= limits.max:
            raise RuntimeError(f"the range [{low}, {high}) is out of bounds for {dtype.name}")
        count = math.prod(shape)
        span = high - low
        drawn = self._double_words(count) if span >= 1 << 28 else self.words(count)
        offsets = (drawn % np.uint64(span)).astype(np.int64)
        return (offsets + low).astype(dtype.numpy_dtype).reshape(tuple(shape))

    def permutation(self, count: int, dtype: dtype) -> NDArray[Any]:
        """The integers below `count` in random order."""
        order = list(range(count))
        if count > 1:
            drawn = self.words(count - 1).tolist()
            for i, word in enumerate(drawn):
                j = i + word % (count - i)
                order[i], order[j] = order[j], order[i]
        return np.array(order, dtype.numpy_dtype)


def _random_bits(dtype: dtype) -> int:
    bits = _MANTISSA_BITS.get(dtype)
    if bits is None:
        raise TypeError(f"random numbers of dtype {dtype} are not supported")
    return bits


def _seeded_engine(seed: int) -> MT19937:
    from numpy.random import MT19937  # costs 10 ms that most programs need not pay

    key = [seed & 0xFFFFFFFF]
    for i in range(1, _STATE_WORDS):
        key.append((1812433253 * (key[-1] ^ (key[-1] >> 30)) + i) & 0xFFFFFFFF)
    engine = MT19937(0)
    engine.state = {
        "bit_generator": "MT19937",
        "state": {"key": np.array(key, np.uint32), "pos": _STATE_WORDS},
    }
    return engine


def _box_muller(uniform: NDArray[Any], mean: float, std: float) -> NDArray[Any]:
    """Normal numbers from blocks of 16 uniform ones: one half makes radii, the other angles."""
    blocks = uniform.reshape(-1, 2, _BLOCK // 2)
    kind = blocks.dtype.type
    radius = np.sqrt(-2 * np.log(1 - blocks[:, 0]))
    angle = kind(2.0 * math.pi) * blocks[:, 1]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return (pairs * kind(std) + kind(mean)).reshape(-1)


default_generator = Generator()


def manual_seed(seed: int) -> Generator:
    """Restarts the default generator's stream at a seed."""
    return default_generator.manual_seed(seed)
