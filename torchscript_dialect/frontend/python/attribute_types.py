"""The types of values that modules have as attributes (PyTorch: torch/jit/_recursive.py, `infer_type`)."""

from __future__ import annotations

import sys
from enum import Enum
from typing import Any, cast

from torchscript_dialect.frontend.python.class_types import class_as_type, scripted_classes
from torchscript_dialect.frontend.python.constants import to_constant
from torchscript_dialect.frontend.python.resolver import PythonResolver
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR


def infer_type(value: Any, unit: CompilationUnit) -> TorchScriptType | None:
    """The type of an attribute's Python value, None where it has none."""
    _, type_ = to_constant(value)
    if type_ is not None:
        return type_
    torch = sys.modules.get("torch")
    if isinstance(value, Tensor) or (torch is not None and isinstance(value, torch.Tensor)):
        return TENSOR
    class_ = cast(type[Any], type(value))
    if issubclass(class_, tuple):  # the names of a NamedTuple's fields are lost, as in PyTorch
        parts = [infer_type(part, unit) for part in value]
        known = [part for part in parts if part is not None]
        return TupleType.get(known) if len(known) == len(parts) else None
    if isinstance(value, (list, dict)):
        return _container_type(cast("list[Any] | dict[Any, Any]", value), unit)
    if class_ in scripted_classes or issubclass(class_, Enum) or _scripted_by_pytorch(class_):
        return class_as_type(class_, unit, PythonResolver({}))
    known_class = unit.python_objects.get(id(class_))
    return None if known_class is None else known_class[1]


def _scripted_by_pytorch(class_: type[Any]) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and torch.jit._state._get_script_class(class_) is not None


def _container_type(
    value: list[Any] | dict[Any, Any], unit: CompilationUnit
) -> TorchScriptType | None:
    if not value:
        return None
    if isinstance(value, list):
        elements = {infer_type(item, unit) for item in value}
        (element, *others) = elements
        return None if others or element is None else ListType(element)
    keys = {infer_type(key, unit) for key in value}
    values = {infer_type(item, unit) for item in value.values()}
    if len(keys) != 1 or len(values) != 1:
        return None
    key, item = keys.pop(), values.pop()
    return None if key is None or item is None else DictType(key, item)
