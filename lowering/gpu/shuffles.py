"""What threads of a warp give each other, by shuffles of 32 bits: wider values in two pieces, narrower ones as wider ones."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerAttr, i32, i64
from xdsl.ir import Operation, SSAValue

from lowering.create import create
from lowering.dialects import nvvm
from lowering.kernel import LoweringError
from lowering.shaped import is_integer

WARP = 32
Add = Callable[[Operation], SSAValue]
"""Appends an op."""


def shuffled(add: Add, value: SSAValue, offset: int) -> SSAValue:
    """The value of the thread whose number differs by a power of two.

    Raises:
        LoweringError: threads do not exchange values of the type.
    """
    type_ = value.type
    if isinstance(type_, Float32Type) or type_ == i32:
        return _shuffle(add, value, offset)
    if isinstance(type_, Float64Type):
        bits = add(create(arith.BitcastOp, (value,), (i64,)))
        return add(create(arith.BitcastOp, (shuffled(add, bits, offset),), (type_,)))
    if not is_integer(type_) or type_.width.data > 64:
        raise LoweringError(f"threads do not exchange values of type {type_}")
    if type_.width.data < 32:
        wide = add(create(arith.ExtUIOp, (value,), (i32,)))
        return add(create(arith.TruncIOp, (_shuffle(add, wide, offset),), (type_,)))
    return _halves(add, value, offset)


def _halves(add: Add, value: SSAValue, offset: int) -> SSAValue:
    """`shuffled` for 64 bits: in two pieces."""
    half = add(arith.ConstantOp(IntegerAttr(32, i64)))
    low = add(create(arith.TruncIOp, (value,), (i32,)))
    above = add(create(arith.ShRUIOp, (value, half), (i64,)))
    high = add(create(arith.TruncIOp, (above,), (i32,)))
    parts = [_shuffle(add, one, offset) for one in (low, high)]
    wide = [add(create(arith.ExtUIOp, (one,), (i64,))) for one in parts]
    shifted = add(create(arith.ShLIOp, (wide[1], half), (i64,)))
    return add(create(arith.OrIOp, (wide[0], shifted), (i64,)))


def _shuffle(add: Add, value: SSAValue, offset: int) -> SSAValue:
    """One shuffle, of 32 bits."""
    numbers = [add(arith.ConstantOp(IntegerAttr(n, i32))) for n in (-1, offset, WARP - 1)]
    mask, by, clamp = numbers
    return add(nvvm.ShflOp.bfly(mask, value, by, clamp))
