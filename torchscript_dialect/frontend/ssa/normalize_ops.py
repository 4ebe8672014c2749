"""Operators that have two names get one (PyTorch: torch/csrc/jit/passes/normalize_ops.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import class_for
from torchscript_dialect.ir.edit import (
    body_ops,
    erase,
    move_before,
    replace_uses,
    set_name,
    type_of,
)
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TensorType

_NAMES = {
    "absolute": "abs", "adjoint": "mH", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "clip": "clamp",
    "concat": "cat", "concatenate": "cat", "det": "linalg_det", "divide": "div", "fix": "trunc",
    "ger": "outer", "greater": "gt", "greater_equal": "ge", "inverse": "linalg_inv", "less": "lt",
    "less_equal": "le", "matrix_exp": "linalg_matrix_exp", "matrix_power": "linalg_matrix_power",
    "moveaxis": "movedim", "multiply": "mul", "negative": "neg", "not_equal": "ne",
    "orgqr": "linalg_householder_product", "row_stack": "vstack", "subtract": "sub",
    "swapaxes": "transpose", "swapdims": "transpose", "true_divide": "div",
}  # fmt: skip
ALIASES = {
    f"aten::{name}{suffix}": f"aten::{other}{suffix}"
    for name, other in _NAMES.items()
    for suffix in ("", "_")
}
"""Names of operators, and what graphs call them; in-place operators alike."""


_CHECKED = {*ALIASES, "aten::rsub", "aten::__is__", "aten::__isnot__"}


@lru_cache(maxsize=1 << 14)
def has_another_name(class_: type[Operation]) -> bool:
    """Whether ops of a class may become ops of another."""
    return issubclass(class_, TorchScriptOp) and class_.KIND in _CHECKED


def normalize_ops(block: Block) -> None:
    """Rename the operators of a block that have another name; `rsub(a, b)` is `sub(b, a)`, `is` of bools `eq`."""
    for op in body_ops(block):
        for region in op.regions:
            normalize_ops(region.block)
        if not has_another_name(type(op)):
            continue
        assert isinstance(op, TorchScriptOp)
        operands = tuple(op.operands)
        if op.KIND in ALIASES:
            _rename(op, ALIASES[op.KIND], operands)
        elif op.KIND == "aten::rsub" and isinstance(operands[1].type, TensorType):
            _rename(op, "aten::sub", (operands[1], operands[0], *operands[2:]))
        elif op.KIND in ("aten::__is__", "aten::__isnot__") and all(
            v.type == BOOL for v in operands
        ):
            _rename(op, "aten::eq" if op.KIND == "aten::__is__" else "aten::ne", operands)


def _rename(op: TorchScriptOp, kind: str, operands: Sequence[SSAValue]) -> None:
    class_ = class_for(kind, [type_of(value) for value in operands])
    renamed = class_.create(
        operands=operands,
        result_types=op.result_types,
        attributes=op.attributes,
        location=op.location,
    )
    move_before(renamed, op)
    for old, new in zip(op.results, renamed.results, strict=True):
        set_name(new, old.name_hint)
        replace_uses(old, new)
    erase(op)
