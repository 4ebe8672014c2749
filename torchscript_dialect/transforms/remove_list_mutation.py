"""Makes lists with what is appended to them before anybody looks (PyTorch: `RemoveListMutation` in passes/remove_mutation.cpp)."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import may_write
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet
from torchscript_dialect.patterns.lists import AppendToListConstruct
from torchscript_dialect.patterns.memory import Memory
from torchscript_dialect.transforms._pass import FunctionPass, dump, rewrite
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class RemoveListMutation(FunctionPass):
    name = "ts-remove-list-mutation"
    preserves = (AliasDb,)
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        if not may_write(function.body.block):
            return False
        patterns = FrozenPatternSet([AppendToListConstruct(Memory(function, analyses))])
        changed = rewrite(function, patterns, analyses, limit=LIMIT, log=LOG)
        dump(LOG, "After RemoveListMutation: ", function)
        return changed
