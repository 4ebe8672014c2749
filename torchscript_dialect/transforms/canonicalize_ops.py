"""Brings nodes to the form that fusion looks for (PyTorch: passes/canonicalize_graph_fuser_ops.cpp).

`aten::chunk` with constant arguments whose list is only unpacked becomes `prim::ConstantChunk`, which gives as many chunks or fails,
as the unpacking did; constant tensors without dimensions as the second operand of arithmetic become numbers where that
leaves the dtype of the result as it is.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.fusion_forms import FUSION_FORMS
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

_PATTERNS = FrozenPatternSet(FUSION_FORMS)


class CanonicalizeOps(FunctionPass):
    name = "ts-canonicalize-ops"
    preserves = (AliasDb,)
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = rewrite(function, _PATTERNS, analyses, limit=LIMIT, log=LOG)
        dump(LOG, "After CanonicalizeOps: ", function)
        return eliminate_dead_code(function, analyses) or changed
