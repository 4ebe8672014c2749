"""Numbers in the form of constant tensors without dimensions, as PyTorch's traces have them."""

from __future__ import annotations

from typing import Any, TypeGuard

from xdsl.ir import Block, Operation

from torchscript_dialect.dialects.operators import OperatorOp, class_for
from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir import edit
from torchscript_dialect.tensor.dtype import bool_
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.tensor_type import TensorType

_ARITHMETIC = {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor"}
"""The operators that PyTorch gives a number for such a tensor in their second operand."""


def is_number(value: Any) -> TypeGuard[Tensor]:
    """Whether a constant is such a tensor. No operator takes a bool for a number."""
    return isinstance(value, Tensor) and not value.array.ndim and value.dtype is not bool_


def with_tensors_for_numbers(block: Block) -> list[Operation]:
    """The operators, in a block and those in it, that PyTorch gives a number for their second operand, which is such a tensor."""
    found: list[Operation] = []
    for op in edit.nested_ops(block):
        if isinstance(op, ConstantOp) and isinstance(op.results[0].type, TensorType):
            users = [use.operation for use in op.results[0].uses if use.index == 1]
            arithmetic = [user for user in users if _is_arithmetic(user)]
            if arithmetic and is_number(op.value):
                found += arithmetic
    return found


def _is_arithmetic(op: Operation) -> bool:
    operator = op.OPERATOR if isinstance(op, OperatorOp) else None
    return operator is not None and operator.qualified_name in _ARITHMETIC


def with_number(op: Operation) -> list[Operation]:
    """The number in the place of an operator's second operand, and the operator that takes it."""
    assert isinstance(op, OperatorOp)
    number = edit.constant_value(op.operands[1]).array.item()
    constant = ConstantOp.of(number, type_of_constant(number))
    operands = [op.operands[0], constant.results[0], *op.operands[2:]]
    class_ = class_for(op.KIND, [type_of(operand) for operand in operands])
    new = class_.create(operands=operands, result_types=op.result_types, location=op.location)
    return [constant, new]
