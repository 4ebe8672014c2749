"""Puts the nodes of small `prim::DifferentiableGraph`s back where they came from (PyTorch: passes/inline_autodiff_subgraphs.cpp).

The tape goes back through few nodes as fast as a graph of its own does, unless that is all of a function and makes no views: calls of
it are native. A sub-graph that no gradient goes through is put back, too.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.autodiff.differentiability import (
    is_all_of_function,
    is_copied,
    is_copied_tensor,
)
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)
_CONSTANT_OR_YIELD = (prim.ConstantOp, prim.YieldOp)


@dataclass(frozen=True)
class InlineAutodiffSubgraphs(FunctionPass):
    name = "ts-inline-autodiff-subgraphs"

    threshold: int = 2
    """The fewest nodes that compute for which a sub-graph stays."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = False
        for op in edit.nested_ops(function.body.block):
            if not isinstance(op, prim.DifferentiableGraphOp):
                continue
            nodes = [
                one for one in edit.nested_ops(op.body) if not isinstance(one, _CONSTANT_OR_YIELD)
            ]
            is_whole = is_all_of_function([op]) and not any(map(is_copied_tensor, nodes))
            least = min(1, self.threshold) if is_whole else self.threshold
            is_small = sum(not is_copied(one) for one in nodes) < least
            is_flat = op.reverse is not None and not op.differentiated
            if (is_small or is_flat) and LIMIT.allows():
                _inline(op)
                changed = True
        dump(LOG, "After InlineAutodiffSubgraphs: ", function)
        return changed


def _inline(op: prim.DifferentiableGraphOp) -> None:
    values: dict[SSAValue, SSAValue] = dict(zip(op.body.args, op.operands, strict=True))
    for inner in edit.body_ops(op.body):
        copy = edit.clone(inner, values)
        for result in copy.results:
            if isinstance(result.type, TensorType):  # in the sub-graph it required no gradient
                edit.set_type(result, result.type.replace(requires_grad=None))
        edit.insert_before(op, copy)
    for result, value in zip(op.results, prim.yielded(op.regions[0])):
        edit.replace_uses(result, values[value])
    edit.erase(op)
