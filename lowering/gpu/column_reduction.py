"""A kernel that reduces the middle one of three dimensions, as `x.sum(0)` does: neighbouring threads have neighbouring columns.

A block has 32 columns, and its eight warps every eighth row of a piece of the rows. What the threads of a column have goes through
shared memory, always in the same order, so that a result has the same bits in every run. Pieces of many rows are reduced by the same
kernel.
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, ModuleOp, bf16, f16, i64
from xdsl.ir import Attribute, SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.combinations import Combination, combined, float_op, neutral
from lowering.gpu.indexed_copy import TYPES
from lowering.gpu.shared_memory import shared_memory
from lowering.gpu.shuffles import WARP
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from torchscript_dialect.tensor.dtype import dtype

NAME = "column_reduction"
WORK_PS = 2000
WARPS = THREADS // WARP
TOGETHER = 4
"""Rows of a thread whose loads are on their way at once."""
READ: dict[str, Attribute] = {**TYPES, "float16": f16, "bfloat16": bf16}
Way = Combination | Literal["mean"]


def column_reduction(way: Way, source: dtype, inside: dtype, result: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over an array of (outer, rows, columns) elements, and what is made of them, of (outer,
    pieces, columns), which are combined as another type. Its words are the number of blocks, of rows, columns, and pieces, how many
    rows a piece has, and what a mean divides by.
    """
    of_source, type_, of_result = (READ[one.name] for one in (source, inside, result))
    kernel = BlockKernel(NAME, of_source, of_result, words=6, cost=WORK_PS)
    elements, target = kernel.arrays
    code, thread = kernel.code, kernel.thread
    rows, columns, pieces, each, count = map(kernel.size, range(1, 6))
    warp, lane = code.divided(thread, code.constant(WARP))
    number, tile = code.divided(kernel.number, code.divided_up(columns, WARP))
    outer, piece = code.divided(number, pieces)
    column = code.plus(code.times(tile, code.constant(WARP)), lane)
    within = code.smaller(column, code.minus(columns, 1))
    top = code.times(piece, each)
    bottom = code.smaller(code.plus(top, each), rows)
    first = code.plus(code.times(code.times(outer, rows), columns), within)
    combination = "add" if way == "mean" else way
    nothing = neutral(code, combination, type_)
    initial = [nothing] * TOGETHER
    with code.loop(code.plus(top, warp), bottom, WARPS * TOGETHER, initial) as loop:
        places = [code.plus(loop.variable, WARPS * step) for step in range(TOGETHER)]
        are_inside = [code.less(place, bottom) for place in places]
        found = [
            code.element(elements, code.plus(first, code.times(code.select(is_inside, place, top), columns)))
            for place, is_inside in zip(places, are_inside, strict=True)
        ]  # fmt: skip
        loop.yields = [
            combined(
                code.add,
                combination,
                so_far,
                code.select(is_inside, converted(code, value, type_), nothing),
            )
            for so_far, value, is_inside in zip(loop.values, found, are_inside, strict=True)
        ]
    value, *others = loop.results
    for other in others:
        value = combined(code.add, combination, value, other)
    shared = shared_memory(code, f"column_{type_}", type_, THREADS)
    code.put(value, shared, thread)
    kernel.wait()
    is_first = code.less(thread, code.constant(WARP))
    with code.branch(code.add(arith.AndIOp(is_first, code.less(column, columns)))):
        for other in range(1, WARPS):
            there = code.element(shared, code.plus(lane, other * WARP))
            value = combined(code.add, combination, value, there)
        if way == "mean":
            wide = code.add(create(arith.IndexCastOp, (count,), (i64,)))
            value = float_op(
                code.add, arith.DivfOp, value, code.add(create(arith.SIToFPOp, (wide,), (type_,)))
            )
        at = code.plus(code.times(number, columns), column)
        code.put(converted(code, value, of_result), target, at)
    return kernel.module


def converted(code: Code, value: SSAValue, type_: Attribute) -> SSAValue:
    """A value as another type of its kind."""
    if value.type == type_:
        return value
    is_wider = byte_size(type_) > byte_size(value.type)
    if isinstance(type_, AnyFloat):
        return code.add(create(arith.ExtFOp if is_wider else arith.TruncFOp, (value,), (type_,)))
    return code.add(create(arith.ExtSIOp if is_wider else arith.TruncIOp, (value,), (type_,)))
