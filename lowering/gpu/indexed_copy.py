"""Kernels that copy elements whose places along one dimension another tensor holds: `aten::gather`, `aten::index_select`, and writes to
such places.
"""

from __future__ import annotations

from xdsl.dialects import arith, llvm, memref, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant, index_op

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
    types = [flat(element), flat(place_type), flat(element), flat(i64), INDEX, INDEX]
    block, body = Block(arg_types=types), Block(arg_types=[INDEX])
    source, places, target, syms, begin, end = block.args

    def add(op: Operation, to: Block = body) -> SSAValue:
        to.add_op(op)
        return op.results[0]

    def word(number: int) -> SSAValue:
        at = add(index_constant(number), block)
        load = add(create(memref.LoadOp, (syms, at), (i64,)), block)
        return add(create(arith.IndexCastOp, (load,), (INDEX,)), block)

    dims = [
        [word(1 + OF_DIMENSION * dim + part) for part in range(OF_DIMENSION)] for dim in range(rank)
    ]
    size, stride, least = (word(1 + OF_DIMENSION * rank + part) for part in range(OF_AXIS))
    one, zero = (add(index_constant(number), block) for number in (1, 0))
    (rest,) = body.args
    found = [zero] * (OF_DIMENSION - 1)
    for dim in reversed(range(rank)):
        extent, *strides = dims[dim]
        along = rest if dim == 0 else add(index_op(arith.RemUIOp, rest, extent))
        for number, step in enumerate(strides):
            moved = add(index_op(arith.MuliOp, along, step))
            found[number] = add(index_op(arith.AddiOp, found[number], moved))
        if dim:
            rest = add(index_op(arith.DivUIOp, rest, extent))
    loaded = add(create(memref.LoadOp, (places, found[2]), (place_type,)))
    place = add(create(arith.IndexCastOp, (loaded,), (INDEX,)))
    is_low, is_high = add(arith.CmpiOp(place, least, "slt")), add(arith.CmpiOp(place, size, "sge"))
    is_beyond = add(create(arith.OrIOp, (is_low, is_high), (i1,)))
    trap = Block([llvm.CallIntrinsicOp("llvm.trap", [], []), scf.YieldOp.create()])
    body.add_op(scf.IfOp(is_beyond, [], Region(trap), Region(Block([scf.YieldOp.create()]))))
    from_end = add(index_op(arith.AddiOp, place, size))
    is_from_end = add(arith.CmpiOp(place, zero, "slt"))
    there = add(create(arith.SelectOp, (is_from_end, from_end, place), (INDEX,)))
    moved = add(index_op(arith.MuliOp, there, stride))
    side = 1 if writes else 0
    found[side] = add(index_op(arith.AddiOp, found[side], moved))
    value = add(create(memref.LoadOp, (source, found[0]), (element,)))
    body.add_op(create(memref.StoreOp, (value, target, found[1]), ()))
    body.add_op(scf.YieldOp.create())
    block.add_op(scf.ForOp(begin, end, one, [], Region(body)))
    block.add_op(ReturnOp.create())
    function = FuncOp(NAME, (block.arg_types, []), Region(block))
    count = 1 + OF_DIMENSION * rank + OF_AXIS
    entry = EntryOp(
        NAME, words=count, range=0, grain=1, work=0, cost=WORK_PS, scratch=None, sizes=None
    )
    return ModuleOp([function, entry])
