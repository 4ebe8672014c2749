"""Puts operators that give what their way back needs in the place of those that give their result alone.

Before: a graph that is to be differentiated, of a module that is known to be in training, or not to be. After: dropouts give their
masks, batch norms the statistics of the batch, and pools the places of what was largest; and operators with a formula stand for those
that are made of them (patterns/saving_forms.py).
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.ir.pattern_driver import apply_patterns
from torchscript_dialect.patterns.saving_forms import SAVING_FORMS
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class UseSavingForms(FunctionPass):
    name = "ts-use-saving-forms"
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = apply_patterns(function, SAVING_FORMS, limit=LIMIT, rewrites=analyses.rewrites)
        dump(LOG, "After UseSavingForms: ", function)
        return changed
