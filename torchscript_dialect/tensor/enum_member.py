"""Members of enums at run time."""

from __future__ import annotations

from enum import Enum
from typing import Any


class EnumMember:
    """A member of the enum with that qualified name; `value` is None where the program does not tell it.

    Two that are equal need not be one object, so `is` tells them apart where PyTorch's does. The member of the Python class is
    equal too.
    """

    __slots__ = ("name", "qualified_name", "value")

    def __init__(self, qualified_name: str, name: str, value: Any = None) -> None:
        self.qualified_name = qualified_name
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Enum):
            class_name = self.qualified_name.rpartition(".")[2]
            return self.name == other.name and class_name == type(other).__name__
        if not isinstance(other, EnumMember):
            return NotImplemented
        return self.name == other.name and self.qualified_name == other.qualified_name

    def __hash__(self) -> int:
        return hash(self.name)  # as Python's own members have it

    def __repr__(self) -> str:
        return f"{self.qualified_name}.{self.name}"
