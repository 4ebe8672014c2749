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


class Entered:
    """The objects whose `with` statements a function is in. An exception leaves all of them, the innermost first."""

    def __init__(self) -> None:
        self._exits: list[Callable[[], Any]] = []

    def enter(self, obj: Any, enter: Callable[..., Any], leave: Callable[..., Any]) -> Any:
        """Call `__enter__`; `__exit__` is owed from then on."""
        result = enter(obj)
        self._exits.append(partial(leave, obj, None, None, None))
        return result

    def leave(self) -> Any:
        """Call the `__exit__` of what was entered last."""
        return self._exits.pop()()

    def __enter__(self) -> Entered:
        return self

    def __exit__(self, *_: object) -> None:
        while self._exits:
            self.leave()
