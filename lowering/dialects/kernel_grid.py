"""`kernel.grid_entry`: what the runtime has to know of a kernel that a grid of threads runs."""

from __future__ import annotations

from xdsl.dialects import gpu, llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.exceptions import VerifyException

from lowering.dialects.kernel_entry import EntryOpBase, Word


@irdl_op_definition
class GridEntryOp(EntryOpBase):
    """How a kernel of a GPU is entered.

    `kernel.grid_entry @f words 5 range 0 threads 256 work 3 cost 284 scratch 4 sizes @sizes`: `@f`, which stands here or in a
    `gpu.module`, takes the addresses of its buffers, where there is scratch memory that of it, and then its 5 words. It wants as many
    threads as word 0 holds, in blocks of 256; with `each 1`, it wants a block for one of what word 0 counts. With `chosen 7`, word 7
    says how many threads a block has, 256 at most. With `stage 6 of 2`, word 6 says in which of two stages it is: Note [Stages of
    launches]. The rest is as for `kernel.entry`.
    """

    name = "kernel.grid_entry"

    each = opt_prop_def(Word)
    threads = prop_def(Word)
    chosen = opt_prop_def(Word)

    assembly_format = (
        "$function `words` $words `range` $range (`each` $each^)? `threads` $threads (`chosen` $chosen^)? `work` $work `cost` $cost"
        " (`scratch` $scratch^)? (`stage` $stage^ `of` $stages)? (`sizes` $sizes^)? attr-dict"
    )

    def verify_(self) -> None:
        """The kernel is there, and blocks are of a size that devices run."""
        super().verify_()
        if not 1 <= self.number("threads") <= 1024:
            raise VerifyException("a block has 1 to 1024 threads")
        if self.parent is not None and self.kernel() is None:
            raise VerifyException(f"there is no kernel @{self.callee}")

    @property
    def each_block(self) -> int:
        """How many of the range a block does."""
        return self.number("threads" if self.each is None else "each")

    def kernel(self) -> Operation | None:
        """The function that it enters."""
        module = self.parent_op()
        assert isinstance(module, ModuleOp)
        for op in module.body.block.ops:
            inner = op.body.block.ops if isinstance(op, gpu.ModuleOp) else (op,)
            for function in inner:
                if isinstance(function, gpu.FuncOp | FuncOp | llvm.FuncOp):
                    name = function.sym_name
                    if getattr(name, "data", None) == self.callee:
                        return function
        return None
