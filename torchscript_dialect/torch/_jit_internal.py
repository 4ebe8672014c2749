"""`torch._jit_internal`: marks and types that programs took from here before `torch.jit` had them (PyTorch: torch/_jit_internal.py)."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

from collections.abc import Callable
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
from torchscript_dialect.torch.nn.functional._dispatch import boolean_dispatch as _dispatch
from torchscript_dialect.torch.nn.functional._types import (
    BroadcastingList1,
    BroadcastingList2,
    BroadcastingList3,
)
from torchscript_dialect.utils.tasks import Future


def boolean_dispatch(
    arg_name: str,
    arg_index: int,
    default: bool,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    module_name: str,
    func_name: str,
) -> Callable[..., Any]:
    """A function that is `if_true` where the argument is true, and `if_false` otherwise: a program chooses where it is compiled."""
    return _dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name)


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
