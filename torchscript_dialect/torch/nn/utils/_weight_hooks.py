"""Hooks that set the weight of a module before each call: how one is found, and taken away."""

# pyright: basic
from __future__ import annotations

from typing import Any, TypeVar

from torchscript_dialect.torch.nn.modules.module import Module

_M = TypeVar("_M", bound=Module)


def weight_hook(module: Module, kind: type[Any], name: str) -> tuple[int, Any] | None:
    """The number of the hook of a kind that sets a parameter, and the hook; None where there is none."""
    for number, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:
            return number, hook
    return None


def remove_weight_hook(module: _M, kind: type[Any], name: str, what: str) -> _M:
    """Undo what added the hook; ValueError, which calls it `what`, where there is none."""
    found = weight_hook(module, kind, name)
    if found is None:
        raise ValueError(f"{what} of '{name}' not found in {module}")
    number, hook = found
    hook.remove(module)
    del module._forward_pre_hooks[number]
    return module
