"""Gives operators that have two names one. See ../normalize_ops.py."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.normalize_ops import normalize_ops
from torchscript_dialect.ir.requirements import require_functions


class NormalizeOps(ModulePass):
    """No pipeline has it: the frontend does the same with every function, and `ts-opt --emit-only` leaves it out."""

    name = "ts-normalize-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in require_functions(op, self.name):
            normalize_ops(function.body.block)
