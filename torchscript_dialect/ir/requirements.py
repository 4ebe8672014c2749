"""What passes ask of what they are given: a pass that would do nothing for want of it says so instead."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim import (
    BreakStmtOp,
    ContinueStmtOp,
    LoadOp,
    StoreOp,
)
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import PassError


def require_functions(module: ModuleOp, pass_name: str) -> list[FuncOp]:
    """The functions of a module of TorchScript.

    Raises:
        PassError: there is none, or one is not of TorchScript.
    """
    functions = [function for function in functions_of(module) if function.body.blocks]
    for function in functions:
        require_torchscript(function, pass_name)
    first = module.body.block.first_op if module.body.blocks else None
    if first is not None and not functions:
        raise PassError(
            f"{pass_name} works on functions of TorchScript, and the module has none but {first.name}"
        )
    return functions


def require_torchscript(function: FuncOp, pass_name: str) -> None:
    """Refuse a function that is not of TorchScript.

    Raises:
        PassError: it has other types, or several blocks.
    """
    reason = why_not_torchscript(function)
    if reason is not None:
        raise PassError(
            f"{pass_name} works on functions of TorchScript, and @{function.sym_name.data} {reason}"
        )


def why_not_torchscript(function: FuncOp) -> str | None:
    """What says that a function is not of TorchScript, None where it is."""
    if len(function.body.blocks) != 1:
        return f"has {len(function.body.blocks)} blocks"
    block = function.body.block
    for type_ in block.arg_types:
        if not isinstance(type_, TorchScriptType):
            return f"takes {type_}"
    for op in block.ops:
        if not _is_torchscript(op):
            return f"holds {op.name}"
    return None


def _is_torchscript(op: Operation) -> bool:
    """Whether an op is a node, or one of another dialect that works on TorchScript's values."""
    if isinstance(op, (TorchScriptOp, ReturnOp)):
        return True
    types = [*(value.type for value in op.operands), *op.result_types]
    return not types or any(isinstance(type_, TorchScriptType) for type_ in types)


def require_values(function: FuncOp, pass_name: str) -> None:
    """Refuse a function whose variables are not values yet.

    Raises:
        PassError: it has loads, stores, breaks or continues.
    """
    for op in nested_ops(function.body.block):
        if isinstance(op, LoadOp | StoreOp | BreakStmtOp | ContinueStmtOp):
            raise PassError(
                f"{pass_name} comes after ts-convert-to-ssa, and @{function.sym_name.data} still has {op.KIND}"
            )
