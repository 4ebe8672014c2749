"""Running values of loops that become vectors: what combines them, and the lanes at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith, scf, vector
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.shaped import element_type, is_integer, is_vector

NO_FLAGS = arith.FastMathFlagsAttr("none")
REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""The lanes of a reduction are added as a tree, which is what the vector form is about."""

COMBINING = {
    arith.AddfOp: ("add", 0.0),
    arith.AddiOp: ("add", 0),
    arith.MulfOp: ("mul", 1.0),
    arith.MuliOp: ("mul", 1),
    arith.MaximumfOp: ("maximumf", None),
    arith.MinimumfOp: ("minimumf", None),
    arith.MaxSIOp: ("maxsi", None),
    arith.MinSIOp: ("minsi", None),
    arith.AndIOp: ("and", None),
    arith.OrIOp: ("or", None),
}
"""Reduction kinds and what a lane starts from; None: the initial value, as max(x, x) is x."""
IN_ORDER = (arith.AddfOp, arith.MulfOp)
"""What rounds, and so may be done in another order only where it says so."""


@dataclass
class Reduction:
    """How a running value changes: `op` combines it with one new value per iteration."""

    op: Operation
    other: int
    kind: str
    start: float | int | None


def reduction_of(loop: scf.ForOp, position: int) -> Reduction | None:
    """What combines the running value at a place of those of a loop; None where that may not be done in any order, or is not all."""
    argument = loop.body.block.args[1 + position]
    terminator = loop.body.block.last_op
    assert terminator is not None
    value = terminator.operands[position]
    op = value.owner
    use = argument.get_unique_use()
    if use is None or use.operation is not op or not value.has_one_use():
        return None
    combining = COMBINING.get(type(op))  # pyright: ignore[reportArgumentType]
    if combining is None or not isinstance(op, Operation) or is_vector(value.type):
        return None
    if isinstance(op, IN_ORDER) and op.properties.get("fastmath") != REASSOCIATE:
        return None
    return Reduction(op, 1 - use.index, *combining)


def without_order(op: Operation) -> Mapping[str, Attribute]:
    """The properties of `op`, less the permission to reorder a reduction, of which all use has been made."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, arith.FastMathFlagsAttr) or not flags.data or flags != REASSOCIATE:
        return op.properties
    return {**op.properties, "fastmath": NO_FLAGS}


def horizontal(value: SSAValue, kind: str) -> Operation:
    """The lanes of `value` combined, in any order."""
    assert is_vector(value.type)
    element = element_type(value.type)
    floating = not is_integer(element)
    return vector.ReductionOp.create(
        operands=[value],
        result_types=[element],
        properties={
            "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(kind)),
            "fastmath": REASSOCIATE if floating else NO_FLAGS,
        },
    )
