"""Operators of dictionaries: Python dicts at run time, in insertion order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops import registry

Dict = dict[Any, Any]
_KEYS = ("str", "int", "bool", "float", "complex", "Tensor")


def _get_item(table: Dict, key: Any) -> Any:
    if key not in table:
        raise RuntimeError("KeyError: " + _shown(key))
    return table[key]


def _set_item(table: Dict, key: Any, value: Any) -> None:
    table[key] = value


def _delete(table: Dict, key: Any) -> None:
    if key not in table:
        raise RuntimeError("KeyError: " + _shown(key))
    del table[key]


def _pop(table: Dict, key: Any) -> Any:
    if key not in table:
        raise RuntimeError("KeyError: " + _shown(key))
    return table.pop(key)


def _popitem(table: Dict) -> tuple[Any, Any]:
    if not table:
        raise RuntimeError("popitem(): dictionary is empty")
    key = next(iter(table))
    return key, table.pop(key)


def _update(table: Dict, other: Dict) -> None:
    table.update(other)


def _clear(table: Dict) -> None:
    table.clear()


def _contains(table: Dict, key: Any) -> bool:
    return key in table


def _keys(table: Dict) -> list[Any]:
    return list(table)


def _values(table: Dict) -> list[Any]:
    return list(table.values())


def _items(table: Dict) -> list[tuple[Any, Any]]:
    return list(table.items())


def _copied(items: Any) -> Dict:
    """A dict from a dict or from pairs."""
    return dict(items)


def _setdefault(table: Dict, key: Any, value: Any) -> Any:
    return table.setdefault(key, value)


def _shown(key: Any) -> str:
    return str(key)


_BY_OVERLOAD: dict[str, tuple[str, Callable[..., Any]]] = {
    "__getitem__": ("Dict_{}", _get_item),
    "_set_item": ("{}", _set_item),
    "Delete": ("Dict_{}", _delete),
    "__contains__": ("{}", _contains),
    "len": ("Dict_{}", len),
    "keys": ("{}", _keys),
    "values": ("{}", _values),
    "items": ("{}", _items),
    "copy": ("Dict_{}", _copied),
    "clear": ("{}", _clear),
    "update": ("{}", _update),
    "popitem": ("{}", _popitem),
    "setdefault": ("{}", _setdefault),
}
for _name, (_pattern, _function) in _BY_OVERLOAD.items():
    for _key in _KEYS:
        registry.implement(f"{_name}.{_pattern.format(_key)}", _function)
for _key in _KEYS:
    registry.implement(f"get.{_key}", lambda table, key: table.get(key))
    registry.implement(f"get.default_{_key}", lambda table, key, value: table.get(key, value))
    registry.implement(f"pop.Dict_{_key}", _pop)
    registry.implement(f"pop.Dict_default_{_key}", lambda table, key, value: table.pop(key, value))
    registry.implement(f"dict.{_key} dict.Dict_{_key}", _copied)
registry.implement("dict", lambda: dict[Any, Any]())
