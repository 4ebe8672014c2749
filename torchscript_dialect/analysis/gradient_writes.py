"""Which memory may begin to require a gradient by what is written to it.

Note [Writes of gradients]
`out = torch.zeros(n); out[i] = w` gives `out` the history of `w`. Its type, and that of every other name of its memory, may say that it
requires no gradient, as it did not when it was made. So of memory that other tensors are written to nothing is known: its names are
neither taken for constants by the differentiator nor put into kernels without a history.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import aliasing_of
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.tensor_type import TensorType

WITHOUT = frozenset(("Long", "Int", "Short", "Char", "Byte", "Bool"))
"""Dtypes of tensors that require no gradients."""


def written_by_others(block: Block, aliases: AliasDb) -> Locations:
    """The memory that nodes of a function write other tensors to: Note [Writes of gradients]."""
    found: Locations = 0
    for op in edit.nested_ops(block):
        written = aliases.writes(op)
        if written and _writes_others(op):
            found |= written
    return found


def _writes_others(op: Operation) -> bool:
    """Whether an op that writes may write what requires a gradient. Running statistics, of which schemas do not tell, do not."""
    if isinstance(op, prim.DifferentiableGraphOp):
        return False
    aliasing = aliasing_of(type(op))
    if not isinstance(op, OperatorOp) or op.OPERATOR is None or aliasing is None:
        return True
    if not op.OPERATOR.schema.is_mutable:
        return False
    targets = {place for place, _ in aliasing.writes}
    others = (value for place, value in enumerate(op.operands) if place not in targets)
    return any(map(_may_require_gradient, others))


def _may_require_gradient(value: SSAValue) -> bool:
    type_ = prim.type_of(value)
    if isinstance(value.owner, prim.ConstantOp) or not may_hold_tensors(type_):
        return False
    return not isinstance(type_, TensorType) or type_.dtype not in WITHOUT
