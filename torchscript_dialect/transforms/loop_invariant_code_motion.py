"""Computes products of matrices that are the same in every trip of a loop once, before it, and reads attributes there.

Moved are reads of attributes that nobody sets, out of all loops: a loop that reads none can be a part of a differentiable graph. And
products and what only they are made of, out of loops whose trips are counted and of which there is one at least, as far as nobody
writes to their memory or comes to see it; what follows a node with side effects, or one that writes, stays behind it.
PyTorch has no such pass: a product costs what many kernels do, and its gradient as much again.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of, has_side_effects, is_nondeterministic
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.unrolling import is_for_loop
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)

PRODUCTS = (aten.MmOp, aten.BmmOp, aten.MatmulOp, aten.LinearOp, aten.AddmmOp, aten.BaddbmmOp)


class LoopInvariantCodeMotion(FunctionPass):
    name = "ts-loop-invariant-code-motion"
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = self.visit(function, function.body.block, analyses)
        dump(LOG, "After LoopInvariantCodeMotion: ", function)
        return changed

    def visit(self, function: FuncOp, block: Block, analyses: Analyses) -> bool:
        """Move products out of the loops of a block, inner ones first: they may go on."""
        changed = False
        for op in edit.body_ops(block):
            for inner in blocks_of(op) if op.regions else ():
                changed |= self.visit(function, inner, analyses)
            if isinstance(op, prim.LoopOp):
                changed |= _hoist_attributes(op, function, analyses)
                if _makes_a_trip(op):
                    changed |= _hoist(op, function, analyses)
        return changed


def _makes_a_trip(loop: prim.LoopOp) -> bool:
    trips = edit.constant_value(loop.max_trip_count)
    return len(loop.regions) == 1 and is_for_loop(loop) and isinstance(trips, int) and trips > 0


def _hoist_attributes(loop: prim.LoopOp, function: FuncOp, analyses: Analyses) -> bool:
    changed = False
    for block in blocks_of(loop):
        for op in edit.body_ops(block):
            if not isinstance(op, prim.GetAttrOp) or loop.is_ancestor(op.operands[0].owner):
                continue
            if not analyses.aliases(function).has_writers(op.operands[0]) and LIMIT.allows():
                edit.move_before(op, loop)
                changed = True
    return changed


def _hoist(loop: prim.LoopOp, function: FuncOp, analyses: Analyses) -> bool:
    block = loop.body.block
    inside: set[SSAValue] = set(block.args)
    moved: dict[Operation, None] = {}
    invariant: set[Operation] = set()
    goes_on = True
    for op in edit.body_ops(block):
        goes_on = goes_on and not _is_seen(op, function, analyses)
        if not (goes_on and inside.isdisjoint(op.operands) and _may_move(op, function, analyses)):
            inside.update(op.results)
            continue
        invariant.add(op)
        if isinstance(op, PRODUCTS) and LIMIT.allows():
            _with_operands(op, invariant, moved)
    for op in moved:
        LOG.update(f"Moved {op.name} before its loop")
        edit.move_before(op, loop)
    return bool(moved)


def _is_seen(op: Operation, function: FuncOp, analyses: Analyses) -> bool:
    """Whether somebody could tell that a node, or one in its blocks, has not run when another one raises."""
    if any(map(has_side_effects, op.walk())):
        return True
    return not isinstance(op, prim.ConstantOp) and bool(analyses.aliases(function).writes(op))


def _may_move(op: Operation, function: FuncOp, analyses: Analyses) -> bool:
    """Whether nobody can tell if a node whose operands are those of all trips is run once."""
    if isinstance(op, prim.ConstantOp):
        return True
    if not isinstance(op, OperatorOp) or op.regions or is_nondeterministic(op):
        return False
    aliases = analyses.aliases(function)
    is_view = aliases.may_alias(op.operands, op.results)
    return not aliases.has_writers(op) and (is_view or not aliases.escapes(op.results))


def _with_operands(op: Operation, invariant: set[Operation], moved: dict[Operation, None]) -> None:
    """Add a node and what it is made of in the loop, in an order in which they can stand."""
    for value in op.operands:
        if isinstance(value.owner, Operation) and value.owner in invariant:
            _with_operands(value.owner, invariant, moved)
    moved.setdefault(op)
