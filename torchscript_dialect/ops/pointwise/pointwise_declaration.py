"""What is declared of a pointwise operator: see Note [Pointwise operators] in pointwise.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType
from typing import Any

from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath, Value
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.type_promotion import check_numbers, opmath
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import FLOAT, NUMBER
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

Body = (
    Callable[[ScalarMath, Value], Value]
    | Callable[[ScalarMath, Value, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any, Any, Any], Value]
)
"""`body(m, *values)`: see Note [Scalar bodies] in scalar_math.py."""

Check = Callable[[dtype], None]
"""Raises where an operator has no meaning in this common dtype."""

OperandCheck = Callable[..., None]
"""Takes the operands; raises where the operator does not take them."""


class Promotion(Enum):
    """From the common dtype of the promoting operands to the dtypes of the computation and of the result."""

    DEFAULT = auto()
    """Both are the common dtype."""
    INT_TO_FLOAT = auto()
    """As DEFAULT, but integers and bools compute in the default float dtype."""
    COMPARISON = auto()
    """Computes in the common dtype and gives Bool."""
    COMPLEX_TO_FLOAT = auto()
    """As DEFAULT, but the result of a complex computation is real."""
    BOOL_TO_INT = auto()
    """As DEFAULT, but bools compute in int64."""


DEFAULT = Promotion.DEFAULT
INT_TO_FLOAT = Promotion.INT_TO_FLOAT
COMPARISON = Promotion.COMPARISON
COMPLEX_TO_FLOAT = Promotion.COMPLEX_TO_FLOAT
BOOL_TO_INT = Promotion.BOOL_TO_INT


class Role(Enum):
    """What an argument of a pointwise operator is to its body."""

    TENSOR = auto()
    NUMBER = auto()
    STATIC = auto()


LOWEST = -(2**63)
"""The least int of 64 bits."""

Limit = Callable[[dtype], dtype | None]
"""From the common dtype to the one that has to have room for a number; None where the number may be any."""


def in_common(common: dtype) -> dtype:
    """The number is an element as the others are."""
    return common


def in_opmath(common: dtype) -> dtype:
    """The number is one of the computation."""
    return opmath(common)


LIMITS: Mapping[str, Limit] = MappingProxyType(
    {
        "alpha": in_common,
        "min": in_common,
        "max": in_common,
        "value": in_opmath,
        "weight": in_opmath,
    }
)
"""Those of operators that say no others."""


PROMOTING_NUMBERS = frozenset("self other exponent min max".split())
"""Arguments whose numbers take part in the choice of the common dtype."""


@dataclass(frozen=True, slots=True)
class Pointwise:
    """The declaration of a pointwise operator; see Note [Pointwise operators].

    `rounding` names a static argument that, where given, makes INT_TO_FLOAT a DEFAULT promotion (`div`).
    `floats_pass` says that floats of one dtype and shape pass `check_operands`. Strides follow the first two operands in the other
    order with `reverse_operands`; the result is contiguous with `contiguous`. With `wide_other` an `other` that is a number or a
    tensor without dimensions is not rounded to a 16-bit common dtype, and `body` computes with all that have one element. With
    `numpy_only` the body calls NumPy instead of `m`, and
    cannot be compiled. Elements of the NumPy kinds in `shares` are written to where they share memory, too. `bodies` take the
    place of `body` for common dtypes that are computed otherwise than others. `limits` says by name which numbers a dtype has to have
    room for. `negated` names a factor that PyTorch negates while it is a number: `factor`.
    """

    promotion: Promotion
    body: Body
    promotes: frozenset[str] | None
    keeps: frozenset[str]
    check: Check | None = None
    rounding: str | None = None
    check_operands: OperandCheck | None = None
    floats_pass: bool = False
    reverse_operands: bool = False
    contiguous: bool = False
    wide_other: bool = False
    numpy_only: bool = False
    shares: str = ""
    bodies: Mapping[dtype, Body] = field(default_factory=dict[dtype, Body])
    limits: Mapping[str, Limit] = field(default_factory=lambda: LIMITS)
    negated: str = ""

    def body_for(self, common: dtype, *, by_one: bool = False) -> Callable[..., Any]:
        """The body for operands of a common dtype; `by_one` says that `other` is one number, or a tensor of one element."""
        if by_one and self.wide_other:
            return self.body
        return self.bodies.get(common, self.body)

    def check_number(self, name: str, number: complex, common: dtype) -> None:
        """Raise what the operator raises for a number as an operand of that name."""
        if name in ("alpha", "beta", "value"):
            _check_factor(number, name, common)
        limit = self.limit(name, common)
        if limit is not None:
            check_fits(limit, number)

    def factor(self, name: str, number: Any, common: dtype) -> Any:
        """The number that the body takes as that of the name. PyTorch subtracts by adding a negated factor, and the negative of -2**63,
        an int of 64 bits, is itself: elements that do not wrap round as ints do get the factor 2**63.
        """
        if name == self.negated and number.__class__ is int and number == LOWEST:
            return -float(LOWEST) if common.is_floating_point or common.is_complex else number
        return number

    def rounded_numbers(self, schema: FunctionSchema) -> frozenset[str]:
        """The names of the numbers that are rounded to a 16-bit common dtype, as tensors are: the factor of `add` is, that of `elu` is
        not.
        """
        names = {argument.name for argument in schema.arguments}
        rounded = names & PROMOTING_NUMBERS
        if "other" in names:
            rounded |= names & {"alpha"}
        return frozenset(rounded - {"other"} if self.wide_other else rounded)

    def limit(self, name: str, common: dtype) -> dtype | None:
        """The dtype that has to have room for the number of that name; None where it may be any."""
        found = self.limits.get(name)
        return None if found is None else found(common)

    def dtypes(self, common: dtype, *, rounded: bool = False) -> tuple[dtype, dtype]:
        """The dtypes of the computation (before `opmath`) and of the result for the promoted dtype of the operands."""
        check_numbers(common)
        is_exact = not (common.is_floating_point or common.is_complex)
        if self.promotion is INT_TO_FLOAT and is_exact and not rounded:
            common = dtypes.get_default_dtype()
        if self.promotion is BOOL_TO_INT and common is dtypes.bool_:
            common = dtypes.int64
        if self.promotion is COMPARISON:
            return common, dtypes.bool_
        if self.promotion is COMPLEX_TO_FLOAT:
            return common, common.to_real()
        return common, common


def roles(schema: FunctionSchema) -> tuple[Role, ...]:
    """The role of each argument, `out` left out."""
    found: list[Role] = []
    for argument in schema.arguments:
        if argument.name == "out" and argument.kwarg_only:
            continue
        type_ = argument.type.element if isinstance(argument.type, OptionalType) else argument.type
        if isinstance(type_, TensorType):
            found.append(Role.TENSOR)
        else:
            found.append(Role.NUMBER if type_ in (NUMBER, FLOAT) else Role.STATIC)
    return tuple(found)


KEEPS = frozenset(("condition", "mask"))


def _check_factor(number: complex, name: str, common: dtype) -> None:
    if name == "alpha" and isinstance(number, bool) and common.name != "bool":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if common.is_floating_point or common.is_complex:
        if isinstance(number, complex) and not common.is_complex:
            raise RuntimeError(
                "value cannot be converted to type double without overflow"
                if name == "value"
                else f"For non-complex input tensors, argument {name} must not be a complex number."
            )
        return
    if name == "alpha" and not isinstance(number, int):
        raise RuntimeError(
            f"For integral input tensors, argument {name} must not be a floating point number."
        )
