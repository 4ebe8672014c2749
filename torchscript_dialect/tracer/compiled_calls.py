"""Calls of compiled functions and methods in a trace: they stay calls, with all control flow of what they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.python.adoption import adopt_function
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION
from torchscript_dialect.ops.eager.recording import Callee
from torchscript_dialect.tracer.modules import ModuleScopes
from torchscript_dialect.tracer.state import TracingState
from torchscript_dialect.types.subtyping import unshaped


def record_call(
    state: TracingState,
    scopes: ModuleScopes | None,
    callee: Callee,
    args: Sequence[Any],
    run: Callable[..., Any],
) -> tuple[Any, SSAValue]:
    """Run a compiled function, and append the call; gives the result and its value.

    Raises:
        RuntimeError: it is a method of a module that is no part of what is traced.
    """
    scope = state.in_scope(UNKNOWN_LOCATION)
    if callee.owner is None:
        values = [state.value_of_any(arg) for arg in args]
        function = adopt_function(state.unit, callee.function, callee.unit)
        constant = prim.ConstantOp.of_function(function.symbol)
        constant.attributes["name"] = StringAttr(function.name)
        constant.location = scope
        called = state.insert(constant).results[0]
        kind, attributes = prim.CallFunctionOp, {}
    else:
        found = None if scopes is None else scopes.value_of(callee.owner)
        if found is None:
            raise RuntimeError(
                f"Tried to trace <{callee.function.qualified_name.rpartition('.')[0]} object> but it is not part of the"
                " active trace. Modules that are called during a trace must be registered as submodules of the thing being traced."
            )
        values = [state.value_of_any(arg) for arg in args[1:]]
        called = found
        kind, attributes = prim.CallMethodOp, {"name": StringAttr(callee.function.name)}
    result = run(*args)
    type_ = unshaped(callee.function.schema.returns[0].type)
    op = kind.create(
        operands=[called, *values], result_types=[type_], attributes=attributes, location=scope
    )
    return result, state.insert(op).results[0]
