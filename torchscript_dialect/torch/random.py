"""`torch.random`: the default generator, and regions that leave it as it was."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch import initial_seed, manual_seed, seed


def get_rng_state() -> Tensor:
    """Where the default generator is, as bytes."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator go on where it was."""
    default_generator.set_state(new_state)


@contextmanager
def fork_rng(
    devices: Iterable[object] | None = None, enabled: bool = True, device_type: str = "cuda"
) -> Generator[None]:
    """The default generator is afterwards where it is now; those of devices are not looked after."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


__all__ = ["fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]
