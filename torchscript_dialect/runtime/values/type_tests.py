"""Whether runtime values have TorchScript types (PyTorch: aten/src/ATen/core/ivalue.cpp, `IValue::type`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.strides import element_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import (
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import EnumType, InterfaceType
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.tasks import Future

Test = Callable[[Any], bool]
"""Whether a runtime value is of some type."""

_CLASSES: dict[TorchScriptType, type | tuple[type, ...]] = {
    core.INT: int,
    core.FLOAT: float,
    core.BOOL: bool,
    core.COMPLEX: complex,
    core.STR: str,
    core.NONE: type(None),
    core.NUMBER: (int, float, complex),
    core.ANY_LIST: list,
    core.ANY_TUPLE: tuple,
    core.ANY_ENUM: EnumMember,
    core.ANY_CLASS: ScriptObject,
    core.DEVICE: device,
    core.GENERATOR: Generator,
}


def has_type(value: Any, type_: TorchScriptType) -> bool:
    """Whether a runtime value has a TorchScript type."""
    return type_test(type_)(value)


@lru_cache(maxsize=1024)
def type_test(type_: TorchScriptType) -> Test:
    """The test for a type, made once: programs ask it of every attribute that they read from an archive's objects."""
    if type_ == core.ANY:
        return lambda value: True
    if isinstance(type_, TensorType):
        return _tensor_test(type_)
    if type_ in _CLASSES:
        return _class_test(type_)
    match type_:
        case OptionalType():
            element = type_test(type_.element)
            return lambda value: value is None or element(value)
        case UnionType():
            members = list(map(type_test, type_.members))
            return lambda value: any(test(value) for test in members)
        case ListType():
            element = type_test(type_.element)
            return lambda value: (
                isinstance(value, list) and all(map(element, cast("list[Any]", value)))
            )
        case DictType():
            return _dict_test(type_test(type_.key), type_test(type_.value))
        case TupleType():
            return _tuple_test(list(map(type_test, type_.elements)))
        case FutureType():
            return lambda value: isinstance(value, Future)
        case InterfaceType():  # only the class of the object tells which methods it has
            return lambda value: _class_name(value) is not None
        case _:
            return _named_test(type_)


def _tensor_test(type_: TensorType) -> Test:
    if type_ == TENSOR:
        return lambda value: isinstance(value, Tensor)
    return lambda value: isinstance(value, Tensor) and is_subtype(tensor_type(value), type_)


def _class_test(type_: TorchScriptType) -> Test:
    classes = _CLASSES[type_]
    if type_ == core.BOOL:
        return lambda value: isinstance(value, bool)
    return lambda value: isinstance(value, classes) and not isinstance(value, bool)


def _dict_test(key: Test, value: Test) -> Test:
    return lambda found: (
        isinstance(found, dict)
        and all(key(k) and value(v) for k, v in cast("dict[Any, Any]", found).items())
    )


def _tuple_test(elements: list[Test]) -> Test:
    def test(value: Any) -> bool:
        if not isinstance(value, tuple):
            return False
        items = cast("tuple[Any, ...]", value)
        return len(items) == len(elements) and all(
            element(item) for element, item in zip(elements, items, strict=True)
        )

    return test


def _named_test(type_: TorchScriptType) -> Test:
    name = type_.annotation_str
    if isinstance(type_, EnumType):
        return lambda value: isinstance(value, EnumMember) and value.qualified_name == name
    return lambda value: _class_name(value) == name


def _class_name(value: Any) -> str | None:
    """The qualified name of the class of an object of a program; None for any other value."""
    return getattr(value, "__torchscript_qualified_name__", None)


def tensor_type(tensor: Tensor) -> TensorType:
    """All that can be said of a tensor. It requires no gradient where none are wanted."""
    if isinstance(tensor, UnstridedTensor):
        return TENSOR
    array = tensor.array
    return TensorType.of(
        tensor.dtype.type_name,
        array.shape,
        element_strides(array),
        str(tensor.device),
        tensor.__class__ is TrackedTensor and is_grad_enabled(),
    )
