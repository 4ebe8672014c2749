"""Default values of parameters against the types of these (PyTorch: toIValue in python/pybind_utils.cpp)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from torchscript_dialect.frontend.sugared.arguments import describe
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT, NUMBER, STR, TorchScriptType
from torchscript_dialect.types.function_schema import Argument
from torchscript_dialect.types.named import ClassType, EnumType
from torchscript_dialect.types.tensor_type import INFERRED_TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange


class _Unfit:
    """Stands for a Python object that is no value of the language."""


UNFIT: Final = _Unfit()


def default_fits(default: Any, type_: TorchScriptType, list_size: int | None = None) -> bool:
    """Whether a Python value can be the default of a parameter; `list_size` allows one element for a list."""
    if default is UNFIT:
        return False
    if default is None:
        is_container = isinstance(type_, (ListType, DictType, TupleType, ClassType))
        return not is_container and type_ not in (INT, FLOAT, COMPLEX, BOOL, STR, NUMBER)
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if isinstance(default, EnumMember):
        types = type_.members.data if isinstance(type_, UnionType) else (type_,)
        return EnumType(default.qualified_name) in types
    if isinstance(default, Tensor):
        return isinstance(type_, TensorType)
    if isinstance(default, (list, tuple, dict)):
        return type_ not in (INT, FLOAT, COMPLEX, BOOL, STR, NUMBER)
    if isinstance(type_, ListType):
        return list_size is not None
    if isinstance(type_, (DictType, TupleType, TensorType)):
        return False
    if isinstance(default, str):
        return type_ not in (INT, FLOAT, COMPLEX, BOOL, NUMBER)
    if isinstance(default, float) and type_ == INT:
        return False
    return type_ != STR or not isinstance(default, (int, float, complex))


def converted_default(default: Any, type_: TorchScriptType) -> Any:
    """A default that fits its parameter as a value of the parameter's type: an int becomes the
    float, and a number the complex number, that the parameter takes.
    """
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if type(default) is int and type_ == FLOAT:
        return float(default)
    return complex(default) if type(default) in (int, float) and type_ == COMPLEX else default


def check_defaults(
    arguments: Sequence[Argument], defaults: Mapping[str, Any], range: SourceRange
) -> None:
    """Raise for a default that its parameter cannot have."""
    for argument in arguments:
        type_ = argument.type
        if argument.name not in defaults:
            continue
        if default_fits(defaults[argument.name], type_, argument.list_size):
            continue
        message = (
            f'Expected a default value of type {describe(type_)} on parameter "{argument.name}".'
        )
        if type_ is INFERRED_TENSOR:
            message += (
                f'Because "{argument.name}" was not annotated with an explicit type it is assumed'
                " to be type 'Tensor'."
            )
        raise FrontendError(message, range)
