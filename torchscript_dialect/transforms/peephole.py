"""Small rewrites that need a look at a node and its neighbours (PyTorch: passes/peephole*.cpp).

Rules are functions in tables, keyed by the kind of the node: what a type says of a tensor's dtype,
rank and sizes; transpositions that undo each other; lists that are made in sight; comparisons with
None; arithmetic with 0 and 1. A rule looks at a tensor's sizes, or at a list's elements, only where
nobody writes to it. The rules that replace a fresh tensor by its operand (`x * 1`) ask whether
anybody could tell the two apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, deep_recursion, dump
from torchscript_dialect.transforms._peephole_context import Rewriter, Rule
from torchscript_dialect.transforms._peephole_scalars import SCALAR_RULES
from torchscript_dialect.transforms._peephole_tensors import SHAPE_RULES, TENSOR_RULES
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.core import NoneType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class Peephole(FunctionPass):
    name = "ts-peephole"
    preserves = (AliasDb,)

    disable_shape_peepholes: bool = False
    """Leave alone what depends on the dtype, rank or sizes of tensors."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        tables = [TENSOR_RULES, SCALAR_RULES]
        if not self.disable_shape_peepholes:
            tables.append(SHAPE_RULES)
        rewriter = Rewriter(function, analyses, shapes=not self.disable_shape_peepholes)
        with deep_recursion():
            changed = _visit(function.body.block, rewriter, _merge(tables))
        dump(LOG, "After PeepholeOptimize: ", function)
        if changed:
            analyses.invalidate(function)
            eliminate_dead_code(function, analyses)
        return changed


def _merge(tables: list[dict[str, Rule]]) -> dict[str, tuple[Rule, ...]]:
    merged: dict[str, tuple[Rule, ...]] = {}
    for table in tables:
        for kind, rule in table.items():
            merged[kind] = (*merged.get(kind, ()), rule)
    return merged


def _visit(block: Block, rewriter: Rewriter, rules: dict[str, tuple[Rule, ...]]) -> bool:
    changed = False
    op = block.first_op
    while op is not None:
        following = op.next_op
        for inner in blocks_of(op):
            changed |= _visit(inner, rewriter, rules)
        changed |= _use_none(op, rewriter)
        for rule in rules.get(getattr(op, "KIND", op.name), ()):
            if rule(rewriter, op):
                changed = True
                if LOG.updates:
                    LOG.update(f"Replaced {op.name} {_names(op.results)}")
                break
        op = following
    return changed


def _use_none(op: Operation, rewriter: Rewriter) -> bool:
    """Uses the constant for results that can only be None: of an early return carried by a loop, of a call."""
    if isinstance(op, prim.ConstantOp):
        return False
    changed = False
    for result in op.results:
        if isinstance(result.type, NoneType) and result.first_use is not None:
            changed |= rewriter.replace(result, edit.insert_constant(op, None, result.type))
    return changed


def _names(values: tuple[SSAValue, ...]) -> str:
    return ", ".join(f"%{value.name_hint}" for value in values)
