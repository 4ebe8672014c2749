"""Numbers of bf16 by integers: the upper halves of those of f32.

LLVM calls a function for each lane that is rounded to bf16 where there is no instruction, and for a choice between two, which it makes
in f32. The instruction of x86 (VCVTNEPS2BF16) flushes subnormal numbers.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import BFloat16Type, bf16, f32, i16
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from lowering.dialects.arith_ext import forms
from lowering.math.expressions import (
    ExpressionBuilder,
    Float,
    Int,
    element_type,
    where,
    with_element,
)
from torchscript_dialect.ir.pattern_driver import FrozenPatternSet, RootedPattern


def _is_bf16(value: SSAValue) -> bool:
    return isinstance(element_type(value.type), BFloat16Type)


def _bits(e: ExpressionBuilder, value: SSAValue) -> SSAValue:
    return e.op(arith.BitcastOp, (value,), with_element(value.type, i16))


def _of_bits(e: ExpressionBuilder, bits: SSAValue) -> SSAValue:
    return e.op(arith.BitcastOp, (bits,), with_element(bits.type, bf16))


def _widened(e: ExpressionBuilder, value: SSAValue) -> SSAValue:
    """A number of bf16 as f32."""
    wide = Int(e, e.op(arith.ExtUIOp, (_bits(e, value),), e.int_type)) << 16
    return e.op(arith.BitcastOp, (wide.ssa,), e.type)


def _rounded(e: ExpressionBuilder, value: SSAValue) -> SSAValue:
    """A number of f32 as bf16, to the nearest, of two the even one: `(bits + 0x7fff + (bits >> 16 & 1)) >> 16`."""
    x = Float(e, value)
    bits = where(x.unordered(x), float("nan"), x).bits()
    high = (bits + 0x7FFF + (bits.shift_right_logical(16) & 1)).shift_right_logical(16)
    return _of_bits(e, e.op(arith.TruncIOp, (high.ssa,), with_element(e.type, i16)))


def _builder(type_: Attribute) -> ExpressionBuilder:
    return ExpressionBuilder(with_element(type_, f32))


class RoundToBFloat16(RootedPattern):
    """`arith.truncf %x : f32 to bf16` becomes integer arithmetic on the bits of `%x`.

    What is no f32 becomes one first, as in PyTorch (c10/util/BFloat16.h).
    """

    roots = forms(arith.TruncFOp, arith.SIToFPOp, arith.UIToFPOp)

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        (source,), (result,) = op.operands, op.results
        if _is_bf16(result):
            e = _builder(result.type)
            single = source
            if source.type != e.type:
                single = e.op(type(op), (source,), e.type, op.properties)
            rounded = _rounded(e, single)
            rewriter.replace(op, e.ops, (rounded,))


class WidenBFloat16(RootedPattern):
    """`arith.extf %x : bf16 to f32` becomes a shift of the bits of `%x`; what else takes numbers of bf16 gets them widened."""

    roots = forms(arith.ExtFOp, arith.FPToSIOp, arith.FPToUIOp, arith.CmpfOp)

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not _is_bf16(op.operands[0]):
            return
        e = _builder(op.operands[0].type)
        wide = [_widened(e, operand) for operand in op.operands]
        (result,) = op.results
        if result.type == e.type:
            rewriter.replace(op, e.ops, wide)
        else:
            found = e.op(type(op), wide, result.type, op.properties)
            rewriter.replace(op, e.ops, (found,))


class ChooseBits(RootedPattern):
    """`arith.select %c, %a, %b : bf16` chooses between the bits of `%a` and `%b`."""

    roots = forms(arith.SelectOp)

    def rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition, *choices = op.operands
        if not _is_bf16(op.results[0]):
            return
        e = _builder(op.results[0].type)
        bits = [_bits(e, choice) for choice in choices]
        chosen = e.op(type(op), (condition, *bits), bits[0].type)
        rewriter.replace(op, e.ops, (_of_bits(e, chosen),))


EXPAND_BF16 = FrozenPatternSet((RoundToBFloat16(), WidenBFloat16(), ChooseBits()))
