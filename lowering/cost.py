"""How long an iteration of a loop takes, and in which parts: enough to decide whether threads are worth waking.

The figures are of vectorised code on one core, with the operands in its second-level cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, math, memref
from xdsl.dialects.builtin import Float64Type, IndexType

from lowering.dialects import math_ext
from lowering.shaped import element_type, is_memref

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Attribute, Operation

MEMORY = 20
"""Picoseconds of a load or a store."""
ARITHMETIC = 12
DIVISION = 40
MULTIPLY_ADD = 12
"""A multiplication and an addition within a matrix product."""
FUNCTION = 200
"""An elementary function, expanded to a polynomial."""

FLAT_GRAIN = 256
"""Elements: chunks of a loop over all elements do not share cache lines, and are whole vectors."""
ROW_GRAIN = 8
"""Rows: every chunk of a matrix product reads all of the right operand, and a tile has 6 or 8. Larger grains leave threads idle:
with grains of 12, 64 rows are 48 and 16.
"""

_DIVISIONS = (arith.DivfOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, math.SqrtOp)
_CHEAP_FUNCTIONS = (math.AbsFOp, math.CopySignOp, math.FmaOp, math.FloorOp, math.CeilOp)
_FUNCTIONS = frozenset((*math.Math.operations, *math_ext.MathExt.operations))


def picoseconds(ops: Iterable[Operation]) -> int:
    """What `ops` take together, nested loops left out."""
    total = 0
    for op in ops:
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            buffer = op.memref.type
            assert is_memref(buffer)
            total += MEMORY * _width(element_type(buffer))
        elif op.results and not op.regions:
            total += _operation(type(op)) * _width(op.results[0].type)
    return total


def multiply_add(type_: Attribute) -> int:
    """What one step of a matrix product of that element type takes."""
    return MULTIPLY_ADD * _width(type_)


def _operation(kind: type) -> int:
    if kind in _DIVISIONS:
        return DIVISION
    if kind in _FUNCTIONS and kind not in _CHEAP_FUNCTIONS:
        return FUNCTION
    return ARITHMETIC


def _width(type_: Attribute) -> int:
    """How many vectors a type takes where f32 takes one; addresses are free."""
    if isinstance(type_, IndexType):
        return 0
    return 2 if isinstance(type_, Float64Type) else 1
