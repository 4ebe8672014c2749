"""What kernels that are made of no program combine elements by, two at a time."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Literal

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, i1
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import create
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.shaped import integer_attribute, is_integer

Combination = Literal["add", "mul", "max", "min"]
Add = Callable[[Operation], SSAValue]
"""Appends an op."""
_FLOATS: dict[Combination, tuple[type[Operation], float]] = {
    "add": (arith.AddfOp, 0.0),
    "mul": (arith.MulfOp, 1.0),
    "max": (arith.MaximumfOp, -inf),
    "min": (arith.MinimumfOp, inf),
}
"""What combines floats, and what changes nothing."""
_INTEGERS: dict[Combination, type[Operation]] = {
    "add": arith.AddiOp,
    "mul": arith.MuliOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
}


def combined(add: Add, way: Combination, a: SSAValue, b: SSAValue) -> SSAValue:
    """What two elements give."""
    if isinstance(a.type, AnyFloat):
        return float_op(add, _FLOATS[way][0], a, b)
    return add(create(_INTEGERS[way], (a, b), (a.type,)))


def float_op(add: Add, op: type[Operation], *operands: SSAValue) -> SSAValue:
    """What an op gives for floats, rounded as it says."""
    return add(create(op, operands, (operands[0].type,), {"fastmath": NO_FAST_MATH}))


def log_of_sum(add: Add, a: SSAValue, b: SSAValue) -> SSAValue:
    """log(e^a + e^b)."""
    found = float_op(add, arith.MaximumfOp, a, b)
    least = float_op(add, arith.MinimumfOp, a, b)
    apart = float_op(add, math.ExpOp, float_op(add, arith.SubfOp, least, found))
    total = float_op(add, arith.AddfOp, found, float_op(add, math.Log1pOp, apart))
    # infinities of one sign, which are not subtracted
    same = add(arith.CmpfOp(a, b, "oeq"))
    zero, other = (float_op(add, arith.SubfOp, a, a) for _ in range(2))
    infinite = add(arith.CmpfOp(zero, other, "uno"))
    is_either = add(create(arith.AndIOp, (same, infinite), (i1,)))
    return add(create(arith.SelectOp, (is_either, found, total), (a.type,)))


def neutral(code: Code, way: Combination, type_: Attribute) -> SSAValue:
    """What changes nothing; the width of an integer decides about the largest and the smallest one."""
    if isinstance(type_, AnyFloat):
        return code.add(arith.ConstantOp(FloatAttr(_FLOATS[way][1], type_)))
    assert is_integer(type_)
    limit = 1 << (type_.width.data - 1)
    value = {"add": 0, "mul": 1, "max": -limit, "min": limit - 1}[way]
    return code.add(
        create(arith.ConstantOp, (), (type_,), {"value": integer_attribute(value, type_)})
    )
