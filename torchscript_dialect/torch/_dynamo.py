"""`torch._dynamo`, as far as source asks that it leaves something alone (PyTorch: torch/_dynamo/__init__.py)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from torchscript_dialect.torch.compiler import (
    allow_in_graph,
    assume_constant_result,
    disable,
    is_compiling,
    reset,
)

config = SimpleNamespace(cache_size_limit=8, suppress_errors=False, disable=True)
"""Settings that programs change; nothing is compiled by them."""


def mark_dynamic(t: Any, index: Any, **_: Any) -> None:
    """Say that a size of a tensor changes."""


def mark_static(t: Any, index: Any = None) -> None:
    """Say that a size of a tensor does not change."""


def mark_static_address(t: Any, guard: bool = False) -> None:
    """Say that a tensor stays where it is."""


__all__ = [
    "allow_in_graph",
    "assume_constant_result",
    "config",
    "disable",
    "is_compiling",
    "mark_dynamic",
    "mark_static",
    "mark_static_address",
    "reset",
]
