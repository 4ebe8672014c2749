"""A kernel that reduces the middle one of three dimensions, as `x.sum(0)` does: neighbouring threads have neighbouring columns.

A block has 32 columns, and its eight warps every eighth row of a piece of the rows. What the threads of a column have goes through
shared memory, always in the same order, so that a result has the same bits in every run. Pieces of many rows are reduced by the same
kernel.
"""

from __future__ import annotations

from math import inf
from typing import Literal

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, ModuleOp, bf16, f16, i64
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.indexed_copy import TYPES
from lowering.gpu.shared_memory import shared_memory
from lowering.gpu.shuffles import WARP
from lowering.loops.code import NO_FAST_MATH, Code
from lowering.loops.flat import byte_size
from lowering.shaped import integer_attribute, is_integer
from torchscript_dialect.tensor.dtype import dtype

NAME = "column_reduction"
WORK_PS = 2000
WARPS = THREADS // WARP
TOGETHER = 4
"""Rows of a thread whose loads are on their way at once."""
READ: dict[str, Attribute] = {**TYPES, "float16": f16, "bfloat16": bf16}
Way = Literal["add", "mean", "mul", "max", "min"]
_FLOATS: dict[str, tuple[type[Operation], float]] = {
    "add": (arith.AddfOp, 0.0),
    "mean": (arith.AddfOp, 0.0),
    "mul": (arith.MulfOp, 1.0),
    "max": (arith.MaximumfOp, -inf),
    "min": (arith.MinimumfOp, inf),
}
_INTEGERS: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "mul": arith.MuliOp,
    "max": arith.MaxSIOp,
    "min": arith.MinSIOp,
}


def column_reduction(way: Way, source: dtype, combined: dtype, result: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over an array of (outer, rows, columns) elements, and what is made of them, of (outer,
    pieces, columns), which are combined as another type. Its words are the number of blocks, of rows, columns, and pieces, how many
    rows a piece has, and what a mean divides by.
    """
    of_source, type_, of_result = (READ[one.name] for one in (source, combined, result))
    kernel = BlockKernel(NAME, of_source, of_result, words=6, cost=WORK_PS)
    elements, target = kernel.arrays
    code, thread = kernel.code, kernel.thread
    rows, columns, pieces, each, count = map(kernel.size, range(1, 6))
    warp, lane = code.divided(thread, code.constant(WARP))
    number, tile = code.divided(kernel.number, code.divided_up(columns, WARP))
    outer, piece = code.divided(number, pieces)
    column = code.plus(code.times(tile, code.constant(WARP)), lane)
    inside = code.smaller(column, code.minus(columns, 1))
    top = code.times(piece, each)
    bottom = code.smaller(code.plus(top, each), rows)
    first = code.plus(code.times(code.times(outer, rows), columns), inside)
    neutral = _neutral(code, way, type_)
    initial = [neutral] * TOGETHER
    with code.loop(code.plus(top, warp), bottom, WARPS * TOGETHER, initial) as loop:
        places = [code.plus(loop.variable, WARPS * step) for step in range(TOGETHER)]
        are_inside = [code.less(place, bottom) for place in places]
        found = [
            code.element(elements, code.plus(first, code.times(code.select(is_inside, place, top), columns)))
            for place, is_inside in zip(places, are_inside, strict=True)
        ]  # fmt: skip
        loop.yields = [
            _combined(code, way, so_far, code.select(is_inside, _as(code, value, type_), neutral))
            for so_far, value, is_inside in zip(loop.values, found, are_inside, strict=True)
        ]
    value, *others = loop.results
    for other in others:
        value = _combined(code, way, value, other)
    shared = shared_memory(code, f"column_{type_}", type_, THREADS)
    code.put(value, shared, thread)
    kernel.wait()
    is_first = code.less(thread, code.constant(WARP))
    with code.branch(code.add(arith.AndIOp(is_first, code.less(column, columns)))):
        for other in range(1, WARPS):
            there = code.element(shared, code.plus(lane, other * WARP))
            value = _combined(code, way, value, there)
        if way == "mean":
            wide = code.add(create(arith.IndexCastOp, (count,), (i64,)))
            value = _float_op(
                code, arith.DivfOp, value, code.add(create(arith.SIToFPOp, (wide,), (type_,)))
            )
        at = code.plus(code.times(number, columns), column)
        code.put(_as(code, value, of_result), target, at)
    return kernel.module


def _combined(code: Code, way: Way, a: SSAValue, b: SSAValue) -> SSAValue:
    """What two elements give."""
    if isinstance(a.type, AnyFloat):
        return _float_op(code, _FLOATS[way][0], a, b)
    return code.add(create(_INTEGERS[way], (a, b), (a.type,)))


def _float_op(code: Code, op: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
    return code.add(create(op, (a, b), (a.type,), {"fastmath": NO_FAST_MATH}))


def _neutral(code: Code, way: Way, type_: Attribute) -> SSAValue:
    """What changes nothing."""
    if isinstance(type_, AnyFloat):
        return code.add(arith.ConstantOp(FloatAttr(_FLOATS[way][1], type_)))
    assert is_integer(type_)
    limit = 1 << (type_.width.data - 1)
    value = {"add": 0, "mul": 1, "max": -limit, "min": limit - 1}[way]
    return code.add(
        create(arith.ConstantOp, (), (type_,), {"value": integer_attribute(value, type_)})
    )


def _as(code: Code, value: SSAValue, type_: Attribute) -> SSAValue:
    """A value as another type of its kind."""
    if value.type == type_:
        return value
    is_wider = byte_size(type_) > byte_size(value.type)
    if isinstance(type_, AnyFloat):
        return code.add(create(arith.ExtFOp if is_wider else arith.TruncFOp, (value,), (type_,)))
    return code.add(create(arith.ExtSIOp if is_wider else arith.TruncIOp, (value,), (type_,)))
