"""The types of values that modules have as attributes (PyTorch: torch/jit/_recursive.py, `infer_type`)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from enum import Enum
from typing import Any, cast
from weakref import WeakSet

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.python.class_types import (
    class_as_type,
    is_module_class,
    scripted_classes,
)
from torchscript_dialect.frontend.python.constants import to_constant
from torchscript_dialect.frontend.python.resolver import PythonResolver, script_class
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.subtyping import unify_all
from torchscript_dialect.types.tensor_type import TENSOR


def infer_type(value: Any, unit: CompilationUnit) -> TorchScriptType | None:
    """The type of an attribute's Python value, None where it has none."""
    _, type_ = to_constant(value)
    if type_ is not None:
        return type_
    if isinstance(value, Enum) and isinstance(value, (bool, int, float, str)):
        return type_of_constant(value)  # such a member is a number or a string first, as in PyTorch
    torch = pytorch_state.loaded()
    if isinstance(value, Tensor) or (torch is not None and isinstance(value, torch.Tensor)):
        return TENSOR
    class_ = cast(type[Any], type(value))
    if issubclass(class_, tuple):  # the names of a NamedTuple's fields are lost, as in PyTorch
        parts = [infer_type(part, unit) for part in cast(tuple[Any, ...], value)]
        known = [part for part in parts if part is not None]
        return TupleType.get(known) if len(known) == len(parts) else None
    if isinstance(value, (list, dict)):
        return _container_type(cast("list[Any] | dict[Any, Any]", value), unit)
    known_class = unit.python_objects.get(id(class_))
    if known_class is not None:
        return known_class[1]
    if issubclass(class_, Enum) or is_script_class(class_):
        return class_as_type(class_, unit, PythonResolver({}))
    return None


def why_untyped(value: Any, unit: CompilationUnit) -> str:
    """Why an attribute's value has no type, in PyTorch's words (`tryToInferType` in python/pybind_utils.h)."""
    class_ = cast(type[Any], type(value))
    if isinstance(value, list):
        found = _why_uncommon(cast(list[Any], value), unit, "List", "element type")
        is_of_element = found is not None and found[0]
        text = "List trace inputs must have elements" if found is None else found[1]
        return f"Could not infer type of list element: {text}" if is_of_element else text
    if isinstance(value, dict):
        table = cast(dict[Any, Any], value)
        for parts in (table.keys(), table.values()):
            found = _why_uncommon(parts, unit, "Dictionary", "type")
            if found is not None:
                return found[1]
        return "Dictionary inputs must have entries"
    if issubclass(class_, tuple):
        parts = cast(tuple[Any, ...], value)
        untyped = next((part for part in parts if infer_type(part, unit) is None), None)
        return why_untyped(untyped, unit)
    if is_module_class(class_):
        return "Cannot infer concrete type of torch.nn.Module"
    return (
        "Only tensors and (possibly nested) tuples of tensors, lists, or dicts are supported as inputs"
        f" or outputs of traced functions, but instead got value of type {class_.__name__}."
    )


def _why_uncommon(
    values: Iterable[Any], unit: CompilationUnit, container: str, what: str
) -> tuple[bool, str] | None:
    """Why values have no type in common, and whether one has none itself; None where there are no values."""
    common: TorchScriptType | None = None
    for value in values:
        type_ = infer_type(value, unit)
        if type_ is None:
            return True, why_untyped(value, unit)
        unified = type_ if common is None else unify_all([common, type_])
        if unified is None:
            assert common is not None
            found = f"{common.annotation_str} and {type_.annotation_str}"
            return (
                False,
                f"{container} inputs to traced functions must have consistent {what}. Found {found}",
            )
        common = unified
    return None


_no_script_classes: WeakSet[type[Any]] = WeakSet()


def is_script_class(class_: type[Any]) -> bool:
    """Whether the class has been scripted, or can be: then it is now, as in PyTorch."""
    if class_ in scripted_classes or _scripted_by_pytorch(class_):
        return True
    if class_ in _no_script_classes or not _may_be_script_class(class_):
        return False
    try:
        script_class(class_, CompilationUnit())
    except Exception:  # classes of any library, which are not meant to be programs
        _no_script_classes.add(class_)
        return False
    scripted_classes[class_] = frozenset(vars(class_))
    return True


def _may_be_script_class(class_: type[Any]) -> bool:
    """Whether all methods of a class have code, and it is none of those that PyTorch does not try."""
    if issubclass(class_, (tuple, list, Exception)) or is_module_class(class_):
        return False
    routines = [getattr(class_, name) for name in vars(class_) if hasattr(class_, name)]
    methods = [routine for routine in routines if inspect.isroutine(routine)]
    return bool(methods) and all(hasattr(method, "__code__") for method in methods)


def _scripted_by_pytorch(class_: type[Any]) -> bool:
    torch = pytorch_state.loaded()
    return torch is not None and torch.jit._state._get_script_class(class_) is not None


def _container_type(
    value: list[Any] | dict[Any, Any], unit: CompilationUnit
) -> TorchScriptType | None:
    if not value:
        return None
    if isinstance(value, list):
        element = _common_type(value, unit)
        return None if element is None else ListType(element)
    key, item = _common_type(value, unit), _common_type(value.values(), unit)
    return None if key is None or item is None else DictType(key, item)


def _common_type(values: Iterable[Any], unit: CompilationUnit) -> TorchScriptType | None:
    """The type that holds all of them, None where there is none."""
    types = dict.fromkeys(infer_type(value, unit) for value in values)
    known = [type_ for type_ in types if type_ is not None]
    return unify_all(known) if len(known) == len(types) else None
