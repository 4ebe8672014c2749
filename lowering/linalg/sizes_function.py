"""`sizes(syms) -> i1`: the function that computes the words of syms that inputs do not bind, and checks the constraints."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.kernel import SIZES
from lowering.linalg.linalg_builder import INDEX
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, Words
from torchscript_dialect.tensor.dtype import dtype

_SGE = arith.CMPI_COMPARISON_OPERATIONS.index("sge")


def sizes_function(words: Words) -> FuncOp:
    """The function for these words."""
    type_ = MemRefType(i64, [DYNAMIC_INDEX])
    block = Block(arg_types=[type_])
    flags: dict[str, Attribute] = {"overflowFlags": arith.IntegerOverflowAttr("none")}

    def add(
        class_: type[Operation], operands: list[SSAValue], result: Attribute, **more: Any
    ) -> SSAValue:
        op = create(class_, operands, (result,), more)
        block.add_op(op)
        return op.results[0]

    def number(value: int) -> SSAValue:
        return add(arith.ConstantOp, [], i64, value=IntegerAttr(value, i64))

    def place(word: int) -> SSAValue:
        return add(arith.ConstantOp, [], INDEX, value=IntegerAttr(word, INDEX))

    def load(symbol: Symbol) -> SSAValue:
        word = words.word(symbol)
        if word is None:
            return number(1)
        return add(memref.LoadOp, [block.args[0], place(word)], i64)

    holds = add(arith.ConstantOp, [], i1, value=IntegerAttr(1, i1, truncate_bits=True))

    def require(a: SSAValue, b: SSAValue) -> None:
        nonlocal holds
        equal = add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(0, i64))
        holds = add(arith.AndIOp, [holds, equal], i1)

    def at_least(a: SSAValue, b: SSAValue) -> None:
        nonlocal holds
        ordered = add(arith.CmpiOp, [a, b], i1, predicate=IntegerAttr(_SGE, i64))
        holds = add(arith.AndIOp, [holds, ordered], i1)

    def fits(magnitude: SSAValue, of: dtype) -> SSAValue:
        """Whether a float without its sign is at most the largest of a dtype, or not finite: floats are ordered as their bits."""
        largest = number(_bits(np.finfo(of.numpy_dtype).max))
        within = add(arith.CmpiOp, [largest, magnitude], i1, predicate=IntegerAttr(_SGE, i64))
        beyond = add(
            arith.CmpiOp, [magnitude, number(_bits(inf))], i1, predicate=IntegerAttr(_SGE, i64)
        )
        return add(arith.OrIOp, [within, beyond], i1)

    def product(symbols: Shape, factor: int = 1) -> SSAValue:
        values = [load(symbol) for symbol in symbols]
        if factor != 1 or not values:
            values.append(number(factor))
        value = values[0]
        for one in values[1:]:
            value = add(arith.MuliOp, [value, one], i64, **flags)
        return value

    def total(definition: Definition) -> SSAValue:
        if definition.kind == "number":
            return number(definition.number)
        if definition.kind == "given":
            return add(memref.LoadOp, [block.args[0], place(definition.number)], i64)
        value = load(definition.operands[0])
        if definition.kind == "span":
            raised = definition.number + definition.parts - 1
            value = add(arith.AddiOp, [value, number(raised)], i64, **flags)
            at_least(value, number(definition.parts - 1))
            parts = number(definition.parts)
            return value if definition.parts == 1 else add(arith.DivSIOp, [value, parts], i64)
        if definition.kind == "rest":
            taken = product(definition.operands[1:], definition.parts)
            value = add(arith.SubiOp, [value, taken], i64, **flags)
            at_least(value, number(1))
            return value
        for operand in definition.operands[1:]:
            value = add(arith.AddiOp, [value, load(operand)], i64, **flags)
        return value

    for symbol, definition in words.computed:
        if definition.kind == "ratio":
            whole, divisor = (
                product(definition.operands),
                product(definition.divisors, definition.parts),
            )
            if definition.divisors:  # of which none is 0 in a call that is served
                divisor = add(arith.MaxSIOp, [divisor, number(1)], i64)
            value = add(arith.DivSIOp, [whole, divisor], i64)
            require(add(arith.MuliOp, [value, divisor], i64, **flags), whole)
        else:
            value = total(definition)
        word = words.word(symbol)
        assert word is not None
        block.add_op(memref.StoreOp.create(operands=[value, block.args[0], place(word)]))
    for symbol, definition in words.checked:
        if definition.kind == "ratio":
            divisor = product(definition.divisors, definition.parts)
            whole = add(arith.MuliOp, [load(symbol), divisor], i64, **flags)
            require(whole, product(definition.operands))
        else:
            require(total(definition), load(symbol))
    for larger, smaller in words.ordered:
        a = add(memref.LoadOp, [block.args[0], place(larger)], i64)
        at_least(a, add(memref.LoadOp, [block.args[0], place(smaller)], i64))
    for symbol, (low, high) in _bounds(words).items():
        at_least(load(symbol), number(low))
        if high is not None:
            at_least(number(high), load(symbol))
    for word, of in words.fitting:
        bits = add(memref.LoadOp, [block.args[0], place(word)], i64)
        magnitude = add(arith.AndIOp, [bits, number(2**63 - 1)], i64)
        holds = add(arith.AndIOp, [holds, fits(magnitude, of)], i1)
    block.add_op(ReturnOp(holds))
    return FuncOp(SIZES, ([type_], [i1]), Region(block))


def _bits(number: float) -> int:
    return int(np.float64(number).view(np.int64))


def _bounds(words: Words) -> dict[Symbol, tuple[int, int | None]]:
    """The smallest and the largest that each size may be, of all that is required."""
    found: dict[Symbol, tuple[int, int | None]] = {}
    for symbol, low, high in words.bounds:
        least, most = found.get(symbol.find(), (low, high))
        both = [one for one in (most, high) if one is not None]
        found[symbol.find()] = max(least, low), min(both, default=None)
    return found
