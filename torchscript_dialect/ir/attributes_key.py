"""The attributes of an op as a key of a table."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr
from xdsl.ir import Attribute, Operation


def attributes_key(op: Operation) -> tuple[Any, ...]:
    """The attributes of an op as a key; floats count as their bits (0.0 is not -0.0), and NaN as
    nothing but itself.
    """
    attributes = op.attributes
    if len(attributes) == 1:
        ((name, value),) = attributes.items()
        return (name, _key(value))
    return tuple([(name, _key(attributes[name])) for name in sorted(attributes)])


def _key(attribute: Attribute) -> Any:
    class_ = type(attribute)
    if class_ is FloatAttr:
        number = cast(FloatAttr, attribute).value.data
        return ("float", object() if number != number else number.hex())
    if class_ is ArrayAttr:
        return tuple(_key(item) for item in cast(ArrayAttr[Attribute], attribute))
    return attribute
