"""`torch.distributed` as in a PyTorch that is built without it: there is one process (PyTorch: torch/distributed/__init__.py)."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.torch.absent_names import absent


def is_available() -> bool:
    """Whether processes can be one program, which they cannot."""
    return False


def is_initialized() -> bool:
    """Whether this process is one of a group, which it is not."""
    return False


class ProcessGroup:
    """A name for annotations: nothing is one."""


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)


__all__ = ["ProcessGroup", "is_available", "is_initialized"]
