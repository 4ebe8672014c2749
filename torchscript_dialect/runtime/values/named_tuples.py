"""The classes of NamedTuples' values: what `collections.namedtuple` makes, which evaluates a text with the names of the fields."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter
from typing import Any

from torchscript_dialect.utils.errors import TorchScriptError


@lru_cache(maxsize=1 << 14)
def named_tuple(qualified_name: str, fields: tuple[str, ...]) -> type[tuple[Any, ...]]:
    """The class of the values of a NamedTuple.

    Raises:
        TorchScriptError: Python would not let a field have its name, or two have one.
    """
    for name in fields:
        if not name.isidentifier() or keyword.iskeyword(name) or name[0] == "_":
            raise TorchScriptError(f"a field of a NamedTuple cannot be called {name!r}")
    if len(set(fields)) != len(fields):
        raise TorchScriptError(f"two fields of {qualified_name} have one name")
    members: dict[str, Any] = {
        "__slots__": (),
        "__match_args__": fields,
        "_fields": fields,
        **{name: property(itemgetter(index)) for index, name in enumerate(fields)},
    }
    return type(qualified_name.rsplit(".", 1)[-1], (_NamedTuple,), members)


class _NamedTuple(tuple[Any, ...]):
    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __new__(cls, *items: Any) -> _NamedTuple:
        return cls._make(items)

    @classmethod
    def _make(cls, items: Iterable[Any]) -> _NamedTuple:
        made = super().__new__(cls, items)
        if len(made) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
        return made

    def _asdict(self) -> dict[str, Any]:
        return dict(zip(self._fields, self, strict=True))

    def _replace(self, **changes: Any) -> _NamedTuple:
        if unknown := changes.keys() - set(self._fields):
            raise ValueError(f"Got unexpected field names: {sorted(unknown)}")
        return self._make((self._asdict() | changes).values())

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({inside})"
