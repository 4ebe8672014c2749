"""`torch.jit.export_opnames`: which operators a module's methods call (PyTorch: csrc/jit/serialization/export_module.cpp)."""

from __future__ import annotations

from xdsl.ir import Operation

from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit

_INSTRUCTIONS = frozenset(
    "aten::__is__ aten::__isnot__ aten::__not__ aten::dim aten::format aten::wait aten::warn prim::device prim::dtype"
    " prim::is_cuda prim::tolist".split()
)
"""What PyTorch's interpreter has instructions for, besides items of dictionaries: no operator is looked up."""


def export_opnames(m: ScriptModule) -> list[str]:
    """The names of the operators that a compiled module and its submodules call, with their overloads, in order: `aten::add.Tensor`."""
    ops = (
        op
        for function in m.__torchscript_functions__()
        for op in edit.nested_ops(function.body.block)
    )
    return sorted({name for op in ops if (name := _name(op)) is not None})


def _name(op: Operation) -> str | None:
    """The name of the operator that a node calls, if it calls one."""
    if isinstance(op, prim.PrintOp):
        return op.KIND
    if not isinstance(op, OperatorOp):
        return None
    name = op.KIND if op.OPERATOR is None else op.OPERATOR.qualified_name
    is_instruction = name in _INSTRUCTIONS or name.startswith("aten::__getitem__.Dict_")
    return None if is_instruction else name
