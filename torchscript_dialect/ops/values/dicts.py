"""Operators of dictionaries: Python dicts at run time, in insertion order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops import registry

Dict = dict[Any, Any]
_KEYS = ("str", "int", "bool", "float", "complex", "Tensor")


def new_key(key: Any) -> Any:
    """A float or complex number as a key: NaN is another key each time, as it is equal to none."""
    return key if key == key else key + 0


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
    if isinstance(key, float) and key != key:
        raise RuntimeError("Expected to erase 1 item, found 0")  # NaN is not found again
    return key, table.pop(key)


def _update(table: Dict, other: Dict) -> None:
    table.update(other)


def _update_number(table: Dict, other: Dict) -> None:
    table.update([(new_key(key), value) for key, value in other.items()])


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


def _copied_numbers(pairs: list[tuple[Any, Any]]) -> Dict:
    return {new_key(key): value for key, value in pairs}


def _setdefault(table: Dict, key: Any, value: Any) -> Any:
    return table.setdefault(key, value)


def _shown(key: Any) -> str:
    return str(key)


def _get(table: Dict, key: Any, value: Any = None) -> Any:
    return table.get(key, value)


def _pop_or(table: Dict, key: Any, value: Any) -> Any:
    return table.pop(key, value)


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
    "popitem": ("{}", _popitem),
    "setdefault": ("{}", _setdefault),
    "get": ("{}", _get),
    "get.": ("default_{}", _get),
    "pop": ("Dict_{}", _pop),
    "pop.": ("Dict_default_{}", _pop_or),
    "dict.": ("Dict_{}", _copied),
}
_INLINE = {
    "__getitem__": registry.Inline(
        "{0}[{1}] if {1} in {0} else {missing}({0}, {1})", {"missing": _get_item}
    ),
    "__contains__": registry.Inline("{1} in {0}", {}),
    "len": registry.Inline("len({0})", {}),
}
"""What the interpreter's source has for keys that are no floats."""
_TAKE_A_KEY = "__getitem__ _set_item Delete __contains__ setdefault get get. pop pop.".split()


def _with_new_key(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(table: Dict, key: Any, *rest: Any) -> Any:
        return function(table, new_key(key), *rest)

    return apply


for _key in _KEYS:
    _is_number = _key in ("float", "complex")
    for _name, (_pattern, _function) in _BY_OVERLOAD.items():
        registry.implement(
            f"{_name.rstrip('.')}.{_pattern.format(_key)}",
            _with_new_key(_function) if _is_number and _name in _TAKE_A_KEY else _function,
            inline=None if _is_number else _INLINE.get(_name),
        )
    registry.implement(f"update.{_key}", _update_number if _is_number else _update)
    registry.implement(f"dict.{_key}", _copied_numbers if _is_number else _copied)
registry.implement("dict", lambda: dict[Any, Any]())
