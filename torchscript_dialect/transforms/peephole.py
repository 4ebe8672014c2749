"""Small rewrites that need a look at a node and its neighbours (PyTorch: passes/peephole*.cpp).

What a type says of a tensor's dtype, rank and sizes; transpositions that undo each other; lists that are made in sight; comparisons
with None; arithmetic with 0 and 1. The rules are the patterns of ../patterns. A rule looks at a tensor's sizes, or at a list's
elements, only where nobody writes to it. The rules that replace a fresh tensor by its operand (`x * 1`) ask whether anybody could
tell the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns import lists, shapes, tensors
from torchscript_dialect.patterns.canonical import VALUES
from torchscript_dialect.patterns.control_flow import RefineOptionalResults
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.patterns.nones import UseNoneForResult
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class Peephole(FunctionPass):
    name = "ts-peephole"
    preserves = (AliasDb,)
    settles = True

    disable_shape_peepholes: bool = False
    """Leave alone what depends on the dtype, rank or sizes of tensors."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        memory = Memory(function, analyses)
        patterns = _patterns(memory, with_shapes=not self.disable_shape_peepholes)
        changed = rewrite(function, patterns, analyses, limit=LIMIT, log=LOG)
        dump(LOG, "After PeepholeOptimize: ", function)
        if changed:
            eliminate_dead_code(function, analyses)
        return changed


_SIMPLE = (UseNoneForResult(), *VALUES, RefineOptionalResults())


def _patterns(memory: Memory, *, with_shapes: bool) -> FrozenPatternSet:
    patterns = [
        *_SIMPLE,
        *(pattern(memory) for pattern in tensors.VIEWS),
        *(pattern(memory, is_specialized=with_shapes) for pattern in lists.LISTS),
    ]
    if with_shapes:
        patterns += [pattern(memory) for pattern in (*tensors.COPIES, *shapes.SHAPES)]
    return FrozenPatternSet(patterns)
