"""How operators are written down in Python: operands by position or by the schema's names, defaults as constants."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr, UnknownLoc
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects.prim.constants import ConstantOp
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import DEVICE, FLOAT, NONE, TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument, FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

Given: TypeAlias = SSAValue | Operation
"""A value, or the op whose only result it is."""


class Constant(NamedTuple):
    """A Python value and the type of the constant that it becomes."""

    value: Any
    type: TorchScriptType


def constant_for(argument: Argument, value: Any) -> Constant:
    """The constant that a Python value becomes as this argument; a number stands for a list of it.

    Raises:
        TypeError: there are no constants of such values.
    """
    formal = argument.type.element if isinstance(argument.type, OptionalType) else argument.type
    if value is None:
        return Constant(None, NONE)
    if isinstance(formal, ListType) and not isinstance(value, (list, tuple)):
        value = [value] * (argument.list_size or 1)
    if formal == FLOAT and isinstance(value, int):
        value = float(value)
    if isinstance(formal, (ListType, TupleType)) or formal == DEVICE:
        return Constant(value, formal)
    return Constant(value, formal if isinstance(formal, TensorType) else type_of_constant(value))


def bind(
    class_name: str,
    schema: FunctionSchema,
    names: Sequence[str],
    given: Sequence[Any],
    named: Mapping[str, Any],
    default: Callable[[Argument], Any],
) -> list[Any]:
    """What is given for each argument of the schema, whose names in Python are `names`, and what follows a variable number of them.

    Raises:
        TypeError: too many operands, one that is given twice, or a name that no argument has. What `default` raises.
    """
    if len(given) > len(names) and not schema.is_vararg:
        raise TypeError(f"{class_name} takes {len(names)} operands, not {len(given)}: {schema}")
    for name in named:
        if name not in names:
            raise TypeError(f"{class_name} has no operand '{name}': {schema}")
        if name in names[: len(given)]:
            raise TypeError(f"{class_name} is given its operand '{name}' twice: {schema}")
    rest = zip(names[len(given) :], schema.arguments[len(given) :], strict=True)
    return [
        *given,
        *(named[name] if name in named else default(argument) for name, argument in rest),
    ]


def no_default(class_name: str, schema: FunctionSchema) -> Callable[[Argument], Any]:
    """A default for `bind` that is an error: a constructor cannot put constants in front of its op."""

    def missing(argument: Argument) -> Any:
        hint = ""
        if argument.default is not NO_DEFAULT:
            hint = f"; {class_name}.of(rewriter, ...) makes a constant of its default"
        raise TypeError(f"{class_name} needs the operand '{argument.name}': {schema}{hint}")

    return missing


def schema_default(class_name: str, schema: FunctionSchema) -> Callable[[Argument], Any]:
    """The schema's default, as a Python value, for `bind`."""
    missing = no_default(class_name, schema)

    def default(argument: Argument) -> Any:
        return missing(argument) if argument.default is NO_DEFAULT else argument.default

    return default


def insert_values(
    builder: Builder, schema: FunctionSchema, given: Sequence[Any], location: LocationAttr
) -> list[SSAValue]:
    """Values for what is given for the arguments: constants are inserted for what is none."""
    values: list[SSAValue] = []
    for index, item in enumerate(given):
        if isinstance(item, (SSAValue, Operation)):
            values.append(SSAValue.get(cast(Given, item)))
            continue
        is_extra = index >= len(schema.arguments)
        found = (
            Constant(item, type_of_constant(item))
            if is_extra
            else constant_for(schema.arguments[index], item)
        )
        constant = ConstantOp.of(*found)
        constant.location = location
        values.append(builder.insert(constant).result)
    return values


def location_at(builder: Builder) -> LocationAttr:
    """The place in the source of the op in front of which a builder inserts."""
    following = builder.insertion_point.insert_before
    return UnknownLoc() if following is None else following.location


def signature(schema: FunctionSchema, names: Sequence[str]) -> inspect.Signature:
    """The parameters of the constructor of an operator's class."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter(name, kind, annotation=SSAValue) for name in names]
    if schema.is_vararg:
        parameters.append(inspect.Parameter("operands", inspect.Parameter.VAR_POSITIONAL))
    return inspect.Signature(parameters)
