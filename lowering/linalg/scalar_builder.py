"""The second reader of scalar bodies (Note [Scalar bodies] in ops/pointwise/scalar_math.py): every call records `arith` and `math` ops.

Values carry PyTorch's dtype, as MLIR's integers have no sign. Constants are recorded once a body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from xdsl.dialects import arith, complex, math
from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    ComplexType,
    Float16Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import NONE, create
from lowering.dialects import math_ext
from lowering.kernel import LoweringError
from torchscript_dialect.tensor.dtype import (
    bool_,
    complex64,
    complex128,
    dtype,
    from_name,
    int64,
    uint8,
)

FLAGS: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_OVERFLOW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_CMPF = {name: index for index, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)}
_CMPI = {name: index for index, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)}

_FLOAT_TYPES: dict[str, AnyFloat] = {
    "float16": Float16Type(),
    "bfloat16": BFloat16Type(),
    "float32": f32,
    "float64": f64,
}


def element_type(of: dtype) -> Attribute:
    """The MLIR type of an element: signless integers, i1 for bool.

    Raises:
        LoweringError: no type stands for the dtype.
    """
    if of is bool_:
        return i1
    if of.name in _FLOAT_TYPES:
        return _FLOAT_TYPES[of.name]
    if of.is_integral:
        return IntegerType(8 * of.itemsize)
    if of in (complex64, complex128):
        return ComplexType(_FLOAT_TYPES[of.to_real().name])
    raise LoweringError(f"the compiler has no elements of {of!r}")


class Scalar(NamedTuple):
    """One element, and its dtype."""

    ssa: SSAValue
    dtype: dtype


class ScalarBuilder:
    """A `ScalarMath` that records ops into `ops`."""

    def __init__(self, *, reduces: bool = False) -> None:
        """`reduces` says that the ops combine elements, in any order."""
        self.reduces = reduces
        self.ops: list[Operation] = []
        self._constants: dict[tuple[dtype, str], Scalar] = {}
        self._numbers: dict[SSAValue, Any] = {}
        self._parts: dict[SSAValue, tuple[Scalar, Scalar]] = {}

    def op(
        self,
        class_: type[Operation],
        operands: Sequence[Scalar],
        of: dtype,
        properties: Mapping[str, Attribute] = NONE,
        type_: Attribute | None = None,
    ) -> Scalar:
        """Record an op; its result has the type of elements of the dtype, or another one that holds the number, too."""
        values = [operand.ssa for operand in operands]
        made = create(class_, values, (type_ or element_type(of),), properties)
        self.ops.append(made)
        return Scalar(made.results[0], of)

    # Complex numbers

    def parts(self, x: Scalar) -> tuple[Scalar, Scalar]:
        """The real and the imaginary part of an element."""
        found = self._parts.get(x.ssa)
        if found is None:
            of = x.dtype.to_real()
            found = self.op(complex.ReOp, (x,), of, FLAGS), self.op(complex.ImOp, (x,), of, FLAGS)
            self._parts[x.ssa] = found
        return found

    def joined(self, real: Scalar, imag: Scalar) -> Scalar:
        """The complex number with these parts."""
        return self.op(complex.CreateOp, (real, imag), real.dtype.to_complex())

    # Types

    def kind(self, x: Scalar, /) -> str:
        if x.dtype is bool_:
            return "b"
        if x.dtype.is_floating_point:
            return "f"
        return "i" if x.dtype.is_signed else "u"

    def bits(self, x: Scalar, /) -> int:
        return 8 * x.dtype.itemsize

    def constant(self, number: float, like: Scalar, /) -> Scalar:
        return self.number(number, like.dtype)

    def wrap(self, value: SSAValue, of: dtype) -> Scalar:
        """A number from outside of the body."""
        return Scalar(value, of)

    def scalar(self, value: Any, of: dtype) -> Scalar:
        """A value as it is, a Python number as a constant of the dtype."""
        return value if isinstance(value, Scalar) else self.number(value, of)

    def number(self, number: Any, of: dtype) -> Scalar:
        """The number as a constant of the dtype."""
        key = (of, repr(number))
        if key not in self._constants:
            type_ = element_type(of)
            value: Attribute
            if isinstance(type_, IntegerType):
                whole = int(bool(number)) if of is bool_ else int(number)
                value = IntegerAttr(whole, cast(IntegerType, type_), truncate_bits=True)
            else:
                value = FloatAttr(float(number), _FLOAT_TYPES[of.name])
            self._constants[key] = self.op(arith.ConstantOp, (), of, {"value": value})
            self._numbers[self._constants[key].ssa] = number
        return self._constants[key]

    def of_index(self, value: SSAValue, of: dtype) -> Scalar:
        """An index as a number of the dtype."""
        return self.cast(self.op(arith.IndexCastOp, (Scalar(value, int64),), int64), of.name)

    def cast(self, x: Scalar, name: str, /) -> Scalar:
        target = from_name(name)
        source = x.dtype
        if target is source:
            return x
        if target is bool_:
            return self.ne(x, 0)
        if source.is_floating_point and target.is_floating_point:
            if source.itemsize == target.itemsize:
                return self.cast(self.op(arith.ExtFOp, (x,), from_name("float32")), name)
            if source.itemsize == 4 * target.itemsize:  # C++ has no other way for PyTorch's classes
                return self.cast(self.op(arith.TruncFOp, (x,), from_name("float32")), name)
            wider = target.itemsize > source.itemsize
            return self.op(arith.ExtFOp if wider else arith.TruncFOp, (x,), target)
        if target.is_floating_point:
            signed = source.is_signed and source is not bool_
            return self.op(arith.SIToFPOp if signed else arith.UIToFPOp, (x,), target)
        if (
            source.is_floating_point and target is uint8
        ):  # by way of int64, as in PyTorch: -1.0 is 255
            return self.cast(self.op(arith.FPToSIOp, (x,), int64), name)
        if source.is_floating_point:
            return self.op(arith.FPToSIOp if target.is_signed else arith.FPToUIOp, (x,), target)
        if source is not bool_ and source.itemsize == target.itemsize:
            return Scalar(x.ssa, target)
        if source is not bool_ and source.itemsize > target.itemsize:
            return self.op(arith.TruncIOp, (x,), target)
        signed = source.is_signed and source is not bool_
        return self.op(arith.ExtSIOp if signed else arith.ExtUIOp, (x,), target)

    def _pair(self, x: Any, y: Any) -> tuple[Scalar, Scalar]:
        if isinstance(x, Scalar):
            return x, y if isinstance(y, Scalar) else self.constant(y, x)
        assert isinstance(y, Scalar)
        return self.constant(x, y), y

    def _arithmetic(self, x: Any, y: Any, floats: type[Operation], ints: type[Operation]) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            return self.op(floats, (a, b), a.dtype, FLAGS)
        return self.op(ints, (a, b), a.dtype, _OVERFLOW)

    # Arithmetic

    def add(self, x: Any, y: Any, /) -> Scalar:
        if _is_bool(x, y):
            return self.bit_or(x, y)
        return self._arithmetic(x, y, arith.AddfOp, arith.AddiOp)

    def sub(self, x: Any, y: Any, /) -> Scalar:
        return self._arithmetic(x, y, arith.SubfOp, arith.SubiOp)

    def mul(self, x: Any, y: Any, /) -> Scalar:
        if _is_bool(x, y):
            return self.bit_and(x, y)
        if self._is_one(x):
            return self._pair(x, y)[1]
        if self._is_one(y):
            return self._pair(x, y)[0]
        return self._arithmetic(x, y, arith.MulfOp, arith.MuliOp)

    def _is_one(self, x: Any) -> bool:
        """Whether it is the number 1, by which the product is exact and need not be computed (`alpha`)."""
        number = self._numbers.get(x.ssa) if isinstance(x, Scalar) else x
        return number is not None and number == 1

    def div(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        return self.op(arith.DivfOp, (a, b), a.dtype, FLAGS)

    def neg(self, x: Scalar, /) -> Scalar:
        if x.dtype.is_floating_point:
            return self.op(arith.NegfOp, (x,), x.dtype, FLAGS)
        return self.sub(self.constant(0, x), x)

    def abs(self, x: Scalar, /) -> Scalar:
        if x.dtype.is_floating_point:
            return self.op(math.AbsFOp, (x,), x.dtype, FLAGS)
        if not x.dtype.is_signed:
            return x
        return self.where(self.lt(x, 0), self.neg(x), x)

    def minimum(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            return self.op(arith.MinimumfOp, (a, b), a.dtype, FLAGS)
        return self.where(self.le(a, b), a, b)

    def maximum(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            return self.op(arith.MaximumfOp, (a, b), a.dtype, FLAGS)
        return self.where(self.ge(a, b), a, b)

    def pow(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        return self.op(math.PowFOp, (a, b), a.dtype, FLAGS)

    def pow_number(self, x: Scalar, y: Any, /, *, roots: bool = True, squares: str = "") -> Scalar:
        exponent = self._numbers.get(y.ssa) if isinstance(y, Scalar) else y
        known = (-2, 0.5, -0.5) if roots else ()
        if exponent is not None:
            if exponent in (1, 2, 3, -1, *known):
                return self._known_power(x, exponent, squares)
            return self.pow(x, y)
        power = self.pow(x, y)
        for one in (2, 3, -1, *known):
            power = self.where(self.eq(y, one), self._known_power(x, one, squares), power)
        return power

    def _known_power(self, x: Scalar, exponent: float, squares: str) -> Scalar:
        match exponent:
            case 1:
                return x
            case 2:
                return self.mul(x, x)
            case 3:
                return self.mul(self._square(x, squares), x)
            case -2:
                return self.div(1.0, self._square(x, squares))
            case 0.5:
                return self.sqrt(x)
            case -0.5:
                return self.div(1.0, self.sqrt(x))
            case _:
                return self.div(1.0, x)

    def _square(self, x: Scalar, rounded_to: str) -> Scalar:
        square = self.mul(x, x)
        return self.cast(self.cast(square, rounded_to), x.dtype.name) if rounded_to else square

    def floor_quotient(self, x: Scalar, y: Scalar, /) -> Scalar:
        """The quotient of ints, rounded down; the divisor is not 0."""
        return self.op(arith.FloorDivSIOp, (x, y), x.dtype)

    def trunc_div(self, x: Any, y: Any, /) -> Scalar:
        return self._may_raise("trunc_div")

    def floor_div(self, x: Any, y: Any, /) -> Scalar:
        return self._may_raise("floor_div")

    def fmod(self, x: Any, y: Any, /) -> Scalar:
        return self._may_raise("fmod")

    def shift_left(self, x: Any, y: Any, /) -> Scalar:
        return self._may_raise("shift_left")

    def shift_right(self, x: Any, y: Any, /) -> Scalar:
        return self._may_raise("shift_right")

    def _may_raise(self, name: str) -> Scalar:
        """Refuse what has a case that a kernel cannot compute: it would have to raise, or to look at the operand first."""
        raise LoweringError(f"'{name}' in a scalar body is not compiled")

    def copysign(self, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        return self.op(math.CopySignOp, (a, b), a.dtype, FLAGS)

    # Choice, comparison, logic

    def where(self, condition: Scalar, x: Any, y: Any, /) -> Scalar:
        a, b = self._pair(x, y)
        return self.op(arith.SelectOp, (condition, a, b), a.dtype)

    def _compare(self, x: Any, y: Any, floats: str, ints: str) -> Scalar:
        a, b = self._pair(x, y)
        if a.dtype.is_floating_point:
            predicate = {"predicate": IntegerAttr(_CMPF[floats], i64), **FLAGS}
            return self.op(arith.CmpfOp, (a, b), bool_, predicate)
        sign = "" if ints in ("eq", "ne") else ("s" if a.dtype.is_signed else "u")
        integer_predicate: dict[str, Attribute] = {
            "predicate": IntegerAttr(_CMPI[sign + ints], i64)
        }
        return self.op(arith.CmpiOp, (a, b), bool_, integer_predicate)

    def eq(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "oeq", "eq")

    def ne(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "une", "ne")

    def lt(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "olt", "lt")

    def le(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "ole", "le")

    def gt(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "ogt", "gt")

    def ge(self, x: Any, y: Any, /) -> Scalar:
        return self._compare(x, y, "oge", "ge")

    def _bitwise(self, class_: type[Operation], x: Any, y: Any) -> Scalar:
        a, b = self._pair(x, y)
        return self.op(class_, (a, b), a.dtype)

    def bit_and(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.AndIOp, x, y)

    def bit_or(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.OrIOp, x, y)

    def bit_xor(self, x: Any, y: Any, /) -> Scalar:
        return self._bitwise(arith.XOrIOp, x, y)

    def bit_not(self, x: Scalar, /) -> Scalar:
        return self.bit_xor(x, True if x.dtype is bool_ else -1)

    def isnan(self, x: Scalar, /) -> Scalar:
        if not x.dtype.is_floating_point:
            return self.number(False, bool_)
        return self._compare(x, x, "uno", "ne")

    def isinf(self, x: Scalar, /) -> Scalar:
        if not x.dtype.is_floating_point:
            return self.number(False, bool_)
        return self.eq(self.abs(x), float("inf"))

    def isfinite(self, x: Scalar, /) -> Scalar:
        if not x.dtype.is_floating_point:
            return self.number(True, bool_)
        return self.lt(self.abs(x), float("inf"))

    # Functions of floats

    def _function(self, class_: type[Operation], *xs: Any) -> Scalar:
        like = next(x for x in xs if isinstance(x, Scalar))
        values = [x if isinstance(x, Scalar) else self.constant(x, like) for x in xs]
        return self.op(class_, values, like.dtype, FLAGS)

    def rsqrt(self, x: Scalar, /) -> Scalar:
        return self.div(1.0, self.sqrt(x))

    def sigmoid(self, x: Scalar, /) -> Scalar:
        """`1 / (1 + e^-|x|)` for positive x, `e^-|x| / (1 + e^-|x|)` for negative: neither overflows."""
        small = self.exp(self.neg(self.abs(x)))
        numerator = self.where(self.ge(x, 0.0), self.constant(1.0, x), small)
        return self.div(numerator, self.add(1.0, small))

    def __getattr__(self, name: str) -> Any:
        class_ = _FUNCTIONS.get(name)
        if class_ is None:
            raise AttributeError(f"the compiler's scalar bodies have no '{name}'")
        return partial(self._function, class_)


def _is_bool(x: Any, y: Any) -> bool:
    return any(isinstance(v, Scalar) and v.dtype is bool_ for v in (x, y))


_FUNCTIONS: dict[str, type[Operation]] = {
    "exp": math.ExpOp,
    "exp2": math.Exp2Op,
    "expm1": math.ExpM1Op,
    "fma": math.FmaOp,
    "log": math.LogOp,
    "log2": math.Log2Op,
    "log10": math.Log10Op,
    "log1p": math.Log1pOp,
    "sqrt": math.SqrtOp,
    "sin": math.SinOp,
    "cos": math.CosOp,
    "tan": math.TanOp,
    "asin": math.AsinOp,
    "acos": math.AcosOp,
    "atan": math.AtanOp,
    "sinh": math.SinhOp,
    "cosh": math.CoshOp,
    "tanh": math.TanhOp,
    "asinh": math.AsinhOp,
    "acosh": math.AcoshOp,
    "atanh": math.AtanhOp,
    "atan2": math.Atan2Op,
    "erf": math.ErfOp,
    "erfc": math_ext.ErfcOp,
    "floor": math.FloorOp,
    "ceil": math.CeilOp,
    "trunc": math.TruncOp,
    "round": math.RoundEvenOp,
}
