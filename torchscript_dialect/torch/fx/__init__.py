"""`torch.fx`: marks for its symbolic traces, of which there are none here."""

from __future__ import annotations

from typing import Any, TypeVar

from torchscript_dialect.torch.absent_names import absent

__all__ = ["wrap"]

_T = TypeVar("_T")


def wrap(fn_or_name: _T) -> _T:
    """The function itself, or its name: symbolic traces call what is marked so, and go not into it."""
    return fn_or_name


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)
