"""The stream of random numbers of a device: PyTorch's CUDA generator (aten/src/ATen/cuda/CUDAGeneratorImpl.cpp)."""

from __future__ import annotations

import os
import struct
from typing import NamedTuple, final

STATE = struct.Struct("<QQ")
"""How PyTorch writes the state: the seed, and how far it is."""


class Draw(NamedTuple):
    """The part of the stream that a kernel draws from: the key, and where each of its threads begins."""

    seed: int
    start: int


@final
class DeviceGenerator:
    """Counts how many words each thread of the kernels before has drawn: see Note [Random numbers of devices]."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.offset = 0

    def manual_seed(self, seed: int) -> None:
        """Start the stream that belongs to the seed."""
        self.seed = seed % (1 << 64)
        self.offset = 0

    def take(self, count: int) -> Draw:
        """The next `count` words of each thread, in whole fours."""
        start = self.offset
        self.offset += -(-count // 4) * 4
        return Draw(self.seed, start)

    def get_state(self) -> bytes:
        """Where the stream is."""
        return STATE.pack(self.seed, self.offset)

    def set_state(self, state: bytes) -> None:
        """Go on where a stream was.

        Raises:
            RuntimeError: it is no state.
        """
        if len(state) != STATE.size:
            raise RuntimeError("RNG state is wrong size")
        seed, offset = STATE.unpack(state)
        if offset % 4:
            raise RuntimeError("offset must be a multiple of 4")
        self.seed, self.offset = seed, offset


device_generator = DeviceGenerator(int.from_bytes(os.urandom(8), "little"))
"""The generator of the first device."""
