"""`torch.nn`: modules, parameters and `functional`. Each family of layers loads when one of them is first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.nn import modules
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import (
    Buffer,
    Parameter,
    UninitializedBuffer,
    UninitializedParameter,
)

_SUBMODULES = ("attention", "common_types", "functional", "grad", "init", "parallel", "utils")
_PARALLEL = ("DataParallel",)

__all__ = [  # pyright: ignore[reportUnsupportedDunderAll]
    "Buffer",
    "Module",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    *modules.FAMILY_OF,
    *_SUBMODULES,
    *_PARALLEL,
]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        found = import_module(f"torchscript_dialect.torch.nn.{name}")
    elif name in modules.FAMILY_OF:
        found = getattr(modules, name)
    elif name in _PARALLEL:
        found = getattr(import_module("torchscript_dialect.torch.nn.parallel"), name)
    else:
        raise absent(__name__, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *modules.FAMILY_OF, *_SUBMODULES, *_PARALLEL})
