"""The attributes of an op as a key of a table."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr
from xdsl.ir import Attribute, Operation

from torchscript_dialect.dialects.attributes import EnumMemberAttr
from torchscript_dialect.dialects.places import source_place


def attributes_key(op: Operation) -> tuple[Any, ...]:
    """The attributes of an op as a key; floats count as their bits (0.0 is not -0.0), and NaN as
    nothing but itself. A member of an enum that the source mentions, by its name or among all, is an object of its own, which
    `is` tells from others: so is its constant, while that of a default, which has no place, is one object in all calls.
    """
    attributes = op.attributes
    if len(attributes) == 1:
        ((name, value),) = attributes.items()
        if _holds_member(value) and source_place(op.location) is not None:
            return (name, op)
        return (name, _key(value))
    return tuple([(name, _key(attributes[name])) for name in sorted(attributes)])


def _holds_member(attribute: Attribute) -> bool:
    if isinstance(attribute, ArrayAttr):
        items = cast("ArrayAttr[Attribute]", attribute).data
        return bool(items) and type(items[0]) is EnumMemberAttr
    return type(attribute) is EnumMemberAttr


def _key(attribute: Attribute) -> Any:
    class_ = type(attribute)
    if class_ is FloatAttr:
        number = cast(FloatAttr, attribute).value.data
        return ("float", object() if number != number else number.hex())
    if class_ is ArrayAttr:
        return tuple(_key(item) for item in cast(ArrayAttr[Attribute], attribute))
    return attribute
