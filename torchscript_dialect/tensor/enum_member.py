"""Members of enums at run time."""

from __future__ import annotations

from typing import Any


class EnumMember:
    """A member of the enum with that qualified name; `value` is None where the program does not tell it.

    Two that are equal need not be one object, so `is` tells them apart where PyTorch's does.
    """

    __slots__ = ("name", "qualified_name", "value")

    def __init__(self, qualified_name: str, name: str, value: Any = None) -> None:
        self.qualified_name = qualified_name
        self.name = name
        self.value = value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EnumMember):
            return NotImplemented
        return self.name == other.name and self.qualified_name == other.qualified_name

    def __hash__(self) -> int:
        return hash((self.qualified_name, self.name))

    def __repr__(self) -> str:
        return f"{self.qualified_name}.{self.name}"
