"""Names for the operands and attributes of an op: `tuple = Operand(0)` in its class makes `op.tuple` what `op.operands[0]` is.

A name that means something on every op already, is a keyword of Python, or another operand's gets an underscore at its end: the
argument `from` of `aten::random_` is `op.from_`.
"""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from typing import Any, Self, cast, overload

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute, Operation, SSAValue

from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.types.core import TorchScriptType


class Operand:
    """The operand of that number."""

    def __init__(self, index: int) -> None:
        self.index = index

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> Self: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> SSAValue: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> Self | SSAValue:
        return self if op is None else op.operands[self.index]

    def __set__(self, op: Operation, value: SSAValue) -> None:
        op.operands[self.index] = value


class Operands:
    """The operands from that number on, or every `step`-th of them."""

    def __init__(self, start: int = 0, step: int = 1) -> None:
        self.slice = slice(start, None, step)

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> Self: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Sequence[SSAValue]: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> Self | Sequence[SSAValue]:
        return self if op is None else tuple(op.operands)[self.slice]


class AttributeValue:
    """The attribute of that name as a Python value; None where the op does not have it."""

    def __init__(self, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, op: None, owner: type[Operation]) -> Self: ...
    @overload
    def __get__(self, op: Operation, owner: type[Operation]) -> Any: ...
    def __get__(self, op: Operation | None, owner: type[Operation]) -> Any:
        if op is None:
            return self
        attribute = op.attributes.get(self.name)
        return None if attribute is None else _python_value(attribute)


def _python_value(attribute: Attribute) -> Any:
    """Types stand for themselves."""
    if isinstance(attribute, TorchScriptType):
        return attribute
    if isinstance(attribute, ArrayAttr):
        return [_python_value(item) for item in cast("ArrayAttr[Attribute]", attribute)]
    return from_attribute(attribute)


def accessor_names(names: Sequence[str], class_: type[Operation]) -> tuple[str, ...]:
    """The names by which ops of a class give their operands: `from_` for `from`, `x_` for a second `x`."""
    found: list[str] = []
    for name in names:
        is_taken = keyword.iskeyword(name) or hasattr(class_, name) or name == "name"
        given = f"{name}_" if is_taken else name
        while given in found:
            given += "_"
        found.append(given)
    return tuple(found)
