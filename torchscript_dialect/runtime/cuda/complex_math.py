"""Scalar bodies (Note [Scalar bodies] in ops/scalar_math.py) on complex numbers of devices, whose kernels have real elements alone: a
complex value is a pair of tensors, what is real is a tensor, and each function is made of functions of real numbers.

The formulas are those of W. Kahan, "Branch cuts for complex elementary functions, or much ado about nothing's sign bit" (1987), which
keep signs of zeros and lose no digits where numbers cancel; quotients are R. L. Smith's (1962).
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any, Final

from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor

_FLAT = 11.0
"""From here on `tanh` of a float32 is 1, and its slope below what is added to it; twice as far for a float64."""


class Pair:
    """Complex numbers: their real parts and their imaginary parts, which are tensors, or numbers beside another value's tensors."""

    __slots__ = ("imag", "real")
    __array_ufunc__ = None
    """NumPy, which some bodies call, takes no pairs."""

    def __init__(self, real: Any, imag: Any) -> None:
        self.real = real
        self.imag = imag

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return NotImplemented


def _of(name: str) -> Callable[..., Any]:
    """The operator of real tensors."""

    def run(*operands: Any) -> Any:
        return call(f"aten::{name}", operands)

    return run


_where, _hypot, _atan2, _copysign = map(_of, "where hypot atan2 copysign".split())
_abs, _sign, _full_like = map(_of, "abs sign full_like".split())
_sqrt, _exp, _expm1, _log, _log1p = map(_of, "sqrt exp expm1 log log1p".split())
_sin, _cos, _tan, _sinh, _cosh, _asinh = map(_of, "sin cos tan sinh cosh asinh".split())
_isnan, _isinf, _isfinite = map(_of, "isnan isinf isfinite".split())
_NAMES = {
    "bit_and": "bitwise_and",
    "bit_or": "bitwise_or",
    "bit_xor": "bitwise_xor",
    "bit_not": "bitwise_not",
}
"""Operators that bodies call by other names."""


def _pair(x: Any) -> Pair:
    """A value or a number as a complex one."""
    if isinstance(x, Pair):
        return x
    if isinstance(x, Tensor):
        return Pair(x, 0.0)
    number = complex(x)
    return Pair(number.real, number.imag)


def _is_complex(*values: Any) -> bool:
    return any(isinstance(one, (Pair, complex)) for one in values)


def _turned(x: Pair) -> Pair:
    """i x."""
    return Pair(-x.imag, x.real)


def _turned_back(x: Pair) -> Pair:
    """x / i."""
    return Pair(x.imag, -x.real)


def _scaled(x: Pair, factor: float) -> Pair:
    return Pair(x.real * factor, x.imag * factor)


class PairMath:
    """The one instance is `PAIRS`; see the module."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """What takes no complex values, which is told where it gets some: the operator of real ones."""
        run = _of(_NAMES.get(name, name))

        def of_reals(*operands: Any) -> Any:
            if _is_complex(*operands):
                raise NotImplementedError(name)
            return run(*operands)

        return of_reals

    # Types

    @staticmethod
    def kind(x: Any, /) -> str:
        return "c" if isinstance(x, Pair) else x.array.dtype.kind

    @staticmethod
    def bits(x: Any, /) -> int:
        return 16 * x.real.array.itemsize if isinstance(x, Pair) else 8 * x.array.itemsize

    @staticmethod
    def constant(number: complex, like: Any, /) -> Any:
        if not isinstance(like, Pair):
            return _full_like(like, number)
        parts = _pair(number)
        return Pair(_full_like(like.real, parts.real), _full_like(like.real, parts.imag))

    @staticmethod
    def cast(x: Any, name: str, /) -> Any:
        wanted, parts = dtypes.from_name(name), _pair(x)
        if not wanted.is_complex:
            return _cast(parts.real, wanted)
        if not isinstance(x, Pair):
            parts = Pair(x, _full_like(x, 0))
        return Pair(*(_cast(one, wanted.to_real()) for one in (parts.real, parts.imag)))

    # Arithmetic

    @staticmethod
    def add(x: Any, y: Any, /) -> Any:
        if not _is_complex(x, y):
            return x + y
        x, y = _pair(x), _pair(y)
        return Pair(x.real + y.real, x.imag + y.imag)

    @staticmethod
    def sub(x: Any, y: Any, /) -> Any:
        if not _is_complex(x, y):
            return x - y
        x, y = _pair(x), _pair(y)
        return Pair(x.real - y.real, x.imag - y.imag)

    @staticmethod
    def mul(x: Any, y: Any, /) -> Any:
        """As everywhere, the int 1 is no factor."""
        for one, other in ((x, y), (y, x)):
            if one.__class__ is int and one == 1:
                return other
        if not _is_complex(x, y):
            return x * y
        x, y = _pair(x), _pair(y)
        return Pair(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)

    def div(self, x: Any, y: Any, /) -> Any:
        if not _is_complex(x, y):
            return x / y
        y = _pair(y)
        x = x if isinstance(x, Pair) else self.constant(x, y)
        if not isinstance(y.imag, Tensor) and y.imag == 0:
            return Pair(x.real / y.real, x.imag / y.real)
        is_wide = _abs(y.real) >= _abs(y.imag)
        long, short = _where(is_wide, y.real, y.imag), _where(is_wide, y.imag, y.real)
        first, second = _where(is_wide, x.real, x.imag), _where(is_wide, x.imag, x.real)
        ratio = _where(long == 0, 0.0, short / long)
        divisor = long + short * ratio
        imag = _where(is_wide, x.imag - x.real * ratio, x.imag * ratio - x.real)
        return Pair((first + second * ratio) / divisor, imag / divisor)

    @staticmethod
    def neg(x: Any, /) -> Any:
        return Pair(-x.real, -x.imag) if isinstance(x, Pair) else -x

    @staticmethod
    def abs(x: Any, /) -> Any:
        return _hypot(x.real, x.imag) if isinstance(x, Pair) else _abs(x)

    def pow(self, x: Any, y: Any, /) -> Any:
        """By logarithm and exponential, as NumPy's reader has it."""
        return self.exp(self.mul(y, self.log(x))) if _is_complex(x, y) else x**y

    def pow_number(self, x: Any, y: Any, /, *, roots: bool = True) -> Any:
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

    @staticmethod
    def where(condition: Tensor, x: Any, y: Any, /) -> Any:
        if not _is_complex(x, y):
            return _where(condition, x, y)
        x, y = _pair(x), _pair(y)
        return Pair(_where(condition, x.real, y.real), _where(condition, x.imag, y.imag))

    @staticmethod
    def eq(x: Any, y: Any, /) -> Tensor:
        if not _is_complex(x, y):
            return x == y
        x, y = _pair(x), _pair(y)
        return (x.real == y.real) & (x.imag == y.imag)

    def ne(self, x: Any, y: Any, /) -> Tensor:
        return ~self.eq(x, y)

    @staticmethod
    def isnan(x: Any, /) -> Tensor:
        return _isnan(x.real) | _isnan(x.imag) if isinstance(x, Pair) else _isnan(x)

    @staticmethod
    def isinf(x: Any, /) -> Tensor:
        return _isinf(x.real) | _isinf(x.imag) if isinstance(x, Pair) else _isinf(x)

    @staticmethod
    def isfinite(x: Any, /) -> Tensor:
        return _isfinite(x.real) & _isfinite(x.imag) if isinstance(x, Pair) else _isfinite(x)

    # Exponentials and logarithms

    @staticmethod
    def exp(x: Any, /) -> Any:
        """0 where the real part is -inf, and real where the number is, whatever products of infinities are."""
        if not isinstance(x, Pair):
            return _exp(x)
        length = _exp(x.real)
        imag = _where(x.imag == 0, x.imag, length * _sin(x.imag))
        is_nothing = length == 0
        return Pair(_where(is_nothing, 0.0, length * _cos(x.imag)), _where(is_nothing, 0.0, imag))

    def exp2(self, x: Any, /) -> Any:
        return self.exp(_scaled(x, log(2))) if isinstance(x, Pair) else _of("exp2")(x)

    @staticmethod
    def expm1(x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _expm1(x)
        half = _sin(x.imag / 2)
        return Pair(
            _expm1(x.real) * _cos(x.imag) - 2 * half * half,
            _where(x.imag == 0, x.imag, _exp(x.real) * _sin(x.imag)),
        )

    @staticmethod
    def log(x: Any, /) -> Any:
        """Close to the unit circle by how far from it the number is; elsewhere without squares that are infinite."""
        if not isinstance(x, Pair):
            return _log(x)
        is_wide = _abs(x.real) >= _abs(x.imag)
        long = _abs(_where(is_wide, x.real, x.imag))
        short = _where(is_wide, x.imag, x.real)
        near = _log1p((long - 1) * (long + 1) + short * short) / 2
        ratio = _where((long == 0) | _isinf(long), 0.0, short / long)
        far = _log(long) + _log1p(ratio * ratio) / 2
        return Pair(_where((long > 0.5) & (long < 2), near, far), _atan2(x.imag, x.real))

    def log2(self, x: Any, /) -> Any:
        return _scaled(self.log(x), 1 / log(2)) if isinstance(x, Pair) else _of("log2")(x)

    def log10(self, x: Any, /) -> Any:
        return _scaled(self.log(x), 1 / log(10)) if isinstance(x, Pair) else _of("log10")(x)

    def log1p(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _log1p(x)
        beyond = x.real * (x.real + 2) + x.imag * x.imag
        is_near = (beyond > -0.75) & (beyond < 3)
        moved = self.log(Pair(x.real + 1, x.imag))
        return Pair(_where(is_near, _log1p(beyond) / 2, moved.real), moved.imag)

    @staticmethod
    def sqrt(x: Any, /) -> Any:
        """Of a quarter of large numbers, whose sums might be infinite, and of multiples of small ones, which have few digits."""
        if not isinstance(x, Pair):
            return _sqrt(x)
        is_large = (_abs(x.real) > 1) | (_abs(x.imag) > 1)
        is_small = (_abs(x.real) < 1e-30) & (_abs(x.imag) < 1e-30)

        def scaled(size: Any, if_large: float, if_small: float) -> Any:
            return _where(is_large, size * if_large, _where(is_small, size * if_small, size))

        real, imag = (scaled(_abs(one), 1 / 4, 2.0**52) for one in (x.real, x.imag))
        root = _sqrt((real + _hypot(real, imag)) / 2)
        rest = _where(root == 0, imag, imag / (2 * root))
        long, short = (scaled(one, 2.0, 2.0**-26) for one in (root, rest))
        is_left, is_endless = x.real < 0, _isinf(x.imag)
        first = _where(is_endless, imag, _where(is_left, short, long))
        second = _where(is_endless, imag, _where(is_left, long, short))
        return Pair(first, _copysign(second, x.imag))

    def rsqrt(self, x: Any, /) -> Any:
        return self.div(1.0, self.sqrt(x)) if isinstance(x, Pair) else _of("rsqrt")(x)

    def sigmoid(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("sigmoid")(x)
        growth = self.exp(self.neg(x))
        return self.div(1.0, Pair(growth.real + 1, growth.imag))

    # Circular and hyperbolic functions, and their inverses

    @staticmethod
    def sinh(x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _sinh(x)
        imag = _where(x.imag == 0, x.imag, _cosh(x.real) * _sin(x.imag))
        return Pair(_where(x.real == 0, x.real, _sinh(x.real) * _cos(x.imag)), imag)

    @staticmethod
    def cosh(x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _cosh(x)
        is_real = (x.real == 0) | (x.imag == 0)
        imag = _where(is_real, _sign(x.real) * x.imag, _sinh(x.real) * _sin(x.imag))
        return Pair(_cosh(x.real) * _cos(x.imag), imag)

    @staticmethod
    def tanh(x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("tanh")(x)
        slope, sine = _tan(x.imag), _sinh(x.real)
        growth = 1 + slope * slope
        divisor = 1 + growth * sine * sine
        is_flat = _abs(x.real) > _FLAT * (x.real.array.itemsize // 4)
        far = 4 * _sin(x.imag) * _cos(x.imag) * _exp(-2 * _abs(x.real))
        real = growth * _sqrt(1 + sine * sine) * sine / divisor
        return Pair(_where(is_flat, _sign(x.real), real), _where(is_flat, far, slope / divisor))

    def sin(self, x: Any, /) -> Any:
        return _turned_back(self.sinh(_turned(x))) if isinstance(x, Pair) else _sin(x)

    def cos(self, x: Any, /) -> Any:
        return self.cosh(_turned(x)) if isinstance(x, Pair) else _cos(x)

    def tan(self, x: Any, /) -> Any:
        return _turned_back(self.tanh(_turned(x))) if isinstance(x, Pair) else _tan(x)

    def asin(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("asin")(x)
        below, above = self._roots(x)
        real = below.real * above.real - below.imag * above.imag
        imag = below.real * above.imag - below.imag * above.real
        return Pair(_atan2(x.real, real), _asinh(imag))

    def acos(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("acos")(x)
        below, above = self._roots(x)
        imag = above.real * below.imag - above.imag * below.real
        return Pair(2 * _atan2(below.real, above.real), _asinh(imag))

    def _roots(self, x: Pair) -> tuple[Pair, Pair]:
        """Of 1 - x and 1 + x."""
        return self.sqrt(Pair(1 - x.real, -x.imag)), self.sqrt(Pair(1 + x.real, x.imag))

    def atan(self, x: Any, /) -> Any:
        return _turned_back(self.atanh(_turned(x))) if isinstance(x, Pair) else _of("atan")(x)

    def asinh(self, x: Any, /) -> Any:
        return _turned_back(self.asin(_turned(x))) if isinstance(x, Pair) else _asinh(x)

    def acosh(self, x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("acosh")(x)
        below, above = self.sqrt(Pair(x.real - 1, x.imag)), self.sqrt(Pair(x.real + 1, x.imag))
        real = below.real * above.real + below.imag * above.imag
        return Pair(_asinh(real), 2 * _atan2(below.imag, above.real))

    @staticmethod
    def atanh(x: Any, /) -> Any:
        if not isinstance(x, Pair):
            return _of("atanh")(x)
        size = _abs(x.real)
        gap = 1 - size
        distance = gap * (gap / size) + x.imag * (x.imag / size)
        beside = _log1p(_where(size == 0, 0.0, 4 / distance)) / 4
        at_pole = _log(_hypot(x.imag, _full_like(size, 2)) / _abs(x.imag)) / 2
        real = _copysign(_where(gap == 0, at_pole, beside), x.real)
        return Pair(real, _atan2(x.imag, (gap * (1 + size) - x.imag * x.imag) / 2) / 2)


def _cast(x: Tensor, wanted: dtype) -> Tensor:
    return x if x.dtype is wanted else call("aten::to", (x, wanted))


PAIRS: Final = PairMath()
