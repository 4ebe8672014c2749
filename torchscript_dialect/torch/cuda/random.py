"""Random numbers of the device (PyTorch: torch/cuda/random.py)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.tensor.device_generator import device_generator
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.cuda._device import check_device

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]


def manual_seed(seed: int) -> None:
    """Start the random numbers of the device anew."""
    device_generator.manual_seed(seed)


manual_seed_all = manual_seed


def seed() -> None:
    """Start the random numbers of the device anew, from anywhere."""
    device_generator.manual_seed(int.from_bytes(os.urandom(8), "little"))


seed_all = seed


def initial_seed() -> int:
    """The seed of the random numbers of the device."""
    return device_generator.seed


def get_rng_state(device: Any = "cuda") -> Tensor:
    """Where the random numbers of the device are, as bytes that PyTorch reads too."""
    check_device(device)
    return tensor_of(np.frombuffer(bytearray(device_generator.get_state()), np.uint8))


def get_rng_state_all() -> list[Tensor]:
    """Where the random numbers of each device are."""
    return [get_rng_state()] if is_available() else []


def set_rng_state(new_state: Tensor, device: Any = "cuda") -> None:
    """Go on where random numbers of the device were.

    Raises:
        RuntimeError: it is no state.
    """
    check_device(device)
    device_generator.set_state(new_state.array.tobytes())


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Go on where random numbers of each device were."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)
