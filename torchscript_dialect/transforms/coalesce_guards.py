"""Moves guards to the definitions of what they guard and merges those that meet there (PyTorch: passes/guard_elimination.cpp,
`moveGuardsToDefs` and `coalesceGuards`).

A guard moves up in its block as far as nothing writes to its value: a write may change sizes. Of two guards of one value with nothing
that writes between them, one stays if its type says what the other's does.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class CoalesceGuards(FunctionPass):
    name = "ts-coalesce-guards"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        ops = edit.nested_ops(function.body.block)
        guards = [op for op in ops if isinstance(op, prim.GuardOp)]
        if not guards:
            return False
        aliases = analyses.aliases(function)
        changed = False
        for guard in guards:
            changed |= _move_up(guard, aliases)
        dump(LOG, "After moving guards to definitions: ", function)
        changed |= _merge(function.body.block)
        dump(LOG, "After CoalesceGuards: ", function)
        return changed


def _move_up(guard: prim.GuardOp, aliases: AliasDb) -> bool:
    """Move a guard up to the definition of its value, to a write, or to the begin of its block."""
    maker = guard.value.owner
    place, above = guard, guard.prev_op
    while above is not None and above is not maker and not isinstance(above, prim.EnterOp):
        if aliases.writes_to_alias(above, [guard.value]):
            break
        if not (isinstance(above, prim.GuardOp) and above.value is guard.value):
            place = above
        elif place is guard:
            return False
        else:
            break
        above = above.prev_op
    if place is guard or not LIMIT.allows():
        return False
    edit.move_before(guard, place)
    return True


def _merge(block: Block) -> bool:
    """Merge guards of one value that stand next to each other."""
    changed = False
    op: Operation | None = block.first_op
    while op is not None:
        following = op.next_op
        while _merge_two(op, op.next_op):
            changed, following = True, op.next_op
        for inner in blocks_of(op):
            changed |= _merge(inner)
        op = following
    return changed


def _merge_two(first: Operation, second: Operation | None) -> bool:
    """Make one guard of two of the same value; whether they are that, and agree."""
    if not isinstance(first, prim.GuardOp) or not isinstance(second, prim.GuardOp):
        return False
    if first.value is not second.value:
        return False
    types = prim.type_of(first.results[0]), prim.type_of(second.results[0])
    if not (is_subtype(*types) or is_subtype(*reversed(types))) or not LIMIT.allows():
        return False
    if LOG.updates:
        LOG.update(f"Merging two guards of %{first.value.name_hint}")
    if not is_subtype(*types):
        edit.set_type(first.results[0], types[1])
    edit.replace_uses(second.results[0], first.results[0])
    edit.erase(second)
    return True
