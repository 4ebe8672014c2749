"""From the arguments of Python callers to operands: what each type of a schema takes, exactly or by conversion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import layout
from torchscript_dialect.tensor.conversion import as_operand
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.device_array import use_device
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STORAGE,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument
from torchscript_dialect.types.tensor_type import TensorType


class Misfit(Exception):
    """An argument does not fit; the message says how."""


MISFIT: Final = object()
Converter = Callable[[Any, bool], Any]
"""Takes a value and whether to convert; gives the operand or `MISFIT`."""


def _exactly(*classes: type) -> Converter:
    return lambda value, _: value if value.__class__ in classes else MISFIT


def tensor_operand(value: Any, convert: bool) -> Any:
    if value.__class__ is Tensor:
        return value
    if isinstance(value, Tensor):
        return value
    if convert and (isinstance(value, np.ndarray) or hasattr(value, "__dlpack__")):
        return as_operand(value)
    return MISFIT


def _counts(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) or _zero_dim(value) or _is_count(value)


def _is_count(value: Any) -> bool:
    """Whether a value is an array of one integer without dimensions."""
    if not isinstance(value, np.ndarray):
        return False
    array = cast("NDArray[Any]", value)
    return not array.ndim and array.dtype.kind in "iu"


def _zero_dim(value: Any) -> bool:
    """Whether the value is a tensor that stands for a number, whose gradient nobody asks for."""
    is_strided = isinstance(value, Tensor) and not isinstance(value, UnstridedTensor)
    return is_strided and value.array.size == 1 and not value.requires_grad


def _float(value: Any, convert: bool) -> Any:
    if value.__class__ is float:
        return value
    if isinstance(value, (float, np.floating)) or (
        convert and isinstance(value, (int, np.integer))
    ):
        return float(cast("float", value))
    return float(value) if convert and _zero_dim(value) else MISFIT


def _int(value: Any, convert: bool) -> Any:
    if value.__class__ is int:
        return value
    if isinstance(value, dtypes.dtype):
        return value.scalar_type
    if isinstance(value, bool):
        return MISFIT
    if isinstance(value, (int, np.integer)):
        return int(cast("int", value))
    if convert and _zero_dim(value) and value.array.dtype.kind in "iu":
        return int(value)
    if convert and _is_count(value):
        return int(value)
    number = layout.number_of(value) if convert else None
    return MISFIT if number is None else number


def _scalar_type(value: Any, convert: bool) -> Any:
    if isinstance(value, dtypes.dtype):
        return value.scalar_type
    if value in (bool, int, float, complex) or type(value).__name__ == "dtype":
        return dtypes.as_dtype(value).scalar_type
    return _int(value, convert)


def _bool(value: Any, _: bool) -> Any:
    if value.__class__ is bool:
        return value
    return bool(value) if value.__class__ is np.bool_ else MISFIT


def _number(value: Any, convert: bool) -> Any:
    if isinstance(value, (int, float, complex)):
        return value
    if issubclass(value.__class__, np.generic):
        return value.item()
    return value.item() if convert and _zero_dim(value) else MISFIT


def _device(value: Any, convert: bool) -> Any:
    if convert and (isinstance(value, str) or type(value).__name__ == "device"):
        value = Device(value)
    if not isinstance(value, Device):
        return MISFIT
    if value.type == "cuda":
        use_device()
    return value


def _anything(value: Any, _: bool) -> Any:
    return value


def _optional(inner: Converter) -> Converter:
    return lambda value, convert: None if value is None else inner(value, convert)


def _list(inner: Converter, size: int | None) -> Converter:
    """A list; where the schema gives its size, one number stands for as many. Of a list of ints only the first must not be a bool, as
    with PyTorch.
    """

    def convert_list(value: Any, convert: bool) -> Any:
        if isinstance(value, (list, tuple)):
            items: list[Any] = []
            for item in cast("Sequence[Any]", value):
                if item.__class__ is bool and items and inner is _int:
                    item = int(item)
                converted = inner(item, convert)
                if converted is MISFIT:
                    return MISFIT
                items.append(converted)
            return items
        if size is not None:
            converted = inner(value, convert)
            return MISFIT if converted is MISFIT else [converted] * size
        return MISFIT

    return convert_list


_SIMPLE: dict[TorchScriptType, Converter] = {
    FLOAT: _float,
    INT: _int,
    BOOL: _bool,
    NUMBER: _number,
    COMPLEX: _exactly(complex),
    STR: _exactly(str),
    NONE: _exactly(type(None)),
    DEVICE: _device,
    STORAGE: _exactly(UntypedStorage, TypedStorage),
    ANY: _anything,
}


def _converter(type_: TorchScriptType, argument: Argument) -> Converter:
    if isinstance(type_, TensorType):
        return tensor_operand
    if type_ == INT and ("ScalarType" in argument.spelling or argument.name == "dtype"):
        return _scalar_type
    if type_ in _SIMPLE:
        return _SIMPLE[type_]
    if isinstance(type_, OptionalType):
        return _optional(_converter(type_.element, argument))
    if isinstance(type_, ListType):
        return _list(_converter(type_.element, argument), argument.list_size)
    if isinstance(type_, DictType):
        return _exactly(dict)
    if isinstance(type_, TupleType):
        return _exactly(tuple)
    if isinstance(type_, UnionType):
        return _anything
    return _anything


def _default(argument: Argument) -> Any:
    """The default of the schema, where one number stands for a list as that list."""
    if isinstance(argument.type, ListType) and isinstance(argument.default, (int, float)):
        return [argument.default] * (argument.list_size or 1)
    return argument.default


class Signature:
    """How Python arguments become the operands of one overload."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        schema = operator.schema
        self.is_vararg = schema.is_vararg
        self.arguments = [
            (argument.name, _converter(argument.type, argument), _default(argument))
            for argument in schema.arguments
        ]
        self.positional = sum(not argument.kwarg_only for argument in schema.arguments)
        last = schema.arguments[self.positional - 1] if self.positional else None
        self.takes_rest = last is not None and isinstance(last.type, ListType)
        self.has_size = last is not None and last.list_size is not None

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any], convert: bool) -> list[Any]:
        """The operands in the schema's order.

        Raises:
            Misfit: an argument is missing, unknown, or of another type.
        """
        if self.is_vararg:
            return list(args)
        args = self._gathered(args)
        if len(args) > self.positional:
            raise Misfit(f"takes {self.positional} positional arguments, not {len(args)}")
        operands: list[Any] = []
        used = 0
        for place, (name, converter, default) in enumerate(self.arguments):
            if place < len(args):
                value = args[place]
                if name in kwargs:
                    raise Misfit(f"argument '{name}' is given twice")
            elif name in kwargs:
                value = kwargs[name]
                used += 1
            elif default is not NO_DEFAULT:
                operands.append(
                    list(cast("list[Any]", default)) if isinstance(default, list) else default
                )
                continue
            else:
                raise Misfit(f"argument '{name}' is missing")
            if value is None and default == []:
                value = default
            converted = converter(value, convert)
            if converted is MISFIT:
                wanted = self.operator.schema.arguments[place].type.annotation_str
                raise Misfit(f"argument '{name}' is a {type(value).__name__}, not a {wanted}")
            operands.append(converted)
        if used != len(kwargs):
            known = {name for name, _, _ in self.arguments}
            unknown = next(name for name in kwargs if name not in known)
            raise Misfit(f"there is no argument '{unknown}'")
        return operands

    def _gathered(self, args: Sequence[Any]) -> Sequence[Any]:
        """`view(2, 3)` as `view([2, 3])`; one number stands for as many as the schema says, if it does."""
        last = self.positional - 1
        if self.takes_rest and len(args) > last and not isinstance(args[last], (list, tuple)):
            rest = args[last:]
            is_one = self.has_size and len(rest) == 1
            if not is_one and all(map(_counts, rest)):
                return [*args[:last], list(rest)]
        return args

    def given(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], operands: Sequence[Any]
    ) -> list[Any]:
        """For each operand what the caller gave for it, as it was given; the operand itself where that is a default."""
        args = self._gathered(args)
        rest = list(zip(self.arguments, operands, strict=True))[len(args) :]
        return [*args, *(kwargs.get(name, operand) for (name, _, _), operand in rest)]
