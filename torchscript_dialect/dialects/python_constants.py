"""The TorchScript type of a Python value that is to become a constant."""

from __future__ import annotations

from typing import Any, cast

from torchscript_dialect.dialects.attributes import is_packed
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import (
    BOOL,
    COMPLEX,
    FLOAT,
    GENERATOR,
    INT,
    NONE,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.named import ClassType, EnumType
from torchscript_dialect.types.subtyping import unify_all
from torchscript_dialect.types.tensor_type import TENSOR

_SCALARS: dict[type, TorchScriptType] = {
    bool: BOOL,
    int: INT,
    float: FLOAT,
    complex: COMPLEX,
    str: STR,
    type(None): NONE,
    Tensor: TENSOR,
    Generator: GENERATOR,
}


def type_of_constant(value: Any) -> TorchScriptType:
    """The type of a constant; an empty list is a list of tensors, as in TorchScript.

    Raises:
        TypeError: no constant has that type.
    """
    found = _SCALARS.get(value.__class__)
    if found is not None:
        return found
    if isinstance(value, EnumMember):
        return EnumType(value.qualified_name)
    if is_packed(value):
        return ClassType(value.__torchscript_qualified_name__)
    if isinstance(value, tuple):
        return TupleType.get(type_of_constant(item) for item in cast(tuple[Any, ...], value))
    if isinstance(value, list):
        types = [type_of_constant(item) for item in cast(list[Any], value)]
        element: TorchScriptType | None = unify_all(types) if types else TENSOR
        if element is not None:
            return ListType(element)
    for class_, type_ in _SCALARS.items():
        if isinstance(value, class_):
            return type_
    raise TypeError(f"a {cast(Any, value).__class__.__name__} cannot be a constant of a graph")
