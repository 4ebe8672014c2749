"""Modules without initialisation."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import inspect
from typing import Any

from torchscript_dialect.torch.nn.modules.module import Module


def skip_init(module_cls: Any, *args: Any, **kwargs: Any) -> Module:
    """A module whose parameters are not to be relied on.

    Raises:
        RuntimeError: it is no module class, or one that takes no `device`.
    """
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    kwargs.pop("device", None)
    return module_cls(*args, **kwargs)
