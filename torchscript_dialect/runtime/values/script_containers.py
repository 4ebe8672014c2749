"""Lists and dictionaries that Python and programs share (PyTorch: `torch.ScriptList` and `torch.ScriptDict`).

A program gets a copy of a list of Python's. Of `ts.script([1, 2])` it gets the list itself, and Python sees what the program
does to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, cast

from torchscript_dialect.types.containers import DictType, ListType
from torchscript_dialect.types.core import TorchScriptType

Take = Callable[[Any, TorchScriptType], Any]
"""A Python value as a runtime value of a type; TypeError where it has another."""


class ScriptContainer:
    """What both have in common: `held` is what programs see, of the type `type`."""

    __slots__ = ("held", "take", "type")
    held: Any
    type: ListType | DictType

    def __len__(self) -> int:
        return len(self.held)

    def __contains__(self, item: object) -> bool:
        return item in self.held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.held == other.held

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self.held)


class ScriptList(ScriptContainer):
    """A list of values of one type; TypeError for another one."""

    __slots__ = ()

    def __init__(self, items: Sequence[Any], type_: ListType, take: Take) -> None:
        self.take, self.type = take, type_
        self.held: list[Any] = take(items, type_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.held)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return ScriptList(self.held[index], cast(ListType, self.type), self.take)
        return self.held[index]

    def __setitem__(self, index: int | slice, value: Any) -> None:
        self.held[index] = self._many(value) if isinstance(index, slice) else self._one(value)

    def __delitem__(self, index: int) -> None:
        del self.held[index]

    def append(self, value: Any) -> None:
        self.held.append(self._one(value))

    def insert(self, index: int, value: Any) -> None:
        self.held.insert(index, self._one(value))

    def extend(self, values: Iterable[Any]) -> None:
        self.held.extend(self._many(values))

    def pop(self, index: int = -1) -> Any:
        return self.held.pop(index)

    def remove(self, value: Any) -> None:
        self.held.remove(self._one(value))

    def count(self, value: Any) -> int:
        return self.held.count(self._one(value))

    def clear(self) -> None:
        self.held.clear()

    def _one(self, value: Any) -> Any:
        return self.take(value, cast(ListType, self.type).element)

    def _many(self, values: Iterable[Any]) -> list[Any]:
        return self.take(list(values), self.type)


class ScriptDict(ScriptContainer):
    """A dictionary with keys of one type and values of one; TypeError for others."""

    __slots__ = ()

    def __init__(self, entries: dict[Any, Any], type_: DictType, take: Take) -> None:
        self.take, self.type = take, type_
        self.held: dict[Any, Any] = take(entries, type_)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.held)

    def __getitem__(self, key: Any) -> Any:
        return self.held[self._key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.held[self._key(key)] = self.take(value, cast(DictType, self.type).value)

    def __delitem__(self, key: Any) -> None:
        del self.held[self._key(key)]

    def keys(self) -> Iterable[Any]:
        return self.held.keys()

    def items(self) -> Iterable[tuple[Any, Any]]:
        return self.held.items()

    def _key(self, key: Any) -> Any:
        return self.take(key, cast(DictType, self.type).key)
