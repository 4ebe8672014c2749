"""Expands `gpu.all_reduce`: threads of a warp exchange values by shuffles, and warps through shared memory.

After the shuffles, which add up a tree, all threads of a warp have its result; one writes it to shared memory, and after a barrier all
threads combine what the warps have, in the same order, so that all get the same bits. Another barrier lets the memory be used again.
Follows upstream's lowering of the operation (mlir/lib/Dialect/GPU/Transforms/AllReduceLowering.cpp).
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import (
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.gpu.shared_memory import SHARED
from lowering.gpu.shuffles import WARP, shuffled
from lowering.kernel import LoweringError
from lowering.loops.index_builder import INDEX, index_constant, index_op

MOST_WARPS = 32
X = gpu.DimensionAttr(gpu.DimensionEnum.X)


class ExpandAllReducePass(ModulePass):
    """See the module's docstring."""

    name = "ts-expand-all-reduce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [one for one in op.walk() if isinstance(one, gpu.AllReduceOp)]
        for reduction in found:
            _Expansion(op, reduction).run()


class _Expansion:
    """The expansion of one reduction."""

    def __init__(self, module: ModuleOp, op: gpu.AllReduceOp) -> None:
        if not op.body.blocks:
            raise LoweringError(f"'{op.name}' without a body is not expanded")
        self.module = module
        self.op = op
        self.body = op.body.block
        self.type = op.result.type
        self.into: Block | None = None

    def add(self, op: Operation) -> SSAValue:
        """Insert an operation before the one that is expanded, or append it to the block that is open."""
        if self.into is not None:
            self.into.add_op(op)
        else:
            block = self.op.parent
            assert block is not None
            block.insert_op_before(op, self.op)
        return op.results[0] if op.results else self.op.operand

    def run(self) -> None:
        """Put the expansion in the place of the operation."""
        value = self.op.operand
        offset = WARP // 2
        while offset:
            value = self.combined(value, shuffled(self.add, value, offset))
            offset //= 2
        shared = self.add(memref.GetGlobalOp(self.shared(), self.shared_type))
        thread, size = self.add(gpu.ThreadIdOp(X)), self.add(gpu.BlockDimOp(X))
        warp = self.add(index_constant(WARP))
        lane = self.add(index_op(arith.RemUIOp, thread, warp))
        number = self.add(index_op(arith.DivUIOp, thread, warp))
        zero, one = self.add(index_constant(0)), self.add(index_constant(1))
        is_first = self.add(arith.CmpiOp(lane, zero, "eq"))
        self.into = Block()
        self.add(create(memref.StoreOp, (value, shared, number), ()))
        self.into.add_op(scf.YieldOp.create())
        branch, self.into = self.into, None
        self.add(scf.IfOp(is_first, [], Region(branch)))
        self.add(gpu.BarrierOp())
        warps = self.add(index_op(arith.DivUIOp, size, warp))
        start = self.add(create(memref.LoadOp, (shared, zero), (self.type,)))
        self.into = Block(arg_types=[INDEX, self.type])
        place, so_far = self.into.args
        other = self.add(create(memref.LoadOp, (shared, place), (self.type,)))
        self.into.add_op(scf.YieldOp.create(operands=[self.combined(so_far, other)]))
        loop, self.into = self.into, None
        total = self.add(scf.ForOp(one, warps, one, [start], Region(loop)))
        self.add(gpu.BarrierOp())
        self.op.result.replace_all_uses_with(total)
        block = self.op.parent
        assert block is not None
        block.erase_op(self.op)

    def combined(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """What the body of the operation gives for two values."""
        values: dict[SSAValue, SSAValue] = dict(zip(self.body.args, (a, b), strict=True))
        for op in self.body.ops:
            if isinstance(op, gpu.YieldOp):
                return values[op.values[0]]
            made = op.clone(values)
            self.add(made)
            values |= dict(zip(op.results, made.results, strict=True))
        raise LoweringError(f"'{self.op.name}' has a body that yields nothing")

    @property
    def shared_type(self) -> MemRefType[Attribute]:
        """A place for each warp."""
        return MemRefType(self.type, [MOST_WARPS], memory_space=SHARED)

    def shared(self) -> str:
        """The name of the shared memory for values of the type, which all reductions of a module have in common."""
        name = f"reduction_{self.type}"
        block = self.module.body.block
        if not any(
            isinstance(op, memref.GlobalOp) and op.sym_name.data == name for op in block.ops
        ):
            made = memref.GlobalOp.get(StringAttr(name), self.shared_type, UnitAttr())
            first = block.first_op
            assert first is not None
            block.insert_op_before(made, first)
        return name
