"""Names that stand for the same operator become one (PyTorch: passes/normalize_ops.cpp)."""

from __future__ import annotations

from xdsl.ir import Block

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import class_for
from torchscript_dialect.frontend.graph_edit import body_ops, destroy, move_before, replace_uses, set_name
from torchscript_dialect.frontend.graph_builder import type_of

ALIASES: dict[str, str] = {}
"""Names of operators, and what graphs call them."""


def normalize_ops(block: Block) -> None:
    """Rename the operators of a block that have another name."""
    for op in body_ops(block):
        for region in op.regions:
            normalize_ops(region.block)
        if isinstance(op, TorchScriptOp) and op.KIND in ALIASES:
            class_ = class_for(ALIASES[op.KIND], [type_of(value) for value in op.operands])
            renamed = class_.create(
                operands=op.operands,
                result_types=op.result_types,
                attributes=op.attributes,
                location=op.location,
            )
            move_before(renamed, op)
            for old, new in zip(op.results, renamed.results, strict=True):
                set_name(new, old.name_hint)
                replace_uses(old, new)
            destroy(op)
