"""Kernels that gather the places at which a mask is True: `aten::nonzero`."""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import ModuleOp, i1, i64
from xdsl.ir import Block, Region

from lowering.create import create
from lowering.gpu.element_kernel import ElementKernel
from lowering.loops.index_builder import INDEX, index_op

NAME = "chosen_places"
WORK_PS = 1000


def chosen_places(rank: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over a mask, how many elements are True up to each, itself among them, and for each dimension
    the places along it, which it writes. Its words are the number of elements, how many are True, and the size of each dimension.
    """
    kernel = ElementKernel(i1, i64, i64)
    mask, counts, target = kernel.arrays
    total = kernel.size(1)
    sizes = [kernel.size(2 + dim) for dim in range(rank)]
    is_chosen = kernel.load(mask, kernel.number, i1)
    counted = kernel.load(counts, kernel.number, i64)
    count = kernel.each(create(arith.IndexCastOp, (counted,), (INDEX,)))
    last = kernel.index(1)
    at = kernel.each(index_op(arith.SubiOp, count, last))
    write = Block()
    rest = kernel.number
    for dim in reversed(range(rank)):
        place = kernel.each(index_op(arith.RemUIOp, rest, sizes[dim]))
        rest = kernel.each(index_op(arith.DivUIOp, rest, sizes[dim]))
        row = kernel.moved(at, kernel.index(dim), total)
        word = kernel.each(create(arith.IndexCastOp, (place,), (i64,)))
        write.add_op(create(memref.StoreOp, (word, target, row), ()))
    write.add_op(scf.YieldOp.create())
    kernel.body.add_op(
        scf.IfOp(is_chosen, [], Region(write), Region(Block([scf.YieldOp.create()])))
    )
    return kernel.module(NAME, words=2 + rank, cost=WORK_PS)
