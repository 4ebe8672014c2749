"""`torch.jit.export_opnames`: which operators a module's methods call."""

from __future__ import annotations

from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit


def export_opnames(m: ScriptModule) -> list[str]:
    """The names of the operators that a compiled module and its submodules call, with their overloads, in order: `aten::add.Tensor`."""
    names = {
        op.KIND if op.OPERATOR is None else op.OPERATOR.qualified_name
        for function in m.__torchscript_functions__()
        for op in edit.nested_ops(function.body.block)
        if isinstance(op, OperatorOp)
    }
    return sorted(names)
