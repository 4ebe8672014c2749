"""`sizes(syms) -> i1`: the function that computes the words of syms that inputs do not bind, and checks the constraints. Where these
are about addresses, it is `sizes(syms, buffers)`.
"""

from __future__ import annotations

from functools import partial, reduce
from math import inf, nextafter
from typing import Any

import numpy as np
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.kernel import SIZES
from lowering.linalg.symbolic_shapes import Buffer, Definition, Shape, Symbol, Words
from lowering.linalg.tensor_builder import INDEX
from torchscript_dialect.backend import Sym
from torchscript_dialect.tensor.conversion import limits
from torchscript_dialect.tensor.dtype import dtype

_SYMS = MemRefType(i64, [DYNAMIC_INDEX])
_EQ = arith.CMPI_COMPARISON_OPERATIONS.index("eq")
_SGE = arith.CMPI_COMPARISON_OPERATIONS.index("sge")


def sizes_function(words: Words) -> FuncOp:
    """The function for these words."""
    return _Builder(words).function()


class _Builder:
    """Appends the ops of the function to its block; `holds` is whether all constraints so far do."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.block = Block(arg_types=[_SYMS, _SYMS] if words.apart else [_SYMS])
        self.holds = self.add(
            arith.ConstantOp, [], i1, value=IntegerAttr(1, i1, truncate_bits=True)
        )

    def function(self) -> FuncOp:
        for symbol, definition in self.words.computed:
            self.store(
                symbol,
                self.ratio(definition) if definition.kind == "ratio" else self.total(definition),
            )
        for symbol, definition in self.words.checked:
            self.check(symbol, definition)
        for larger, smaller in self.words.ordered:
            self.at_least(self.word(larger), self.word(smaller))
        for symbol, (low, high) in _bounds(self.words).items():
            self.at_least(self.load(symbol), self.number(low))
            if high is not None:
                self.at_least(self.number(high), self.load(symbol))
        for word, of in self.words.fitting:
            self.fits(word, of)
        for first, second in self.words.apart:
            self.apart(first, second)
        self.block.add_op(ReturnOp(self.holds))
        return FuncOp(SIZES, (self.block.arg_types, [i1]), Region(self.block))

    # Ops.

    def add(
        self, class_: type[Operation], operands: list[SSAValue], result: Attribute, **more: Any
    ) -> SSAValue:
        op = create(class_, operands, (result,), more)
        self.block.add_op(op)
        return op.results[0]

    def exact(self, class_: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        """A sum, difference or product of numbers."""
        return self.add(class_, [a, b], i64, overflowFlags=arith.IntegerOverflowAttr("none"))

    def number(self, value: int) -> SSAValue:
        return self.add(arith.ConstantOp, [], i64, value=IntegerAttr(value, i64))

    def place(self, word: int) -> SSAValue:
        return self.add(arith.ConstantOp, [], INDEX, value=IntegerAttr(word, INDEX))

    def word(self, word: int) -> SSAValue:
        return self.add(memref.LoadOp, [self.block.args[0], self.place(word)], i64)

    def load(self, symbol: Symbol) -> SSAValue:
        word = self.words.word(symbol)
        return self.number(1) if word is None else self.word(word)

    def store(self, symbol: Symbol, value: SSAValue) -> None:
        word = self.words.word(symbol)
        assert word is not None
        operands = [value, self.block.args[0], self.place(word)]
        self.block.add_op(memref.StoreOp.create(operands=operands))

    def is_at_least(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(_SGE, i64))

    def is_equal(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(_EQ, i64))

    # Constraints.

    def require(self, condition: SSAValue) -> None:
        self.holds = self.add(arith.AndIOp, [self.holds, condition], i1)

    def equal(self, a: SSAValue, b: SSAValue) -> None:
        self.require(self.is_equal(a, b))

    def at_least(self, a: SSAValue, b: SSAValue) -> None:
        self.require(self.is_at_least(a, b))

    def fits(self, word: int, of: dtype) -> None:
        """A float is within the limits of a dtype, or not finite where its numbers are floats: floats are ordered as their bits, those
        below zero from the largest to the least.
        """
        low, high = limits(of)
        if of.is_integral and low == -high:  # none is below zero
            low = 0
        value = self.word(word)
        is_positive = self.is_at_least(value, self.number(0))
        above = self.is_at_least(self.number(_bits(-low) - 2**63), value)
        within = self.add(arith.OrIOp, [is_positive, above], i1)
        below = self.is_at_least(self.number(_bits(high)), value)
        within = self.add(arith.AndIOp, [within, below], i1)
        if not of.is_integral:
            magnitude = self.add(arith.AndIOp, [value, self.number(2**63 - 1)], i64)
            beyond = self.is_at_least(magnitude, self.number(_bits(inf)))
            within = self.add(arith.OrIOp, [within, beyond], i1)
        self.require(within)

    def apart(self, first: Buffer, second: Buffer) -> None:
        """Two arguments have no memory in common: one ends before the other begins."""
        (begin, end), (other_begin, other_end) = map(self.extent, (first, second))
        is_before = self.is_at_least(other_begin, end)
        is_behind = self.is_at_least(begin, other_end)
        self.require(self.add(arith.OrIOp, [is_before, is_behind], i1))

    def extent(self, buffer: Buffer) -> tuple[SSAValue, SSAValue]:
        """The addresses where an argument begins and ends."""
        begin = self.add(memref.LoadOp, [self.block.args[1], self.place(buffer.number)], i64)
        if buffer.strides is None:
            length = self.product(buffer.shape, buffer.itemsize)
        else:
            reach = self.number(1)
            for symbol, stride in zip(buffer.shape, buffer.strides, strict=True):
                step = self.word(stride.index) if isinstance(stride, Sym) else self.number(stride)
                steps = self.exact(arith.SubiOp, self.load(symbol), self.number(1))
                reach = self.exact(arith.AddiOp, reach, self.exact(arith.MuliOp, steps, step))
            length = self.exact(arith.MuliOp, reach, self.number(buffer.itemsize))
        return begin, self.exact(arith.AddiOp, begin, length)

    def check(self, symbol: Symbol, definition: Definition) -> None:
        """A size that is known is what its definition says."""
        if definition.kind != "ratio":
            return self.equal(self.total(definition), self.load(symbol))
        divisor = self.product(definition.divisors, definition.parts)
        whole = self.exact(arith.MuliOp, self.load(symbol), divisor)
        self.equal(whole, self.product(definition.operands))

    # Definitions.

    def product(self, symbols: Shape, factor: int = 1) -> SSAValue:
        values = [self.load(symbol) for symbol in symbols]
        if factor != 1 or not values:
            values.append(self.number(factor))
        return reduce(partial(self.exact, arith.MuliOp), values)

    def ratio(self, definition: Definition) -> SSAValue:
        """A quotient without a remainder."""
        whole = self.product(definition.operands)
        divisor = self.product(definition.divisors, definition.parts)
        if definition.divisors:  # of which none is 0 in a call that is served
            divisor = self.add(arith.MaxSIOp, [divisor, self.number(1)], i64)
        value = self.add(arith.DivSIOp, [whole, divisor], i64)
        self.equal(self.exact(arith.MuliOp, value, divisor), whole)
        return value

    def total(self, definition: Definition) -> SSAValue:
        if definition.kind == "number":
            return self.number(definition.number)
        if definition.kind == "given":
            return self.word(definition.number)
        if definition.kind == "span":
            return self.span(definition)
        if definition.kind == "named":
            return self.named(definition)
        value = self.load(definition.operands[0])
        if definition.kind == "rest":
            taken = self.product(definition.operands[1:], definition.parts)
            value = self.exact(arith.SubiOp, value, taken)
            self.at_least(value, self.number(1))
            return value
        for operand in definition.operands[1:]:
            value = self.exact(arith.AddiOp, value, self.load(operand))
        return value

    def named(self, definition: Definition) -> SSAValue:
        """A number that a program names in a list of sizes, or what that stands for."""
        number, factors = self.load(definition.operands[0]), definition.operands[1:]
        whole, zero, one = self.product(factors), self.number(0), self.number(1)
        others = [self.load(symbol) for symbol in definition.divisors]
        sizes = [self.add(arith.MaxSIOp, [other, zero], i64) for other in others]
        divisor = reduce(partial(self.exact, arith.MuliOp), sizes, one)
        quotient = self.add(
            arith.DivSIOp, [whole, self.add(arith.MaxSIOp, [divisor, one], i64)], i64
        )
        is_named = self.is_at_least(number, zero)
        is_left = self.is_equal(number, self.number(-1))
        is_whole = self.is_equal(self.exact(arith.MuliOp, quotient, divisor), whole)
        is_left = self.add(arith.AndIOp, [is_left, self.is_at_least(divisor, one)], i1)
        is_left = self.add(arith.AndIOp, [is_left, is_whole], i1)
        self.require(self.add(arith.OrIOp, [is_named, is_left], i1))
        return self.add(arith.SelectOp, [is_named, number, quotient], i64)

    def span(self, definition: Definition) -> SSAValue:
        """How many steps there are in a size and what is added to it."""
        raised = self.number(definition.number + definition.parts - 1)
        value = self.exact(arith.AddiOp, self.load(definition.operands[0]), raised)
        self.at_least(value, self.number(definition.parts - 1))
        if definition.parts == 1:
            return value
        return self.add(arith.DivSIOp, [value, self.number(definition.parts)], i64)


def _bits(number: float) -> int:
    """Of the largest float that is no larger than a number."""
    rounded = float(number)
    found = rounded if rounded <= number else nextafter(rounded, 0.0)
    return int(np.float64(found).view(np.int64))


def _bounds(words: Words) -> dict[Symbol, tuple[int, int | None]]:
    """The smallest and the largest that each size may be, of all that is required."""
    found: dict[Symbol, tuple[int, int | None]] = {}
    for symbol, low, high in words.bounds:
        least, most = found.get(symbol.find(), (low, high))
        both = [one for one in (most, high) if one is not None]
        found[symbol.find()] = max(least, low), min(both, default=None)
    return found
