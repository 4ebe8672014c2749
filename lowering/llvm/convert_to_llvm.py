"""Converts functions in loop form to the llvm dialect, in place: a pattern for each operation, in a file for each dialect.

Addresses are GEPs, bools are bytes in memory, an index is an i64. Before: Note [Kernel loop form] in lowering/kernel.py, without
math operations that LLVM has no instructions for. After: functions of the llvm dialect, and what it lacks, alone.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from lowering.dialects.llvm_ext import LLVMExt
from lowering.dialects.nvvm import NVVM
from lowering.interpreter.rounding import SUMS
from lowering.kernel import LoweringError, require_lowered
from lowering.llvm.arith_to_llvm import ARITH_TO_LLVM
from lowering.llvm.builder import unsupported
from lowering.llvm.func_to_llvm import FUNC_TO_LLVM
from lowering.llvm.math_to_llvm import MATH_TO_LLVM
from lowering.llvm.memref_to_llvm import MEMREF_TO_LLVM
from lowering.llvm.scf_to_llvm import SCF_TO_LLVM
from lowering.llvm.vector_to_llvm import VECTOR_TO_LLVM
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, apply_conversion

PATTERNS = FrozenPatternSet(
    (
        *FUNC_TO_LLVM,
        *SCF_TO_LLVM,
        *ARITH_TO_LLVM,
        *MATH_TO_LLVM,
        *VECTOR_TO_LLVM,
        *MEMREF_TO_LLVM,
    )
)

LEGAL = frozenset((llvm.LLVM.name, LLVMExt.name, NVVM.name))


class ConvertToLLVMPass(ModulePass):
    """See the module's docstring."""

    name = "ts-convert-to-llvm"
    ROUNDS_OTHERWISE: ClassVar = frozenset({SUMS})
    """LLVM adds the lanes of a sum as a tree."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        require_lowered(op, self.name)
        apply_conversion(op, PATTERNS, illegal=_illegal)


def _illegal(op: Operation) -> LoweringError | None:
    """What is said of an operation that no pattern takes: it is of the llvm dialect, or of no function, or an error."""
    if op.dialect_name() in LEGAL or isinstance(op.parent_op(), ModuleOp):
        return None
    return unsupported(op)
