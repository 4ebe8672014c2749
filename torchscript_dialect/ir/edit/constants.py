"""Constants in a graph: which value is one, and new ones."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.ir.edit.links import insert_before
from torchscript_dialect.types.core import TorchScriptType

NOT_CONSTANT = object()
"""What `constant_value` may be asked to give for a value that is no constant, where None is a constant."""


def insert_constant(before: Operation, value: Any, type_: TorchScriptType) -> SSAValue:
    """A constant in front of an op.

    Raises:
        TypeError: the value cannot be a constant.
    """
    constant = ConstantOp.of(value, type_)
    insert_before(before, constant)
    return constant.results[0]


def constant_value(value: SSAValue, default: Any = None) -> Any:
    """The Python value of a constant; `default` for a function and for what is no constant."""
    owner = value.owner
    if isinstance(owner, ConstantOp) and owner.function_symbol is None:
        return owner.value
    return default
