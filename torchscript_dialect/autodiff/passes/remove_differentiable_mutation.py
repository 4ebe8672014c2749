"""Makes new tensors instead of writing to old ones in a graph that is to be differentiated.

Before: `aten::relu_(%x)`, which no differentiable graph takes (Note [Differentiable sub-graphs] in create_autodiff_subgraphs.py).
After: `aten::relu(%x)`, where nobody can tell (transforms/remove_tensor_mutation.py). A write to what a node has kept for the way back
is an error when the gradient is taken, and stays one: what is written to is not kept by its maker, and no node that gives a tensor has
used it before.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.autodiff.derivatives import result_name
from torchscript_dialect.autodiff.differentiability import formulas_of, is_copied
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.remove_tensor_mutation import Memory, remove_mutations
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


@dataclass(frozen=True)
class RemoveDifferentiableMutation(FunctionPass):
    name = "ts-remove-differentiable-mutation"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = remove_mutations(function, analyses, _nobody_keeps_target, fits=True)
        dump(LOG, "After RemoveDifferentiableMutation: ", function)
        return changed


def _nobody_keeps_target(op: Operation, memory: Memory) -> bool:
    """Whether nothing before an op may keep what it writes to for the way back."""
    target = op.operands[0]
    maker = target.owner
    if not isinstance(maker, OperatorOp) or maker.OPERATOR is None or is_copied(maker):
        return False
    found = formulas_of(maker)
    if found is None:
        return False
    number = maker.results.index(target)
    names = {f"result{number}", result_name(maker.OPERATOR.schema, number)}
    if found.words & (names if number else {*names, "result"}):
        return False
    users = [use.operation for use in target.uses if use.operation is not op]
    keeping = [one for one in users if any(isinstance(r.type, TensorType) for r in one.results)]
    return not any(memory.is_before(one, op) for one in keeping)
