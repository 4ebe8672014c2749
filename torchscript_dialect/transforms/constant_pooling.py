"""Moves constants to the front of the function and keeps one of each (PyTorch:
passes/constant_pooling.cpp).

A constant that is seen for the first time goes in front of all nodes, so the last one found comes
first. Constants of mutable types stay apart where the caller could tell one object from two, and so do members of enums.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses, Settled
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects.attributes import TensorAttr
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.mutability import is_mutable_type
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.recursion import deep_recursion

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class ConstantPooling(FunctionPass):
    name = "ts-constant-pooling"
    preserves = (AliasDb, Settled)  # which do not ask in what order constants stand

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        pool = _Pool(function, analyses)
        with deep_recursion():
            changed = pool.visit(function.body.block)
        edit.replace_all_uses((op.results[0], known.results[0]) for op, known in pool.pooled)
        for op, _ in pool.pooled:
            edit.erase(op)
        if pool.pooled:
            analyses.settled(function).clear()
        if pool.is_aliasing_changed:
            analyses.invalidate(function)
        dump(LOG, "After ConstantPooling: ", function)
        return changed


def _is_same_object(a: ConstantOp, b: ConstantOp) -> bool:
    """Whether one tensor or list is meant, such as the default of a parameter in two calls, and not two that are equal."""
    value = a.attributes.get("value")
    return isinstance(value, (TensorAttr, ArrayAttr)) and value is b.attributes.get("value")


class _Pool:
    def __init__(self, function: FuncOp, analyses: Analyses) -> None:
        self.function = function
        self.top = function.body.block
        self.analyses = analyses
        self.seen: dict[Any, ConstantOp] = {}
        self.pooled: list[tuple[ConstantOp, ConstantOp]] = []
        """Constants that go, each with the equal one that stays."""
        self.is_aliasing_changed = False
        """Whether values that were apart are now the same memory."""

    def safe_to_share(self, a: ConstantOp, b: ConstantOp) -> bool:
        if not is_mutable_type(type_of(a.results[0])) or _is_same_object(a, b):
            return True
        aliases = self.analyses.aliases(self.function)
        return aliases.safe_to_change_aliasing(a.results, b.results)

    def visit(self, block: Block) -> bool:
        changed = False
        for op in edit.all_ops(block):
            for inner in blocks_of(op):
                changed |= self.visit(inner)
            if type(op) is ConstantOp:
                changed |= self.constant(op)
        return changed

    def constant(self, op: ConstantOp) -> bool:
        key = (op.results[0].type, attributes_key(op))
        existing = self.seen.setdefault(key, op)
        first = self.top.first_op
        assert first is not None
        if existing is op:
            if op is first or not LIMIT.allows():
                return False
            edit.move_before(op, first)
            return True
        if not self.safe_to_share(op, existing) or not LIMIT.allows():
            return False
        if LOG.updates:
            LOG.update(f"Pooling {op.results[0].name_hint} with {existing.results[0].name_hint}")
        self.is_aliasing_changed |= is_mutable_type(type_of(op.results[0]))
        self.pooled.append((op, existing))
        return True
