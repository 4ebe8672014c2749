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
        use.operation.parent_op()
        for result, value in zip(op.results, values, strict=True)
        if result.type != value.type
        for use in result.uses
        if isinstance(use.operation, ReturnOp)
    ]
    rewriter.replace(op, (), values)
    for function in functions:
        if isinstance(function, FuncOp):
            edit.update_function_type(function)


def fold_to(
    rewriter: PatternRewriter, op: Operation, value: Any, type_: TorchScriptType | None = None
) -> None:
    """Replace an op of one result by a constant."""
    rewriter.replace(op, ConstantOp.of(value, type_ or type_of_constant(value)))
