"""Kernels that copy elements whose places along one dimension another tensor holds: `aten::gather`, `aten::index_select`, and writes to
such places.
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, i1
from xdsl.ir import Block, Region

from lowering.create import create
from lowering.gpu.element_kernel import ElementKernel
from lowering.loops.index_builder import INDEX, index_op

NAME = "indexed_copy"
WORK_PS = 2000
OF_DIMENSION = 4
"""Words of a dimension: its size, and the strides of source, target and places."""
OF_AXIS = 3
"""Words behind those: how many places there are, how far they lie from each other, and the least one, below 0 where they count from the
end, too.
"""


def indexed_copy(rank: int, bits: int, place_bits: int, *, writes: bool) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) for elements of so many bits and places of `place_bits`, walked by `rank` dimensions.

    Its words are the number of elements, then those of `OF_DIMENSION` and `OF_AXIS`, strides in elements. The places are those of the
    source, or those of the target where it `writes`. A place that is beyond all ends the launch with an error.
    """
    element, place_type = IntegerType(bits), IntegerType(place_bits)
    kernel = ElementKernel(element, place_type, element)
    source, places, target = kernel.arrays
    dims = [
        [kernel.size(1 + OF_DIMENSION * dim + part) for part in range(OF_DIMENSION)]
        for dim in range(rank)
    ]
    size, stride, least = (kernel.size(1 + OF_DIMENSION * rank + part) for part in range(OF_AXIS))
    *found, at_places = kernel.places(dims, OF_DIMENSION - 1)
    loaded = kernel.load(places, at_places, place_type)
    place = kernel.each(create(arith.IndexCastOp, (loaded,), (INDEX,)))
    is_low = kernel.each(arith.CmpiOp(place, least, "slt"))
    is_high = kernel.each(arith.CmpiOp(place, size, "sge"))
    is_beyond = kernel.each(create(arith.OrIOp, (is_low, is_high), (i1,)))
    trap = Block([llvm.CallIntrinsicOp("llvm.trap", [], []), scf.YieldOp.create()])
    kernel.body.add_op(scf.IfOp(is_beyond, [], Region(trap), Region(Block([scf.YieldOp.create()]))))
    from_end = kernel.each(index_op(arith.AddiOp, place, size))
    is_from_end = kernel.each(arith.CmpiOp(place, kernel.index(0), "slt"))
    there = kernel.each(create(arith.SelectOp, (is_from_end, from_end, place), (INDEX,)))
    side = 1 if writes else 0
    found[side] = kernel.moved(found[side], there, stride)
    kernel.store(kernel.load(source, found[0], element), target, found[1])
    return kernel.module(NAME, words=1 + OF_DIMENSION * rank + OF_AXIS, cost=WORK_PS)
