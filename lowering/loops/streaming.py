"""Stores that bypass the caches, for kernels whose operands fill them anyway.

A line that is written whole and past the caches need not be read first, and evicts nothing. It
must be written by one aligned store. Whether that pays is known when the kernel runs: the decision
is taken once, before the loop, and asked about at every store, which costs nothing that shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import IndexType, i64

from lowering.loops.flat import byte_size
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.shaped import element_type, is_memref

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Operation, SSAValue

    from lowering.dialects.kernel import EntryOp

STREAM_BYTES = 32 << 20
"""Kernels that read and write this much in all are taken to exceed the caches."""


class Streaming:
    """The decision for the loop over the whole parallel range of the kernel `func`."""

    def __init__(self, func: FuncOp, entry: EntryOp | None) -> None:
        self.total = None if entry is None else entry.number("range")
        self.args = func.args

    def stores(self, loop: scf.ForOp | scf.ParallelOp) -> list[memref.StoreOp]:
        """What `loop` stores, if it is that loop and walks all its outputs; else nothing."""
        if self.total is None or loop.operands[0] is not self.args[-2]:
            return []
        body = loop.body.block
        stores = [op for op in body.ops if isinstance(op, memref.StoreOp)]
        walked = all(store.indices[0] is body.args[0] for store in stores)
        return stores if walked and not any(op.regions for op in body.ops) else []

    def flag(
        self, loop: scf.ForOp | scf.ParallelOp, lanes: int, insert: Callable[[Operation], SSAValue]
    ) -> SSAValue | None:
        """Whether stores of vectors of so many `lanes` may bypass the caches; made by `insert`."""
        stores = self.stores(loop)
        if not stores or self.total is None:
            return None
        zero = insert(index_constant(0))
        load = memref.LoadOp.create(
            operands=[self.args[-3], insert(index_constant(self.total))], result_types=[i64]
        )
        cast = arith.IndexCastOp.create(operands=[insert(load)], result_types=[IndexType()])
        least = insert(index_constant(-(-STREAM_BYTES // _bytes_per_iteration(loop))))
        flag = insert(arith.CmpiOp(insert(cast), least, "sge"))
        for store in stores:
            size = _byte_size(store.memref)
            start = memref.ExtractAlignedPointerAsIndexOp.get(store.memref)
            shift = index_op(arith.MuliOp, loop.operands[0], insert(index_constant(size)))
            address = insert(index_op(arith.AddiOp, insert(start), insert(shift)))
            ones = insert(index_constant(lanes * size - 1))
            low = arith.AndIOp.create(operands=[address, ones], result_types=[INDEX])
            aligned = insert(arith.CmpiOp(insert(low), zero, "eq"))
            flag = insert(arith.AndIOp(flag, aligned))
        return flag


def _bytes_per_iteration(loop: scf.ForOp | scf.ParallelOp) -> int:
    total = 0
    for op in loop.body.block.ops:
        if isinstance(op, memref.LoadOp | memref.StoreOp):
            total += _byte_size(op.memref)
    return total


def _byte_size(buffer: SSAValue) -> int:
    assert is_memref(buffer.type)
    return byte_size(element_type(buffer.type))
