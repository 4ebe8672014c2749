"""What the attributes of structural nodes must be: each node's `ATTRIBUTES` maps their names to these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod
from types import MappingProxyType
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute

from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    GeneratorAttr,
    PackedAttr,
    TensorAttr,
    TensorData,
)
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True)
class AttributeConstraint:
    """What an attribute must be: `what` says it in messages, `holds` checks it."""

    what: str
    holds: Callable[[Attribute], bool]
    is_required: bool = True


def optional(constraint: AttributeConstraint) -> AttributeConstraint:
    """The same for an attribute that need not be there."""
    return replace(constraint, is_required=False)


def constrain(**attributes: AttributeConstraint) -> Mapping[str, AttributeConstraint]:
    """The `ATTRIBUTES` of a node: `constrain(beg=INT, end=INT)`."""
    return MappingProxyType(attributes)


def is_int(attribute: Attribute, least: int = _INT64.start) -> bool:
    """Whether the attribute is an int of 64 bits, `least` or more."""
    if not isinstance(attribute, IntegerAttr):
        return False
    number = cast("IntegerAttr[Any]", attribute)
    return number.type == i64 and least <= number.value.data < _INT64.stop


def is_data(attribute: Attribute) -> bool:
    """Whether the attribute is the value of a constant: numbers, text, tensors, members of enums, generators, and sequences of them."""
    match attribute:
        case IntegerAttr():
            return attribute.value.data in _INT64
        case FloatAttr() | StringAttr() | ComplexAttr() | UnitAttr():
            return True
        case GeneratorAttr() | PackedAttr():
            return True
        case TensorAttr():
            return _is_whole(attribute.data)
        case EnumMemberAttr():
            return is_data(attribute.value)
        case ArrayAttr():
            return all(map(is_data, attribute.data))
        case _:
            return False


def _is_whole(tensor: TensorData) -> bool:
    """Whether the bytes of a tensor are those of its dtype and shape, and a bool's are 0 and 1."""
    if not all(type(size) is int and size >= 0 for size in tensor.shape):
        return False
    if tensor.dtype == "Bool" and tensor.data.strip(b"\0\1"):
        return False
    return len(tensor.data) == prod(tensor.shape) * from_name(tensor.dtype).itemsize


def _is_name(attribute: Attribute) -> bool:
    """Names may be numbers, as those of submodules are."""
    return isinstance(attribute, StringAttr) and attribute.data.replace("_", "a").isalnum()


def _are_types(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(
        isinstance(type_, TorchScriptType) for type_ in cast("ArrayAttr[Attribute]", attribute).data
    )


def _are_indices(attribute: Attribute) -> bool:
    return isinstance(attribute, ArrayAttr) and all(
        is_int(index, 0) for index in cast("ArrayAttr[Attribute]", attribute).data
    )


INT64 = AttributeConstraint("an int of 64 bits", is_int)
COUNT = AttributeConstraint("an int of 64 bits, 1 or more", lambda attribute: is_int(attribute, 1))
INDEX = AttributeConstraint("an int of 64 bits, 0 or more", lambda attribute: is_int(attribute, 0))
INDICES = AttributeConstraint("a list of ints of 64 bits, 0 or more", _are_indices)
TEXT = AttributeConstraint("a string", lambda attribute: isinstance(attribute, StringAttr))
NAME = AttributeConstraint("a name of letters, digits and underscores", _is_name)
DATA = AttributeConstraint("the value of a constant", is_data)
TYPES = AttributeConstraint("a list of types", _are_types)
TENSOR_TYPE = AttributeConstraint("a tensor type", lambda type_: isinstance(type_, TensorType))
