"""What the elements of a list sort by, and which have an order (aten/src/ATen/core/ivalue.cpp: isSortableListOfObjectsOrTuples)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR

_TYPES = {
    bool: core.BOOL,
    int: core.INT,
    float: core.FLOAT,
    str: core.STR,
    complex: core.COMPLEX,
    type(None): core.NONE,
}
_PLAIN = frozenset((bool, int, float, str))
_ORDERED = (core.BOOL, core.INT, core.FLOAT, core.STR, TENSOR)


class _Number:
    """A tensor among what is compared: only then it has to be one number."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def _value(self) -> Any:
        count = self.tensor.array.size
        if count != 1:
            what = "more than one value" if count else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
        return self.tensor.item()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Number) and self._value() == other._value()

    def __lt__(self, other: _Number) -> bool:
        return self.tensor is not other.tensor and self._value() < other._value()

    __hash__ = None  # pyright: ignore[reportAssignmentType]


def key_of(items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """What elements of one type sort by: None where it is themselves."""
    return _key if items and _has_tensors(items[0]) else None


def _has_tensors(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_tensors, cast("tuple[Any, ...]", value)))
    return isinstance(value, Tensor)


def _key(value: Any) -> Any:
    if isinstance(value, Tensor):
        return _Number(value)
    return tuple(map(_key, cast("tuple[Any, ...]", value))) if isinstance(value, tuple) else value


def check_order(items: Sequence[Any]) -> None:
    """Raise where elements that are tuples or objects have no order: of several types, or of such that are not compared.

    Raises:
        RuntimeError: the message names the types.
    """
    if _have_plain_order(items):
        return
    types = [_type_of(item) for item in items]
    if not types:
        return
    first = types[0]
    for other in types:
        if other != first:
            raise RuntimeError(
                "Only values of same type can be compared."
                f" Found {first.annotation_str} and {other.annotation_str}"
            )
    if isinstance(first, TupleType):
        if not _is_ordered(first):
            raise RuntimeError(
                f"Contained elements in {first.graph_str} are not sortable. Only Int, Bool, Float, String, Tensor, a User Defined Class"
                " with __lt__ method defined or Tuples of aforementioned types can be sorted."
            )
    elif not _is_ordered(first):
        raise RuntimeError(
            "Only list of Tensors, ints, floats, bools, strs, a User Defined Class that defines the __lt__ compare method or Tuples of"
            f" aforementioned types can be sorted, got list of {first.annotation_str}"
        )


def _have_plain_order(items: Sequence[Any]) -> bool:
    """Whether items are tuples of the same plain values, which shows sooner than by their types."""
    if set(map(type, items)) != {tuple} or len(set(map(len, items))) != 1:
        return False
    columns = (set(map(type, column)) for column in zip(*items, strict=True))
    return all(len(kinds) == 1 and kinds <= _PLAIN for kinds in columns)


def _is_ordered(type_: TorchScriptType) -> bool:
    if isinstance(type_, TupleType):
        return all(map(_is_ordered, type_.contained))
    return type_ in _ORDERED or isinstance(type_, ClassType)


def _type_of(value: Any) -> TorchScriptType:
    """The type that a value has while a program runs."""
    match value:
        case Tensor():
            return TENSOR
        case tuple():
            return TupleType.get(map(_type_of, cast("tuple[Any, ...]", value)))
        case list():
            items = cast("list[Any]", value)
            return ListType(_type_of(items[0]) if items else TENSOR)
        case dict():
            for one, other in cast("dict[Any, Any]", value).items():
                return DictType(_type_of(one), _type_of(other))
            return DictType(core.STR, TENSOR)
        case _:
            name = getattr(value, "__torchscript_qualified_name__", type(value).__name__)
            return _TYPES.get(cast("type[Any]", type(value))) or ClassType(name)
