"""Scalar bodies (Note [Scalar bodies] in ops/pointwise/scalar_math.py) on complex numbers as pairs of real ones, where nothing computes
with complex numbers as such: kernels of the CPU have pairs of scalars, operators on devices pairs of tensors.

The formulas are those of W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit" (1987), which
keep signs of zeros and lose no digits where numbers cancel; quotients are R. L. Smith's (1962). What is infinite or not a number gives
what C99 says (annex G), but for products and quotients, which are computed as they are written.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

_FLAT = 11.0
"""From here on `tanh` of a float32 is 1, and its slope below what is added to it; twice as far for a float64."""


class Pair:
    """A complex value: its real part and its imaginary part, which are real values, or numbers beside another value's."""

    __slots__ = ("imag", "real")
    __array_ufunc__ = None
    """NumPy, which some bodies call, takes no pairs."""

    def __init__(self, real: Any, imag: Any) -> None:
        self.real = real
        self.imag = imag

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return NotImplemented


def pair(x: Any) -> Pair:
    """A value or a number as a complex one."""
    if isinstance(x, Pair):
        return x
    if _is_number(x):
        number = complex(x)
        return Pair(number.real, number.imag)
    return Pair(x, 0.0)


def is_complex(*values: Any) -> bool:
    """Whether any is a complex value or number."""
    return any(isinstance(one, (Pair, complex)) for one in values)


def _is_number(x: Any) -> bool:
    return isinstance(x, (bool, int, float, complex))


def _turned(x: Pair) -> Pair:
    """i x."""
    return Pair(-x.imag, x.real)


def _turned_back(x: Pair) -> Pair:
    """x / i."""
    return Pair(x.imag, -x.real)


def _scaled(x: Pair, factor: float) -> Pair:
    return Pair(x.real * factor, x.imag * factor)


class PairMath(ABC):
    """A `ScalarMath` over pairs. A reader says what real values are, which have Python's operators, and what functions of them are."""

    @abstractmethod
    def real(self, name: str) -> Callable[..., Any]:
        """The method of that name of the `ScalarMath` for real values; `hypot` and `sign`, too."""

    @abstractmethod
    def kind_of_real(self, x: Any) -> str:
        """See `kind`."""

    @abstractmethod
    def bits_of_real(self, x: Any) -> int:
        """See `bits`."""

    @abstractmethod
    def real_constant(self, number: float, like: Any) -> Any:
        """The number as a value like another."""

    @abstractmethod
    def cast(self, x: Any, name: str, /) -> Any:
        """See `ScalarMath`; a complex number loses its imaginary part in a real one."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """What takes no complex values, which is told where it gets some: that of real ones."""
        if name.startswith("_"):
            raise AttributeError(name)
        run = self.real(name)

        def of_reals(*operands: Any) -> Any:
            if is_complex(*operands):
                raise NotImplementedError(name)
            return run(*operands)

        return of_reals

    # Types

    def kind(self, x: Any, /) -> str:
        return "c" if isinstance(x, Pair) else self.kind_of_real(x)

    def bits(self, x: Any, /) -> int:
        return 2 * self.bits_of_real(x.real) if isinstance(x, Pair) else self.bits_of_real(x)

    def constant(self, number: complex, like: Any, /) -> Any:
        if not isinstance(like, Pair):
            assert not isinstance(number, complex)
            return self.real_constant(number, like)
        parts = pair(number)
        return Pair(
            self.real_constant(parts.real, like.real), self.real_constant(parts.imag, like.real)
        )

    # Arithmetic

    def add(self, x: Any, y: Any, /) -> Any:
        if not is_complex(x, y):
            return x + y
        x, y = pair(x), pair(y)
        return Pair(x.real + y.real, x.imag + y.imag)

    def sub(self, x: Any, y: Any, /) -> Any:
        if not is_complex(x, y):
            return x - y
        x, y = pair(x), pair(y)
        return Pair(x.real - y.real, x.imag - y.imag)

    def mul(self, x: Any, y: Any, /) -> Any:
        """As everywhere, the int 1 is no factor."""
        for one, other in ((x, y), (y, x)):
            if one.__class__ is int and one == 1:
                return other
        if not is_complex(x, y):
            return x * y
        x, y = pair(x), pair(y)
        return Pair(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)

    def div(self, x: Any, y: Any, /) -> Any:
        if not is_complex(x, y):
            return x / y
        """As NumPy and C++ of PyTorch have it: by a factor, and by a positive zero where the divisor is one."""
        where, size = self.real("where"), self.real("abs")
        x, y = self._value(x, y), self._value(y, x)
        is_wide = size(y.real) >= size(y.imag)
        long, short = where(is_wide, y.real, y.imag), where(is_wide, y.imag, y.real)
        first, second = where(is_wide, x.real, x.imag), where(is_wide, x.imag, x.real)
        ratio = short / long
        factor = 1 / (long + short * ratio)
        imag = where(is_wide, x.imag - x.real * ratio, x.imag * ratio - x.real)
        zero = size(y.real) + size(y.imag)
        is_nothing = zero == 0
        return Pair(
            where(is_nothing, x.real / zero, (first + second * ratio) * factor),
            where(is_nothing, x.imag / zero, imag * factor),
        )

    def _value(self, x: Any, other: Any) -> Pair:
        """A value or a number beside another as a pair of values."""
        if isinstance(x, Pair):
            return x
        like = other.real if isinstance(other, Pair) else other
        parts = pair(x)
        if _is_number(x):
            return Pair(*(self.real_constant(one, like) for one in (parts.real, parts.imag)))
        return Pair(x, self.real_constant(0.0, x))

    def neg(self, x: Any, /) -> Any:
        return Pair(-x.real, -x.imag) if isinstance(x, Pair) else -x

    def conj(self, x: Any, /) -> Any:
        return Pair(x.real, -x.imag) if isinstance(x, Pair) else x

    def abs(self, x: Any, /) -> Any:
        return self.real("hypot")(x.real, x.imag) if isinstance(x, Pair) else self.real("abs")(x)

    def pow(self, x: Any, y: Any, /) -> Any:
        """By logarithm and exponential, as NumPy's reader has it."""
        if is_complex(x, y):
            return self.exp(self.mul(y, self.log(x)))
        return self.real("pow")(x, y)

    def pow_number(self, x: Any, y: Any, /, *, roots: bool = True, squares: str = "") -> Any:
        match y:
            case -1:
                return self.div(1.0, x)
            case 2:
                return self.mul(x, x)
            case 3:
                return self.mul(self.mul(x, x), x)
            case 0.5 if roots:
                return self.sqrt(x)
            case -0.5 if roots:
                return self.rsqrt(x)
            case _:
                return self.pow(x, y)

    # Choice, comparison

    def where(self, condition: Any, x: Any, y: Any, /) -> Any:
        where = self.real("where")
        if not is_complex(x, y):
            return where(condition, x, y)
        x, y = pair(x), pair(y)
        return Pair(where(condition, x.real, y.real), where(condition, x.imag, y.imag))

    def eq(self, x: Any, y: Any, /) -> Any:
        if not is_complex(x, y):
            return x == y
        x, y = pair(x), pair(y)
        return (x.real == y.real) & (x.imag == y.imag)

    def ne(self, x: Any, y: Any, /) -> Any:
        return ~self.eq(x, y)

    def _any_part(self, name: str, x: Any) -> Any:
        test = self.real(name)
        return test(x.real) | test(x.imag) if isinstance(x, Pair) else test(x)

    def isnan(self, x: Any, /) -> Any:
        return self._any_part("isnan", x)

    def isinf(self, x: Any, /) -> Any:
        return self._any_part("isinf", x)

    def isfinite(self, x: Any, /) -> Any:
        test = self.real("isfinite")
        return test(x.real) & test(x.imag) if isinstance(x, Pair) else test(x)

    # Exponentials and logarithms

    def _grown(self, x: Any) -> Callable[[Any], Any]:
        """What multiplies a number by e^x, which may be infinite where the product is not."""
        where, exp = self.real("where"), self.real("exp")
        limit = self._largest(x)
        is_large, is_huge = x > limit, x > 2 * limit
        length = exp(where(is_huge, x - 2 * limit, where(is_large, x - limit, x)))
        one = self.real_constant(1.0, x)
        first, second = (where(is_so, math.exp(limit), one) for is_so in (is_large, is_huge))

        def grown(part: Any) -> Any:
            return part * length * first * second

        return grown

    def _largest(self, x: Any) -> float:
        """The largest whole number of which the exponential is finite."""
        return 88.0 if self.bits_of_real(x) == 32 else 709.0

    def exp(self, x: Any, /) -> Any:
        """As C99 has it for infinities: real where the number is, and 0 or infinite though the angle is none."""
        names = ("where", "sin", "cos", "isinf", "isfinite", "copysign")
        where, sin, cos, isinf, isfinite, copysign = map(self.real, names)
        if not isinstance(x, Pair):
            return self.real("exp")(x)
        grown = self._grown(x.real)
        is_lost = isinf(x.real) & ~isfinite(x.imag)
        zero = self.real_constant(0.0, x.real)
        real = where(is_lost, where(x.real > 0, x.real, zero), grown(cos(x.imag)))
        imag = where(is_lost & (x.real < 0), copysign(zero, x.imag), grown(sin(x.imag)))
        return Pair(real, where(x.imag == 0, x.imag, imag))

    def exp2(self, x: Any, /) -> Any:
        return self.exp(_scaled(x, math.log(2))) if isinstance(x, Pair) else self.real("exp2")(x)

    def expm1(self, x: Any, /) -> Any:
        exp, expm1, sin, cos = map(self.real, ("exp", "expm1", "sin", "cos"))
        if not isinstance(x, Pair):
            return expm1(x)
        half = sin(x.imag / 2)
        return Pair(
            expm1(x.real) * cos(x.imag) - 2 * half * half,
            exp(x.real) * sin(x.imag),
        )

    def log(self, x: Any, /) -> Any:
        """Close to the unit circle by how far from it the number is; elsewhere without squares that are infinite."""
        names = ("where", "abs", "log", "log1p", "isinf", "atan2")
        where, size, of_real, log1p, isinf, atan2 = map(self.real, names)
        if not isinstance(x, Pair):
            return of_real(x)
        is_narrow = size(x.real) < size(x.imag)
        long = size(where(is_narrow, x.imag, x.real))
        short = where(is_narrow, x.real, x.imag)
        near = log1p((long - 1) * (long + 1) + short * short) / 2
        ratio = where((long == 0) & (short == 0), 0.0, short / long)
        far = of_real(long) + log1p(ratio * ratio) / 2
        real = where((long > 0.5) & (long < 2), near, far)
        is_endless = isinf(x.real) | isinf(x.imag)
        return Pair(where(is_endless, math.inf, real), atan2(x.imag, x.real))

    def log2(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("log2")(x)
        return _scaled(self.log(x), 1 / math.log(2))

    def log10(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("log10")(x)
        return _scaled(self.log(x), 1 / math.log(10))

    def log1p(self, x: Any, /) -> Any:
        names = ("where", "log", "log1p", "hypot", "atan2")
        where, log, log1p, hypot, atan2 = map(self.real, names)
        if not isinstance(x, Pair):
            return log1p(x)
        beyond = x.real * (x.real + 2) + x.imag * x.imag
        near = where(beyond == 0, x.real, log1p(beyond) / 2)
        far = log(hypot(x.real + 1, x.imag))
        return Pair(where(self.abs(x) < 0.5, near, far), atan2(x.imag, x.real + 1))

    def sqrt(self, x: Any, /) -> Any:
        """Of a quarter of large numbers, whose sums might be infinite, and of multiples of small ones, which have few digits."""
        names = ("where", "abs", "sqrt", "hypot", "isinf", "copysign")
        where, size, sqrt, hypot, isinf, copysign = map(self.real, names)
        if not isinstance(x, Pair):
            return sqrt(x)
        is_large = (size(x.real) > 1) | (size(x.imag) > 1)
        is_small = (size(x.real) < 1e-30) & (size(x.imag) < 1e-30)

        def scaled(size: Any, if_large: float, if_small: float) -> Any:
            return where(is_large, size * if_large, where(is_small, size * if_small, size))

        real, imag = (scaled(size(one), 1 / 4, 2.0**52) for one in (x.real, x.imag))
        root = sqrt((real + hypot(real, imag)) / 2)
        rest = where(root == 0, imag, imag / (2 * root))
        long, short = (scaled(one, 2.0, 2.0**-26) for one in (root, rest))
        is_left, is_endless = x.real < 0, isinf(x.imag)
        first = where(is_endless, imag, where(is_left, short, long))
        second = where(is_endless, imag, where(is_left, long, short))
        return Pair(first, copysign(second, x.imag))

    def rsqrt(self, x: Any, /) -> Any:
        return self.div(1.0, self.sqrt(x)) if isinstance(x, Pair) else self.real("rsqrt")(x)

    def sigmoid(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("sigmoid")(x)
        growth = self.exp(self.neg(x))
        return self.div(1.0, Pair(growth.real + 1, growth.imag))

    # Circular and hyperbolic functions, and their inverses

    def sinh(self, x: Any, /) -> Any:
        names = ("where", "abs", "sinh", "cosh", "sin", "cos", "sign", "isinf", "isfinite")
        where, size, sinh, cosh, sin, cos, sign, isinf, isfinite = map(self.real, names)
        if not isinstance(x, Pair):
            return sinh(x)
        grown = self._grown(size(x.real))
        is_far = size(x.real) > self._largest(x.real)
        sine, cosine = sin(x.imag), cos(x.imag)
        real = where(is_far, grown(cosine / 2) * sign(x.real), sinh(x.real) * cosine)
        is_lost = (isinf(x.real) | (x.real == 0)) & ~isfinite(x.imag)
        imag = where(is_far, grown(sine / 2), cosh(x.real) * sine)
        lost = where(x.real == 0, x.real, size(x.real))
        return Pair(where(is_lost, lost, real), where(x.imag == 0, x.imag, imag))

    def cosh(self, x: Any, /) -> Any:
        names = ("where", "abs", "sinh", "cosh", "sin", "cos", "sign", "isinf", "isfinite")
        where, size, sinh, cosh, sin, cos, sign, isinf, isfinite = map(self.real, names)
        if not isinstance(x, Pair):
            return cosh(x)
        grown = self._grown(size(x.real))
        is_far = size(x.real) > self._largest(x.real)
        sine, cosine = sin(x.imag), cos(x.imag)
        real = where(is_far, grown(cosine / 2), cosh(x.real) * cosine)
        is_lost = isinf(x.real) & ~isfinite(x.imag)
        imag = where(is_far, grown(sine / 2) * sign(x.real), sinh(x.real) * sine)
        imag = where((x.real == 0) & ~isfinite(x.imag), 0.0, imag)
        flat = where(isfinite(x.real), x.real, sign(x.real)) * x.imag
        return Pair(where(is_lost, size(x.real), real), where(x.imag == 0, flat, imag))

    def tanh(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("tanh")(x)
        names = ("where", "abs", "sign", "sqrt", "exp", "sin", "cos", "tan", "sinh")
        where, size, sign, sqrt, exp, sin, cos, tan, sinh = map(self.real, names)
        isfinite, isinf, copysign = map(self.real, ("isfinite", "isinf", "copysign"))
        slope, sine = tan(x.imag), sinh(x.real)
        growth = 1 + slope * slope
        divisor = 1 + growth * sine * sine
        is_flat = size(x.real) > _FLAT * (self.bits_of_real(x.real) // 32)
        far = 4 * sin(x.imag) * cos(x.imag) * exp(-2 * size(x.real))
        real = growth * sqrt(1 + sine * sine) * sine / divisor
        imag = where(is_flat, far, slope / divisor)
        is_known, is_endless = isfinite(x.imag), isinf(x.real)
        real = where(is_flat & (is_known | is_endless), sign(x.real), real)
        imag = where(is_endless & ~is_known, copysign(self.real_constant(0.0, imag), x.imag), imag)
        return Pair(where(x.real == 0, x.real, real), where(x.imag == 0, x.imag, imag))

    def sin(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("sin")(x)
        return _turned(self.sinh(_turned_back(x)))

    def cos(self, x: Any, /) -> Any:
        return self.cosh(_turned(x)) if isinstance(x, Pair) else self.real("cos")(x)

    def tan(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("tan")(x)
        return _turned_back(self.tanh(_turned(x)))

    def asin(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("asin")(x)
        below, above = self._roots(x)
        real = below.real * above.real - below.imag * above.imag
        imag = below.real * above.imag - below.imag * above.real
        return Pair(self.real("atan2")(x.real, real), self.real("asinh")(imag))

    def acos(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("acos")(x)
        below, above = self._roots(x)
        imag = above.real * below.imag - above.imag * below.real
        return Pair(2 * self.real("atan2")(below.real, above.real), self.real("asinh")(imag))

    def _roots(self, x: Pair) -> tuple[Pair, Pair]:
        """Of 1 - x and 1 + x."""
        return self.sqrt(Pair(1 - x.real, -x.imag)), self.sqrt(Pair(1 + x.real, x.imag))

    def atan(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("atan")(x)
        return _turned_back(self.atanh(_turned(x)))

    def asinh(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("asinh")(x)
        return _turned_back(self.asin(_turned(x)))

    def acosh(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("acosh")(x)
        below, above = self.sqrt(Pair(x.real - 1, x.imag)), self.sqrt(Pair(x.real + 1, x.imag))
        real = below.real * above.real + below.imag * above.imag
        return Pair(self.real("asinh")(real), 2 * self.real("atan2")(below.imag, above.real))

    def atanh(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return self.real("atanh")(x)
        names = ("where", "abs", "log", "log1p", "hypot", "copysign", "atan2")
        where, absolute, of_real, log1p, hypot, copysign, atan2 = map(self.real, names)
        size = absolute(x.real)
        gap = 1 - size
        distance = gap * (gap / size) + x.imag * (x.imag / size)
        beside = log1p(where(size == 0, 0.0, 4 / distance)) / 4
        two = self.real_constant(2, size)
        at_pole = of_real(hypot(x.imag, two) / absolute(x.imag)) / 2
        real = copysign(where(gap == 0, at_pole, beside), x.real)
        return Pair(real, atan2(x.imag, (gap * (1 + size) - x.imag * x.imag) / 2) / 2)
