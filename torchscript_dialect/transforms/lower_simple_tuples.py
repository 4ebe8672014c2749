"""Takes tuples apart that are made in sight (PyTorch: `LowerSimpleTuples` in passes/lower_tuples.cpp).

`TupleUnpack`, `TupleIndex` with a constant index, and `TupleSlice` of a `TupleConstruct` become its operands.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.tuples import TUPLES
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

_PATTERNS = FrozenPatternSet(TUPLES)


class LowerSimpleTuples(FunctionPass):
    name = "ts-lower-simple-tuples"
    preserves = (AliasDb,)
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = rewrite(function, _PATTERNS, analyses, limit=LIMIT, log=LOG)
        changed |= eliminate_dead_code(function, analyses)
        dump(LOG, "After LowerSimpleTuples: ", function)
        return changed
