"""Functions that neither NumPy nor MLIR's math has, computed in float64 and rounded once, as pointwise operators.

They are functions of `Real`, so that they are scalar bodies (Note [Scalar bodies] in scalar_math.py), which kernels compute, too; where
elements decide how long loops are, those of devices do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import INT_TO_FLOAT
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath, Value


class Real:
    """A float64 of a scalar body, with Python's operators. Numbers next to it are float64, too."""

    __slots__ = ("m", "value")

    def __init__(self, m: ScalarMath, value: Value) -> None:
        self.m = m
        self.value = value

    def __add__(self, other: RealOrNumber) -> Real:
        return Real(self.m, self.m.add(self.value, _value(other)))

    def __radd__(self, other: float) -> Real:
        return Real(self.m, self.m.add(other, self.value))

    def __sub__(self, other: RealOrNumber) -> Real:
        return Real(self.m, self.m.sub(self.value, _value(other)))

    def __rsub__(self, other: float) -> Real:
        return Real(self.m, self.m.sub(other, self.value))

    def __mul__(self, other: RealOrNumber) -> Real:
        return Real(self.m, self.m.mul(self.value, _value(other)))

    def __rmul__(self, other: float) -> Real:
        return Real(self.m, self.m.mul(other, self.value))

    def __truediv__(self, other: RealOrNumber) -> Real:
        return Real(self.m, self.m.div(self.value, _value(other)))

    def __rtruediv__(self, other: float) -> Real:
        return Real(self.m, self.m.div(other, self.value))

    def __pow__(self, other: RealOrNumber) -> Real:
        return Real(self.m, self.m.pow(self.value, _value(other)))

    def __neg__(self) -> Real:
        return Real(self.m, self.m.neg(self.value))

    def __abs__(self) -> Real:
        return Real(self.m, self.m.abs(self.value))

    def __lt__(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.lt(self.value, _value(other)))

    def __le__(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.le(self.value, _value(other)))

    def __gt__(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.gt(self.value, _value(other)))

    def __ge__(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.ge(self.value, _value(other)))

    def equals(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.eq(self.value, _value(other)))

    def differs(self, other: RealOrNumber) -> Truth:
        return Truth(self, self.m.ne(self.value, _value(other)))

    def of(self, number: float) -> Real:
        """A number as one of these."""
        return Real(self.m, self.m.constant(number, self.value))

    def is_nan(self) -> Truth:
        return Truth(self, self.m.ne(self.value, self.value))


RealOrNumber: TypeAlias = Real | float


class Truth:
    """What a comparison of reals gives."""

    __slots__ = ("like", "value")

    def __init__(self, like: Real, value: Value) -> None:
        self.like = like
        self.value = value

    def __and__(self, other: Truth) -> Truth:
        return Truth(self.like, self.like.m.bit_and(self.value, other.value))

    def __or__(self, other: Truth) -> Truth:
        return Truth(self.like, self.like.m.bit_or(self.value, other.value))

    def __invert__(self) -> Truth:
        return Truth(self.like, self.like.m.bit_not(self.value))


def where(condition: Truth, x: RealOrNumber, y: RealOrNumber) -> Real:
    """x where the condition holds, y elsewhere."""
    m = condition.like.m
    if not isinstance(x, Real):
        x = Real(m, m.constant(x, condition.like.value))
    return Real(m, m.where(condition.value, x.value, _value(y)))


def loop(
    first: Sequence[Real], goes_on: Callable[..., Truth], step: Callable[..., Sequence[Real]]
) -> list[Real]:
    """What becomes of numbers: as long as `goes_on` says so of them, `step` gives the next ones."""
    m = first[0].m

    def reals(values: Sequence[Value]) -> list[Real]:
        return [Real(m, value) for value in values]

    found = m.loop(
        [one.value for one in first],
        lambda *values: goes_on(*reals(values)).value,
        lambda *values: [one.value for one in step(*reals(values))],
    )
    return reals(found)


def at_least(x: Real, bound: float) -> Real:
    return Real(x.m, x.m.maximum(x.value, bound))


def at_most(x: Real, bound: float) -> Real:
    return Real(x.m, x.m.minimum(x.value, bound))


def _value(x: RealOrNumber) -> Any:
    return x.value if isinstance(x, Real) else x


def _unary(method: str) -> Callable[[Real], Real]:
    return lambda x: Real(x.m, getattr(x.m, method)(x.value))


exp, log, log1p, sqrt = map(_unary, ("exp", "log", "log1p", "sqrt"))
sin, cos, tan = map(_unary, ("sin", "cos", "tan"))
erf, erfc, floor, rounded = map(_unary, ("erf", "erfc", "floor", "round"))
truncated = _unary("trunc")


def with_sign(x: RealOrNumber, sign: Real) -> Real:
    """|x| with the sign of another number."""
    return Real(sign.m, sign.m.copysign(_value(x), sign.value))


def polynomial(x: Real, coefficients: Sequence[float]) -> Real:
    """The sum of each coefficient times that power of x."""
    *lower, result = coefficients
    total: RealOrNumber = result
    for coefficient in reversed(lower):
        total = x * total + coefficient
    assert isinstance(total, Real)
    return total


def on_arrays(function: Callable[..., Real]) -> Callable[..., Any]:
    """The function on arrays of float64."""

    def run(*arrays: Any) -> Any:
        return function(*(Real(NUMPY, array) for array in arrays)).value

    return run


def wide_function(
    names: str,
    function: Callable[..., Real],
    kernel_name: str,
    refuses: tuple[str, ...] = ("half", "complex"),
    **known: Any,
) -> None:
    """Declare pointwise operators by a function of one `Real` and constants; integers are cast to the default dtype.

    The message about dtypes of the kinds in `refuses` (`not_implemented_for`) names `kernel_name`. `known` are other properties.
    """

    def body(m: ScalarMath, x: Value, *constants: Any) -> Value:
        result = function(Real(m, m.cast(x, "float64")), *constants)
        return m.cast(result.value, f"float{m.bits(x)}")

    _declare(names, body, kernel_name, refuses, known)


def wide_function_of_two(
    names: str,
    function: Callable[[Real, Real], Real],
    kernel_name: str,
    refuses: tuple[str, ...] = ("half", "complex"),
    **known: Any,
) -> None:
    """The same by a function of two, either of which may be a number."""

    def body(m: ScalarMath, x: Value, y: Value) -> Value:
        like = y if isinstance(x, (int, float)) else x
        number = Real(m, m.cast(like, "float64"))
        first, second = (
            number.of(one) if isinstance(one, (int, float)) else Real(m, m.cast(one, "float64"))
            for one in (x, y)
        )
        return m.cast(function(first, second).value, f"float{m.bits(like)}")

    _declare(names, body, kernel_name, refuses, known)


def _declare(
    names: str, body: Any, kernel_name: str, refuses: tuple[str, ...], known: dict[str, Any]
) -> None:
    known.setdefault("check", not_implemented_for(kernel_name, *refuses))
    pointwise(names, INT_TO_FLOAT, body, **known)
