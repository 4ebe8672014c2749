"""Takes tuples apart that are made in sight (PyTorch: `LowerSimpleTuples` in
passes/lower_tuples.cpp).

`TupleUnpack`, `TupleIndex` with a constant index, and `TupleSlice` of a `TupleConstruct` become its
operands.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.dead_code_elimination import eliminate_dead_code
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


@dataclass(frozen=True)
class LowerSimpleTuples(FunctionPass):
    name = "ts-lower-simple-tuples"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _visit(function.body.block)
        if changed:
            analyses.invalidate(function)
        changed |= eliminate_dead_code(function, analyses)
        dump(LOG, "After LowerSimpleTuples: ", function)
        return changed


def _visit(block: Block) -> bool:
    changed = False
    for op in edit.all_ops(block):
        if type(op) in _TAKE_FROM_TUPLE and forward_tuple_elements(op):
            changed = True
        for inner in blocks_of(op):
            changed |= _visit(inner)
    return changed


_TAKE_FROM_TUPLE = (prim.TupleUnpackOp, prim.TupleIndexOp, prim.TupleSliceOp)


def forward_tuple_elements(op: Operation) -> bool:
    """Replace the results of a node that takes from a tuple made in sight; whether it could."""
    if not isinstance(op, _TAKE_FROM_TUPLE):
        return False
    construct = op.operands[0].owner
    if not isinstance(construct, prim.TupleConstructOp) or not LIMIT.allows():
        return False
    elements = tuple(construct.operands)
    if isinstance(op, prim.TupleUnpackOp):
        for result, element in zip(op.results, elements, strict=True):
            edit.replace_uses(result, element)
        return True
    if isinstance(op, prim.TupleIndexOp):
        index = edit.constant_value(op.operands[1])
        if not isinstance(index, int) or not -len(elements) <= index < len(elements):
            return False
        edit.replace_uses(op.results[0], elements[index])
        return True
    begin, end = (from_attribute(op.attributes[name]) for name in ("beg", "end"))
    values = elements[begin:end]
    made = prim.TupleConstructOp.create(
        operands=values, result_types=[TupleType.get(map(type_of, values))]
    )
    edit.insert_before(op, made)
    edit.replace_uses(op.results[0], made.results[0])
    return True
