"""Makes loops with a trip count and a condition into while loops that count. See ../canonicalize_modified_loops.py."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.canonicalize_modified_loops import canonicalize_modified_loops
from torchscript_dialect.ir.requirements import require_functions, require_values


class CanonicalizeModifiedLoops(ModulePass):
    """No pipeline has it: the frontend does the same with every function, and `ts-opt --emit-only` leaves it out."""

    name = "ts-canonicalize-modified-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in require_functions(op, self.name):
            require_values(function, self.name)
            canonicalize_modified_loops(function.body.block)
