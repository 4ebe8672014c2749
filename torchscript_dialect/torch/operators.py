"""`torch.ops`: operators by namespace and name, `torch.ops.aten.add`."""

from __future__ import annotations

from collections.abc import Callable
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


def submodule(name: str, names: dict[str, Any]) -> Callable[[str], Any]:
    """`__getattr__` of `torch.linalg` and its like, whose functions are operators `linalg_...`; `names` are its globals."""

    def find(attribute: str) -> Any:
        operator = f"{name}_{attribute}"
        if attribute.startswith("__") or not registry.lookup(f"aten::{operator}"):
            raise AttributeError(f"module 'torch.{name}' has no attribute '{attribute}'")
        found = names[attribute] = function(operator)
        return found

    return find
