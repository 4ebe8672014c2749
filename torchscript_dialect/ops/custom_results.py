"""What kernels from outside the package return, as runtime values of the types that their schemas promise.

Kernels may give NumPy's arrays and numbers for tensors and numbers, tuples for lists, ints for floats. Anything else that is not of the
type is an error: code is compiled for what schemas promise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

import numpy as np

from torchscript_dialect.tensor.conversion import shared_array
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.byte_strings import is_whole

Converter: TypeAlias = Callable[[Any], Any]
_INT64 = range(-(1 << 63), 1 << 63)
MAX_DEPTH = 100
"""Of containers in containers that a result of type `Any` may have."""


class Mismatch(Exception):
    """A value that a kernel may not return; what it is."""


def converter(type_: TorchScriptType) -> Converter:
    """What makes a runtime value of the type of what a kernel returned, or raises `Mismatch`."""
    if isinstance(type_, TensorType):
        return _tensor
    if type_ in _SIMPLE:
        return _SIMPLE[type_]
    if isinstance(type_, OptionalType):
        return partial(_optional, converter(type_.element))
    if isinstance(type_, ListType):
        return partial(_list, converter(type_.element))
    if isinstance(type_, DictType):
        return partial(_dict, converter(type_.key), converter(type_.value))
    if isinstance(type_, TupleType):
        return partial(_tuple, [converter(element) for element in type_.elements])
    return _other


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"


def _tensor(value: Any) -> Tensor:
    if isinstance(value, Tensor):
        return value
    try:
        array = shared_array(value)
    except (TypeError, ValueError) as error:  # memory that no tensor may have
        raise Mismatch(f"{_kind(value)} ({error})") from error
    if array is None:
        raise Mismatch(_kind(value))
    return tensor_of(array)


def _int(value: Any) -> int:
    if not isinstance(value, (int, np.integer, np.bool_)):
        raise Mismatch(_kind(value))
    number = int(cast("int", value))
    if number not in _INT64:
        raise Mismatch("an int of more than 64 bits")
    return number


def _float(value: Any) -> float:
    if isinstance(value, (float, np.floating)):
        return float(cast("float", value))
    return float(_int(value))


def _bool(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise Mismatch(_kind(value))
    return bool(cast("object", value))


def _complex(value: Any) -> complex:
    is_complex = isinstance(value, (complex, np.complexfloating))
    return complex(cast("complex", value)) if is_complex else complex(_float(value))


def _number(value: Any) -> bool | int | float | complex:
    if isinstance(value, (bool, np.bool_)):
        return bool(cast("object", value))
    if isinstance(value, (int, np.integer)):
        return _int(value)
    is_complex = isinstance(value, (complex, np.complexfloating))
    return _complex(value) if is_complex else _float(value)


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise Mismatch(_kind(value))
    if not is_whole(value):
        raise Mismatch("a str that is no UTF-8")
    return str(value)


def _device(value: Any) -> device:
    if not isinstance(value, device):
        raise Mismatch(_kind(value))
    return value


def _none(value: Any) -> None:
    if value is not None:
        raise Mismatch(_kind(value))


def _optional(element: Converter, value: Any) -> Any:
    return None if value is None else element(value)


def _list(element: Converter, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise Mismatch(_kind(value))
    items = cast("Sequence[Any]", value)
    converted = [element(item) for item in items]
    same = isinstance(value, list) and all(map(_is, items, converted))
    return (
        cast("list[Any]", value) if same else converted
    )  # a list of the program's stays that list


def _is(one: Any, other: Any) -> bool:
    return one is other


def _dict(key: Converter, item: Converter, value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise Mismatch(_kind(value))
    pairs = cast("dict[Any, Any]", value)
    converted = {key(one): item(other) for one, other in pairs.items()}
    same = all(map(_is, pairs.values(), converted.values()))
    return pairs if same and all(map(_is, pairs, converted)) else converted


def _tuple(elements: list[Converter], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, tuple):
        raise Mismatch(_kind(value))
    parts = cast("tuple[Any, ...]", value)
    if len(parts) != len(elements):
        raise Mismatch(f"a tuple of {len(parts)}")
    converted = tuple(element(part) for element, part in zip(elements, parts, strict=True))
    return parts if all(map(_is, parts, converted)) else converted  # which may have named fields


def _any(value: Any, depth: int = 0) -> Any:
    if depth > MAX_DEPTH:
        raise Mismatch("something that is nested too deeply, or holds itself")
    inner = partial(_any, depth=depth + 1)
    match value:
        case None | Tensor():
            return value
        case bool() | int() | float() | complex() | np.bool_() | np.number():
            return _number(value)
        case str():
            return _str(value)
        case list():
            return _list(inner, cast("list[Any]", value))
        case tuple():
            items = cast("tuple[Any, ...]", value)
            return _tuple([inner] * len(items), items)
        case dict():
            return _dict(inner, inner, cast("dict[Any, Any]", value))
        case np.ndarray():
            return _tensor(cast("Any", value))
        case _:
            return _other(value)


def _other(value: Any) -> Any:
    """A generator, future, object or member of an enum: what is no kind of this package's is refused."""
    home = type(value).__module__
    if hasattr(value, "__torchscript_qualified_name__") or home.startswith("torchscript_dialect."):
        return value
    raise Mismatch(_kind(value))


_SIMPLE: dict[TorchScriptType, Converter] = {
    core.INT: _int,
    core.FLOAT: _float,
    core.BOOL: _bool,
    core.COMPLEX: _complex,
    core.NUMBER: _number,
    core.STR: _str,
    core.DEVICE: _device,
    core.NONE: _none,
    core.ANY: _any,
}
