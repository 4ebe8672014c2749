"""Default values of parameters against the types of these (PyTorch: toIValue in python/pybind_utils.cpp)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, Final, cast

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


def fitted_default(default: Any, type_: TorchScriptType, list_size: int | None = None) -> Any:
    """A Python value as the default of a parameter, of the parameter's type: True is the int 1, and an int a float.

    UNFIT if it cannot be that; `list_size` allows one element for a list.
    """
    if default is None:
        is_container = isinstance(type_, (ListType, DictType, TupleType, ClassType))
        return UNFIT if is_container or type_ in _OF_NUMBERS or type_ == STR else None
    if isinstance(type_, OptionalType):
        type_ = type_.element
    if isinstance(default, EnumMember):
        types = type_.members.data if isinstance(type_, UnionType) else (type_,)
        return default if EnumType(default.qualified_name) in types else UNFIT
    if isinstance(default, Tensor):
        return default if isinstance(type_, TensorType) else UNFIT
    if isinstance(type_, UnionType):
        return default if any(_is_exactly(default, member) for member in type_.members) else UNFIT
    if isinstance(type_, ListType) and isinstance(default, (list, tuple)):
        return _fitted_elements(list, cast("Sequence[Any]", default), repeat(type_.element))
    if isinstance(type_, ListType) and list_size is not None:
        return fitted_default(default, type_.element)
    if isinstance(type_, TupleType):
        items = cast("tuple[Any, ...]", default) if isinstance(default, tuple) else ()
        fits = isinstance(default, tuple) and len(items) == len(type_.elements)
        return _fitted_elements(tuple, items, type_.elements) if fits else UNFIT
    if type_ in _OF_NUMBERS:
        number, accepted = _OF_NUMBERS[type_]
        return number(default) if isinstance(default, accepted) else UNFIT
    if type_ == STR:
        return default if isinstance(default, str) else UNFIT
    return UNFIT if isinstance(type_, _WITHOUT_LITERALS) else default


_WITHOUT_LITERALS = (ListType, DictType, TensorType, EnumType, ClassType)
"""The types of values that no number, string or container is."""


_OF_NUMBERS: dict[TorchScriptType, tuple[Callable[[Any], Any], tuple[type, ...]]] = {
    INT: (int, (int,)),
    FLOAT: (float, (int, float)),
    COMPLEX: (complex, (int, float, complex)),
    BOOL: (bool, (int, float, complex)),
    NUMBER: (lambda number: number, (int, float, complex)),
}
"""What makes a number of each type, and the classes of the values that it is made of."""


def _fitted_elements(
    make: Callable[[Iterable[Any]], Any], values: Iterable[Any], types: Iterable[TorchScriptType]
) -> Any:
    items = list(map(fitted_default, values, types))
    return UNFIT if any(item is UNFIT for item in items) else make(items)


def _is_exactly(default: Any, type_: TorchScriptType) -> bool:
    fitted = fitted_default(default, type_)
    return type(fitted) is type(default) and fitted == default


def check_defaults(
    arguments: Sequence[Argument], defaults: Mapping[str, Any], range: SourceRange
) -> None:
    """Raise for a default that its parameter cannot have."""
    for argument in arguments:
        type_ = argument.type
        if argument.name not in defaults:
            continue
        fitted = fitted_default(defaults[argument.name], type_, argument.list_size)
        if fitted is not UNFIT:
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
