"""Outlines what a kernel does in parts: its launch becomes the function that the runtime calls for a part.

Before: Note [Kernel launch form], with temporaries in one buffer of bytes. After: Note [Kernel loop form]. Numbers come from the words
of `%syms`. The bytes of scratch memory, the length of the range and the work are words as well: what computes them is copied into
`@sizes(%syms: memref<?xi64>) -> i1`, which is made where there is none.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import (
    FunctionType,
    ModuleOp,
    SymbolRefAttr,
    i8,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel import EntryOp, LayoutAttr, SignatureOp
from lowering.dialects.kernel_launch import LaunchOp
from lowering.kernel import SIZES, LoweringError
from lowering.kernel_functions import input_kernels
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.words import Loader, SizesFunction
from lowering.shaped import integer_of


class OutlineKernelPass(ModulePass):
    """See the module's docstring."""

    name = "ts-outline-kernel"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for func, signature in input_kernels(op, self.name):
            Outlining(op, func, signature).run()


class Outlining:
    """The outlining of one kernel, in place."""

    def __init__(self, module: ModuleOp, func: FuncOp, signature: SignatureOp) -> None:
        self.module = module
        self.func = func
        self.signature = signature
        self.block = func.body.block
        found = [op for op in self.block.ops if isinstance(op, LaunchOp)]
        if len(found) != 1:
            raise LoweringError("ts-outline-kernel works on functions with one kernel.launch")
        self.launch = found[0]
        self.sizes = SizesFunction(module, func, signature)

    def run(self) -> None:
        """Replaces the launch by its body, and the signature by an entry."""
        launch, sizes = self.launch, self.sizes
        if launch.work is None or launch.cost is None:
            raise LoweringError("ts-outline-kernel comes after ts-linalg-to-loops")
        step = constant_of(launch.step)
        parts = launch.range if step is not None else self._number_of_parts()
        range_ = sizes.word_of(parts)
        work = sizes.word_of(launch.work)
        allocation = self._allocation()
        stage = self._stage()
        scratch = None if allocation is None else sizes.word_of(allocation.dynamic_sizes[0])
        sizes.close()
        self._take_words(allocation, stage)
        self._inline(step is None)
        entry = EntryOp(
            self.func.sym_name.data,
            words=sizes.words,
            range=range_,
            grain=1 if step is None else step,
            work=work,
            cost=launch.cost.value.data,
            scratch=scratch,
            stage=stage,
            stages=None if launch.stages is None else launch.stages.value.data,
            sizes=SymbolRefAttr(SIZES) if sizes.are_computed else None,
        )
        self.module.body.block.insert_op_after(entry, self.func)
        self.module.body.block.erase_op(self.signature)
        self.block.erase_op(launch)
        drop_unused(self.block)

    def _number_of_parts(self) -> SSAValue:
        """How many parts of `step` rows there are."""
        one = index_constant(1)
        less = index_op(arith.SubiOp, self.launch.step, one.results[0])
        above = index_op(arith.AddiOp, self.launch.range, less.results[0])
        parts = index_op(arith.DivUIOp, above.results[0], self.launch.step)
        for op in (one, less, above, parts):
            self.block.insert_op_before(op, self.launch)
        return parts.results[0]

    def _allocation(self) -> memref.AllocOp | None:
        found = [op for op in self.block.ops if isinstance(op, memref.AllocOp)]
        if not found:
            return None
        if len(found) > 1 or found[0].memref.type != flat(i8):
            raise LoweringError("ts-outline-kernel comes after ts-plan-memory")
        return found[0]

    def _stage(self) -> int | None:
        """The word that holds the stage, which is 0 unless the runtime says otherwise."""
        if self.launch.stages is None:
            return None
        start = index_constant(0)
        self.block.insert_op_before(start, self.launch)
        return self.sizes.word_of(start.results[0])

    def _take_words(self, allocation: memref.AllocOp | None, stage: int | None) -> None:
        """Let the function have the arguments of all kernels."""
        block = self.block
        syms = block.insert_arg(flat(i64), len(block.args))
        syms.name_hint = "syms"
        top = Block()
        loader = Loader(top, syms)
        for argument, place in list(zip(block.args, self.signature.arguments, strict=False)):
            if isinstance(place, LayoutAttr):
                continue
            if argument.uses:
                argument.replace_all_uses_with(loader.scalar(place.data, argument.type))
            block.erase_arg(argument)
        for argument in self.launch.body.block.args[2:]:
            assert stage is not None
            argument.replace_all_uses_with(loader.scalar(stage, INDEX))
            self.launch.body.block.erase_arg(argument)
        first = block.first_op
        assert first is not None
        for op in list(top.ops):
            op.detach()
            block.insert_op_before(op, first)
        if allocation is not None:
            scratch = block.insert_arg(flat(i8), len(block.args) - 1)
            scratch.name_hint = "scratch"
            allocation.memref.replace_all_uses_with(scratch)
            block.erase_op(allocation)
        for name in ("begin", "end"):
            block.insert_arg(INDEX, len(block.args)).name_hint = name
        self.func.properties["function_type"] = FunctionType.from_lists(block.arg_types, [])

    def _inline(self, by_step: bool) -> None:
        """Put the body of the launch in its place; the bounds are numbers of steps if `by_step`."""
        block, launch = self.block, self.launch
        bounds: list[SSAValue] = list(block.args[-2:])
        if by_step:
            bounds = self._rows(bounds)
        for argument, bound in zip(launch.body.block.args, bounds, strict=True):
            argument.replace_all_uses_with(bound)
        for op in list(launch.body.block.ops):
            op.detach()
            block.insert_op_before(op, launch)

    def _rows(self, bounds: list[SSAValue]) -> list[SSAValue]:
        """The rows at which a part begins and ends."""
        launch = self.launch
        begin, end = (index_op(arith.MuliOp, bound, launch.step) for bound in bounds)
        last = index_op(arith.MinSIOp, end.results[0], launch.range)
        for op in (begin, end, last):
            self.block.insert_op_before(op, launch)
        return [begin.results[0], last.results[0]]


def constant_of(value: SSAValue) -> int | None:
    """The number that a constant is."""
    owner = value.owner
    return integer_of(owner.value) if isinstance(owner, arith.ConstantOp) else None


def drop_unused(block: Block) -> None:
    """Erases index arithmetic that nothing needed in the end."""
    for op in reversed(list(block.ops)):
        if op.results and not op.regions and not any(result.uses for result in op.results):
            block.erase_op(op)
