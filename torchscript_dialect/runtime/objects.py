"""Objects of script classes in running programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

MethodResolver = Callable[[str], Callable[..., Any]]
"""From the symbol of a method to what runs it."""


class ScriptObject:
    """An object of the class of that qualified name; methods are found by `resolve`."""

    def __init__(self, qualified_name: str, resolve: MethodResolver) -> None:
        self.__torchscript_qualified_name__ = qualified_name
        self.__torchscript_resolve__ = resolve

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__torchscript_"):
            raise AttributeError(name)
        try:
            method = self.__torchscript_resolve__(f"{self.__torchscript_qualified_name__}.{name}")
        except LookupError:
            class_name = self.__torchscript_qualified_name__
            raise AttributeError(f"'{class_name}' object has no attribute '{name}'") from None
        return partial(method, self)

    def __lt__(self, other: Any) -> bool:
        return self.__getattr__("__lt__")(other)

    def __repr__(self) -> str:
        return f"<{self.__torchscript_qualified_name__} object at {id(self):#x}>"


def attributes_of(obj: ScriptObject) -> dict[str, Any]:
    """The attributes that the program gave the object."""
    return {k: v for k, v in vars(obj).items() if not k.startswith("__torchscript_")}
