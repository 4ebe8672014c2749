"""Gives operators that have two names one. See ../normalize_ops.py."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.frontend.ssa.normalize_ops import normalize_ops


@dataclass(frozen=True)
class NormalizeOps(ModulePass):
    name = "ts-normalize-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                normalize_ops(function.body.block)
