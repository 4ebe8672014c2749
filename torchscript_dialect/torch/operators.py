"""`torch.ops`: operators by namespace and name, `torch.ops.aten.add`."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.dispatch import function


class Namespace:
    """The operators of one namespace."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.__torchscript_namespace__ = name

    def __getattr__(self, name: str) -> Any:
        qualified_name = f"{self._name}::{name}"
        if name.startswith("__") or not registry.lookup(qualified_name):
            raise AttributeError(f"'_OpNamespace' '{self._name}' object has no attribute '{name}'")
        found = function(qualified_name)
        setattr(self, name, found)
        return found


class Operators:
    """All namespaces."""

    __torchscript_namespace__ = ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = Namespace(name)
        setattr(self, name, found)
        return found
