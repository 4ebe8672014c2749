"""What each vector operation becomes in the llvm dialect."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from xdsl.dialects import llvm, vector
from xdsl.dialects.builtin import VectorType, i8, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.llvm.builder import (
    FAST_MATH,
    LLVMBuilder,
    memory_type,
    scalar_of,
    unsupported,
)
from lowering.shaped import dense_of, is_integer, is_vector, vector_of

Operands = list[SSAValue]
Rule = Callable[[LLVMBuilder, Operation, Operands], SSAValue]

NARROW_LANES = 16
"""Masks of more lanes than this are compared as bytes."""


def _vector_type(op: Operation) -> VectorType[Any]:
    type_ = op.results[0].type
    assert is_vector(type_)
    return type_


def _load(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    base, index = args
    type_ = _vector_type(op)
    return b.load(b.address(base, index, type_.element_type), type_)


def _store(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    assert isinstance(op, vector.StoreOp)
    value, base, index = args
    past_caches = bool(op.nontemporal)
    b.store(value, b.address(base, index, scalar_of(value.type)), past_caches)
    return value


def _masked_load(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    base, index, mask, idle = args
    type_ = _vector_type(op)
    address = b.address(base, index, type_.element_type)
    raw = memory_type(type_)
    value = b.intrinsic("llvm.masked.load", [address, mask, b.to_memory(idle)], raw)
    return b.from_memory(value, type_)


def _masked_store(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    base, index, mask, value = args
    address = b.address(base, index, scalar_of(value.type))
    b.intrinsic("llvm.masked.store", [b.to_memory(value), address, mask], None)
    return value


def _broadcast(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    return b.splat(args[0], _vector_type(op))


@lru_cache
def lane_numbers(type_: VectorType[Attribute]) -> Attribute:
    """`dense<[0, 1, 2, ...]>`."""
    return dense_of(type_, range(type_.get_shape()[0]))


def _create_mask(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    """Lane numbers below the operand, which is at least 0, clipped so that it fits few bits."""
    (count,) = args
    lanes = _vector_type(op).get_shape()[0]
    element = i32 if lanes <= NARROW_LANES else i8
    limit = b.integer(lanes, i64)
    clipped = b.select(b.icmp("slt", count, limit), count, limit)
    narrow = b.emit(llvm.TruncOp, [clipped], element)
    type_ = vector_of(element, lanes)
    numbers = lane_numbers(type_)
    iota = b.emit(llvm.ConstantOp, [], type_, {"value": numbers})
    return b.icmp("slt", iota, b.splat(narrow, type_))


def _fma(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    return b.intrinsic("llvm.fma", args, _vector_type(op))


def _shuffle(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    assert isinstance(op, vector.ShuffleOp)
    return b.shuffle(args[0], args[1], op.mask.get_values())


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


def _reduction(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    assert isinstance(op, vector.ReductionOp)
    kind = op.kind.data.value
    type_ = op.dest.type
    flags = FAST_MATH
    if op.fastmath.data:
        flags = llvm.FastMathAttr(op.fastmath.data)
    if is_integer(type_) or kind not in STARTED:
        if len(args) != 1:
            raise unsupported(op)
        return b.intrinsic(f"llvm.vector.reduce.{REDUCTIONS[kind]}", args, type_, flags)
    name, neutral = STARTED[kind]
    start = args[1] if len(args) == 2 else b.real(neutral, type_)
    return b.intrinsic(f"llvm.vector.reduce.{name}", [start, args[0]], type_, flags)


def _bitcast(b: LLVMBuilder, op: Operation, args: Operands) -> SSAValue:
    return b.emit(llvm.BitcastOp, args, _vector_type(op))


VECTOR_RULES: dict[type[Any], Rule] = {
    vector.LoadOp: _load,
    vector.StoreOp: _store,
    vector.MaskedLoadOp: _masked_load,
    vector.MaskedStoreOp: _masked_store,
    vector.BroadcastOp: _broadcast,
    vector.CreateMaskOp: _create_mask,
    vector.FMAOp: _fma,
    vector.ShuffleOp: _shuffle,
    vector.ReductionOp: _reduction,
    vector.BitcastOp: _bitcast,
}
