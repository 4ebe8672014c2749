"""A kernel that finds where values would stand in sorted rows: `aten::searchsorted`, `aten::bucketize`."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, i1, i64
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.gpu.element_kernel import ElementKernel
from lowering.gpu.indexed_copy import TYPES
from lowering.loops.index_builder import INDEX, index_op
from torchscript_dialect.tensor.dtype import dtype

NAME = "binary_search"
WORK_PS = 4000


def binary_search(element: dtype, steps: int, right: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over sorted keys, values, and the places (i64) of these, which it writes: how many keys of its
    row are smaller than a value, or with `right` not larger. Keys are signed integers, fewer than 2 ** `steps` in a row. Its words are
    the number of values, how many have a row in common, the length of a row of keys, and the distance of rows, 0 of one for all.
    """
    key = TYPES[element.name]
    kernel = ElementKernel(key, key, i64)
    keys, values, places = kernel.arrays
    together, length, distance = (kernel.size(place) for place in (1, 2, 3))
    row = kernel.each(index_op(arith.DivUIOp, kernel.number, together))
    start = kernel.each(index_op(arith.MuliOp, row, distance))
    value = kernel.load(values, kernel.number, key)
    found = kernel.index(0)
    for exponent in reversed(range(steps)):
        beyond = kernel.each(index_op(arith.AddiOp, found, kernel.index(1 << exponent)))
        is_there = kernel.each(arith.CmpiOp(beyond, length, "ule"))
        last = kernel.each(index_op(arith.SubiOp, beyond, kernel.index(1)))
        at = kernel.each(
            index_op(arith.AddiOp, start, _chosen(kernel, is_there, last, kernel.index(0)))
        )
        one = kernel.load(keys, at, key)
        precedes = kernel.each(arith.CmpiOp(one, value, "sle" if right else "slt"))
        moves = kernel.each(create(arith.AndIOp, (is_there, precedes), (i1,)))
        found = _chosen(kernel, moves, beyond, found)
    kernel.store(kernel.each(create(arith.IndexCastOp, (found,), (i64,))), places, kernel.number)
    return kernel.module(NAME, words=4, cost=WORK_PS)


def _chosen(
    kernel: ElementKernel, condition: SSAValue, then: SSAValue, otherwise: SSAValue
) -> SSAValue:
    return kernel.each(create(arith.SelectOp, (condition, then, otherwise), (INDEX,)))
