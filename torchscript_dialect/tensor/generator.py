"""The pseudo-random generator behind `torch.manual_seed`: PyTorch's CPU engine, so that the same seed gives the same numbers.

A 32-bit Mersenne Twister (aten/src/ATen/core/MT19937RNGEngine.h) with the transformations of ATen/core/DistributionsHelper.h.
"""

from __future__ import annotations

import os
from collections.abc import Generator as Generator_
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_generator import DeviceGenerator, device_generator
from torchscript_dialect.tensor.dtype import uint8
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_FRACTION_24 = 2.0**-24
_FRACTION_53 = 2.0**-53
_WHOLE_53 = np.uint64((1 << 53) - 1)
BLOCK = 16
"""How many normal numbers are drawn together."""


@final
class Generator:
    """A stream of random numbers; `manual_seed` starts it anew. The shared one is PyTorch's while that is loaded; one with a `source`
    draws from that generator of PyTorch's. One of a device draws there alone.
    """

    def __init__(
        self,
        device: object = "cpu",
        *,
        seed: int = 67280421310721,
        shared: bool = False,
        source: Any = None,
    ) -> None:
        where = Device(device)
        if where.type not in ("cpu", "cuda"):
            raise RuntimeError(f"Device type {device} is not supported for torch.Generator() api.")
        self.device = Device("cuda", where.index or 0) if where.type == "cuda" else where
        self.on_device = DeviceGenerator(seed) if where.type == "cuda" else None
        self._next_normal: float | None = None
        self._seed = seed
        self._engine: np.random.MT19937 | None = None
        self._shared = shared
        self._given = source

    def manual_seed(self, seed: int) -> Generator:
        """Start the stream that belongs to the seed.

        Raises:
            RuntimeError: it is no int.
            ValueError: it has more than 64 bits.
        """
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(1 << 63) <= seed < 1 << 64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = int(seed) % (1 << 64)
        if self.on_device is not None:
            self.on_device.manual_seed(self._seed)
            return self
        self._engine = None
        self._next_normal = None
        if (source := self._source) is not None:
            source.manual_seed(self._seed)
        return self

    @contextmanager
    def drawn_again(self) -> Generator_[None]:
        """The numbers that are drawn inside will be drawn once more after it."""
        source = self._source
        if source is not None:
            state = source.get_state()
            try:
                yield
            finally:
                source.set_state(state)
            return
        kept = self._next_normal, deepcopy(self._bits.state)
        try:
            yield
        finally:
            self._next_normal, self._bits.state = kept

    @property
    def _source(self) -> Any:
        """The generator of PyTorch's that has the state; None where the stream is our own."""
        torch = pytorch_state.loaded() if self._shared else None
        return self._given if torch is None else torch.default_generator

    @property
    def _bits(self) -> np.random.MT19937:
        """The engine, made when the first number is asked for: `np.random` takes long to import.

        Raises:
            RuntimeError: the stream is a device's.
        """
        if self.on_device is not None:
            raise RuntimeError("Expected a 'cpu' device type for generator but found 'cuda'")
        if self._engine is None:
            self._engine = np.random.MT19937()
            self._engine._legacy_seeding(self._seed & 0xFFFFFFFF)  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType, reportAttributeAccessIssue]
        return self._engine

    def seed(self) -> int:
        """Start an unpredictable stream and return its seed."""
        self.manual_seed(_unpredictable())
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the stream started from."""
        if self.on_device is not None:
            return self.on_device.seed
        source = self._source
        return self._seed if source is None else source.initial_seed()

    def get_state(self) -> Tensor:
        """Where the stream is, as bytes that PyTorch reads too."""
        if self.on_device is not None:
            return tensor_of(np.frombuffer(bytearray(self.on_device.get_state()), np.uint8))
        source = self._source
        if source is not None:
            data = bytearray(source.get_state().numpy().tobytes())
        else:
            data = pytorch_state.pack_generator(self._seed, self._bits, self._next_normal)
        return tensor_of(np.frombuffer(data, np.uint8))

    def set_state(self, state: Tensor) -> Generator:
        """Go on where a stream was; RuntimeError for what is no state, TypeError for what are no bytes."""
        if not isinstance(state, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"expected a torch.ByteTensor, but got {type(state).__name__}")
        if state.dtype is not uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        data = state.array.tobytes()
        if self.on_device is not None:
            self.on_device.set_state(data)
            return self
        if len(data) != pytorch_state.STATE_BYTES:
            raise RuntimeError("RNG state is wrong size")
        source = self._source
        if source is not None:
            pytorch_state.set_generator(source, bytearray(data))
        self._seed, self._next_normal = pytorch_state.unpack_generator(data, self._bits)
        return self

    def words(self, count: int) -> NDArray[np.uint64]:
        """The next 32-bit numbers."""
        source = self._source
        if source is None:
            return self._bits.random_raw(count)
        words = pytorch_state.next_words(source, self._bits, count)
        if words is not None:
            return words
        normal = pytorch_state.read_generator(source, self._bits)
        words = self._bits.random_raw(count)
        pytorch_state.write_generator(source, self._bits, normal)
        return words

    def long_words(self, count: int) -> NDArray[np.uint64]:
        """The next 64-bit numbers, each of two 32-bit ones, the first in the high half."""
        pairs = self.words(2 * count)
        return (pairs[0::2] << np.uint64(32)) | pairs[1::2]

    def uniform(self, count: int, double: bool) -> NDArray[Any]:
        """Numbers in [0, 1): multiples of 2^-53, or of 2^-24 for narrower floats."""
        if double:
            return (self.long_words(count) & _WHOLE_53) * _FRACTION_53
        return (self.words(count) & np.uint64((1 << 24) - 1)) * _FRACTION_24

    def one_normal(self) -> float:
        """A number of the standard normal distribution; they come in pairs."""
        if (result := self.waiting_normal) is not None:
            self.waiting_normal = None
            return result
        result, self.waiting_normal = polar(*self.uniform(2, double=True).tolist())
        return result

    @property
    def waiting_normal(self) -> float | None:
        """The second of a pair of normal numbers, which the next one is."""
        source = self._source
        return self._next_normal if source is None else pytorch_state.waiting_normal(source)

    @waiting_normal.setter
    def waiting_normal(self, number: float | None) -> None:
        self._next_normal = number
        if (source := self._source) is not None:
            pytorch_state.let_wait(source, number)

    def normal(self, count: int, double: bool) -> NDArray[Any]:
        """At least 16 standard normal numbers in float64 (`double`) or float32, by blocks, the last of which may overlap."""
        data = self.uniform(count, double).astype(np.float64 if double else np.float32)
        whole = count - count % BLOCK
        _box_muller(data[:whole])
        if whole != count:
            data[-BLOCK:] = self.uniform(BLOCK, double)
            _box_muller(data[-BLOCK:])
        return data

    def normals_one_by_one(self, count: int) -> NDArray[np.float64]:
        """Standard normal numbers as PyTorch draws them for tensors that are small or not contiguous."""
        return np.array([self.one_normal() for _ in range(count)], np.float64)

    def normal_by_block(self, count: int) -> NDArray[Any]:
        """The same as PyTorch draws them for 16-bit floats: the last block after all others."""
        whole = count - count % BLOCK
        data = np.empty(count, np.float32)
        data[:whole] = self.uniform(whole, double=False)
        _box_muller(data[:whole])
        if whole != count:
            data[-BLOCK:] = self.uniform(BLOCK, double=False)
            _box_muller(data[-BLOCK:])
        return data


def polar(first: float, second: float) -> tuple[float, float]:
    """Two normal numbers from two uniform ones (Box and Muller, 1958)."""
    radius = float(np.sqrt(-2.0 * np.log1p(-second)))
    angle = 2.0 * np.pi * first
    return radius * float(np.cos(angle)), radius * float(np.sin(angle))


def _box_muller(data: NDArray[Any]) -> None:
    """Uniform numbers to normal ones, in place, by blocks of 16: the first eight are radii, the others angles."""
    blocks = data.reshape(-1, BLOCK)
    radius = np.sqrt(-2 * np.log(1 - blocks[:, :8]))
    angle = blocks[:, 8:] * data.dtype.type(2 * np.pi)
    blocks[:, :8], blocks[:, 8:] = radius * np.cos(angle), radius * np.sin(angle)


def _unpredictable() -> int:
    return int.from_bytes(os.urandom(8), "little")


default_generator = Generator(seed=_unpredictable(), shared=True)


def seed_all(seed: Any) -> Generator:
    """Start the default generators of the host and of devices anew (PyTorch: `torch.manual_seed`)."""
    default_generator.manual_seed(int(seed))
    device_generator.manual_seed(default_generator._seed)  # pyright: ignore[reportPrivateUsage]
    return default_generator
