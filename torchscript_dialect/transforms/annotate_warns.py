"""Numbers the warnings of a function (PyTorch: passes/annotate_warns.cpp).

PyTorch counts through the whole process. Here each function counts from 0, so that its graph does not depend on what was compiled
before it.
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ir.edit import nested_ops, op_classes
from torchscript_dialect.transforms._pass import FunctionPass


class AnnotateWarns(FunctionPass):
    name = "ts-annotate-warns"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        warn = operator_class("aten::warn")
        if warn not in op_classes(function.body.block):
            return False
        count = 0
        for op in nested_ops(function.body.block):
            if isinstance(op, warn):
                op.attributes["warn_id"] = IntegerAttr(count, i64)
                count += 1
        return count > 0
