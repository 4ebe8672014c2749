"""Arguments of calls: bound to the schema, converted to runtime values, checked against their types.

Follows torch/csrc/jit/python/pybind_utils.h (`createStackForSchema`, `toIValue`).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Mapping, MappingView, Sequence
from collections.abc import Generator as PythonGenerator
from collections.abc import Set as AbstractSet
from contextlib import suppress
from types import NoneType
from typing import Any, Protocol, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.sugared.torch_names import torch_constant
from torchscript_dialect.runtime.values.long_lists import exact_copy
from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.runtime.values.objects import ScriptObject, object_of
from torchscript_dialect.runtime.values.script_containers import ScriptContainer
from torchscript_dialect.runtime.values.type_tests import has_type
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import use_device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.tensor.sparse_of_pytorch import sparse_of_pytorch
from torchscript_dialect.tensor.tensor import Tensor, borrowed
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT, FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.byte_strings import is_whole
from torchscript_dialect.utils.tasks import Future


class Exchange(Protocol):
    """Takes the values that belong to the classes of a program: see exchange.py."""

    def concerns(self, value: Any, type_: TorchScriptType) -> bool:
        """Whether a value that is to have the type is its business."""
        ...

    def is_of(self, value: Any, type_: TorchScriptType) -> bool:
        """Whether the very class of a value is the type."""
        ...

    def take(self, value: Any, type_: TorchScriptType, lent: Lent) -> Any:
        """The value as a runtime value; TypeError if it does not have the type."""
        ...


Lent = dict[int, tuple[Any, Tensor]]
"""By id, the arrays and foreign tensors of one call and what stands for them: what is one object outside is one tensor inside."""


class ArgumentError(RuntimeError):
    """A call with arguments that the schema does not take."""


def bind(
    schema: FunctionSchema,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    exchange: Exchange | None = None,
    lent: Lent | None = None,
) -> list[Any]:
    """The arguments of a call as runtime values, in the schema's order, defaults filled in. `exchange` takes objects of the
    program's classes, and `lent` notes the arrays and foreign tensors.

    Raises:
        ArgumentError: too many, too few, unknown or ill-typed arguments; the message shows the declaration.
    """
    lent = {} if lent is None else lent
    _check_number(schema, len(args), len(args) + len(kwargs))
    if not kwargs and len(args) == len(schema.arguments):
        return [
            value
            if value.__class__ is Tensor and isinstance(argument.type, TensorType)
            else _convert_argument(schema, index, value, exchange, lent)
            for index, (value, argument) in enumerate(zip(args, schema.arguments, strict=True))
        ]
    left = dict(kwargs)
    bound: list[Any] = []
    for index, argument in enumerate(schema.arguments):
        if index < len(args):
            if argument.name in left:
                raise ArgumentError(
                    f"Argument '{argument.name}' specified both as positional and keyword argument."
                    f" Schema: {schema}"
                )
            value = args[index]
        elif argument.name in left:
            value = left.pop(argument.name)
        elif argument.default is not NO_DEFAULT:
            default = argument.default
            if isinstance(default, (tuple, str)):  # a device is its name
                default = to_runtime_value(default, argument.type, exchange, lent)
            bound.append(default)
            continue
        else:
            raise ArgumentError(
                f"{schema.name}() is missing value for argument '{argument.name}'."
                f" Declaration: {schema}"
            )
        bound.append(_convert_argument(schema, index, value, exchange, lent))
    if left:
        unknown = next(iter(left))
        raise ArgumentError(
            f"Unknown keyword argument '{unknown}' for operator '{schema.name}'. Schema: {schema}"
        )
    return bound


def _check_number(schema: FunctionSchema, positional: int, given: int) -> None:
    """Raise ArgumentError for more arguments, in all or by position, than the schema takes."""
    if given > len(schema.arguments):
        raise ArgumentError(
            f"{schema.name}() expected at most {len(schema.arguments)} argument(s) but received"
            f" {given} argument(s). Declaration: {schema}"
        )
    if positional and schema.arguments[positional - 1].kwarg_only:
        by_position = sum(not argument.kwarg_only for argument in schema.arguments)
        raise ArgumentError(
            f"{schema.name}() takes {by_position} positional argument(s) but {positional} was/were"
            f" given.  Declaration: {schema}"
        )


def exact_classes(schema: FunctionSchema) -> tuple[type, ...] | None:
    """The classes of arguments that are runtime values as they are, whatever the values; None where the schema has others."""
    if any(argument.kwarg_only for argument in schema.arguments):
        return None
    types = [argument.type for argument in schema.arguments]
    known = [Tensor if isinstance(one, TensorType) else _AS_THEY_ARE.get(one) for one in types]
    classes = tuple(one for one in known if one is not None)
    return classes if len(classes) == len(types) else None


def _convert_argument(
    schema: FunctionSchema, index: int, value: Any, exchange: Exchange | None, lent: Lent
) -> Any:
    argument = schema.arguments[index]
    if value is None and isinstance(argument.type, TensorType):
        return None  # an undefined tensor, as a default of None is
    if argument.list_size is not None and _is_element(value, argument.type):
        value = [value] * argument.list_size
    try:
        return to_runtime_value(value, argument.type, exchange, lent)
    except Exception as error:
        name, expected, inferred = argument.name, argument.type.annotation_str, ""
        if argument.is_inferred_type:
            expected += " (inferred)"
            inferred = (
                f"Inferred '{name}' to be of type 'Tensor' because it was not annotated with an explicit"
                " type.\n"
            )
        what = f"{schema.name}() Expected a value of type '{expected}' for argument '{name}'"
        raise _not_taken(
            what,
            value,
            lambda shown: f"{inferred}Position: {index}\nValue: {shown}\nDeclaration: {schema}\n",
            error,
        ) from _cause(error)


def _is_element(value: Any, type_: TorchScriptType) -> bool:
    """Whether a value is a number that may stand for a list of them."""
    listed = type_.element if isinstance(type_, OptionalType) else type_
    element = listed.element if isinstance(listed, ListType) else None
    return isinstance(value, int if element == core.INT else float if element == core.FLOAT else ())


def take_argument(
    what: str,
    value: Any,
    type_: TorchScriptType,
    exchange: Exchange | None = None,
    more: Callable[[str], str] = "Value: {}\n".format,
    lent: Lent | None = None,
) -> Any:
    """A Python value from outside as a runtime value of a type. `what` says which argument it is, and `more`, of the
    text of the value, what else is known. `lent` is what the other arguments of the call have brought.

    Raises:
        ArgumentError: the value cannot be one, whatever it raises when it is asked.
    """
    try:
        return to_runtime_value(value, type_, exchange, lent)
    except Exception as error:
        raise _not_taken(what, value, more, error) from _cause(error)


def _not_taken(
    what: str, value: Any, more: Callable[[str], str], error: Exception
) -> ArgumentError:
    """What is raised for a value that cannot be an argument: `take_argument`."""
    details = str(error)
    if isinstance(error, RecursionError):
        details = "a container is nested too deep, or contains itself"
    elif not isinstance(error, (TypeError, ValueError, BufferError, RuntimeError)):
        details = f"{type(error).__name__}: {error}"
    return ArgumentError(
        f"{what} but instead found type '{type_name(value)}'.\n"
        f"{more(_shown(value))}Cast error details: {details}"
    )


def _cause(error: Exception) -> Exception | None:
    """What messages show below an ArgumentError: nothing where its details say it all."""
    return None if isinstance(error, (TypeError, ValueError)) else error


def _shown(value: Any) -> str:
    """A value as messages show it, cut where it is long."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type_name(value)} whose repr raises {type(error).__name__}>"
    return text if len(text) <= 1000 else f"{text[:1000]}..."


def type_name(value: Any) -> str:
    """The type of a Python value as messages show it."""
    return "Tensor" if isinstance(value, Tensor) else type(value).__name__


def to_runtime_value(
    value: Any,
    type_: TorchScriptType,
    exchange: Exchange | None = None,
    lent: Lent | None = None,
) -> Any:
    """A Python value as a runtime value of a type: arrays and foreign tensors become Tensors that share their memory, lists
    and dictionaries new ones, so that what a program does to them stays in the program, as with PyTorch. `lent` is what other
    values of the same call have brought.

    Raises:
        TypeError: the value does not have the type and nothing converts it.
    """
    lent = {} if lent is None else lent
    if isinstance(type_, TensorType):
        if isinstance(value, Tensor):
            return value
        if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__dlpack__"):
            return _lent(cast(Any, value), lent)
    elif isinstance(type_, OptionalType):
        return None if value is None else to_runtime_value(value, type_.element, exchange, lent)
    elif isinstance(value, ScriptContainer):
        if type_ in (value.type, core.ANY):
            return value.held
    elif isinstance(type_, (ListType, TupleType)):
        if isinstance(value, (list, tuple)) or _may_be_listed(value, type_):
            return _sequence(cast(Sequence[Any], value), type_, exchange, lent)
    elif isinstance(type_, DictType):
        entries = _entries(value, type_)
        keys = _elements(list(entries), type_.key, exchange, lent)
        return dict(zip(keys, _elements(list(entries.values()), type_.value, exchange, lent)))
    elif isinstance(type_, UnionType):
        return _member(value, type_, exchange, lent)
    elif exchange is not None and exchange.concerns(value, type_):
        return exchange.take(value, type_, lent)
    elif type_ in _NEVER_CONVERTED:
        raise TypeError(f"toIValue() cannot handle converting to type: {type_.annotation_str}")
    elif type_ == core.ANY:
        return _anything(value, exchange, lent)
    else:
        return _scalar(value, type_)
    raise _cannot_cast(value, type_)


def _member(value: Any, type_: UnionType, exchange: Exchange | None, lent: Lent) -> Any:
    """A value as the first member of a union that it is of, else as the first that it converts to."""
    for member in type_.members:
        if has_type(value, member) or (exchange is not None and exchange.is_of(value, member)):
            return to_runtime_value(value, member, exchange, lent)
    for member in type_.members:
        if not _is_told_by_value(member):
            with suppress(TypeError):
                return to_runtime_value(value, member, exchange, lent)
    raise TypeError(
        f"Expected a member of {type_.annotation_str} but instead found type {_inferred(value)}"
    )


def _is_told_by_value(type_: TorchScriptType) -> bool:
    """Whether the values of a type are those that have it as they are: a member of a union takes no other numbers."""
    if type_ in (*_NUMBERS, core.STR, core.NONE):
        return True
    return bool(type_.contained) and all(map(_is_told_by_value, type_.contained))


def _inferred(value: Any) -> str:
    """The type that a Python value would have in a program."""
    if isinstance(value, dict):
        keys, values = (
            dict.fromkeys(map(_inferred, items))
            for items in (cast("dict[Any, Any]", value), cast("dict[Any, Any]", value).values())
        )
        return f"Dict[{', '.join([*keys, *values])}]" if len(keys) == len(values) == 1 else "dict"
    try:
        return type_of_constant(value).annotation_str
    except TypeError:
        return type_name(value)


_NEVER_CONVERTED = (core.ANY_LIST, core.ANY_TUPLE)


def _lent(value: Any, lent: Lent) -> Tensor:
    """The tensor on the memory of an array or foreign tensor, one for each object of a call: programs ask for identity."""
    if isinstance(value, type):  # it has the methods that its instances are known by
        raise TypeError(f"Unable to cast {value!r} to Tensor")
    known = lent.get(id(value))
    if known is None:
        given = sparse_of_pytorch(value)
        given = as_tensor(value) if given is None else given
        known = lent[id(value)] = value, borrowed(given, value)
    return known[1]


def _anything(value: Any, exchange: Exchange | None, lent: Lent) -> Any:
    """A Python value as the runtime value that its class tells. No other values get into programs, whatever types they claim."""
    if exchange is not None and exchange.concerns(value, core.ANY):
        return exchange.take(value, core.ANY, lent)
    if isinstance(value, (bool, int, float, complex, Tensor, NoneType, *_OPAQUE)):
        return cast(Any, value)
    if type(value).__name__ == "device":
        return _scalar(value, core.DEVICE)
    if type(value).__name__ in _CONSTANTS:
        return _number_of_constant(value)
    if isinstance(value, str) and is_whole(value):
        return value
    if isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__dlpack__"):
        return _lent(cast(Any, value), lent)
    if isinstance(value, list):
        return [_anything(item, exchange, lent) for item in cast(list[Any], value)]
    if isinstance(value, tuple):
        parts = [_anything(item, exchange, lent) for item in cast(tuple[Any, ...], value)]
        make: Any = getattr(cast(Any, value), "_make", tuple)
        return make(parts)
    if isinstance(value, dict):
        items = cast(dict[Any, Any], value).items()
        return {_anything(k, exchange, lent): _anything(v, exchange, lent) for k, v in items}
    raise _cannot_cast(value, core.ANY)


_OPAQUE = (ScriptObject, EnumMember, Future, device, Generator)


_COLLECTIONS = (
    Sequence,
    AbstractSet,
    MappingView,
    PythonGenerator,
    np.ndarray,
    array,
    bytearray,
    memoryview,
    deque,
    map,
    zip,
)


def _may_be_listed(value: Any, type_: ListType | TupleType) -> bool:
    """Whether PyTorch makes a list or tuple of what is neither, by its items: lists of numbers and tensors of what pybind11 calls a
    sequence, all others of whatever has items, a text and the keys of a dictionary, too.
    """
    if isinstance(value, type) or not hasattr(value, "__iter__"):
        return False
    element = type_.element if isinstance(type_, ListType) else None
    if isinstance(element, TensorType):
        return isinstance(value, _COLLECTIONS) and not isinstance(value, (str, bytes, np.ndarray))
    if element in (core.INT, core.FLOAT, core.BOOL):
        return isinstance(value, _COLLECTIONS) and not isinstance(value, (str, bytes))
    return True


def _has_truth(value: Any) -> bool:
    """Whether a value's class says what is true; arrays of several elements have none."""
    return hasattr(value.__class__, "__bool__") and not isinstance(value, (np.ndarray, Tensor))


def _entries(value: Any, type_: DictType) -> dict[Any, Any]:
    """A dictionary, or what PyTorch makes of a value that is none, as Python's `dict` does."""
    if isinstance(value, dict):
        return cast("dict[Any, Any]", value)
    try:
        return dict(value)
    except (TypeError, ValueError):
        raise _cannot_cast(value, type_) from None


def _sequence(
    value: Sequence[Any], type_: ListType | TupleType, exchange: Exchange | None, lent: Lent
) -> Any:
    if isinstance(type_, TupleType):
        value = [item for item in value]  # noqa: C416  # a subclass of tuple may have no length to ask for
        if len(value) != len(type_.elements):
            raise TypeError(f"expected {type_.annotation_str} but found {len(value)} elements")
        parts = zip(value, type_.elements, strict=True)
        items = [to_runtime_value(item, element, exchange, lent) for item, element in parts]
        if isinstance(type_.qualified_name, StringAttr):
            return named_tuple(type_.qualified_name.data, type_.field_names)(*items)
        return tuple(items)
    values = value if isinstance(value, (list, tuple)) else list(value)
    return _elements(values, type_.element, exchange, lent)


def _elements(
    values: Sequence[Any], type_: TorchScriptType, exchange: Exchange | None, lent: Lent
) -> list[Any]:
    """Values as runtime values of one type, in a new list. Where all are of the very class of that type, nothing is converted."""
    copied = exact_copy(values, type_)
    if copied is not None:
        return copied
    classes = set(map(type, values))
    if classes == _LISTS and isinstance(type_, ListType):
        return [_elements(value, type_.element, exchange, lent) for value in values]
    if len(classes) == 1 and _IS_EXACT.get(classes.pop(), _never)(values, type_):
        return list(values)
    return [to_runtime_value(value, type_, exchange, lent) for value in values]


def _are_ints(values: Sequence[int], type_: TorchScriptType) -> bool:
    if type_ != core.INT:
        return False
    try:
        array("q", values)
    except OverflowError:
        return False
    return True


def _are_texts(values: Sequence[str], type_: TorchScriptType) -> bool:
    return type_ == core.STR and is_whole("".join(values))


def _never(_values: Sequence[Any], _type: TorchScriptType) -> bool:
    return False


_IS_EXACT: Mapping[type, Callable[[Any, TorchScriptType], bool]] = {
    int: _are_ints,
    str: _are_texts,
    float: lambda _, type_: type_ == core.FLOAT,
    bool: lambda _, type_: type_ == core.BOOL,
    Tensor: lambda _, type_: isinstance(type_, TensorType),
}
"""Whether values, which are all of this class, are runtime values of a type as they are."""
_LISTS = {list}
_INT_RANGE = range(-(2**63), 2**63)
_AS_THEY_ARE: Mapping[TorchScriptType, type] = {core.FLOAT: float, core.BOOL: bool}


def _scalar(value: Any, type_: TorchScriptType) -> Any:
    if type_ in _NUMBERS:
        return _number(value, type_)
    if type_ == core.DEVICE and type(value).__name__ in ("device", "str"):
        if str(value).startswith("cuda"):
            use_device()
        return device(value)
    value = object_of(value)
    if type_ == core.STR and isinstance(value, (bytes, bytearray)):
        try:
            value = value.decode()
        except UnicodeDecodeError as error:
            raise TypeError(str(error)) from None
    if isinstance(value, str) and type(value) is not str:
        value = str.__str__(value)  # a member of an enum of strings is one
    if has_type(value, type_) and not (isinstance(value, str) and not is_whole(value)):
        return value
    if isinstance(value, str) and type_ == core.STR:
        raise TypeError("the text has halves of characters, which no UTF-8 text has")
    if isinstance(value, np.generic):
        return _scalar(value.item(), type_)
    if type_ == core.GENERATOR and pytorch_state.is_generator(value):
        return Generator(source=value)
    raise _cannot_cast(value, type_)


def _number(given: Any, type_: TorchScriptType) -> Any:
    """A number of the type, converted as PyTorch does: what stands in a tensor, NumPy scalar or array without dimensions is
    cut to size, what Python holds only widened. A `np.float64` is a number of Python's.
    """
    value: Any = given
    if isinstance(given, np.float64):
        value = float(given)
    if isinstance(given, np.ndarray) and value.shape == ():
        value = value[()]
    if hasattr(value, "__dlpack__") and not isinstance(given, (Tensor, np.ndarray)):
        value = as_tensor(given)
    if isinstance(value, Tensor) and value.array.size == 1:
        value = value.array.reshape(())[()]
    if isinstance(value, np.generic):
        value = cast(Any, value.item())
        if type_ == core.INT and isinstance(value, float):
            value = int(value)
    if type_ == core.INT and type(value).__name__ in _CONSTANTS:
        value = _number_of_constant(value)
    if type_ == core.INT and isinstance(value, int):
        value = int(value)  # of an IntEnum: a range looks for what is no int number by number
        if value not in _INT_RANGE:
            raise TypeError(f"{value} does not fit in 64 bits")
        return value
    if type_ == core.FLOAT and isinstance(value, (int, float)):
        return float(value)
    if type_ == core.COMPLEX and isinstance(value, (int, float, complex)):
        return complex(value)
    if type_ == core.BOOL and (value is None or _has_truth(value)):
        return bool(value)
    raise _cannot_cast(given, type_)


_CONSTANTS = ("dtype", "layout", "memory_format")
"""The names of the classes, ours and PyTorch's, whose values are numbers in programs."""


def _number_of_constant(value: Any) -> Any:
    """The number that a dtype, layout or memory format of ours or PyTorch's is in programs."""
    return torch_constant(str(value).rpartition(".")[2])


_NUMBERS = (core.INT, core.FLOAT, core.COMPLEX, core.BOOL)


def _cannot_cast(value: Any, type_: TorchScriptType) -> TypeError:
    return TypeError(
        f"Unable to cast Python instance of type {type(value)} to {type_.annotation_str}"
    )
