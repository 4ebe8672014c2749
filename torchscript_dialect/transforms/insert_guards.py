"""Makes promises of what was observed: a `prim::Guard` in the place of each `prim::profile` (PyTorch: passes/insert_guards.cpp).

Behind a guard a tensor has the type that was seen, and an optional value that was always None, or never, is None, or is not. An
observer that saw nothing, or both, goes without a guard. Guards cannot be run: `ts-insert-bailouts` comes after them.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.guards import OBSERVATIONS
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

_PATTERNS = FrozenPatternSet(OBSERVATIONS)


class InsertGuards(FunctionPass):
    name = "ts-insert-guards"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = rewrite(function, _PATTERNS, analyses, limit=LIMIT, log=LOG)
        dump(LOG, "After InsertGuards: ", function)
        return changed
