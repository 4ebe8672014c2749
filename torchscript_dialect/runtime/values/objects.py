"""Objects of script classes and modules in running programs, and what Python has in their place.

Note [Fields]
What a program gives an object, or reads from it, is an item of the object's `__torchscript_fields__`, a dictionary, and never an
attribute of a Python object: whatever name a program comes up with, it finds what programs have put there. A `ScriptObject` has
no other attributes that it could find, and no `__getattr__`, by which NumPy would find an `__array_interface__`. Python gets
an `ObjectView` of it, or the module (api/module.py) that it belongs to.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from torchscript_dialect.types.core import TorchScriptType

MethodResolver = Callable[[str], Callable[..., Any]]
"""From the symbol of a method to what runs it."""


class ScriptObject:
    """An object of the class of that qualified name; methods are found by `resolve`: Note [Fields].

    A module has a `view`, what Python has instead of it, and `declared`, the types of its fields; other objects have neither.
    """

    __slots__ = (
        "__torchscript_fields__",
        "__torchscript_qualified_name__",
        "__weakref__",
        "declared",
        "resolve",
        "view",
    )

    __torchscript_fields__: dict[str, Any]
    __torchscript_qualified_name__: str

    def __init__(
        self,
        qualified_name: str,
        resolve: MethodResolver,
        view: Any = None,
        declared: Mapping[str, TorchScriptType] | None = None,
    ) -> None:
        self.__torchscript_fields__ = {}
        self.__torchscript_qualified_name__ = qualified_name
        self.resolve = resolve
        self.view = view
        self.declared = declared

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptObject:
        """An object of copies of the fields; of a module, that of a copy of the module."""
        if self.view is not None:
            return object_of(copy.deepcopy(self.view, memo))
        known = memo.get(id(self))
        if known is None:
            known = memo[id(self)] = ScriptObject(self.__torchscript_qualified_name__, self.resolve)
            self.copy_into(known, memo)
        return known

    def copy_into(self, made: ScriptObject, memo: dict[int, Any]) -> None:
        """Give a new object of the class copies of the fields; where the class says what its state is and how it is taken up, that."""
        get, take_up = find_method(self, "__getstate__"), find_method(self, "__setstate__")
        if get is not None and take_up is not None:
            take_up(made, get(self))
            return
        for name, value in self.__torchscript_fields__.items():
            made.__torchscript_fields__[name] = copy.deepcopy(value, memo)

    def __lt__(self, other: Any) -> bool:
        method = find_method(self, "__lt__")
        is_less = None if method is None else method(self, other)
        if not isinstance(is_less, bool):
            name = self.__torchscript_qualified_name__
            raise RuntimeError(
                f"To sort a list of {name} it must define a __lt__ method with two inputs of type {name}"
                " that returns a bool"
            )
        return is_less

    def __repr__(self) -> str:
        return f"<{self.__torchscript_qualified_name__} object at {id(self):#x}>"


def find_method(obj: ScriptObject, name: str) -> Callable[..., Any] | None:
    """What runs a method of the object's class; None where it has none of that name."""
    try:
        return obj.resolve(f"{obj.__torchscript_qualified_name__}.{name}")
    except LookupError:
        return None


def object_of(value: Any) -> Any:
    """The object of programs that a view or module stands for; any other value as it is."""
    return getattr(value, "__torchscript_object__", value)


def view_of(value: Any) -> Any:
    """What Python has for an object of programs; any other value as it is."""
    if not isinstance(value, ScriptObject):
        return value
    return ObjectView(value) if value.view is None else value.view


class ObjectView:
    """An object of a script class in Python's hands: fields and methods are its attributes."""

    __slots__ = ("__torchscript_object__",)

    def __init__(self, obj: ScriptObject) -> None:
        object.__setattr__(self, "__torchscript_object__", obj)

    @property
    def __torchscript_qualified_name__(self) -> str:
        return cast(ScriptObject, self.__torchscript_object__).__torchscript_qualified_name__

    def __getattr__(self, name: str) -> Any:
        if is_special(name):
            raise AttributeError(name)
        obj: ScriptObject = self.__torchscript_object__
        if name in obj.__torchscript_fields__:
            return view_of(obj.__torchscript_fields__[name])
        method = find_method(obj, name)
        if method is None:
            class_name = obj.__torchscript_qualified_name__
            raise AttributeError(f"'{class_name}' object has no attribute '{name}'")
        return partial(_call_method, method, obj)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__torchscript_object__.__torchscript_fields__[name] = object_of(value)

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self.__torchscript_object__.__torchscript_fields__]

    def __eq__(self, other: object) -> bool:
        return self.__torchscript_object__ is object_of(other)

    def __hash__(self) -> int:
        return hash(self.__torchscript_object__)

    def __repr__(self) -> str:
        return repr(self.__torchscript_object__)


def _call_method(method: Callable[..., Any], obj: ScriptObject, *args: Any) -> Any:
    return view_of(method(obj, *map(object_of, args)))


def is_special(name: str) -> bool:
    """Whether the name is one that Python itself looks for."""
    return name[:2] == "__" == name[-2:]


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
