"""What each arith and math operation becomes in the llvm dialect, on scalars and vectors alike.

Only what LLVM turns into instructions in place: nothing here ends in a call of libm. Minimum and
maximum follow PyTorch: NaN if either operand is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith, llvm, math
from xdsl.dialects.builtin import IndexType, i1, i64
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.llvm.builder import (
    NO_FLAGS,
    NO_SIGNED_WRAP,
    WRAP,
    LLVMBuilder,
    like,
    lowered_type,
    scalar_of,
    unsupported,
)
from lowering.shaped import integer_attribute, integer_of
from lowering.upstream_ops import (
    VECTOR_FORMS,
    LLVMFCmpOp,
    LLVMFPToSIOp,
    LLVMFPToUIOp,
    LLVMSelectOp,
    LLVMUIToFPOp,
)

NO_SIGNED_ZEROS = llvm.FastMathAttr([FastMathFlag.NO_SIGNED_ZEROS])

Operands = list[SSAValue]
Rule = Callable[[LLVMBuilder, Operation, Operands], SSAValue]


def _type_of(op: Operation) -> Attribute:
    return lowered_type(op.results[0].type)


def direct(op_class: type[Operation], properties: dict[str, Attribute]) -> Rule:
    """The llvm operation of the same meaning."""
    return lambda b, op, args: b.emit(op_class, args, _type_of(op), properties)


def wrapping(op_class: type[Operation]) -> Rule:
    """Integer arithmetic: wraps, except on indices, which do not overflow."""

    def rule(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
        index = isinstance(op.results[0].type, IndexType)
        return b.emit(op_class, args, _type_of(op), NO_SIGNED_WRAP if index else WRAP)

    return rule


def floating(op_class: type[Operation]) -> Rule:
    """Float arithmetic; the operation's own fast-math flags are kept, none are added."""

    def rule(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
        flags = op.properties.get("fastmath")
        if isinstance(flags, arith.FastMathFlagsAttr) and flags.data:
            properties: dict[str, Attribute] = {"fastmathFlags": llvm.FastMathAttr(flags.data)}
            return b.emit(op_class, args, _type_of(op), properties)
        return b.emit(op_class, args, _type_of(op), NO_FLAGS)

    return rule


def intrinsic(name: str) -> Rule:
    """A call of an intrinsic on the operands as they are."""
    return lambda b, op, args: b.intrinsic(name, args, _type_of(op))


def choice(predicate: str) -> Rule:
    """The integer operand that the comparison picks."""

    def rule(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
        return b.select(b.icmp(predicate, *args), *args)

    return rule


def extremum(name: str) -> Rule:
    """A minimum or maximum intrinsic; which of two zeros it gives does not matter.

    `maximum` and `minimum` are NaN if an operand is, as in PyTorch; `maxnum` and `minnum` are the
    other operand.
    """
    return lambda b, op, args: b.intrinsic(name, args, _type_of(op), NO_SIGNED_ZEROS)


def _constant(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    value = op.properties["value"]
    number = integer_of(value)
    if number is not None and isinstance(op.results[0].type, IndexType):
        value = integer_attribute(number, i64)
    return b.emit(llvm.ConstantOp, [], _type_of(op), {"value": value})


def _compare(op_class: type[Operation]) -> Rule:
    def rule(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
        properties = {"predicate": op.properties["predicate"]}
        return b.emit(op_class, args, like(args[0].type, i1), properties)

    return rule


def _index_cast(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    source, target = args[0].type, _type_of(op)
    if source == target:
        return args[0]
    narrow, wide = (scalar_of(t).bitwidth for t in (source, target))  # pyright: ignore
    return b.emit(llvm.SExtOp if narrow < wide else llvm.TruncOp, args, target)


def _floor_division(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    """The quotient, one less where there is a remainder and the signs differ."""
    left, right = args
    type_ = _type_of(op)
    zero = b.integer(0, type_)
    quotient = b.emit(llvm.SDivOp, args, type_)
    rest = b.emit(llvm.SRemOp, args, type_)
    signs = b.icmp("slt", b.emit(llvm.XOrOp, [rest, right], type_), zero)
    inexact = b.icmp("ne", rest, zero)
    lower = b.emit(llvm.SubOp, [quotient, b.integer(1, type_)], type_, WRAP)
    del left
    return b.select(b.emit(llvm.AndOp, [signs, inexact], signs.type), lower, quotient)


def _reciprocal_root(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    type_ = _type_of(op)
    root = b.intrinsic("llvm.sqrt", args, type_)
    return b.emit(llvm.FDivOp, [b.real(1.0, type_), root], type_, NO_FLAGS)


def _absolute(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    type_ = _type_of(op)
    zero = b.integer(0, type_)
    negated = b.emit(llvm.SubOp, [zero, *args], type_, WRAP)
    return b.select(b.icmp("slt", args[0], zero), negated, args[0])


RULES: dict[type[Any], Rule] = {
    arith.ConstantOp: _constant,
    arith.AddiOp: wrapping(llvm.AddOp),
    arith.SubiOp: wrapping(llvm.SubOp),
    arith.MuliOp: wrapping(llvm.MulOp),
    arith.DivSIOp: direct(llvm.SDivOp, {}),
    arith.DivUIOp: direct(llvm.UDivOp, {}),
    arith.RemSIOp: direct(llvm.SRemOp, {}),
    arith.RemUIOp: direct(llvm.URemOp, {}),
    arith.FloorDivSIOp: _floor_division,
    arith.AndIOp: direct(llvm.AndOp, {}),
    arith.OrIOp: direct(llvm.OrOp, {}),
    arith.XOrIOp: direct(llvm.XOrOp, {}),
    arith.ShLIOp: direct(llvm.ShlOp, WRAP),
    arith.ShRSIOp: direct(llvm.AShrOp, {}),
    arith.ShRUIOp: direct(llvm.LShrOp, {}),
    arith.MaxSIOp: choice("sgt"),
    arith.MinSIOp: choice("slt"),
    arith.MaxUIOp: choice("ugt"),
    arith.MinUIOp: choice("ult"),
    arith.AddfOp: floating(llvm.FAddOp),
    arith.SubfOp: floating(llvm.FSubOp),
    arith.MulfOp: floating(llvm.FMulOp),
    arith.DivfOp: floating(llvm.FDivOp),
    arith.NegfOp: floating(llvm.FNegOp),
    arith.MaximumfOp: extremum("llvm.maximum"),
    arith.MinimumfOp: extremum("llvm.minimum"),
    arith.MaxnumfOp: extremum("llvm.maxnum"),
    arith.MinnumfOp: extremum("llvm.minnum"),
    arith.CmpiOp: _compare(llvm.ICmpOp),
    arith.CmpfOp: _compare(LLVMFCmpOp),
    arith.SelectOp: direct(LLVMSelectOp, {}),
    arith.BitcastOp: direct(llvm.BitcastOp, {}),
    arith.IndexCastOp: _index_cast,
    arith.ExtSIOp: direct(llvm.SExtOp, {}),
    arith.ExtUIOp: direct(llvm.ZExtOp, {}),
    arith.TruncIOp: direct(llvm.TruncOp, {}),
    arith.ExtFOp: direct(llvm.FPExtOp, {}),
    arith.TruncFOp: direct(llvm.FPTruncOp, {}),
    arith.SIToFPOp: direct(llvm.SIToFPOp, {}),
    arith.UIToFPOp: direct(LLVMUIToFPOp, {}),
    arith.FPToSIOp: direct(LLVMFPToSIOp, {}),
    arith.FPToUIOp: direct(LLVMFPToUIOp, {}),
    math.AbsFOp: intrinsic("llvm.fabs"),
    math.AbsIOp: _absolute,
    math.CeilOp: intrinsic("llvm.ceil"),
    math.FloorOp: intrinsic("llvm.floor"),
    math.TruncOp: intrinsic("llvm.trunc"),
    math.RoundEvenOp: intrinsic("llvm.roundeven"),
    math.SqrtOp: intrinsic("llvm.sqrt"),
    math.RsqrtOp: _reciprocal_root,
    math.CopySignOp: intrinsic("llvm.copysign"),
    math.FmaOp: intrinsic("llvm.fma"),
    math.CtPopOp: intrinsic("llvm.ctpop"),
}

RULES.update({form: RULES[op_class] for op_class, form in VECTOR_FORMS.items()})


def lower_scalar(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    """The value of the arith or math operation `op` on lowered operands."""
    rule = RULES.get(type(op))
    if rule is None:
        raise unsupported(op)
    return rule(b, op, args)
