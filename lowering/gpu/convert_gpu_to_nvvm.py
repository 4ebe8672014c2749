"""Makes the functions of a `gpu.module` ones of the module around it, which read special registers by ops of the nvvm dialect.

Before: what `ts-map-to-gpu` makes. After: Note [Kernel loop form] but for the arguments, functions with the attribute `nvvm.kernel`.
Follows upstream's `convert-gpu-to-nvvm`.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import FunctionType, ModuleOp, UnitAttr, i32, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.dialects import nvvm
from lowering.kernel import LoweringError
from lowering.loops.index_builder import INDEX

REGISTERS: dict[type[Operation], type[nvvm.SpecialRegister]] = {
    gpu.ThreadIdOp: nvvm.ThreadIdXOp,
    gpu.BlockIdOp: nvvm.BlockIdXOp,
    gpu.BlockDimOp: nvvm.BlockDimXOp,
}


class ConvertGPUToNVVMPass(ModulePass):
    """See the module's docstring."""

    name = "ts-convert-gpu-to-nvvm"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        block = op.body.block
        for module in [one for one in block.ops if isinstance(one, gpu.ModuleOp)]:
            for function in list(module.body.block.ops):
                if not isinstance(function, gpu.FuncOp):
                    raise LoweringError(f"'{function.name}' in a gpu.module is not converted")
                block.insert_op_before(_converted(function), module)
            block.erase_op(module)


def _converted(kernel: gpu.FuncOp) -> FuncOp:
    """A function like a kernel, which is consumed."""
    for op in list(kernel.body.walk()):
        register = REGISTERS.get(type(op))
        if register is not None:
            _read(op, register)
        elif isinstance(op, gpu.BarrierOp):
            _replace(op, [create(nvvm.BarrierOp, (), ())])
        elif isinstance(op, gpu.ReturnOp):
            _replace(op, [ReturnOp.create()])
        elif op.dialect_name() == gpu.GPU.name:
            raise LoweringError(f"'{op.name}' is not converted")
    inputs = list(kernel.function_type.inputs)
    name = getattr(kernel.sym_name, "data", "")
    function = FuncOp(name, FunctionType.from_lists(inputs, []), kernel.detach_region(0))
    if kernel.kernel is not None:
        function.attributes[nvvm.KERNEL] = UnitAttr()
    if nvvm.MOST_REGISTERS in kernel.attributes:
        function.attributes[nvvm.MOST_REGISTERS] = kernel.attributes[nvvm.MOST_REGISTERS]
    return function


def _read(op: Operation, register: type[nvvm.SpecialRegister]) -> None:
    """Let a special register be read in the place of an op, which gives an index."""
    if op.properties["dimension"] != gpu.DimensionAttr(gpu.DimensionEnum.X):
        raise LoweringError(f"'{op.name}' of another dimension than x is not converted")
    read = create(register, (), (i32,))
    wide = create(arith.ExtUIOp, (read.results[0],), (i64,))
    index = create(arith.IndexCastOp, (wide.results[0],), (INDEX,))
    op.results[0].replace_all_uses_with(index.results[0])
    _replace(op, [read, wide, index])


def _replace(op: Operation, by: list[Operation]) -> None:
    block = op.parent
    assert block is not None
    for one in by:
        block.insert_op_before(one, op)
    block.erase_op(op)
