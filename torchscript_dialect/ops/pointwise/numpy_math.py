"""Scalar bodies on NumPy arrays (`scalar_math.ScalarMath`): a value is an array, a method a ufunc.

Callers silence NumPy's floating-point warnings. Python numbers stay weakly typed, as NumPy has it since 2.0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.special import error_function
from torchscript_dialect.tensor import dtype as dtypes

_DIVISION_BY_ZERO = "ZeroDivisionError"


def log1p(x: Any, /) -> Any:
    """NumPy's, but for complex numbers, whose parts keep their digits near 0 as in PyTorch, which complex_math.py computes alike."""
    if x.dtype.kind != "c":
        return np.log1p(x)
    numpy: Any = np
    result = numpy.asarray(numpy.log1p(x))
    beyond = x.real * (2 + x.real) + x.imag * x.imag
    near = numpy.where(beyond == 0, x.real, numpy.log1p(beyond) / 2)
    result.real = numpy.where(numpy.abs(x) < 0.5, near, result.real)
    return result


def complex_logaddexp(x: Any, y: Any) -> Any:
    """log(e^x + e^y) of complex numbers, without overflow on the way; NaN in both parts where there is one."""
    numpy: Any = np
    is_less = x.real < y.real
    low, top = numpy.where(is_less, x, y), numpy.where(is_less, y, x)
    missing = x.dtype.type(complex(np.nan, np.nan))
    same_infinity = ~numpy.isfinite(low.real) & (low.real == top.real)
    near = top + log1p(numpy.exp(low - top))
    far = numpy.where(low.real < 0, low, numpy.log(numpy.exp(low) + numpy.exp(top)))
    result = numpy.where(same_infinity, far, near)
    return numpy.where(numpy.isnan(x) | numpy.isnan(y), missing, result)


class NumpyMath:
    """The one instance is `NUMPY`; see the module."""

    @staticmethod
    def kind(x: Any, /) -> str:
        return x.dtype.kind

    @staticmethod
    def bits(x: Any, /) -> int:
        return 8 * x.dtype.itemsize

    @staticmethod
    def constant(number: complex, like: Any, /) -> Any:
        return like.dtype.type(number)

    @staticmethod
    def cast(x: Any, dtype: str, /) -> Any:
        return np.asarray(x).astype(dtypes.from_name(dtype).numpy_dtype, copy=False)

    @staticmethod
    def loop(
        first: Sequence[Any],
        goes_on: Callable[..., Any],
        step: Callable[..., Sequence[Any]],
        /,
    ) -> list[Any]:
        numpy: Any = np
        values = list(first)
        while numpy.any(on := goes_on(*values)):
            pairs = zip(step(*values), values, strict=True)
            values: list[Any] = [numpy.where(on, new, old) for new, old in pairs]
        return values

    @staticmethod
    def gcd(x: Any, y: Any, /) -> Any:
        """PyTorch's has a sign where an operand is the least integer, which has no magnitude."""
        found = np.gcd(x, y)
        if found.dtype.kind == "u":
            return found
        least = np.iinfo(found.dtype).min
        is_least = (x == least) | (y == least)
        if not np.any(is_least):
            return found
        a, b = np.abs(x), np.abs(y)
        while np.any(goes_on := a != 0):
            rest = np.fmod(b, np.where(goes_on, a, 1))
            a, b = np.where(goes_on, rest, 0), np.where(goes_on, a, b)
        return np.where(is_least, b, found)

    @staticmethod
    def lcm(x: Any, y: Any, /) -> Any:
        found = np.lcm(x, y)
        return np.abs(found) if found.itemsize >= 4 else found  # C computes what is smaller as ints

    add = np.add
    sub = np.subtract
    div = np.true_divide

    @staticmethod
    def mul(x: Any, y: Any, /) -> Any:
        if x.__class__ is int or x.__class__ is float:
            if x == 1 and x.__class__ is int:
                return y
            if y.__class__ is int or y.__class__ is float:
                return x * y
        if y.__class__ is int and y == 1:
            return x
        return np.multiply(x, y)

    @staticmethod
    def trunc_div(x: Any, y: Any, /) -> Any:
        _refuse_zero(x, y)
        quotient = np.floor_divide(x, y)
        inexact = np.multiply(quotient, y) != x
        return quotient + (inexact & ((np.less(x, 0)) != np.less(y, 0))).astype(quotient.dtype)

    @staticmethod
    def floor_div(x: Any, y: Any, /) -> Any:
        _refuse_zero(x, y)
        return np.floor_divide(x, y)

    @staticmethod
    def fmod(x: Any, y: Any, /) -> Any:
        if (x if hasattr(x, "dtype") else y).dtype.kind != "f":
            _refuse_zero(x, y)
        return np.fmod(x, y)

    neg = np.negative
    abs = np.abs

    @staticmethod
    def minimum(x: Any, y: Any, /) -> Any:
        """Of a zero and a negative zero the first, for NumPy gives the second: `relu(-0.0)` is -0.0."""
        return np.minimum(y, x)

    @staticmethod
    def maximum(x: Any, y: Any, /) -> Any:
        """As `minimum`."""
        return np.maximum(y, x)

    copysign = np.copysign
    where = staticmethod(np.where)
    eq = np.equal
    ne = np.not_equal
    lt = np.less
    le = np.less_equal
    gt = np.greater
    ge = np.greater_equal
    bit_and = np.bitwise_and
    bit_or = np.bitwise_or
    bit_xor = np.bitwise_xor
    bit_not = np.invert
    shift_left = np.left_shift
    shift_right = np.right_shift
    isnan = np.isnan
    isinf = np.isinf
    isfinite = np.isfinite
    exp = np.exp
    exp2 = np.exp2
    expm1 = np.expm1
    log = np.log
    log2 = np.log2
    log10 = np.log10
    log1p = staticmethod(log1p)
    sqrt = np.sqrt
    sin = np.sin
    cos = np.cos
    tan = np.tan
    asin = np.arcsin
    acos = np.arccos
    atan = np.arctan
    sinh = np.sinh
    cosh = np.cosh
    tanh = np.tanh
    asinh = np.arcsinh
    acosh = np.arccosh
    atanh = np.arctanh
    atan2 = np.arctan2
    erf = staticmethod(error_function.erf)
    erfc = staticmethod(error_function.erfc)
    floor = np.floor
    ceil = np.ceil
    trunc = np.trunc
    round = np.rint

    @staticmethod
    def pow(x: Any, y: Any, /) -> Any:
        """Of complex numbers by logarithm and exponential, as C does it: NumPy has cases of its own for zeros and integers."""
        kind = np.result_type(x, y).kind
        if kind == "c":
            return np.exp(np.multiply(y, np.log(x)))
        if kind == "f":
            roots: Any = np.equal(y, 0.5)
            if roots.any():
                x = _without_signs_of_extremes(x, roots)
        return np.power(x, y)

    @staticmethod
    def pow_number(x: Any, y: Any, /, *, roots: bool = True, squares: str = "") -> Any:
        if y == -1 and np.result_type(x).kind == "c":
            return np.true_divide(1, x)
        if y == 2:
            return np.multiply(x, x)
        if y == 3 or (roots and y == -2 and np.result_type(x).kind == "f"):
            square = np.multiply(x, x)
            if squares:
                square = NumpyMath.cast(NumpyMath.cast(square, squares), "float32")
            return np.multiply(square, x) if y == 3 else np.true_divide(1, square)
        if roots and y == 0.5:
            return np.sqrt(x)
        if roots and y == -0.5:
            return np.true_divide(1, np.sqrt(x))
        return NumpyMath.pow(x, y)

    @staticmethod
    def rsqrt(x: Any, /) -> Any:
        return np.true_divide(1, np.sqrt(x))

    @staticmethod
    def sigmoid(x: Any, /) -> Any:
        result = np.negative(x)
        if result.__class__ is np.ndarray:
            np.exp(result, result)
            np.add(result, 1, result)
            return np.true_divide(1, result, result)
        return np.true_divide(1, np.add(np.exp(result), 1))


def _without_signs_of_extremes(x: Any, where: NDArray[np.bool_]) -> NDArray[Any]:
    """x, positive where it is a zero or an infinity: NumPy takes a root for a broadcast 0.5, which keeps the sign of -0.0."""
    extreme = np.logical_or(np.equal(x, 0), np.isinf(x))
    return np.where(np.logical_and(where, extreme), np.abs(x), np.asarray(x))


def _refuse_zero(x: Any, y: Any) -> None:
    if not np.all(y) and np.size(x):
        raise RuntimeError(_DIVISION_BY_ZERO)


NUMPY: Final = NumpyMath()


class _Operand:
    """Stands for an array where it is asked what a body does with it."""


class _Call(NamedTuple):
    ufunc: np.ufunc
    operands: tuple[Any, ...]


class _Probe:
    """What a body gets in the place of `NUMPY`, to tell which ufunc it calls."""

    def __getattr__(self, name: str) -> Any:
        found: Any = np.multiply if name == "mul" else getattr(NUMPY, name)
        if not isinstance(found, np.ufunc):
            raise AttributeError(name)
        return partial(_call_of, found)


def _call_of(ufunc: np.ufunc, *operands: Any) -> Any:
    if ufunc is np.multiply and operands[0].__class__ is int and operands[0] == 1:
        return operands[1]
    return _Call(ufunc, operands)


def only_ufunc(body: Any, count: int) -> np.ufunc | None:
    """The ufunc that is all that a body does with its first operands where the others are 1; None where it does more."""
    operands = tuple(_Operand() for _ in range(count))
    others = body.__code__.co_argcount - 1 - count if hasattr(body, "__code__") else -1
    if others not in (0, 1):
        return None
    try:
        found = body(_Probe(), *operands, *(1,) * others)
    except (AttributeError, TypeError, RuntimeError):
        return None
    is_one = found.__class__ is _Call and found.operands == operands
    return found.ufunc if is_one else None
