"""Makes loops with a trip count and a condition into while loops that count. See ../canonicalize_modified_loops.py."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.passes._values import require_values
from torchscript_dialect.frontend.ssa.canonicalize_modified_loops import canonicalize_modified_loops


@dataclass(frozen=True)
class CanonicalizeModifiedLoops(ModulePass):
    name = "ts-canonicalize-modified-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                require_values(function, self.name)
                canonicalize_modified_loops(function.body.block)
