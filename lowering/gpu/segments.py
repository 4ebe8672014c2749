"""A kernel that combines the rows of an array which go to the same row of another one, in their order: what `aten::index_add` does,
without atomic operations.
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp, i1, i64
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.combinations import Combination, combined
from lowering.gpu.indexed_copy import TYPES
from lowering.loops.index_builder import INDEX

NAME = "segments"
WORK_PS = 4000
Way = Combination | Literal["last"]


def segments(way: Way, element: str) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over rows, the order in which they are taken (i64), the row of the target that each of these
    belongs to (i64), of which equal ones stand together, where its segment of these ends (i64), and the target, of which a row
    is combined with those of its segment, or becomes the last of them. A thread has one column of a segment. `element` is a key of
    `TYPES`, or a number of bits. The words are the number of blocks, that of the rows, and of the columns.
    """
    type_ = TYPES.get(element) or IntegerType(int(element))
    kernel = BlockKernel(NAME, type_, i64, i64, i64, type_, words=3, cost=WORK_PS)
    code, (rows, order, owners, ends, target) = kernel.code, kernel.arrays
    count, columns = kernel.size(1), kernel.size(2)
    number = code.plus(code.times(kernel.number, code.constant(THREADS)), kernel.thread)
    with code.branch(code.less(number, code.times(count, columns))):
        place, column = code.divided(number, columns)
        before = code.larger(code.minus(place, 1), code.constant(0))
        owner = code.element(owners, place)
        differs = code.add(arith.CmpiOp(owner, code.element(owners, before), "ne"))
        is_first = code.equal(place, code.constant(0))

        def value_of(at: SSAValue) -> SSAValue:
            row = code.add(create(arith.IndexCastOp, (code.element(order, at),), (INDEX,)))
            return code.element(rows, code.plus(code.times(row, columns), column))

        with code.branch(code.add(create(arith.OrIOp, (is_first, differs), (i1,)))):
            row = code.add(create(arith.IndexCastOp, (owner,), (INDEX,)))
            there = code.plus(code.times(row, columns), column)
            end = code.add(create(arith.IndexCastOp, (code.element(ends, place),), (INDEX,)))
            if way == "last":
                code.put(value_of(code.minus(end, 1)), target, there)
            else:
                with code.loop(place, end, 1, [code.element(target, there)]) as loop:
                    value = value_of(loop.variable)
                    loop.yields = [combined(code.add, way, loop.values[0], value)]
                code.put(loop.results[0], target, there)
    return kernel.module
