"""What patterns replace ops by: values that are there, and constants."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir import edit
from torchscript_dialect.types.core import TorchScriptType


def forward(rewriter: PatternRewriter, op: Operation, *values: SSAValue) -> None:
    """Replace an op by values; the type of a function follows that of the values which it returns."""
    functions = [
        function
        for result, value in zip(op.results, values, strict=True)
        for function in _functions_that_change(result, value)
    ]
    rewriter.replace(op, (), values)
    for function in functions:
        edit.update_function_type(function)


def use_instead(rewriter: PatternRewriter, old: SSAValue, new: SSAValue) -> None:
    """Use `new` wherever `old` is used; the type of a function follows as in `forward`."""
    functions = _functions_that_change(old, new)
    rewriter.replace_all_uses_with(old, new)
    for function in functions:
        edit.update_function_type(function)


def _functions_that_change(old: SSAValue, new: SSAValue) -> list[FuncOp]:
    """The functions that return `old`, where `new` is of another type."""
    if old.type == new.type:
        return []
    returns = [use.operation for use in old.uses if isinstance(use.operation, ReturnOp)]
    around = [op.parent_op() for op in returns]
    return [function for function in around if isinstance(function, FuncOp)]


def fold_to(
    rewriter: PatternRewriter, op: Operation, value: Any, type_: TorchScriptType | None = None
) -> None:
    """Replace an op of one result by a constant."""
    rewriter.replace(op, ConstantOp.of(value, type_ or type_of_constant(value)))
