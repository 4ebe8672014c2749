"""Runs what is known before the program runs (PyTorch: passes/constant_propagation.cpp).

Nodes whose operands are constants are run with the kernels of the operator table. An `If` with a
constant condition becomes the block that would run, a loop that never runs goes away, and so do
results of `If` and `Loop` that every way leaves the same. A node that fails stays: the program may
never come to it.

With `immutable-types` (PyTorch's `ConstantPropagationImmutableTypes`) only nodes on immutable
values are run, for which no alias analysis is needed; without, also those on memory that nobody
writes to.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of, has_side_effects, is_nondeterministic
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_to
from torchscript_dialect.patterns.control_flow import DECIDED, UNCHANGED
from torchscript_dialect.patterns.folding import CannotFold, fold, replace_with_constants
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.mutability import is_mutable_type
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class ConstantPropagation(FunctionPass):
    name = "ts-constant-propagation"
    preserves = (AliasDb,)
    settles = True

    immutable_types: bool = False
    """Look only at nodes whose operands and results are of immutable types."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        propagator = _Propagator(function, analyses, immutable_types=self.immutable_types)
        propagator.block(function.body.block)
        if propagator.is_aliasing_changed:
            analyses.invalidate(function)
        if propagator.changed:
            eliminate_dead_code(function, analyses)
        dump(LOG, "After ConstantPropagation: ", function)
        return propagator.changed


def _has_constant_operands(op: Operation) -> bool:
    for value in edit.operands_of(op):  # noqa: SIM110  # most nodes end the loop at once, and `all` starts a generator
        if type(value.owner) is not ConstantOp:
            return False
    return True


class _Propagator:
    def __init__(self, function: FuncOp, analyses: Analyses, *, immutable_types: bool) -> None:
        self.function = function
        self.analyses = analyses
        self.immutable_types = immutable_types
        self.changed = False
        self.is_aliasing_changed = False
        """Whether a new analysis would tell more: a value has fewer ways to be what it is."""

    def may_fold(self, op: Operation) -> bool:
        """Whether the node may be run ahead, once its operands are constants."""
        if (
            isinstance(op, _SKIPPED)
            or op.regions
            or has_side_effects(op)
            or (is_nondeterministic(op) and not isinstance(op, _ONCE))
        ):
            return False
        if not any(is_mutable_type(type_of(v)) for v in (*op.operands, *op.results)):
            return True
        return not self.immutable_types and not self.analyses.aliases(self.function).has_writers(op)

    def block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            self.node(op)
            op = following

    def node(self, op: Operation) -> None:
        if op.regions:
            if isinstance(op, prim.IfOp):
                self.if_node(op)
            elif isinstance(op, prim.LoopOp) and len(op.regions) == 1:
                self.loop(op)
            else:
                for block in blocks_of(op):
                    self.block(block)
        elif (
            type(op) not in (ConstantOp, prim.YieldOp)
            and _has_constant_operands(op)
            and self.may_fold(op)
        ):
            self.fold(op)

    def fold(self, op: Operation) -> None:
        if op.parent_op() is None or not op.results or not LIMIT.allows():
            return
        try:
            results = fold(op)
        except CannotFold:
            return
        if replace_with_constants(op, results):
            if LOG.updates:
                LOG.update(f"Folding %{op.results[0].name_hint} = {op.name} with {results}")
            self.changed = True

    def if_node(self, op: prim.IfOp) -> None:
        condition = edit.constant_value(op.condition)
        if isinstance(condition, bool):
            # What the block that runs comes to be is inlined: a node that was inlined is not visited again.
            self.block(op.regions[0 if condition else 1].block)
            if self.rewrite(op, _DECIDED):
                return
        for region in op.regions:
            self.block(region.block)
        self.rewrite(op, _UNCHANGED)

    def loop(self, op: prim.LoopOp) -> None:
        if self.rewrite(op, _DECIDED):
            return
        self.block(op.body.block)
        self.rewrite(op, _UNCHANGED)

    def rewrite(self, op: Operation, patterns: FrozenPatternSet) -> bool:
        """Apply patterns to a node with blocks; whether one fired."""
        if not apply_to(op, patterns, limit=LIMIT, rewrites=self.analyses.rewrites):
            return False
        LOG.update(f"Simplified {op.name}")
        self.changed = self.is_aliasing_changed = True
        return True


_DECIDED, _UNCHANGED = FrozenPatternSet(DECIDED), FrozenPatternSet(UNCHANGED)
_ONCE = (aten.GeneratorOp, aten.InitialSeedOp)
"""Generators of random numbers are made when the program is compiled, and go on from call to call."""
_SKIPPED = (
    prim.ProfileOp,
    prim.UninitializedOp,
    prim.ClosureOp,
    prim.TypeCheckOp,
    aten.DeviceWithIndexOp,  # PyTorch's kernel fails on constants
)
