"""`torch._jit_internal`: marks and types that programs took from here before `torch.jit` had them (PyTorch: torch/_jit_internal.py)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from typing import Any, Dict, Final, List, Optional, Tuple, Union  # noqa: UP035

from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.jit import (
    _overload,
    _overload_method,
    export,
    ignore,
    is_scripting,
    unused,
)
from torchscript_dialect.torch.nn.functional._dispatch import boolean_dispatch
from torchscript_dialect.torch.nn.functional._types import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
)
from torchscript_dialect.utils.tasks import Future


def __getattr__(name: str) -> Any:
    raise absent(__name__, name)


__all__ = [
    "Any",
    "BroadcastingList1",
    "BroadcastingList2",
    "BroadcastingList3",
    "Dict",
    "Final",
    "Future",
    "List",
    "Optional",
    "Tuple",
    "Union",
    "_overload",
    "_overload_method",
    "boolean_dispatch",
    "export",
    "ignore",
    "is_scripting",
    "unused",
]
