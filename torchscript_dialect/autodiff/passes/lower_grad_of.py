"""Makes branches of `prim::GradOf` (PyTorch: passes/lower_grad_of.cpp).

Before: reverse graphs in which it may not be known whether gradients are defined. After: a `prim::If` on `prim::AutogradAnyNonZero`
has the block of each `prim::GradOf`, and gives `prim::AutogradZero` otherwise.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Region

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim, prim_operators
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class LowerGradOf(FunctionPass):
    name = "ts-lower-grad-of"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        if prim.GradOfOp not in edit.op_classes(function.body.block):
            return False
        for op in edit.nested_ops(function.body.block):
            if isinstance(op, prim.GradOfOp):
                _lower(op)
        dump(LOG, "After LowerGradOf: ", function)
        return True


def _lower(op: prim.GradOfOp) -> None:
    is_any = prim_operators.AutogradAnyNonZeroOp.create(operands=op.operands, result_types=[BOOL])
    zero = prim_operators.AutogradZeroOp.create(result_types=[TENSOR])
    nothing = prim.YieldOp.create(operands=[zero.results[0]] * len(op.results))
    body = op.detach_region(0)
    choice = prim.IfOp.create(
        operands=is_any.results,
        result_types=op.result_types,
        regions=[body, Region(Block([zero, nothing]))],
    )
    edit.insert_before(op, is_any)
    edit.insert_before(op, choice)
    for old, new in zip(op.results, choice.results, strict=True):
        new.name_hint = old.name_hint
        edit.replace_uses(old, new)
    edit.erase(op)
