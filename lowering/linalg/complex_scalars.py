"""Complex numbers in scalar bodies: pairs of real scalars, by ops of arith and math
(`torchscript_dialect/ops/pointwise/complex_math.py`).

Between bodies they are elements of type `complex<f32>`: `complex.re` and `complex.im` take them apart, `complex.create` puts them
together. No other op of MLIR's `complex` dialect is made: what these compute for infinities, zeros and branch cuts is their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops.pointwise.arithmetic import hypot
from torchscript_dialect.ops.pointwise.complex_math import Pair, PairMath, pair
from torchscript_dialect.tensor.dtype import from_name


class Real:
    """A real value with Python's operators, each of which is a method of the `ScalarMath` that the value is of."""

    __slots__ = ("math", "value")
    __array_ufunc__ = None
    """NumPy, which some bodies call, takes none."""
    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __init__(self, math: Any, value: Any) -> None:
        self.math = math
        self.value = value

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return NotImplemented

    def __bool__(self) -> bool:
        raise TypeError("nothing is known of the elements of a kernel")

    def __neg__(self) -> Real:
        return Real(self.math, self.math.neg(self.value))

    def __invert__(self) -> Real:
        return Real(self.math, self.math.bit_not(self.value))


def _operator(name: str, *, swapped: bool = False) -> Callable[[Real, Any], Real]:
    def run(self: Real, other: Any) -> Real:
        operands = [self.value, other.value if isinstance(other, Real) else other]
        if swapped:
            operands.reverse()
        return Real(self.math, getattr(self.math, name)(*operands))

    return run


for _symbol, _name in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("truediv", "div")):
    setattr(Real, f"__{_symbol}__", _operator(_name))
    setattr(Real, f"__r{_symbol}__", _operator(_name, swapped=True))
for _symbol, _name in (("and", "bit_and"), ("or", "bit_or")):
    setattr(Real, f"__{_symbol}__", _operator(_name))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Real, f"__{_name}__", _operator(_name))


OTHERS = frozenset("pow acos acosh asin asinh atan atanh".split())
"""Functions that kernels leave to NumPy: PyTorch's powers lose the same digits, and of infinities these have values of their own."""


class ScalarPairs(PairMath):
    """Pairs of scalars of a `ScalarMath`, which records ops or counts them."""

    def __init__(self, math: Any) -> None:
        self.math = math

    def element(self, x: Any) -> Any:
        """An element of a tensor, a scalar, as bodies see it."""
        parts = self.math.parts(x) if x.dtype.is_complex else (x,)
        reals = [Real(self.math, one) for one in parts]
        return Pair(*reals) if len(reals) == 2 else reals[0]

    def recorded(self, x: Any) -> Any:
        """What a body gives as an element of a tensor."""
        return self.math.joined(x.real.value, x.imag.value) if isinstance(x, Pair) else x.value

    def real(self, name: str) -> Callable[..., Any]:
        found = {"hypot": self._hypot, "sign": self._sign}.get(name) or getattr(self.math, name)

        def run(*operands: Any, **options: Any) -> Real:
            values = (one.value if isinstance(one, Real) else one for one in operands)
            return Real(self.math, found(*values, **options))

        return run

    def __getattribute__(self, name: str) -> Any:
        if name in OTHERS:
            raise NotImplementedError(name)
        return super().__getattribute__(name)

    def _hypot(self, x: Any, y: Any) -> Any:
        """Of float32 in float64, where no square of them overflows or vanishes."""
        math = self.math
        if math.bits(x) != 32:
            return hypot(math, x, y)
        a, b = (math.cast(one, "float64") for one in (x, y))
        length = math.cast(math.sqrt(math.add(math.mul(a, a), math.mul(b, b))), "float32")
        is_endless = math.bit_or(math.isinf(x), math.isinf(y))
        return math.where(is_endless, math.constant(float("inf"), x), length)

    def _sign(self, x: Any) -> Any:
        """0 of NaN, as PyTorch's is."""
        math = self.math
        below = math.where(math.lt(x, 0.0), math.constant(-1.0, x), math.constant(0.0, x))
        return math.where(math.gt(x, 0.0), math.constant(1.0, x), below)

    def kind_of_real(self, x: Any) -> str:
        return self.math.kind(x.value)

    def bits_of_real(self, x: Any) -> int:
        return self.math.bits(x.value)

    def real_constant(self, number: float, like: Any) -> Any:
        return Real(self.math, self.math.constant(number, like.value))

    def cast(self, x: Any, name: str, /) -> Any:
        wanted, parts = from_name(name), pair(x)
        if not wanted.is_complex:
            if name == "bool" and isinstance(x, Pair):
                return self.ne(x, 0)
            return Real(self.math, self.math.cast(parts.real.value, name))
        of = wanted.to_real().name
        real = Real(self.math, self.math.cast(parts.real.value, of))
        if not isinstance(x, Pair):
            return Pair(real, self.real_constant(0.0, real))
        return Pair(real, Real(self.math, self.math.cast(parts.imag.value, of)))
