"""Puts a `prim::profile` in front of every use of a tensor (PyTorch: runtime/profiling_record.cpp).

When the function runs, each of them sees the type of what passes through and merges it into its
`profiled_type`. `ts-remove-profiling` takes them out and gives the values the types that were seen. A `prim::profile_ivalue` in front
of a use of an optional value counts how often that is None. `ts-insert-guards` makes promises of both.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

OBSERVERS = (prim.ProfileOp, prim.ProfileIValueOp)


class InsertProfiling(FunctionPass):
    name = "ts-insert-profiling"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = _block(function.body.block)
        dump(LOG, "After InsertProfiling: ", function)
        return changed


def _block(block: Block) -> bool:
    changed = False
    for op in list(block.ops):
        if not isinstance(op, OBSERVERS):
            changed |= _uses(op)
        for inner in blocks_of(op):
            changed |= _block(inner)
    return changed


def _uses(op: Operation) -> bool:
    changed = False
    for index, value in enumerate(op.operands):
        if isinstance(value.owner, (*OBSERVERS, prim.ConstantOp)):
            continue
        if isinstance(value.type, TensorType):
            profile = prim.ProfileOp(
                value, result_types=[TENSOR], profiled_type=TENSOR, seen_none=0
            )
        elif isinstance(value.type, OptionalType):
            profile = prim.ProfileIValueOp(value, seen_none=0, seen=0)
        else:
            continue
        edit.insert_before(op, profile)
        op.operands[index] = profile.results[0]
        changed = True
    return changed
