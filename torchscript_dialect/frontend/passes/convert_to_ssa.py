"""Takes loads, stores, breaks and continues out of functions. See ../convert_to_ssa.py."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.convert_to_ssa import convert_to_ssa
from torchscript_dialect.ir.requirements import require_functions


class ConvertToSSA(ModulePass):
    """No pipeline has it: the frontend does the same with every function, and `ts-opt --emit-only` leaves it out."""

    name = "ts-convert-to-ssa"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in require_functions(op, self.name):
            convert_to_ssa(function.body.block)
