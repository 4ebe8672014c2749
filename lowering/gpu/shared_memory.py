"""Memory that the threads of a block share."""

from __future__ import annotations

from xdsl.dialects import gpu, memref
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, SSAValue

from lowering.loops.code import Code

SHARED = IntegerAttr(3, i64)
"""The address space of memory that a block shares."""
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


def shared_memory(code: Code, name: str, element: Attribute, count: int) -> SSAValue:
    """So many elements of shared memory, which all that name it have in common."""
    type_ = MemRefType(element, [count], memory_space=SHARED)
    module = code.anchor
    while not isinstance(module, ModuleOp):
        parent = module.parent_op()
        assert parent is not None
        module = parent
    block = module.body.block
    known = [op.sym_name.data for op in block.ops if isinstance(op, memref.GlobalOp)]
    if name not in known:
        made = memref.GlobalOp.get(StringAttr(name), type_, UnitAttr())
        assert block.first_op is not None
        block.insert_op_before(made, block.first_op)
    return code.add(memref.GetGlobalOp(name, type_))
