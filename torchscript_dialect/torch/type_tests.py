"""`torch.jit.isinstance` in Python: type annotations as questions about values."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any, Union, cast, get_args, get_origin


def is_instance(obj: Any, target: Any) -> bool:
    """Whether a value has the type that an annotation names; a tuple of annotations asks for any of them."""
    if isinstance(target, tuple):
        return any(is_instance(obj, one) for one in cast("tuple[Any, ...]", target))
    if target is Any:
        return True
    origin, arguments = get_origin(target), get_args(target)
    if origin in (Union, types.UnionType):
        return any(is_instance(obj, one) for one in arguments)
    if target is None or target is type(None):
        return obj is None
    if origin is list:
        items = cast("Sequence[Any]", obj)
        return isinstance(obj, list) and all(is_instance(item, arguments[0]) for item in items)
    if origin is dict:
        table = cast("Mapping[Any, Any]", obj)
        return isinstance(obj, dict) and all(
            is_instance(key, arguments[0]) and is_instance(value, arguments[1])
            for key, value in table.items()
        )
    if origin is tuple:
        parts = cast("Sequence[Any]", obj)
        return (
            isinstance(obj, tuple)
            and len(parts) == len(arguments)
            and all(map(is_instance, parts, arguments))
        )
    return isinstance(obj, target)
