"""Puts a `prim::profile` in front of every use of a tensor (PyTorch: runtime/profiling_record.cpp).

When the function runs, each of them sees the type of what passes through and merges it into its
`profiled_type`. `ts-remove-profiling` takes them out and gives the values the types that were seen.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


@dataclass(frozen=True)
class InsertProfiling(FunctionPass):
    name = "ts-insert-profiling"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _block(function.body.block)
        dump(LOG, "After InsertProfiling: ", function)
        return changed


def _block(block: Block) -> bool:
    changed = False
    for op in list(block.ops):
        if not isinstance(op, prim.ProfileOp):
            changed |= _uses(op)
        for inner in blocks_of(op):
            changed |= _block(inner)
    return changed


def _uses(op: Operation) -> bool:
    changed = False
    for index, value in enumerate(op.operands):
        if not isinstance(value.type, TensorType) or isinstance(value.owner, prim.ProfileOp):
            continue
        profile = prim.ProfileOp.create(
            operands=[value],
            result_types=[TENSOR],
            attributes={"profiled_type": TENSOR, "seen_none": to_attribute(0)},
        )
        edit.insert_before(op, profile)
        op.operands[index] = profile.results[0]
        changed = True
    return changed
