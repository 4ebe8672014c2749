"""`torch.utils`: what training loops and data need beside operators; each part loads when it is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent

_PARTS = ("_pytree", "checkpoint", "data", "dlpack", "hooks", "model_zoo")

__all__ = [*_PARTS]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _PARTS:
        raise absent(__name__, name)
    return import_module(f"torchscript_dialect.torch.utils.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_PARTS})
