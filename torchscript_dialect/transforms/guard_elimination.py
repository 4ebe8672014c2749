"""Takes out guards that go without saying (PyTorch: passes/guard_elimination.cpp, `eliminateGuards`).

The types of guarded values are propagated through the operators: the sum of two tensors of shape (2, 3) is of shape (2, 3). A guard of
a value that is known to have the type already is that value.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.edit import op_classes
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.guards import IMPLIED
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.transforms.propagate_shapes import PropagateShapes
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

_PATTERNS = FrozenPatternSet(IMPLIED)


class GuardElimination(FunctionPass):
    name = "ts-guard-elimination"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        if prim.GuardOp not in op_classes(function.body.block):
            return False
        changed = PropagateShapes().run(function, analyses)
        changed |= rewrite(function, _PATTERNS, analyses, limit=LIMIT, log=LOG)
        dump(LOG, "After GuardElimination: ", function)
        return changed
