"""Makes all tensors plain `Tensor` (PyTorch: passes/erase_number_types, `EraseShapeInformation`)."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.subtyping import unshaped
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class EraseShapeInformation(FunctionPass):
    """For graphs that came with types: traces, and what `ts.function_from` is given."""

    name = "ts-erase-shape-information"
    preserves = (AliasDb,)

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _block(function.body.block)
        dump(LOG, "After EraseShapeInformation: ", function)
        return changed


def _block(block: Block) -> bool:
    changed = _values(block.args)
    for op in block.ops:
        for region in op.regions:
            changed |= _block(region.block)
        changed |= _values(op.results)
    return changed


def _values(values: Iterable[SSAValue]) -> bool:
    changed = False
    for value in values:
        plain = unshaped(type_of(value))
        if plain != value.type:
            edit.set_type(value, plain)
            changed = True
    return changed
