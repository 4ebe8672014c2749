"""Operators of numbers in native loops: which there are, and what they compute.

Note [Failures]
A native loop raises nothing. What the operator would raise for, and the few cases in which two's complement and the processor disagree,
make it fail: the loop ends, and who called it runs its nodes one by one, which tells what is wrong and where. A failed operator gives
some number or other, which nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from xdsl.ir import Operation, SSAValue

from lowering.linalg.operands import constant
from lowering.linalg.operator_lowering import lowering_of
from lowering.linalg.scalars import (
    Arithmetic,
    Conversion,
    FloatFunction,
    NumberOperator,
    WholeQuotient,
)
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.types.core import FLOAT
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class Builder(Protocol):
    """What rules are given: a `ScalarFunction`."""

    math: ScalarBuilder

    def fail_if(self, condition: Scalar, /) -> None:
        """Let the function fail where that holds."""
        ...


Rule = Callable[[Builder, list["Scalar"]], "Scalar"]
"""What computes an operator that may fail of its operands."""

LOWEST = -(1 << 63)
WIDEST = float(1 << 63)
LARGE = 1 << 62
"""Divisors below are those of which PyTorch's remainder is Python's: it adds the divisor to another number."""
INEXACT = ("exp", "log", "tanh")
"""Functions that kernels round otherwise than PyTorch's, which are those of the C library."""


def _whole_quotient(b: Builder, operands: list[Scalar]) -> Scalar:
    number, divisor = operands
    return b.math.floor_quotient(number, _divisor(b, number, divisor))


def _remainder(b: Builder, operands: list[Scalar]) -> Scalar:
    number, divisor = operands
    math = b.math
    b.fail_if(math.bit_or(math.gt(divisor, LARGE), math.lt(divisor, -LARGE)))
    by = _divisor(b, number, divisor)
    return math.sub(number, math.mul(math.floor_quotient(number, by), by))


def _divisor(b: Builder, number: Scalar, divisor: Scalar) -> Scalar:
    """The divisor; 1 for one by which processors do not divide."""
    math = b.math
    overflows = math.bit_and(math.eq(number, LOWEST), math.eq(divisor, -1))
    fails = math.bit_or(math.eq(divisor, 0), overflows)
    b.fail_if(fails)
    return math.where(fails, 1, divisor)


def _int(b: Builder, operands: list[Scalar]) -> Scalar:
    (number,) = operands
    math = b.math
    fits = math.bit_and(math.ge(number, -WIDEST), math.lt(number, WIDEST))
    b.fail_if(math.bit_not(fits))
    return math.cast(math.where(fits, number, 0.0), "int64")


MAY_FAIL: Mapping[str, Rule] = {
    "aten::floordiv.int": _whole_quotient,
    "aten::remainder.int": _remainder,
    "aten::Int.float": _int,
}
"""The rules of operators that may fail, but for those that read lists."""

ITEM, LENGTH = "aten::__getitem__.t", "aten::len.t"
"""The operators that read lists."""
_EXACT = (Arithmetic, FloatFunction, Conversion, WholeQuotient)


def can_compute(op: Operation) -> bool:
    """Whether a node of numbers may stand in a native loop."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return False
    return op.OPERATOR.qualified_name in _ALL_THAT_MAY_FAIL or exact_lowering(op) is not None


def may_fail(op: Operation) -> bool:
    """Whether a node, or one in its blocks, may fail."""
    return any(
        isinstance(one, OperatorOp)
        and one.OPERATOR is not None
        and one.OPERATOR.qualified_name in _ALL_THAT_MAY_FAIL
        and exact_lowering(one) is None
        for one in op.walk()
    )


_ALL_THAT_MAY_FAIL = frozenset((ITEM, LENGTH, *MAY_FAIL))


def exact_lowering(op: OperatorOp) -> type[NumberOperator] | None:
    """The lowering of an operator that never fails and gives PyTorch's number to the last bit; None where there is none."""
    lowering = lowering_of(type(op))
    if lowering is None or not issubclass(lowering, _EXACT) or not lowering.takes(op):
        return None
    if any(isinstance(value.type, TensorType) for value in op.operands):
        return None
    if issubclass(lowering, WholeQuotient) and _number(op.operands[-1]) > LARGE:
        return None
    name = op.KIND.partition("::")[2]
    return None if name in INEXACT or (name == "Int" and _is_float(op.operands[0])) else lowering


def _number(value: SSAValue) -> int:
    found = constant(value)
    assert found is not None
    return found.value


def _is_float(value: SSAValue) -> bool:
    return type_of(value) is FLOAT
