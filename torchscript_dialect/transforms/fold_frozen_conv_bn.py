"""Makes batch norms part of the convolutions before them, where all weights are constants (PyTorch: passes/frozen_conv_folding.cpp)."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.frozen import FoldBatchNorm
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class FoldFrozenConvBn(FunctionPass):
    """Runs on what `ts.freeze` has made: weights are constants there."""

    name = "ts-fold-frozen-conv-bn"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = rewrite(
            function, FrozenPatternSet([FoldBatchNorm()]), analyses, limit=LIMIT, log=LOG
        )
        dump(LOG, "After FoldFrozenConvBatchnorm: ", function)
        return changed
