"""What a module object is made of, as far as its type depends on it (PyTorch: `ConcreteModuleTypeBuilder::equals`)."""

from __future__ import annotations

import inspect
from collections.abc import Hashable
from enum import Enum
from functools import partial
from types import MethodType, NoneType
from typing import Any, cast

from torchscript_dialect.frontend.python.attribute_types import is_script_class
from torchscript_dialect.frontend.python.constants import to_constant
from torchscript_dialect.frontend.python.module_types import (
    OF_EVERY_MODULE,
    annotations_of_class,
    constant_names,
    evaluate_properties,
    is_module,
    table_of,
)

_NUMBERS = (int, float, bool, complex, str, NoneType)
_LIBRARIES = ("builtins", "torch", "torchscript_dialect")
"""Packages whose classes do not change."""
_TABLES = ("_parameters", "_buffers", "_modules")
_EVERY_CLASS = frozenset(
    ("__module__", "__dict__", "__weakref__", "__doc__", "__annotations__", "__parameters__")
)


class _Unusual(Exception):
    """Nobody knows at a glance what type a value has."""


def concrete_type(obj: Any) -> Hashable | None:
    """What equals that of another module object only if both have one type and equal methods; None where that takes a closer look:
    hooks, methods of the object itself, compiled parts, lists of several types, functions that have no hash.
    """
    try:
        found = _of_module(obj)
        hash(found)
    except (_Unusual, TypeError, RecursionError):
        return None
    return found


def _of_module(obj: Any) -> Hashable:
    own = cast("dict[str, Any]", vars(obj))
    is_compiled = hasattr(obj, "_c") or hasattr(obj, "__torchscript_definition__")
    if is_compiled or any(table_of(obj, f"_forward_{one}") for one in ("hooks", "pre_hooks")):
        raise _Unusual
    evaluate_properties(obj)
    tensors = tuple(
        tuple((name, one is None) for name, one in table_of(obj, table).items())
        for table in _TABLES[:2]
    )
    children = table_of(obj, "_modules").items()
    submodules = tuple((n, None if one is None else _of_module(one)) for n, one in children)
    class_ = cast("type[Any]", type(obj))
    named = {name for table in _TABLES for name in table_of(obj, table)}
    constants = sorted(constant_names(obj, annotations_of_class(class_)) - named)
    values = tuple((name, _constant(getattr(obj, name, None))) for name in constants)
    rest = tuple(
        (name, _value(value))
        for name, value in own.items()
        if name not in OF_EVERY_MODULE and name not in constants
    )
    return class_, _members(class_), tensors, submodules, values, rest


def _members(class_: type[Any]) -> Hashable:
    """What a class and its bases hold, unless a library has defined them: methods may be replaced, and values are constants."""
    users = [one for one in class_.__mro__ if one.__module__.partition(".")[0] not in _LIBRARIES]
    return tuple(
        (name, _member(member))
        for one in users
        for name, member in vars(one).items()
        if name not in _EVERY_CLASS
    )


def _member(member: Any) -> Hashable:
    if inspect.isfunction(member) or isinstance(
        member, (property, staticmethod, classmethod, type)
    ):
        return cast("Hashable", member)
    return _constant(member)


def _constant(value: Any) -> Hashable:
    """A value that is part of the type."""
    class_ = cast("type[Any]", type(value))
    if isinstance(value, (list, tuple)):
        return class_, tuple(map(_constant, cast("list[Any]", value)))
    if class_ in _NUMBERS:
        return class_, repr(value)
    raise _Unusual


def _value(value: Any) -> Hashable:
    """The type of an attribute."""
    class_ = cast("type[Any]", type(value))
    if class_ in _NUMBERS:
        return class_
    if is_module(value) or isinstance(value, MethodType):
        raise _Unusual
    if hasattr(class_, "__dlpack__"):
        return "Tensor"
    if _is_function(value):
        return cast("Hashable", value)
    if isinstance(value, partial):
        return _of_partial(cast("partial[Any]", value))
    if isinstance(value, tuple):
        return class_, tuple(map(_value, cast("tuple[Any, ...]", value)))
    if class_ is list:
        return class_, _common(value)
    if class_ is dict:
        return class_, _common(value.keys()), _common(value.values())
    if isinstance(value, Enum):
        return class_
    _, type_ = to_constant(value)
    if type_ is not None:
        return type_
    if is_script_class(class_):
        return class_, _members(class_)
    raise _Unusual


def _of_partial(value: partial[Any]) -> Hashable:
    if not _is_function(value.func):
        raise _Unusual
    keywords = tuple((name, _constant(one)) for name, one in value.keywords.items())
    return partial, value.func, _constant(value.args), keywords


def _is_function(value: Any) -> bool:
    return inspect.isroutine(value) or inspect.isclass(value)


def _common(values: Any) -> Hashable:
    """The type of all of some values, which has to be one."""
    found = {_value(value) for value in values}
    if len(found) > 1:
        raise _Unusual
    return next(iter(found), None)
