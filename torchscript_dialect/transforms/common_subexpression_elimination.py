"""Computes what is computed twice once (PyTorch: passes/common_subexpression_elimination.cpp).

Two nodes are equal if kind, operands, attributes and result types are. The second one goes, also if
it is in a block further in; nodes with side effects, with chance, or on memory that somebody writes
to stay, and so do two results that the caller could tell apart.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import (
    blocks_of,
    gives_references,
    has_side_effects,
    is_nondeterministic,
    may_write,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.attributes_key import attributes_key
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.mutability import is_mutable_type
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.properties import cached_property

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class CommonSubexpressionElimination(FunctionPass):
    name = "ts-common-subexpression-elimination"
    preserves = (AliasDb,)
    settles = True

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        subexpressions = _Subexpressions(function, analyses)
        changed = subexpressions.visit(function.body.block)
        edit.replace_all_uses(subexpressions.replaced)
        for op in subexpressions.dropped:
            edit.erase(op)
        if subexpressions.is_aliasing_changed:
            analyses.invalidate(function)
        dump(LOG, "After CSE: ", function)
        return changed


class _Subexpressions:
    """`seen` holds the nodes that may stand for an equal one: those before it, in its block and in those around it. Nodes of one
    kind on the same operands share a bucket; what else they are is compared there.
    """

    def __init__(self, function: FuncOp, analyses: Analyses) -> None:
        self.function = function
        self.analyses = analyses
        self.has_writers = may_write(function.body.block)
        self.seen: dict[Any, list[Operation]] = {}
        self.dropped: list[Operation] = []
        self.replaced: list[tuple[SSAValue, SSAValue]] = []
        """The results of nodes that go, each with that of the equal node that stays; uses change when all are found."""
        self.identities: dict[int, int] = {}
        """The same by identity."""
        self.is_aliasing_changed = False
        """Whether values that were apart are now the same memory."""

    @cached_property
    def aliases(self) -> AliasDb:
        return self.analyses.aliases(self.function)

    def visit(self, block: Block) -> bool:
        changed = False
        added: list[list[Operation]] = []
        for op in edit.body_ops(block):
            if self.must_stay(op):
                # What is in the blocks of a node that must stay stays with it.
                continue
            if op.regions:
                for inner in blocks_of(op):
                    changed |= self.visit(inner)
                continue
            bucket = self.seen.setdefault(self.bucket_of(op), [])
            existing = _find_equal(op, bucket) if bucket else None
            if existing is None:
                bucket.append(op)
                added.append(bucket)
            elif self.is_same(op, existing):
                changed |= self.drop(op, existing)
        for bucket in added:
            bucket.pop()
        return changed

    def must_stay(self, op: Operation) -> bool:
        if type(op) is prim.ProfileOp or has_side_effects(op) or is_nondeterministic(op):
            return True
        return self.has_writers and self.aliases.has_writers(op)

    def is_same(self, op: Operation, existing: Operation) -> bool:
        """Whether nobody can tell the results of two equal nodes apart."""
        return gives_references(op) or self.aliases.safe_to_change_aliasing(
            op.results, existing.results
        )

    def drop(self, op: Operation, existing: Operation) -> bool:
        if not LIMIT.allows():
            return False
        if LOG.updates:
            names = ", ".join(f"%{result.name_hint}" for result in op.results)
            LOG.update(f"Replacing {names} = {op.name} with an equal node")
        for result, known in zip(op.results, existing.results, strict=True):
            self.is_aliasing_changed |= is_mutable_type(type_of(result))
            self.replaced.append((result, known))
            self.identities[id(result)] = id(known)
        self.dropped.append(op)
        return True

    def bucket_of(self, op: Operation) -> Any:
        """Equal nodes have equal buckets. Identities are cheaper than hashes of values, and nobody makes values here."""
        operands = edit.operands_of(op)
        if not operands:
            return (type(op), *map(_attribute_bucket, op.attributes.values()))
        stays = self.identities.get
        return (type(op), *[stays(known, known) for known in map(id, operands)])


def _attribute_bucket(attribute: Attribute) -> Any:
    """What most constants differ in; numbers without the types that attributes hash with them."""
    if isinstance(attribute, IntegerAttr | FloatAttr):
        return cast(Any, attribute).value.data
    return attribute


def _find_equal(op: Operation, bucket: list[Operation]) -> Operation | None:
    attributes, types = attributes_key(op), op.result_types
    for other in bucket:
        if other.result_types == types and attributes_key(other) == attributes:
            return other
    return None
