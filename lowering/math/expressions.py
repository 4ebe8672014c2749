"""Expressions recorded as `arith` and `math` operations over one scalar or vector type.

`Float`, `Int` and `Mask` wrap SSA values; their operators append operations to the list of the
`ExpressionBuilder` that made them. Numbers mix in freely and become (splat) constants. Nothing is inserted
until the caller takes `ExpressionBuilder.ops`:

    e = ExpressionBuilder(x.type)
    y = e.value(x)
    square = y * y + 1.0
    block.insert_ops_before(e.ops, anchor)

No fast-math flags are set anywhere: the algorithms rely on every rounding as written.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects import arith, math, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import NONE, create
from lowering.dialects.arith_ext import VECTOR_FORMS
from lowering.shaped import reads_as_element

_FLAGS: dict[str, Attribute] = {"fastmath": arith.FastMathFlagsAttr("none")}
_OVERFLOW: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}
_CMPF: dict[str, dict[str, Attribute]] = {
    name: {"predicate": IntegerAttr(number, i64), **_FLAGS}
    for number, name in enumerate(arith.CMPF_COMPARISON_OPERATIONS)
}
_CMPI: dict[str, dict[str, Attribute]] = {
    name: {"predicate": IntegerAttr(number, i64)}
    for number, name in enumerate(arith.CMPI_COMPARISON_OPERATIONS)
}

_FloatType = Float32Type | Float64Type


def element_type(type_: Attribute) -> Attribute:
    """The type itself, or what a vector type holds."""
    if isinstance(type_, VectorType):
        return cast("VectorType[Attribute]", type_).element_type
    return type_


def with_element(type_: Attribute, element: Attribute) -> Attribute:
    """`type_` with another element type: a scalar stays a scalar, a vector keeps its shape."""
    if isinstance(type_, VectorType):
        vector = cast("VectorType[Attribute]", type_)
        return VectorType(element, vector.shape, vector.scalable_dims)
    return element


@lru_cache(maxsize=2048)
def _float_constant(type_: Attribute, bits: bytes) -> Attribute:
    # Keyed by the bits: 0.0 and -0.0 are equal, a NaN is not.
    (number,) = struct.unpack("<d", bits)
    if not isinstance(type_, VectorType):
        assert isinstance(type_, Float32Type | Float64Type)
        return FloatAttr(number, type_)
    return DenseIntOrFPElementsAttr.from_list(type_, [number])  # pyright: ignore


@lru_cache(maxsize=2048)
def _int_constant(type_: Attribute, number: int) -> Attribute:
    if not isinstance(type_, VectorType):
        return IntegerAttr(number, cast("IntegerType", type_), truncate_bits=True)
    return DenseIntOrFPElementsAttr.from_list(type_, [number])  # pyright: ignore


class ExpressionBuilder:
    """Records operations over one type.

    `type` is `f32`, `f64` or a vector of one of them; `double` says which, `int_type` is the
    integer type of the same width and shape, `mask_type` the type of a comparison.
    """

    __slots__ = ("_constants", "_other", "double", "int_type", "mask_type", "ops", "type", "vector")

    def __init__(self, type_: Attribute, ops: list[Operation] | None = None) -> None:
        element = element_type(type_)
        if not isinstance(element, _FloatType):
            raise TypeError(f"expected f32, f64 or a vector of one of them, got {type_}")
        self.type = type_
        self.double = isinstance(element, Float64Type)
        self.vector = isinstance(type_, VectorType)
        self.int_type = with_element(type_, IntegerType(64 if self.double else 32))
        self.mask_type = with_element(type_, i1)
        self.ops: list[Operation] = [] if ops is None else ops
        self._constants: dict[tuple[bool, bytes | int], SSAValue] = {}
        self._other: ExpressionBuilder | None = None

    def op(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        result: Attribute,
        properties: Mapping[str, Attribute] = NONE,
    ) -> SSAValue:
        """Records `cls` with one result of type `result`."""
        if self.vector:
            cls = VECTOR_FORMS.get(cls, cls)
        op = create(cls, operands, (result,), properties)
        self.ops.append(op)
        return op.results[0]

    def value(self, value: SSAValue) -> Float:
        """Wraps a value of the builder's type."""
        assert value.type == self.type
        return Float(self, value)

    def const(self, number: float) -> Float:
        """The number rounded to the builder's type, in every element."""
        bits = struct.pack("<d", number)
        known = self._constants.get((True, bits))
        if known is None:
            known = self._constants[True, bits] = self._constant(number, bits)
        return Float(self, known)

    def _constant(self, number: float, bits: bytes) -> SSAValue:
        if self.vector and not reads_as_element(number):
            raw = int.from_bytes(struct.pack("<d" if self.double else "<f", number), "little")
            return self.op(arith.BitcastOp, (self.int_const(raw).ssa,), self.type)
        attribute = _float_constant(self.type, bits)
        return self.op(arith.ConstantOp, (), self.type, {"value": attribute})

    def int_const(self, number: int) -> Int:
        """The number, modulo the width, in every element."""
        known = self._constants.get((False, number))
        if known is None:
            attribute = _int_constant(self.int_type, number)
            known = self.op(arith.ConstantOp, (), self.int_type, {"value": attribute})
            self._constants[False, number] = known
        return Int(self, known)

    def other(self) -> ExpressionBuilder:
        """The builder of the other precision, same shape, appending to the same list."""
        if self._other is None:
            narrow_or_wide = with_element(self.type, f32 if self.double else f64)
            self._other = ExpressionBuilder(narrow_or_wide, self.ops)
            self._other._other = self
        return self._other

    def apart(self, body: Callable[[], Sequence[Float]]) -> tuple[list[Operation], Sequence[Float]]:
        """The ops that `body` records, which are not among the builder's and share no constants with what follows, and its results."""
        builders = (self, self.other())
        known = [one._constants.copy() for one in builders]
        before = len(self.ops)
        results = body()
        ops = self.ops[before:]
        del self.ops[before:]
        for one, constants in zip(builders, known, strict=True):
            one._constants = constants
        return ops, results

    def pick(self, single: float, double: float) -> float:
        """The number that belongs to the builder's precision."""
        return double if self.double else single


class Float:
    """A float value of an builder's type. Comparisons are ordered: false for NaN."""

    __slots__ = ("e", "ssa")

    def __init__(self, e: ExpressionBuilder, ssa: SSAValue) -> None:
        self.e = e
        self.ssa = ssa

    def _lift(self, other: Float | float) -> SSAValue:
        return other.ssa if isinstance(other, Float) else self.e.const(other).ssa

    def _binary(self, cls: type[Operation], lhs: SSAValue, rhs: SSAValue) -> Float:
        return Float(self.e, self.e.op(cls, (lhs, rhs), self.e.type, _FLAGS))

    def _unary(self, cls: type[Operation]) -> Float:
        return Float(self.e, self.e.op(cls, (self.ssa,), self.e.type, _FLAGS))

    def _compare(self, predicate: str, other: Float | float) -> Mask:
        e = self.e
        operands = (self.ssa, self._lift(other))
        return Mask(e, e.op(arith.CmpfOp, operands, e.mask_type, _CMPF[predicate]))

    def __add__(self, other: Float | float) -> Float:
        return self._binary(arith.AddfOp, self.ssa, self._lift(other))

    def __sub__(self, other: Float | float) -> Float:
        return self._binary(arith.SubfOp, self.ssa, self._lift(other))

    def __rsub__(self, other: float) -> Float:
        return self._binary(arith.SubfOp, self._lift(other), self.ssa)

    def __mul__(self, other: Float | float) -> Float:
        return self._binary(arith.MulfOp, self.ssa, self._lift(other))

    def __truediv__(self, other: Float | float) -> Float:
        return self._binary(arith.DivfOp, self.ssa, self._lift(other))

    def __rtruediv__(self, other: float) -> Float:
        return self._binary(arith.DivfOp, self._lift(other), self.ssa)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Float:
        return self._unary(arith.NegfOp)

    def __abs__(self) -> Float:
        return self._unary(math.AbsFOp)

    def __lt__(self, other: Float | float) -> Mask:
        return self._compare("olt", other)

    def __le__(self, other: Float | float) -> Mask:
        return self._compare("ole", other)

    def __gt__(self, other: Float | float) -> Mask:
        return self._compare("ogt", other)

    def __ge__(self, other: Float | float) -> Mask:
        return self._compare("oge", other)

    def equals(self, other: Float | float) -> Mask:
        return self._compare("oeq", other)

    def differs(self, other: Float | float) -> Mask:
        """True for unequal or unordered operands."""
        return self._compare("une", other)

    def unordered(self, other: Float | float) -> Mask:
        """True where one of both is NaN."""
        return self._compare("uno", other)

    def sqrt(self) -> Float:
        return self._unary(math.SqrtOp)

    def trunc(self) -> Float:
        return self._unary(math.TruncOp)

    def round_even(self) -> Float:
        return self._unary(math.RoundEvenOp)

    def copysign(self, sign: Float) -> Float:
        """This magnitude with the sign of `sign`."""
        return self._binary(math.CopySignOp, self.ssa, sign.ssa)

    def bits(self) -> Int:
        """The representation as an integer of the same width."""
        return Int(self.e, self.e.op(arith.BitcastOp, (self.ssa,), self.e.int_type))

    def at_most(self, bound: float) -> Float:
        """min(self, bound); NaN stays NaN."""
        return where(self > bound, bound, self)

    def at_least(self, bound: float) -> Float:
        """max(self, bound); NaN stays NaN."""
        return where(self < bound, bound, self)

    def widen(self) -> Float:
        """The same number as f64."""
        wide = self.e.other()
        return Float(wide, wide.op(arith.ExtFOp, (self.ssa,), wide.type))

    def narrow(self) -> Float:
        """The nearest f32."""
        single = self.e.other()
        return Float(single, single.op(arith.TruncFOp, (self.ssa,), single.type))


class Int:
    """A signless integer value as wide as its builder's floats; arithmetic wraps."""

    __slots__ = ("e", "ssa")

    def __init__(self, e: ExpressionBuilder, ssa: SSAValue) -> None:
        self.e = e
        self.ssa = ssa

    def _binary(
        self, cls: type[Operation], other: Int | int, properties: Mapping[str, Attribute] = NONE
    ) -> Int:
        rhs = other.ssa if isinstance(other, Int) else self.e.int_const(other).ssa
        return Int(self.e, self.e.op(cls, (self.ssa, rhs), self.e.int_type, properties))

    def __add__(self, other: Int | int) -> Int:
        return self._binary(arith.AddiOp, other, _OVERFLOW)

    def __sub__(self, other: Int | int) -> Int:
        return self._binary(arith.SubiOp, other, _OVERFLOW)

    def __rsub__(self, other: int) -> Int:
        return self.e.int_const(other) - self

    def __and__(self, other: Int | int) -> Int:
        return self._binary(arith.AndIOp, other)

    def __or__(self, other: Int | int) -> Int:
        return self._binary(arith.OrIOp, other)

    def __xor__(self, other: Int | int) -> Int:
        return self._binary(arith.XOrIOp, other)

    def __lshift__(self, amount: int) -> Int:
        return self._binary(arith.ShLIOp, amount, _OVERFLOW)

    def __rshift__(self, amount: int) -> Int:
        """Arithmetic shift: the sign is kept."""
        return self._binary(arith.ShRSIOp, amount)

    def shift_right_logical(self, amount: int) -> Int:
        return self._binary(arith.ShRUIOp, amount)

    def _compare(self, predicate: str, other: Int | int) -> Mask:
        e = self.e
        rhs = other.ssa if isinstance(other, Int) else e.int_const(other).ssa
        return Mask(e, e.op(arith.CmpiOp, (self.ssa, rhs), e.mask_type, _CMPI[predicate]))

    def equals(self, other: Int | int) -> Mask:
        return self._compare("eq", other)

    def differs(self, other: Int | int) -> Mask:
        return self._compare("ne", other)

    def __gt__(self, other: Int | int) -> Mask:
        return self._compare("sgt", other)

    def __lt__(self, other: Int | int) -> Mask:
        return self._compare("slt", other)

    def float_bits(self) -> Float:
        """The float whose representation this is."""
        return Float(self.e, self.e.op(arith.BitcastOp, (self.ssa,), self.e.type))


class Mask:
    """The outcome of a comparison, element by element."""

    __slots__ = ("e", "ssa")

    def __init__(self, e: ExpressionBuilder, ssa: SSAValue) -> None:
        self.e = e
        self.ssa = ssa

    def __and__(self, other: Mask) -> Mask:
        return Mask(self.e, self.e.op(arith.AndIOp, (self.ssa, other.ssa), self.e.mask_type))

    def __or__(self, other: Mask) -> Mask:
        return Mask(self.e, self.e.op(arith.OrIOp, (self.ssa, other.ssa), self.e.mask_type))

    def __xor__(self, other: Mask) -> Mask:
        return Mask(self.e, self.e.op(arith.XOrIOp, (self.ssa, other.ssa), self.e.mask_type))


def where(mask: Mask, chosen: Float | float, otherwise: Float | float) -> Float:
    """`chosen` where the mask is true, else `otherwise`; both are computed.

    The precision is that of the sides, which need not be that of the mask.
    """
    e = (
        chosen.e
        if isinstance(chosen, Float)
        else otherwise.e
        if isinstance(otherwise, Float)
        else mask.e
    )
    lhs = chosen if isinstance(chosen, Float) else e.const(chosen)
    rhs = otherwise if isinstance(otherwise, Float) else e.const(otherwise)
    return Float(e, e.op(arith.SelectOp, (mask.ssa, lhs.ssa, rhs.ssa), e.type))


def where_any(
    mask: Mask, chosen: Callable[[], Sequence[Float]], otherwise: Callable[[], Sequence[Float]]
) -> list[Float]:
    """What `chosen` gives where the mask is true of any element of a vector, else what `otherwise` gives; only that is computed.

    Where the mask is false of an element both have to be the same for it. Scalars have `chosen` without a branch.
    """
    e = mask.e
    if not e.vector:
        return [*chosen()]
    sides = [e.apart(side) for side in (chosen, otherwise)]
    kind = {"kind": vector.CombiningKindAttr(vector.CombiningKindFlag.OR)}
    is_any = create(vector.ReductionOp, (mask.ssa,), (i1,), kind)
    found = sides[0][1]
    branch = create(scf.IfOp, is_any.results, [value.e.type for value in found])
    for body, values in sides:
        end = create(scf.YieldOp, [value.ssa for value in values], ())
        branch.add_region(Region(Block([*body, end])))
    e.ops += (is_any, branch)
    return [Float(value.e, result) for value, result in zip(found, branch.results, strict=True)]


def where_int(mask: Mask, chosen: Int | int, otherwise: Int | int) -> Int:
    """`where` over integers."""
    e = mask.e
    lhs = chosen if isinstance(chosen, Int) else e.int_const(chosen)
    rhs = otherwise if isinstance(otherwise, Int) else e.int_const(otherwise)
    return Int(e, e.op(arith.SelectOp, (mask.ssa, lhs.ssa, rhs.ssa), e.int_type))


def fma(a: Float, b: Float | float, c: Float | float) -> Float:
    """`a * b + c` with one rounding."""
    e = a.e
    second = b if isinstance(b, Float) else e.const(b)
    third = c if isinstance(c, Float) else e.const(c)
    return Float(e, e.op(math.FmaOp, (a.ssa, second.ssa, third.ssa), e.type, _FLAGS))


def polynomial(x: Float, coefficients: Sequence[float]) -> Float:
    """`coefficients[0] + coefficients[1] * x + ...` by Horner's rule, one fma per degree."""
    *rest, last = coefficients
    result = x.e.const(last)
    for coefficient in reversed(rest):
        result = fma(result, x, coefficient)
    return result


def short_polynomial(x: Float, coefficients: Sequence[float]) -> Float:
    """`polynomial` by Estrin's scheme: a few products more, but a chain of logarithmic length.

    For long computations, of which the processor cannot overlap enough iterations.
    """
    pairs = list(zip(coefficients[::2], coefficients[1::2], strict=False))
    terms = [fma(x, second, first) for first, second in pairs]
    if len(coefficients) % 2:
        terms.append(x.e.const(coefficients[-1]))
    while len(terms) > 1:
        x = x * x
        joined = [fma(x, high, low) for low, high in zip(terms[::2], terms[1::2], strict=False)]
        terms = joined + terms[len(joined) * 2 :]
    return terms[0]
