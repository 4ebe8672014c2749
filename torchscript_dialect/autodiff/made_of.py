"""Which arguments of a reverse graph each of its gradients is made of."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit


def arguments_of_gradients(function: FuncOp) -> Sequence[frozenset[int]]:
    """By gradient the numbers of the arguments; of a graph that writes to something, all of them."""
    block = function.body.block
    every = frozenset(range(len(block.args)))
    made_of: dict[SSAValue, frozenset[int]] = {
        argument: frozenset((number,)) for number, argument in enumerate(block.args)
    }
    packed = edit.terminator(block).operands[0].owner
    assert isinstance(packed, prim.TupleConstructOp)
    gradients = packed.operands
    for op in block.ops:
        inner = list(op.walk())
        if any(map(_writes, inner)):
            return [every] * len(gradients)
        operands = {value for one in inner for value in one.operands}
        found = frozenset[int]().union(*(made_of.get(value, frozenset()) for value in operands))
        made_of.update(dict.fromkeys(op.results, found))
    return [made_of[value] for value in gradients]


def _writes(op: Operation) -> bool:
    return isinstance(op, OperatorOp) and op.OPERATOR is not None and op.OPERATOR.schema.is_mutable
