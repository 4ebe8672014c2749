"""Takes loop continuations and returns out of functions. See ../exit_transforms.py."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.exit_transforms import transform_exits
from torchscript_dialect.ir.edit import update_function_type
from torchscript_dialect.ir.requirements import require_functions, require_values


class ExitTransforms(ModulePass):
    """No pipeline has it: the frontend does the same with every function, and `ts-opt --emit-only` leaves it out."""

    name = "ts-exit-transforms"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in require_functions(op, self.name):
            require_values(function, self.name)
            transform_exits(function.body.block)
            update_function_type(function)
