"""Unrolls small `for` loops (PyTorch: passes/loop_unrolling.cpp). See `UnrollLoop` in ../patterns/unrolling.py."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_to
from torchscript_dialect.patterns.unrolling import MAX_BODY_REPEATS, MAX_BODY_SIZE, UnrollLoop
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class LoopUnrolling(FunctionPass):
    name = "ts-loop-unrolling"
    settles = True

    constant_only: bool = False
    """Leave loops alone whose number of trips is not known."""

    max_nodes: int = MAX_BODY_SIZE * MAX_BODY_REPEATS
    """The most nodes that a loop may become: what was unrolled is compiled as one kernel."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        patterns = FrozenPatternSet([UnrollLoop(self.constant_only, self.max_nodes)])
        changed = self.visit(function.body.block, patterns, analyses)
        if changed:
            analyses.invalidate(function)
            eliminate_dead_code(function, analyses)
        dump(LOG, "After UnrollLoops: ", function)
        return changed

    def visit(self, block: Block, patterns: FrozenPatternSet, analyses: Analyses) -> bool:
        """Unroll the loops of a block, inner ones first: what they become counts for those around them."""
        changed = False
        for op in edit.body_ops(block):
            if not op.regions:
                continue
            for inner in blocks_of(op):
                changed |= self.visit(inner, patterns, analyses)
            if apply_to(op, patterns, limit=LIMIT, rewrites=analyses.rewrites):
                LOG.update("Unrolled a loop")
                changed = True
        return changed
