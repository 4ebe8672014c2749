"""Makes numbers of constant tensors without dimensions that a program adds, subtracts, multiplies or divides by (PyTorch:
passes/canonicalize_graph_fuser_ops.cpp).

A trace of PyTorch's has the numbers of its source as such tensors, in double precision or as 64-bit integers. Before: a program as it
is. After: the dtypes of results are those that numbers give. It is run before anything is folded: of a tensor that the program makes,
the dtype counts.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.numbers import with_number, with_tensors_for_numbers
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class UseNumbers(FunctionPass):
    name = "ts-use-numbers"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        found = with_tensors_for_numbers(function.body.block)
        for op in found:
            for new in (news := with_number(op)):
                edit.insert_before(op, new)
            edit.replace_uses(op.results[0], news[-1].results[0])
            edit.erase(op)
        dump(LOG, "After UseNumbers: ", function)
        return bool(found)
