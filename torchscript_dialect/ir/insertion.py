"""Which overload of an operator a call means, and with which arguments (PyTorch: torch/csrc/jit/ir/ir.cpp, `Graph::insert`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir.values import TypedValue
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT, FunctionSchema
from torchscript_dialect.utils.errors import TorchScriptError


class Call(NamedTuple):
    """A call of an operator with one result: values and Python constants in the schema's order, defaults filled in."""

    operator: Operator
    arguments: list[Any]
    result: TorchScriptType


def call_of(kind: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Call:
    """The call of the first overload that takes these values and Python values.

    Raises:
        TorchScriptError: no overload takes these arguments, or the operator has other than one result.
    """
    for operator in registry.lookup(kind):
        bound = _bind(operator.schema, args, kwargs)
        if bound is None:
            continue
        types = [a.type() if isinstance(a, TypedValue) else type_of_constant(a) for a in bound]
        results = operator.schema.result_types(types)
        if results is None:
            continue
        if len(results) != 1:
            raise TorchScriptError(f"{operator.schema} has {len(results)} results, not one")
        return Call(operator, bound, results[0])
    variants = "\n".join(f"  {operator.schema}" for operator in registry.lookup(kind))
    raise TorchScriptError(
        f"no overload of {kind} takes these arguments; it has\n{variants}"
        if variants
        else f"there is no operator {kind}"
    )


def _bind(
    schema: FunctionSchema, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> list[Any] | None:
    """The arguments of a call in the schema's order, defaults filled in; None where they do not fit."""
    if len(args) > sum(not argument.kwarg_only for argument in schema.arguments):
        return None
    bound: list[Any] = list(args)
    left = dict(kwargs)
    for argument in schema.arguments[len(args) :]:
        value = left.pop(argument.name, argument.default)
        if value is NO_DEFAULT:
            return None
        bound.append(value)
    return None if left else bound
