"""Makes new tensors instead of writing to old ones in a graph that is to be differentiated.

Before: `aten::relu_(%x)`, which no differentiable graph takes (Note [Differentiable sub-graphs] in create_autodiff_subgraphs.py).
After: `aten::relu(%x)`, where nobody can tell (transforms/remove_tensor_mutation.py). A write to what a node has kept for the way back
is an error when the gradient is taken, and stays one: no formula of a node that makes what is written to, or has used it before,
reads it. What a loop carries is used by the trip before, too.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.autodiff.differentiability import formulas_of, is_copied
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.transforms.remove_tensor_mutation import Memory, remove_mutations, users
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class RemoveDifferentiableMutation(FunctionPass):
    name = "ts-remove-differentiable-mutation"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = remove_mutations(function, analyses, _nobody_keeps_target, fits=True)
        dump(LOG, "After RemoveDifferentiableMutation: ", function)
        return changed


PASSES_ON = (prim.IfOp, prim.LoopOp, prim.YieldOp, prim.ListConstructOp, aten.DetachOp)
"""Nodes that keep nothing themselves; what they pass on is the same memory."""


def _nobody_keeps_target(op: Operation, memory: Memory) -> bool:
    """Whether nothing before an op may keep what it writes to for the way back."""
    target = op.operands[0]
    if isinstance(target.owner, Operation) and is_copied(target.owner):
        return False
    if any(operand is target for operand in op.operands[1:]):  # which the op itself may keep
        return False
    sharing = memory.sharing(target)
    is_carried = any(isinstance(one.owner, Block) and one.owner.is_ancestor(op) for one in sharing)

    def runs_before(one: Operation) -> bool:
        return one is not op and (is_carried or memory.is_before(one, op))

    for value in sharing:
        maker = value.owner
        if isinstance(maker, Block):
            if not isinstance(maker.parent_op(), prim.LoopOp):
                return False
        elif runs_before(maker) and _keeps_result(maker, value):
            return False
        if any(_keeps_operand(one, value) for one in users(value) if runs_before(one)):
            return False
    return True


def _keeps_result(maker: Operation, value: SSAValue) -> bool:
    """Whether the maker of a value may keep it; one that no gradient goes to, as it is made of no tensors, does not."""
    if isinstance(maker, PASSES_ON):
        return False
    if isinstance(maker, OperatorOp) and not any(
        may_hold_tensors(prim.type_of(operand)) for operand in maker.operands
    ):
        return False
    found = formulas_of(maker)
    if found is None:
        return True
    return bool(found.words & found.names_of_result(maker.results.index(value)))


def _keeps_operand(user: Operation, value: SSAValue) -> bool:
    """Whether a node may keep a value that it uses."""
    if isinstance(user, PASSES_ON) or not any(_is_tensor(one) for one in user.results):
        return False
    found = formulas_of(user)
    if found is None or not isinstance(user, OperatorOp) or user.OPERATOR is None:
        return True
    arguments = zip(user.OPERATOR.schema.arguments, user.operands, strict=False)
    return any(one is value and argument.name in found.read for argument, one in arguments)


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)
