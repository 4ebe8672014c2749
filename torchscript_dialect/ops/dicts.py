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


def _shown(key: Any) -> str:
    return str(key)


_BY_OVERLOAD: dict[str, tuple[str, Callable[..., Any]]] = {
    "__getitem__": ("Dict_{}", _get_item),
    "_set_item": ("{}", _set_item),
    "Delete": ("Dict_{}", _delete),
    "__contains__": ("{}", lambda table, key: key in table),
    "len": ("Dict_{}", len),
    "keys": ("{}", lambda table: list(table)),
    "values": ("{}", lambda table: list(table.values())),
    "items": ("{}", lambda table: list(table.items())),
    "copy": ("Dict_{}", lambda table: dict(table)),
    "clear": ("{}", _clear),
    "update": ("{}", _update),
    "popitem": ("{}", _popitem),
    "setdefault": ("{}", lambda table, key, value: table.setdefault(key, value)),
}
for _name, (_pattern, _function) in _BY_OVERLOAD.items():
    for _key in _KEYS:
        registry.kernel(f"{_name}.{_pattern.format(_key)}")(_function)
for _key in _KEYS:
    registry.kernel(f"get.{_key}")(lambda table, key: table.get(key))
    registry.kernel(f"get.default_{_key}")(lambda table, key, value: table.get(key, value))
    registry.kernel(f"pop.Dict_{_key}")(_pop)
    registry.kernel(f"pop.Dict_default_{_key}")(lambda table, key, value: table.pop(key, value))
    registry.kernel(f"dict.{_key} dict.Dict_{_key}")(lambda items: dict(items))
registry.kernel("dict")(lambda: dict[Any, Any]())
