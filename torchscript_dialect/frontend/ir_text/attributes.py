"""Attributes of nodes from the values that graph text gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute

from torchscript_dialect.dialects.attributes import (
    EnumMemberAttr,
    TensorAttr,
    to_attribute,
)
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.containers import OptionalType, TupleType
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, TorchScriptType
from torchscript_dialect.types.named import ClassType, EnumType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType


def to_attributes(raw: dict[str, Any], results: Sequence[TorchScriptType]) -> dict[str, Attribute]:
    """The attributes of a node from their parsed values; the type of its only result is that of a constant's value."""
    only = results[0] if len(results) == 1 else None
    return {key: _attribute(value, only if key == "value" else None) for key, value in raw.items()}


def _attribute(value: Any, type_: TorchScriptType | None) -> Attribute:
    """The attribute of a parsed value; a constant's type says whether 1 is an int, a bool or a float."""
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if isinstance(type_, EnumType) and isinstance(value, ClassType):
        enum, _, member = value.qualified_name.data.rpartition(".")
        return EnumMemberAttr(StringAttr(enum), StringAttr(member), UnitAttr())
    if isinstance(value, Attribute):
        return value
    if isinstance(value, tuple) and type_ == COMPLEX:
        return to_attribute(complex(*value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, (list, tuple)):
        items = cast("list[Any] | tuple[Any, ...]", value)
        if isinstance(type_, TupleType) and len(type_.elements) == len(items):
            return ArrayAttr(map(_attribute, items, type_.elements))
        element = type_.contained[0] if type_ is not None and type_.contained else None
        return ArrayAttr(_attribute(item, element) for item in items)
    if type_ == BOOL:
        return to_attribute(bool(value))
    if type_ == FLOAT and isinstance(value, int):
        return to_attribute(float(value))
    if type_ == COMPLEX and isinstance(value, (int, float)):
        return to_attribute(complex(value))
    if isinstance(value, Tensor):
        return _tensor_attribute(value.array, type_ if isinstance(type_, TensorType) else TENSOR)
    return to_attribute(value)


_DEFAULT_DTYPES = {"i": "long", "b": "bool", "c": "complex64"}


def _tensor_attribute(number: np.ndarray[Any, Any], type_: TensorType) -> TensorAttr:
    """The attribute of a `{1.5}`; the constant's type says which dtype and shape it has."""
    of = from_name(type_.dtype or _DEFAULT_DTYPES.get(number.dtype.kind, "float"))
    array = number.astype(of.numpy_dtype)
    if type_.sizes and all(size == 1 for size in type_.sizes):
        array = array.reshape([1] * len(type_.sizes))
    return TensorAttr.from_tensor(tensor_of(array))
