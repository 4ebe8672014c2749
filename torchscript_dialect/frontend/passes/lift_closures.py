"""Makes forked closures sub-graphs. See ../lift_closures.py."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.lift_closures import lift_closures
from torchscript_dialect.ir.requirements import require_functions


class LiftClosures(ModulePass):
    """No pipeline has it: the frontend does the same with every function, and `ts-opt --emit-only` leaves it out."""

    name = "ts-lift-closures"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in require_functions(op, self.name):
            lift_closures(function.body.block)
