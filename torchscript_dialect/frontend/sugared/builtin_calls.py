"""Calls of builtins: operators, and functions that are written in TorchScript."""

from __future__ import annotations

import difflib

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.node_calls import emit_operator
from torchscript_dialect.frontend.sugared.schema_matching import match_schemas
from torchscript_dialect.ops import registry
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.subtyping import (
    TypeEnv,
    evaluate_type_variables,
    is_subtype,
    match_type_variables,
)
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.source_range import SourceRange

_is_method: Memo[tuple[str, int, TorchScriptType], bool] = Memo(1 << 14)
"""By operator, number of overloads and type of `self`."""


def is_method(m: Context, name: str, type_: TorchScriptType) -> bool:
    """Whether an overload of a builtin takes a value of the type as `self`."""
    overloads = m.overloads(name)
    key = (name, len(overloads), type_)
    known = _is_method.get(key)
    if known is None:
        known = _is_method[key] = any(_takes_self(schema, type_) for schema in overloads)
    return known


def _takes_self(schema: FunctionSchema, type_: TorchScriptType) -> bool:
    index = schema.argument_index("self")
    if index is None:
        return False
    env: TypeEnv = {}
    formal = schema.arguments[index].type
    if match_type_variables(formal, type_, env) is not None:
        return False
    concrete = evaluate_type_variables(formal, env)
    return concrete is not None and is_subtype(type_, concrete)


def emit_builtin_call(
    m: Context,
    range: SourceRange,
    name: str,
    args: Arguments,
    kwargs: Arguments,
    self_value: NamedValue | None = None,
    located: bool = True,
) -> SSAValue:
    """A call of an operator, or of a builtin function in TorchScript, which is inlined.

    Raises:
        FrontendError: there is no such operator, or the arguments fit no overload.
    """
    overloads = m.overloads(name)
    if not overloads:
        raise FrontendError(_unknown_operator(name), range)
    operators, functions = overloads.operators, overloads.functions
    index, matched = match_schemas(overloads, range, m.graph, args, kwargs, self_value, name)
    if index < len(operators):
        return emit_operator(m.graph, operators[index], matched, range if located else None)
    return m.inline(functions[index - len(operators)], matched.inputs)


def _unknown_operator(name: str) -> str:
    close = difflib.get_close_matches(name, registry.names(), 3, 0.8)
    if close:
        hint = "Here are some suggestions: \n" + "".join(f"\t{other}\n" for other in close)
    else:
        hint = (
            f"Could not find any similar ops to {name}. This op may not exist or may not be"
            " currently supported in TorchScript.\n"
        )
    return f"Unknown builtin op: {name}.\n{hint}\nThe original call is"
