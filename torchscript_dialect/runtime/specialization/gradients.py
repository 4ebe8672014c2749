"""What of a program has to do with gradients, and with tensors that are not strided."""

from __future__ import annotations

import re
from enum import IntEnum

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.analysis.history import asks_history
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.types.containers import DictType, ListType
from torchscript_dialect.types.function_schema import Argument


class Begins(IntEnum):
    """Whether a program may come to tensors that require gradients, or are not strided, without being given any."""

    NEVER = 0
    BY_PYTHON = 1
    """By the Python functions that it calls."""
    ITSELF = 2


def may_write(function: FuncOp) -> bool:
    """Whether a function may write to tensors that it is given; what it writes to may be one that it has made."""
    return any(
        isinstance(op, OperatorOp)
        and op.OPERATOR is not None
        and any(map(_is_written_tensor, op.OPERATOR.schema.arguments))
        for op in nested_ops(function.body.block)
    )


def _is_written_tensor(argument: Argument) -> bool:
    """Whether an operator writes to a tensor, or to those of a list: `aten::append` writes to none."""
    alias = argument.alias
    if alias is None:
        return False
    is_list = isinstance(argument.type, (ListType, DictType))
    written = alias.contained if is_list else (alias,)
    return any(one is not None and one.is_write for one in written)


def begins_tracking(function: FuncOp) -> Begins:
    """Whether a function may, by what its own nodes do."""
    return max(map(_begins, nested_ops(function.body.block)), default=Begins.NEVER)


def _begins(op: Operation) -> Begins:
    if isinstance(op, prim.PythonOp):
        return Begins.BY_PYTHON
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return Begins.NEVER
    if op.OPERATOR.name == "aten::requires_grad_" or _MAKES_UNSTRIDED(op.OPERATOR.name):
        return Begins.ITSELF
    if op.OPERATOR.name in _OF_ANY_LAYOUT and _is_sparse(op):
        return Begins.ITSELF
    if "bool requires_grad" not in op.OPERATOR.text:
        return Begins.NEVER
    place = op.OPERATOR.schema.argument_index("requires_grad")
    owner = None if place is None else op.operands[place].owner
    is_false = isinstance(owner, prim.ConstantOp) and owner.value is False
    return Begins.NEVER if is_false else Begins.ITSELF


_MAKES_UNSTRIDED = re.compile(r"aten::.*(sparse_|to_sparse|nested|_spdiags|hspmm)").match
"""Whether an operator of this name may give a sparse or nested tensor where it is given none: Note [Unstrided tensors]."""


_OF_ANY_LAYOUT = frozenset(
    f"aten::{name}" for name in ("zeros", "empty", "zeros_like", "new_zeros", "new_empty")
)


def _is_sparse(op: OperatorOp) -> bool:
    """Whether a constant names another layout than the strided one."""
    assert op.OPERATOR is not None
    place = op.OPERATOR.schema.argument_index("layout")
    owner = None if place is None else op.operands[place].owner
    return isinstance(owner, prim.ConstantOp) and owner.value not in (None, 0)


def leaves_mode_changed(function: FuncOp) -> bool:
    """Whether gradients may be wanted after a call of a function and were not before, or the reverse; `with` statements set it back."""
    if function.sym_name.data.endswith((".__enter__", ".__exit__")):
        return False
    return any(
        isinstance(op, OperatorOp) and op.KIND == "aten::set_grad_enabled"
        for op in nested_ops(function.body.block)
    )


def tells_gradients(function: FuncOp) -> bool:
    """Whether a function may do otherwise for tensors that require gradients where none are wanted: it asks, or wants them itself."""
    return turns_gradients(function) or any(map(asks_history, nested_ops(function.body.block)))


def turns_gradients(function: FuncOp) -> bool:
    """Whether a function says itself where gradients are wanted, by `with torch.no_grad()` or otherwise."""
    return any(
        isinstance(op, prim.EnterOp)
        or (isinstance(op, OperatorOp) and op.KIND == "aten::set_grad_enabled")
        or (isinstance(op, OperatorOp) and op.KIND.startswith("aten::_no_grad_"))
        for op in nested_ops(function.body.block)
    )
