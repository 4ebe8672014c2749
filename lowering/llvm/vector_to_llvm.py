"""What each vector operation becomes in the llvm dialect."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import BFloat16Type, VectorType, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from lowering.llvm.builder import (
    FAST_MATH,
    ConvertToLLVM,
    LLVMBuilder,
    like,
    memory_type,
    scalar_of,
    single,
    unsupported,
)
from lowering.shaped import dense_of, is_integer, is_vector, vector_of

NARROW_LANES = 16
"""Masks of more lanes than this are compared as bytes."""


class Load(ConvertToLLVM):
    """`vector.load %a[%i] : memref<?xf32>, vector<16xf32>` becomes `llvm.getelementptr` and `llvm.load`."""

    roots = (vector.LoadOp,)

    def value(self, b: LLVMBuilder, op: vector.LoadOp, type_: Attribute) -> SSAValue:
        base, *indices = op.operands
        return b.load(b.address(base, single(op, indices), scalar_of(type_)), type_)


class Store(RewritePattern):
    """`vector.store %x, %a[%i] : memref<?xf32>, vector<16xf32>` becomes `llvm.getelementptr` and `llvm.store`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: vector.StoreOp, rewriter: PatternRewriter, /) -> None:
        b = LLVMBuilder(rewriter)
        value, base, *indices = op.operands
        address = b.address(base, single(op, indices), scalar_of(value.type))
        b.store(value, address, past_caches=bool(op.nontemporal))
        rewriter.erase(op)


class MaskedLoad(ConvertToLLVM):
    """`vector.maskedload %a[%i], %m, %z` becomes `llvm.getelementptr` and `llvm.call_intrinsic "llvm.masked.load"`.

    Those of bf16 are loaded as i16: lanes that are put together one by one would go through functions of bf16 that nobody has.
    """

    roots = (vector.MaskedLoadOp,)

    def value(self, b: LLVMBuilder, op: vector.MaskedLoadOp, type_: Attribute) -> SSAValue:
        base, *indices, mask, idle = op.operands
        address = b.address(base, single(op, indices), scalar_of(type_))
        if isinstance(scalar_of(type_), BFloat16Type):
            bits = like(type_, i16)
            operands = [address, mask, b.emit(llvm.BitcastOp, [idle], bits)]
            loaded = b.intrinsic("llvm.masked.load", operands, bits)
            return b.emit(llvm.BitcastOp, [loaded], type_)
        operands = [address, mask, b.to_memory(idle)]
        return b.from_memory(b.intrinsic("llvm.masked.load", operands, memory_type(type_)), type_)


class MaskedStore(RewritePattern):
    """`vector.maskedstore %a[%i], %m, %x` becomes `llvm.getelementptr` and `llvm.call_intrinsic "llvm.masked.store"`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: vector.MaskedStoreOp, rewriter: PatternRewriter, /) -> None:
        b = LLVMBuilder(rewriter)
        base, *indices, mask, value = op.operands
        address = b.address(base, single(op, indices), scalar_of(value.type))
        b.intrinsic("llvm.masked.store", [b.to_memory(value), address, mask], None)
        rewriter.erase(op)


class Broadcast(ConvertToLLVM):
    """`vector.broadcast %x : f32 to vector<16xf32>` becomes `llvm.insertelement` and a `llvm.shufflevector` of lane 0."""

    roots = (vector.BroadcastOp,)

    def value(self, b: LLVMBuilder, op: vector.BroadcastOp, type_: Attribute) -> SSAValue:
        return b.splat(op.operands[0], type_)


@lru_cache(maxsize=128)
def lane_numbers(type_: VectorType[Attribute]) -> Attribute:
    """`dense<[0, 1, 2, ...]>`."""
    return dense_of(type_, range(type_.get_shape()[0]))


class CreateMask(ConvertToLLVM):
    """`vector.create_mask %n : vector<16xi1>` becomes `llvm.icmp "slt"` of the lane numbers and `%n` in all lanes.

    `%n`, which is at least 0, is clipped so that it fits few bits.
    """

    roots = (vector.CreateMaskOp,)

    def value(self, b: LLVMBuilder, op: vector.CreateMaskOp, type_: Attribute) -> SSAValue:
        (count,) = op.operands
        assert is_vector(type_)
        lanes = type_.get_shape()[0]
        element = i32 if lanes <= NARROW_LANES else i8
        limit = b.integer(lanes, i64)
        clipped = b.select(b.icmp("slt", count, limit), count, limit)
        narrow = b.emit(llvm.TruncOp, [clipped], element)
        compared = vector_of(element, lanes)
        iota = b.emit(llvm.ConstantOp, [], compared, {"value": lane_numbers(compared)})
        return b.icmp("slt", iota, b.splat(narrow, compared))


class FusedMultiplyAdd(ConvertToLLVM):
    """`vector.fma %a, %b, %c` becomes `llvm.call_intrinsic "llvm.fma"(%a, %b, %c)`."""

    roots = (vector.FMAOp,)

    def value(self, b: LLVMBuilder, op: vector.FMAOp, type_: Attribute) -> SSAValue:
        return b.intrinsic("llvm.fma", op.operands, type_)


class Shuffle(ConvertToLLVM):
    """`vector.shuffle %a, %b [0, 4, 1, 5]` becomes `llvm.shufflevector %a, %b [0, 4, 1, 5]`."""

    roots = (vector.ShuffleOp,)

    def value(self, b: LLVMBuilder, op: vector.ShuffleOp, type_: Attribute) -> SSAValue:
        left, right = op.operands
        return b.shuffle(left, right, op.mask.get_values())


class Bitcast(ConvertToLLVM):
    """`vector.bitcast %a : vector<4xi32> to vector<4xf32>` becomes `llvm.bitcast`."""

    roots = (vector.BitcastOp,)

    def value(self, b: LLVMBuilder, op: vector.BitcastOp, type_: Attribute) -> SSAValue:
        return b.emit(llvm.BitcastOp, op.operands, type_)


REDUCTIONS = {
    "mul": "mul",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "add": "add",
    "minsi": "smin",
    "maxsi": "smax",
    "minui": "umin",
    "maxui": "umax",
    "minnumf": "fmin",
    "maxnumf": "fmax",
    "minimumf": "fminimum",
    "maximumf": "fmaximum",
}
STARTED = {"add": ("fadd", -0.0), "mul": ("fmul", 1.0)}


class Reduction(ConvertToLLVM):
    """`vector.reduction <add>, %v` becomes `llvm.call_intrinsic "llvm.vector.reduce.fadd"(-0.0, %v)`, with its fast-math flags."""

    roots = (vector.ReductionOp,)

    def value(self, b: LLVMBuilder, op: vector.ReductionOp, type_: Attribute) -> SSAValue:
        kind, operands = op.kind.data.value, op.operands
        flags = llvm.FastMathAttr(op.fastmath.data) if op.fastmath.data else FAST_MATH
        if is_integer(type_) or kind not in STARTED:
            if len(operands) != 1:
                raise unsupported(op)
            return b.intrinsic(f"llvm.vector.reduce.{REDUCTIONS[kind]}", operands, type_, flags)
        name, neutral = STARTED[kind]
        start = operands[1] if len(operands) == 2 else b.real(neutral, type_)
        return b.intrinsic(f"llvm.vector.reduce.{name}", [start, operands[0]], type_, flags)


VECTOR_TO_LLVM: tuple[RewritePattern, ...] = (
    Load(),
    Store(),
    MaskedLoad(),
    MaskedStore(),
    Broadcast(),
    CreateMask(),
    FusedMultiplyAdd(),
    Shuffle(),
    Bitcast(),
    Reduction(),
)
