"""`torch.jit.isinstance` in Python: type annotations as questions about values."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Tuple, Union, cast, get_args, get_origin  # noqa: UP035


def _check_contained(target: Any, container: type[Any]) -> None:
    """Raise for `List` and its like, which say nothing of what is in them."""
    if container not in (list, dict, tuple):
        return
    name = container.__name__ if target is container else container.__name__.title()
    what = "contained types" if container is dict else "a contained type"
    example = "contained type" if container is dict else what
    inner = "int, int" if container is dict else "int"
    raise RuntimeError(
        f"Attempted to use {name} without {what}. Please add {example}, e.g. {name}[{inner}]"
    )


def is_instance(obj: Any, target: Any) -> bool:
    """Whether a value has the type that an annotation names; a tuple of annotations asks for any of them.

    Raises:
        RuntimeError: it is none, or says nothing of what a container holds.
    """
    if isinstance(target, (list, dict)):
        raise RuntimeError(
            "The second argument to `torch.jit.isinstance` must be a type or a tuple of types"
        )
    if target is Optional:
        raise RuntimeError(
            "Attempted to use Optional without a contained type. Please add a contained type, e.g. Optional[int]"
        )
    if isinstance(target, tuple):
        return any(is_instance(obj, one) for one in cast("tuple[Any, ...]", target))
    if target is Any:
        return True
    origin, arguments = get_origin(target), get_args(target)
    if not arguments and target != Tuple[()]:  # noqa: UP006
        _check_contained(target, target if origin is None else origin)
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
