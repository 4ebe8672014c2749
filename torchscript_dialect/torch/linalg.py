"""`torch.linalg`: the operators whose names start with `linalg_`."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.dispatch import function


def __getattr__(name: str) -> Any:
    if name.startswith("__") or not registry.lookup(f"aten::linalg_{name}"):
        raise AttributeError(f"module 'torch.linalg' has no attribute '{name}'")
    found = globals()[name] = function(f"linalg_{name}")
    return found
