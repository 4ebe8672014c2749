"""Takes loop continuations and returns out of functions. See ../exit_transforms.py."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.passes._values import require_values
from torchscript_dialect.frontend.ssa.exit_transforms import transform_exits
from torchscript_dialect.ir.edit import update_function_type


@dataclass(frozen=True)
class ExitTransforms(ModulePass):
    name = "ts-exit-transforms"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                require_values(function, self.name)
                transform_exits(function.body.block)
                update_function_type(function)
