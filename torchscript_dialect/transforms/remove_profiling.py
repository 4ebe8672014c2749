"""Takes `prim::profile` nodes out and gives values the types that they saw (PyTorch:
`RemoveProfileNodesAndSpecializeTypes`).

A profile that was never run says nothing. Where two profiles of one value saw different types, the value gets what both agree on. What
`prim::profile_ivalue` saw is no type, and is left to `ts-insert-guards`. The function is marked: what it is called with next may be of
other types.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import OBSERVED, FunctionPass, dump
from torchscript_dialect.transforms.insert_profiling import OBSERVERS
from torchscript_dialect.types.subtyping import unify_types
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class RemoveProfiling(FunctionPass):
    name = "ts-remove-profiling"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        profiles = [op for op in edit.nested_ops(function.body.block) if isinstance(op, OBSERVERS)]
        seen: set[SSAValue] = set()
        for op in profiles:
            if isinstance(op, prim.ProfileOp):
                _use(op, seen)
            for value, result in zip(op.operands, op.results):
                edit.replace_uses(result, value)
            edit.erase(op)
        if seen:
            function.attributes[OBSERVED] = UnitAttr()
        dump(LOG, "After RemoveProfiling: ", function)
        return bool(profiles)


def _use(op: prim.ProfileOp, seen: set[SSAValue]) -> None:
    """Give values the type that was seen; `seen` are those that have been given one."""
    for value in op.operands:
        type_ = op.attributes.get("profiled_type", TENSOR)
        if not isinstance(type_, TensorType) or type_ == TENSOR:
            continue
        before = value.type
        if value in seen and isinstance(before, TensorType):
            merged = unify_types(before, type_)
            assert merged is not None
            type_ = merged
        LOG.update(f"Specializing %{value.name_hint} to {type_.repr_str}")
        edit.set_type(value, type_)
        seen.add(value)
