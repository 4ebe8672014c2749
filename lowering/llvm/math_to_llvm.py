"""What the math operations that `ts-expand-math` leaves become in the llvm dialect, on scalars and vectors alike.

Only what LLVM turns into instructions in place: nothing here ends in a call of libm.
"""

from __future__ import annotations

from xdsl.dialects import llvm, math
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern

from lowering.llvm.builder import NO_FLAGS, WRAP, ConvertToLLVM, LLVMBuilder


class Intrinsic(ConvertToLLVM):
    """A call of an intrinsic on the operands as they are: `math.floor %x : f64` becomes `llvm.call_intrinsic "llvm.floor"(%x)`."""

    def __init__(self, root: type[Operation], name: str) -> None:
        self.roots = (root,)
        self.name = name

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        return b.intrinsic(self.name, op.operands, type_)


class ReciprocalRoot(ConvertToLLVM):
    """`math.rsqrt %x : f32` becomes `%r = llvm.call_intrinsic "llvm.sqrt"(%x)` and `llvm.fdiv 1.0, %r`."""

    roots = (math.RsqrtOp,)

    def value(self, b: LLVMBuilder, op: math.RsqrtOp, type_: Attribute) -> SSAValue:
        root = b.intrinsic("llvm.sqrt", op.operands, type_)
        return b.emit(llvm.FDivOp, (b.real(1.0, type_), root), type_, NO_FLAGS)


class IntegerMagnitude(ConvertToLLVM):
    """`math.absi %x : i32` becomes `llvm.select` of `llvm.sub 0, %x` where `llvm.icmp "slt" %x, 0`, else of `%x`."""

    roots = (math.AbsIOp,)

    def value(self, b: LLVMBuilder, op: math.AbsIOp, type_: Attribute) -> SSAValue:
        (operand,) = op.operands
        zero = b.integer(0, type_)
        negated = b.emit(llvm.SubOp, (zero, operand), type_, WRAP)
        return b.select(b.icmp("slt", operand, zero), negated, operand)


INTRINSICS: dict[type[Operation], str] = {
    math.AbsFOp: "llvm.fabs",
    math.CeilOp: "llvm.ceil",
    math.FloorOp: "llvm.floor",
    math.TruncOp: "llvm.trunc",
    math.RoundEvenOp: "llvm.roundeven",
    math.SqrtOp: "llvm.sqrt",
    math.CopySignOp: "llvm.copysign",
    math.FmaOp: "llvm.fma",
    math.CtPopOp: "llvm.ctpop",
}

MATH_TO_LLVM: tuple[RewritePattern, ...] = (
    ReciprocalRoot(),
    IntegerMagnitude(),
    *(Intrinsic(root, name) for root, name in INTRINSICS.items()),
)
