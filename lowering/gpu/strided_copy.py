"""Kernels that copy elements of one array to another of the same shape, each with strides of its own: what writes to a part of a tensor
on a device, and what makes a dense one of it.
"""

from __future__ import annotations

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IntegerType, ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant, index_op

NAME = "strided_copy"
WORK_PS = 1000


def strided_copy(rank: int, bits: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) for arrays of `rank` dimensions and elements of so many bits. Its words are the number of
    elements, then for each dimension its size, and the strides of source and target in elements.
    """
    element = IntegerType(bits)
    block = Block(arg_types=[flat(element), flat(element), flat(i64), INDEX, INDEX])
    source, target, syms, begin, end = block.args

    def add(op: Operation, to: Block = block) -> SSAValue:
        to.add_op(op)
        return op.results[0]

    def word(number: int) -> SSAValue:
        place = add(index_constant(number))
        load = add(create(memref.LoadOp, (syms, place), (i64,)))
        return add(create(arith.IndexCastOp, (load,), (INDEX,)))

    dims = [[word(1 + 3 * dim + part) for part in range(3)] for dim in range(rank)]
    one = add(index_constant(1))
    zero = add(index_constant(0))
    body = Block(arg_types=[INDEX])
    (rest,) = body.args
    places = [zero, zero]
    for dim in reversed(range(rank)):
        size, *strides = dims[dim]
        place = rest if dim == 0 else add(index_op(arith.RemUIOp, rest, size), body)
        for number, stride in enumerate(strides):
            step = add(index_op(arith.MuliOp, place, stride), body)
            places[number] = add(index_op(arith.AddiOp, places[number], step), body)
        if dim:
            rest = add(index_op(arith.DivUIOp, rest, size), body)
    value = add(create(memref.LoadOp, (source, places[0]), (element,)), body)
    body.add_op(create(memref.StoreOp, (value, target, places[1]), ()))
    body.add_op(scf.YieldOp.create())
    block.add_op(scf.ForOp(begin, end, one, [], Region(body)))
    block.add_op(ReturnOp.create())
    function = FuncOp(NAME, (block.arg_types, []), Region(block))
    entry = EntryOp(
        NAME, words=1 + 3 * rank, range=0, grain=1, work=0, cost=WORK_PS, scratch=None, sizes=None
    )
    return ModuleOp([function, entry])
