"""Removes what undefined gradients make undefined (PyTorch: passes/specialize_autogradzero.cpp).

Before: a reverse graph with `prim::GradOf` and `prim::AutogradAdd`; an argument that is undefined has the type None, all others are
defined. After: `prim::GradOf` of gradients that are all undefined gives `prim::AutogradZero`, one of a defined gradient is replaced
by its block; sums of gradients are `aten::add`, or the one that is defined; questions whether gradients are defined are constants.
"""

from __future__ import annotations

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.ir import edit
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import BOOL, INT, NONE
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class SpecializeAutogradzero(FunctionPass):
    name = "ts-specialize-autogradzero"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        classes = edit.op_classes(function.body.block)
        if not classes & _CLASSES:
            return False
        specializer = _Specializer()
        specializer.block(function.body.block)
        dump(LOG, "After SpecializeAutogradzero: ", function)
        return specializer.changed


class _Specializer:
    """`unknown` are gradients that may be undefined or not."""

    def __init__(self) -> None:
        self.unknown: set[SSAValue] = set()
        self.changed = False

    def block(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            op = self.node(op)

    def node(self, op: Operation) -> Operation | None:
        """Look at a node; gives the one to look at next."""
        following = op.next_op
        if isinstance(op, prim.GradOfOp):
            return self.grad_of(op)
        if isinstance(op, prim_operators.AutogradAddOp):
            self.add(op)
        elif type(op) in _QUESTIONS:
            self.question(op)
        else:
            for inner in blocks_of(op):
                self.block(inner)
        return following

    def is_zero(self, value: SSAValue) -> bool | None:
        """Whether a gradient is undefined; None where that is not known."""
        if value.type == NONE or isinstance(value.owner, prim_operators.AutogradZeroOp):
            return True
        return None if value in self.unknown else False

    def grad_of(self, op: prim.GradOfOp) -> Operation | None:
        zeros = [self.is_zero(value) for value in op.operands]
        following = op.next_op
        if all(zeros) and LIMIT.allows():
            self.changed = True
            zero = prim_operators.AutogradZeroOp.create(result_types=[TENSOR])
            edit.insert_before(op, zero)
            for result in op.results:
                edit.replace_uses(result, zero.results[0])
            edit.erase(op)
            return following
        if False not in zeros or not LIMIT.allows():
            self.block(op.body)
            self.unknown.update(op.results)
            return following
        self.changed = True
        first = op.body.first_op
        values = prim.yielded(op.regions[0])
        for inner in edit.body_ops(op.body):
            edit.move_before(inner, op)
        for result, value in zip(op.results, values, strict=True):
            edit.replace_uses(result, value)
        edit.erase(op)
        return following if isinstance(first, prim.YieldOp) else first

    def add(self, op: Operation) -> None:
        a, b = op.operands
        zeros = self.is_zero(a), self.is_zero(b)
        if True in zeros:
            found = b if zeros[0] else a
        elif None in zeros:
            self.unknown.update(op.results)
            return
        else:
            one = edit.insert_constant(op, 1, INT)
            made = aten.AddTensorOp.create(operands=[a, b, one], result_types=op.result_types)
            edit.insert_before(op, made)
            found = made.results[0]
        if not LIMIT.allows():
            return
        self.changed = True
        edit.replace_uses(op.results[0], found)
        edit.erase(op)

    def question(self, op: Operation) -> None:
        zeros = [self.is_zero(value) for value in op.operands]
        decisive, answer = _QUESTIONS[type(op)]
        if decisive in zeros:
            found = answer
        elif None in zeros:
            return
        else:
            found = not answer
        if LIMIT.allows():
            self.changed = True
            edit.replace_uses(op.results[0], edit.insert_constant(op, found, BOOL))
            edit.erase(op)


_QUESTIONS: dict[type[Operation], tuple[bool, bool]] = {
    prim_operators.AutogradAnyNonZeroOp: (False, True),
    prim_operators.AutogradAllNonZeroOp: (True, False),
    prim_operators.AutogradAllZeroOp: (False, False),
}
"""By question: what of one operand, undefined or not, decides it, and how."""
_CLASSES = {prim.GradOfOp, prim_operators.AutogradAddOp, *_QUESTIONS}
