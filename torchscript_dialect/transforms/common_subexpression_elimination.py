"""Computes what is computed twice once (PyTorch: passes/common_subexpression_elimination.cpp).

Two nodes are equal if kind, operands, attributes and result types are. The second one goes, also if
it is in a block further in; nodes with side effects, with chance, or on memory that somebody writes
to stay, and so do two results that the caller could tell apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import (
    blocks_of,
    gives_references,
    has_side_effects,
    is_nondeterministic,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class CommonSubexpressionElimination(FunctionPass):
    name = "ts-common-subexpression-elimination"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        subexpressions = _Subexpressions(analyses.aliases(function))
        changed = subexpressions.visit(function.body.block)
        if subexpressions.is_aliasing_changed:
            analyses.invalidate(function)
        dump(LOG, "After CSE: ", function)
        return changed


class _Subexpressions:
    """`seen` holds the nodes that may stand for an equal one: those before it, in its block and in
    those around it.
    """

    def __init__(self, aliases: AliasDb) -> None:
        self.aliases = aliases
        self.seen: dict[Any, Operation] = {}
        self.is_aliasing_changed = False
        """Whether values that were apart are now the same memory."""

    def visit(self, block: Block) -> bool:
        changed = False
        added: list[Any] = []
        last = edit.terminator(block)
        for op in list(block.ops):
            if op is last or isinstance(op, prim.ProfileOp) or self.must_stay(op):
                # What is in the blocks of a node that must stay stays with it.
                continue
            if op.regions:
                for inner in blocks_of(op):
                    changed |= self.visit(inner)
                continue
            key = _key(op)
            existing = self.seen.setdefault(key, op)
            if existing is op:
                added.append(key)
            elif gives_references(op) or self.aliases.safe_to_change_aliasing(
                op.results, existing.results
            ):
                changed |= self.drop(op, existing)
        for key in added:
            del self.seen[key]
        return changed

    def must_stay(self, op: Operation) -> bool:
        return has_side_effects(op) or is_nondeterministic(op) or self.aliases.has_writers(op)

    def drop(self, op: Operation, existing: Operation) -> bool:
        if not LIMIT.allows():
            return False
        if LOG.updates:
            names = ", ".join(f"%{result.name_hint}" for result in op.results)
            LOG.update(f"Replacing {names} = {op.name} with an equal node")
        for result, known in zip(op.results, existing.results, strict=True):
            self.is_aliasing_changed |= self.aliases.is_mutable(result)
            edit.replace_uses(result, known)
        edit.erase(op)
        return True


def _key(op: Operation) -> Any:
    return (
        op.name,
        tuple(op.operands),
        tuple(result.type for result in op.results),
        attributes_key(op),
    )
