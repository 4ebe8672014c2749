"""`arith` and `math`, which do the same to scalars and to each lane of vectors."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import (
    BFloat16Type,
    ComplexType,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ShapedType,
    VectorType,
)
from xdsl.ir import Attribute

from lowering.interpreter.machine import Machine, NotInterpretable, handles, number_of

_FLOATS: dict[type[Attribute], Any] = {
    Float64Type: np.float64,
    Float32Type: np.float32,
    Float16Type: np.float16,
    BFloat16Type: ml_dtypes.bfloat16,
}


def numpy_type(type_: Any) -> np.dtype[Any]:
    """The dtype of a scalar, or of the elements of a vector, memref or tensor. Integers are signed, as signless ones print."""
    if isinstance(type_, ShapedType):
        return numpy_type(type_.get_element_type())  # pyright: ignore
    if isinstance(type_, IndexType):
        return np.dtype(np.int64)
    if isinstance(type_, IntegerType):
        width: int = type_.width.data  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return np.dtype(np.bool_) if width == 1 else np.dtype(f"i{width // 8}")
    if isinstance(type_, ComplexType):
        return np.dtype(f"c{2 * numpy_type(type_.element_type).itemsize}")  # pyright: ignore[reportUnknownMemberType]
    if type(type_) in _FLOATS:
        return np.dtype(_FLOATS[type(type_)])
    raise NotInterpretable(f"values of type {type_} have no interpreter")


def _unsigned(value: Any) -> Any:
    array = np.asarray(value)
    if array.dtype == np.bool_:
        return array
    return array.view(np.dtype(f"u{array.dtype.itemsize}"))


def _of(value: Any, type_: Any) -> Any:
    """The value in the dtype of a type; a scalar where the type is one."""
    made = np.asarray(value).astype(numpy_type(type_), copy=False)
    return made if isinstance(type_, ShapedType) or made.ndim else made[()]


@handles("arith.constant")
def _constant(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value, type_ = op.value, op.results[0].type
    if isinstance(value, DenseIntOrFPElementsAttr):
        numbers = np.array(list(value.get_values()), dtype=numpy_type(type_))
        shape = type_.get_shape()
        if numbers.size == 1:
            return (np.full(shape, numbers.reshape(())[()]),)
        return (numbers.reshape(shape),)
    number = value.value.data
    if numpy_type(type_).kind == "i":
        bits = 8 * numpy_type(type_).itemsize
        number = (number + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))
    return (numpy_type(type_).type(number),)


@handles("complex.create")
def _complex(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    real, imag = np.broadcast_arrays(*args)
    made = np.empty(real.shape, numpy_type(op.results[0].type))
    made.real, made.imag = real, imag
    return (made if made.ndim else made[()],)


@handles("complex.re")
def _real_part(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (args[0].real,)


@handles("complex.im")
def _imaginary_part(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (args[0].imag,)


def _result(machine: Machine, op: Any, value: Any) -> Sequence[Any]:
    return (_of(value, op.results[0].type),)


def _declare(
    name: str, function: Callable[..., Any], way: Callable[[Machine, Any, list[Any]], Any]
) -> None:
    def run(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
        return _result(machine, op, way(machine, function(*args), args))

    handles(name)(run)


def _exact(machine: Machine, value: Any, args: list[Any]) -> Any:
    return value


def _arithmetic(machine: Machine, value: Any, args: list[Any]) -> Any:
    return machine.rounding.arithmetic(value, *args)


def _quotient(machine: Machine, value: Any, args: list[Any]) -> Any:
    return machine.rounding.arithmetic(value)


def _function(machine: Machine, value: Any, args: list[Any]) -> Any:
    return machine.rounding.function(value)


def _whole(divide: Callable[[Any, Any], Any], *, is_signed: bool) -> Callable[[Any, Any], Any]:
    """Division of integers on Python's, rounded by `divide`; by zero, where MLIR leaves it open, the result is zero."""

    def run(x: Any, y: Any) -> Any:
        a, b = (np.asarray(v if is_signed else _unsigned(v)) for v in (x, y))
        kind, bits = np.asarray(x).dtype, 8 * np.asarray(x).dtype.itemsize
        pairs = np.broadcast(a, b)
        found = [divide(int(i), int(j)) if j else 0 for i, j in pairs]
        wrapped = [(n + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)) for n in found]
        return np.array(wrapped, dtype=np.int64).astype(kind).reshape(pairs.shape)

    return run


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _shift(kind: str) -> Callable[[Any, Any], Any]:
    def run(x: Any, y: Any) -> Any:
        amount = np.minimum(_unsigned(y).astype(np.uint64), 63).astype(np.asarray(x).dtype)
        if kind == "left":
            return np.left_shift(x, amount)
        if kind == "signed":
            return np.right_shift(x, amount)
        whole = _unsigned(x)
        return np.right_shift(whole, amount.astype(whole.dtype)).view(np.asarray(x).dtype)

    return run


_where: Callable[..., Any] = np.where


def extreme(machine: Machine, kind: str, x: Any, y: Any) -> Any:
    """`minimumf` and `maximumf`: NaN if either is. Which of a zero and a negative zero it is PyTorch leaves open (its vector lanes
    give the second one, the last elements the first), and so do our kernels.
    """
    machine.is_undefined |= bool(np.any((x == y) & (np.signbit(x) != np.signbit(y))))
    compare = np.less if kind == "minimumf" else np.greater
    chosen = _where(compare(x, y), x, y)
    return _where(np.isnan(x), x, _where(np.isnan(y), y, chosen))


@handles("arith.minimumf", "arith.maximumf")
def _extreme(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return _result(machine, op, extreme(machine, op.name.rpartition(".")[2], *args))


def _smaller(x: Any, y: Any) -> Any:
    return _where(_unsigned(x) < _unsigned(y), x, y)


def _larger(x: Any, y: Any) -> Any:
    return _where(_unsigned(x) > _unsigned(y), x, y)


def _count_ones(x: Any) -> Any:
    return np.bitwise_count(_unsigned(x))


_EXACT: dict[str, Callable[..., Any]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.shli": _shift("left"),
    "arith.shrsi": _shift("signed"),
    "arith.shrui": _shift("unsigned"),
    "arith.divsi": _whole(_toward_zero, is_signed=True),
    "arith.divui": _whole(lambda a, b: a // b, is_signed=False),
    "arith.floordivsi": _whole(lambda a, b: a // b, is_signed=True),
    "arith.remsi": _whole(lambda a, b: a - b * _toward_zero(a, b), is_signed=True),
    "arith.remui": _whole(lambda a, b: a % b, is_signed=False),
    "arith.minsi": np.minimum,
    "arith.maxsi": np.maximum,
    "arith.minui": _smaller,
    "arith.maxui": _larger,
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.absi": np.abs,
    "math.copysign": np.copysign,
    "math.floor": np.floor,
    "math.ceil": np.ceil,
    "math.trunc": np.trunc,
    "math.roundeven": np.rint,
    "math.ctpop": _count_ones,
}
_ROUNDED: dict[str, Callable[..., Any]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
}
_QUOTIENTS: dict[str, Callable[..., Any]] = {"arith.divf": np.divide, "math.sqrt": np.sqrt}


def _reciprocal_root(x: Any) -> Any:
    return 1 / np.sqrt(x)


def _erf(x: Any) -> Any:
    from torchscript_dialect.ops.special.error_function import erf

    return erf(np.asarray(x))


def _erfc(x: Any) -> Any:
    from torchscript_dialect.ops.special.error_function import erfc

    return erfc(np.asarray(x))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "math.exp": np.exp,
    "math.exp2": np.exp2,
    "math.expm1": np.expm1,
    "math.log": np.log,
    "math.log2": np.log2,
    "math.log10": np.log10,
    "math.log1p": np.log1p,
    "math.rsqrt": _reciprocal_root,
    "math.cbrt": np.cbrt,
    "math.sin": np.sin,
    "math.cos": np.cos,
    "math.tan": np.tan,
    "math.asin": np.arcsin,
    "math.acos": np.arccos,
    "math.atan": np.arctan,
    "math.atan2": np.arctan2,
    "math.sinh": np.sinh,
    "math.cosh": np.cosh,
    "math.tanh": np.tanh,
    "math.asinh": np.arcsinh,
    "math.acosh": np.arccosh,
    "math.atanh": np.arctanh,
    "math.powf": np.power,
    "math.erf": _erf,
    "math.erfc": _erfc,
}
for _table, _way in (
    (_EXACT, _exact),
    (_ROUNDED, _arithmetic),
    (_QUOTIENTS, _quotient),
    (_FUNCTIONS, _function),
):
    for _name, _body in _table.items():
        _declare(_name, _body, _way)


@cache
def _libm() -> tuple[Any, Any]:
    """C's `fmaf` and `fma`."""
    library = ctypes.CDLL(None)
    for function, number in ((library.fmaf, ctypes.c_float), (library.fma, ctypes.c_double)):
        function.argtypes, function.restype = [number] * 3, number
    return library.fmaf, library.fma


def fused(x: Any, y: Any, z: Any) -> Any:
    """x * y + z, rounded once."""
    kind = np.asarray(x).dtype
    function = _libm()[kind == np.float64]
    numbers = [function(float(a), float(b), float(c)) for a, b, c in np.broadcast(x, y, z)]
    return np.array(numbers, kind).reshape(np.shape(x))


@handles("math.fma", "vector.fma")
def _fma(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return _result(machine, op, machine.rounding.arithmetic(fused(*args), *args))


@handles("arith.select")
def _select(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """Of scalars, vectors, and whole buffers."""
    condition, then, otherwise = args
    if np.ndim(condition):
        return _result(machine, op, np.where(condition, then, otherwise))
    return (then if condition else otherwise,)


# Comparisons.


def _compare(predicate: str, x: Any, y: Any) -> Any:
    """`olt`: less and neither NaN; `ult`: not greater or equal; `slt`, `ult` of integers: less."""
    if predicate in ("false", "true"):
        return np.full(np.shape(x), predicate == "true")
    unordered = np.isnan(x) | np.isnan(y)
    if predicate in ("ord", "uno"):
        return ~unordered if predicate == "ord" else unordered
    order = _ORDERS[predicate[1:]](x, y)
    return order & ~unordered if predicate[0] == "o" else order | unordered


_ORDERS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}


@handles("arith.cmpf")
def _cmpf(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    predicate = CMPF_COMPARISON_OPERATIONS[number_of(op, "predicate")]
    return _result(machine, op, _compare(predicate, *args))


@handles("arith.cmpi")
def _cmpi(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    predicate = CMPI_COMPARISON_OPERATIONS[number_of(op, "predicate")]
    if predicate.startswith("u"):
        args = [_unsigned(arg) for arg in args]
    return _result(machine, op, _ORDERS[predicate[-2:]](*args))


# Conversions.


@handles("arith.extf", "arith.truncf", "arith.sitofp", "arith.index_cast", "arith.trunci")
def _convert(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value = np.asarray(args[0])
    if op.name.endswith("trunci") and numpy_type(op.results[0].type) == np.bool_:
        value = value & 1
    if op.name.endswith(("sitofp", "index_cast")) and value.dtype == np.bool_:
        value = -value.astype(np.int64)
    return _result(machine, op, value)


@handles("arith.extsi")
def _extsi(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value = np.asarray(args[0])
    return _result(machine, op, -value.astype(np.int64) if value.dtype == np.bool_ else value)


@handles("arith.extui", "arith.uitofp", "arith.index_castui")
def _from_unsigned(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return _result(machine, op, _unsigned(args[0]))


@handles("arith.fptosi", "arith.fptoui")
def _to_integer(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """What does not fit is poison."""
    value, kind = np.trunc(np.asarray(args[0]).astype(np.float64)), numpy_type(op.results[0].type)
    bits = 8 * kind.itemsize
    low, high = (
        (0.0, 2.0**bits)
        if op.name.endswith("fptoui")
        else (-(2.0 ** (bits - 1)), 2.0 ** (bits - 1))
    )
    fits = (value >= low) & (value < high)
    machine.is_undefined |= not bool(np.all(fits))
    whole = np.where(fits, value, 0)
    made = (
        whole.astype(np.uint64).astype(kind) if op.name.endswith("fptoui") else whole.astype(kind)
    )
    return _result(machine, op, made)


@handles("arith.bitcast", "vector.bitcast")
def _bitcast(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    type_ = op.results[0].type
    made = np.atleast_1d(np.asarray(args[0])).view(numpy_type(type_))
    return (made if isinstance(type_, VectorType) else made[0],)
