"""Puts the results of `prim::If` and `prim::Loop` in the order in which they are first used
(PyTorch: `CanonicalizeOutputs`).

The frontend adds results in the order in which it comes to need them; this makes equal programs
equal graphs. Results that nothing uses come last. Goes from the end to the beginning, as the order
of a node's results decides that of what its blocks yield.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.properties import cached_property

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class CanonicalizeOutputs(FunctionPass):
    name = "ts-canonicalize-outputs"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _visit(function.body.block, _Places(function))
        dump(LOG, "After CanonicalizeOutputs: ", function)
        return changed


class _Places:
    """Where the nodes of a function stand in its text: a node before those of its blocks."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function

    @cached_property
    def of(self) -> dict[Operation, int]:
        return {op: place for place, op in enumerate(edit.nested_ops(self.function.body.block))}


def _visit(block: Block, places: _Places) -> bool:
    changed = False
    for op in reversed(edit.all_ops(block)):
        if not op.regions:
            continue
        is_loop = isinstance(op, prim.LoopOp) and len(op.regions) == 1
        if len(op.results) > 1 and (is_loop or isinstance(op, prim.IfOp)):
            order = _order_of_first_uses(op.results, places.of)
            if order != sorted(order) and LIMIT.allows():
                _permute(op, order, carried=is_loop)
                changed = True
        for inner in blocks_of(op):
            changed |= _visit(inner, places)
    return changed


def _order_of_first_uses(values: Sequence[SSAValue], places: dict[Operation, int]) -> list[int]:
    never = (len(places), 0)
    first = [
        min(((places[use.operation], use.index) for use in value.uses), default=never)
        for value in values
    ]
    return sorted(range(len(values)), key=lambda index: first[index])


def _permute(op: Operation, order: list[int], *, carried: bool) -> None:
    """Put results in an order, and with them what the blocks yield and, in a loop, what goes in."""
    edit.permute_results(op, order)
    shift = 1 if carried else 0
    for region in op.regions:
        last = edit.terminator(region.block)
        kept = list(last.operands[:shift])
        last.operands = [*kept, *(last.operands[index + shift] for index in order)]
    if not carried:
        return
    op.operands = [*op.operands[:2], *(op.operands[index + 2] for index in order)]
    block = op.regions[0].block
    arguments = [block.args[0], *(block.args[index + 1] for index in order)]
    edit.set_arguments(block, arguments)
