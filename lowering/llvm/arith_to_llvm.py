"""What each arith operation becomes in the llvm dialect, on scalars and vectors alike.

Minimum and maximum follow PyTorch: NaN if either operand is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import IndexType, i64
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import RewritePattern

from lowering.create import NONE
from lowering.dialects import llvm_ext
from lowering.dialects.arith_ext import forms
from lowering.llvm.builder import (
    NO_FLAGS,
    NO_SIGNED_WRAP,
    WRAP,
    ConvertToLLVM,
    LLVMBuilder,
    scalar_of,
)
from lowering.shaped import integer_attribute, integer_of, is_integer, is_vector

NO_SIGNED_ZEROS = llvm.FastMathAttr([FastMathFlag.NO_SIGNED_ZEROS])


class OneToOne(ConvertToLLVM):
    """The llvm operation of the same meaning: `arith.divsi %a, %b : i32` becomes `llvm.sdiv %a, %b : i32`."""

    def __init__(
        self,
        root: type[Operation],
        target: type[Operation],
        properties: Mapping[str, Attribute] = NONE,
    ) -> None:
        self.roots = forms(root)
        self.target = target
        self.properties = properties

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        return b.emit(self.target, op.operands, type_, self.properties)


class IntegerArithmetic(OneToOne):
    """Arithmetic that wraps, except on indices, which do not overflow.

    `arith.addi %a, %b : index` becomes `llvm.add %a, %b {overflowFlags = #llvm.overflow<nsw>} : i64`.
    """

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        is_index = isinstance(op.results[0].type, IndexType)
        return b.emit(self.target, op.operands, type_, NO_SIGNED_WRAP if is_index else WRAP)


class FloatArithmetic(OneToOne):
    """Float arithmetic; the operation's own fast-math flags are kept, none are added.

    `arith.addf %a, %b : f32` becomes `llvm.fadd %a, %b : f32`.
    """

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        flags = op.properties.get("fastmath")
        if isinstance(flags, arith.FastMathFlagsAttr) and flags.data:
            kept = {"fastmathFlags": llvm.FastMathAttr(flags.data)}
            return b.emit(self.target, op.operands, type_, kept)
        return b.emit(self.target, op.operands, type_, NO_FLAGS)


class IntegerChoice(ConvertToLLVM):
    """The operand that a comparison picks.

    `arith.maxsi %a, %b : i32` becomes `%c = llvm.icmp "sgt" %a, %b : i32` and `llvm.select %c, %a, %b`.
    """

    def __init__(self, root: type[Operation], predicate: str) -> None:
        self.roots = (root,)
        self.predicate = predicate

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        left, right = op.operands
        return b.select(b.icmp(self.predicate, left, right), left, right)


class FloatChoice(ConvertToLLVM):
    """A minimum or maximum. Of a zero and a negative zero it may be either (`nsz`), which saves a comparison; with the operands
    turned round x86 gives our first one, as PyTorch does where the second is a number.

    `maximumf` and `minimumf` are NaN if an operand is, as in PyTorch; `maxnumf` and `minnumf` are the other operand.
    `arith.maximumf %a, %b : f32` becomes `llvm.call_intrinsic "llvm.maximum"(%b, %a) {fastmathFlags = #llvm.fastmath<nsz>}`. The
    flag would let LLVM take `x + 0.0` before it for `x`, which is -0.0 where the sum is 0.0: a fence holds what was computed.
    """

    def __init__(self, root: type[Operation], name: str) -> None:
        self.roots = (root,)
        self.name = name

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        first, second = (_held(b, operand) for operand in op.operands)
        return b.intrinsic(self.name, (second, first), type_, NO_SIGNED_ZEROS)


def _held(b: LLVMBuilder, value: SSAValue) -> SSAValue:
    """A float that no use of it lets LLVM compute otherwise."""
    is_computed = isinstance(value.owner, Operation) and "fastmathFlags" in value.owner.properties
    return b.intrinsic("llvm.arithmetic.fence", (value,), value.type) if is_computed else value


class Choice(ConvertToLLVM):
    """`arith.select %c, %a, %b : f32` becomes `llvm.select %c, %a, %b : i1, f32`."""

    roots = forms(arith.SelectOp)

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        return b.select(*op.operands)


class Comparison(ConvertToLLVM):
    """The comparison by the same predicate: `arith.cmpi slt, %a, %b : i32` becomes `llvm.icmp "slt" %a, %b : i32`."""

    def __init__(
        self, root: type[Operation], on_scalars: type[Operation], on_vectors: type[Operation]
    ) -> None:
        self.roots = forms(root)
        self.targets = (on_scalars, on_vectors)

    def value(self, b: LLVMBuilder, op: Operation, type_: Attribute) -> SSAValue:
        predicate = {"predicate": op.properties["predicate"]}
        return b.emit(self.targets[is_vector(type_)], op.operands, type_, predicate)


class Constant(ConvertToLLVM):
    """`arith.constant 3 : index` becomes `llvm.mlir.constant(3 : i64) : i64`."""

    roots = (arith.ConstantOp,)

    def value(self, b: LLVMBuilder, op: arith.ConstantOp, type_: Attribute) -> SSAValue:
        value = op.properties["value"]
        number = integer_of(value)
        if number is not None and isinstance(op.results[0].type, IndexType):
            value = integer_attribute(number, i64)
        return b.emit(llvm.ConstantOp, (), type_, {"value": value})


class IndexCast(ConvertToLLVM):
    """`arith.index_cast %a : i32 to index` becomes `llvm.sext %a : i32 to i64`; from i64 it is the operand itself."""

    roots = (arith.IndexCastOp,)

    def value(self, b: LLVMBuilder, op: arith.IndexCastOp, type_: Attribute) -> SSAValue:
        (operand,) = op.operands
        if operand.type == type_:
            return operand
        source, target = scalar_of(operand.type), scalar_of(type_)
        assert is_integer(source) and is_integer(target)
        is_wider = source.width.data < target.width.data
        return b.emit(llvm.SExtOp if is_wider else llvm.TruncOp, (operand,), type_)


class FloorDivision(ConvertToLLVM):
    """`arith.floordivsi %a, %b` becomes `llvm.sdiv`, less one where there is a remainder and the signs differ."""

    roots = (arith.FloorDivSIOp,)

    def value(self, b: LLVMBuilder, op: arith.FloorDivSIOp, type_: Attribute) -> SSAValue:
        zero = b.integer(0, type_)
        quotient = b.emit(llvm.SDivOp, op.operands, type_)
        rest = b.emit(llvm.SRemOp, op.operands, type_)
        signs = b.icmp("slt", b.emit(llvm.XOrOp, (rest, op.rhs), type_), zero)
        inexact = b.icmp("ne", rest, zero)
        lower = b.emit(llvm.SubOp, (quotient, b.integer(1, type_)), type_, WRAP)
        return b.select(b.emit(llvm.AndOp, (signs, inexact), signs.type), lower, quotient)


SAME_MEANING: dict[type[Operation], type[Operation]] = {
    arith.DivSIOp: llvm.SDivOp,
    arith.DivUIOp: llvm.UDivOp,
    arith.RemSIOp: llvm.SRemOp,
    arith.RemUIOp: llvm.URemOp,
    arith.AndIOp: llvm.AndOp,
    arith.OrIOp: llvm.OrOp,
    arith.XOrIOp: llvm.XOrOp,
    arith.ShRSIOp: llvm.AShrOp,
    arith.ShRUIOp: llvm.LShrOp,
    arith.BitcastOp: llvm.BitcastOp,
    arith.ExtSIOp: llvm.SExtOp,
    arith.ExtUIOp: llvm.ZExtOp,
    arith.TruncIOp: llvm.TruncOp,
    arith.ExtFOp: llvm.FPExtOp,
    arith.TruncFOp: llvm.FPTruncOp,
    arith.SIToFPOp: llvm.SIToFPOp,
    arith.UIToFPOp: llvm_ext.UIToFPOp,
    arith.FPToSIOp: llvm_ext.FPToSIOp,
    arith.FPToUIOp: llvm_ext.FPToUIOp,
}

INTEGER_ARITHMETIC: dict[type[Operation], type[Operation]] = {
    arith.AddiOp: llvm.AddOp,
    arith.SubiOp: llvm.SubOp,
    arith.MuliOp: llvm.MulOp,
}

FLOAT_ARITHMETIC: dict[type[Operation], type[Operation]] = {
    arith.AddfOp: llvm.FAddOp,
    arith.SubfOp: llvm.FSubOp,
    arith.MulfOp: llvm.FMulOp,
    arith.DivfOp: llvm.FDivOp,
    arith.NegfOp: llvm.FNegOp,
}

INTEGER_CHOICES: dict[type[Operation], str] = {
    arith.MaxSIOp: "sgt",
    arith.MinSIOp: "slt",
    arith.MaxUIOp: "ugt",
    arith.MinUIOp: "ult",
}

FLOAT_CHOICES: dict[type[Operation], str] = {
    arith.MaximumfOp: "llvm.maximum",
    arith.MinimumfOp: "llvm.minimum",
    arith.MaxnumfOp: "llvm.maxnum",
    arith.MinnumfOp: "llvm.minnum",
}

ARITH_TO_LLVM: tuple[RewritePattern, ...] = (
    Constant(),
    IndexCast(),
    FloorDivision(),
    Comparison(arith.CmpiOp, llvm.ICmpOp, llvm.ICmpOp),
    Choice(),
    Comparison(arith.CmpfOp, llvm.FCmpOp, llvm_ext.FCmpOp),
    OneToOne(arith.ShLIOp, llvm.ShlOp, WRAP),
    *(OneToOne(root, target) for root, target in SAME_MEANING.items()),
    *(IntegerArithmetic(root, target) for root, target in INTEGER_ARITHMETIC.items()),
    *(FloatArithmetic(root, target) for root, target in FLOAT_ARITHMETIC.items()),
    *(IntegerChoice(root, predicate) for root, predicate in INTEGER_CHOICES.items()),
    *(FloatChoice(root, name) for root, name in FLOAT_CHOICES.items()),
)
