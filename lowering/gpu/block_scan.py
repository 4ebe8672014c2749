"""Kernels of scans along rows: `aten::cumsum`, `aten::cumprod`, `aten::logcumsumexp`, and what `aten::cummax` is made of.

A row is cut into tiles. A block scans one (`block_scan`), and tells what all its elements give. What these give up to each tile is
scanned likewise, and combined with the elements behind (`carry`): always in the same order, so that a result has the same bits in every
run.
"""

from __future__ import annotations

from typing import Literal

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.combinations import Add, Combination, combined, log_of_sum, neutral
from lowering.gpu.element_kernel import ElementKernel
from lowering.gpu.indexed_copy import TYPES
from lowering.gpu.shared_memory import shared_memory
from lowering.loops.code import Code
from lowering.loops.index_builder import INDEX, index_op
from torchscript_dialect.tensor.dtype import dtype

NAME, CARRY_NAME = "block_scan", "carry"
WORK_PS = 2000
EACH = 4
"""Neighbouring elements that a thread scans."""
TILE = THREADS * EACH
Way = Combination | Literal["logaddexp"]


def block_scan(way: Way, element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over rows of elements, what is scanned of them, and what each tile gives. Its words are the
    number of tiles of all rows, the length of a row, and the tiles of one.
    """
    type_ = TYPES[element.name]
    kernel = BlockKernel(NAME, type_, type_, type_, words=3, cost=WORK_PS)
    source, totals, target = kernel.arrays
    code, thread = kernel.code, kernel.thread
    length, tiles = kernel.size(1), kernel.size(2)
    shared = shared_memory(code, f"scan_{type_}", type_, THREADS)
    row, tile = code.divided(kernel.number, tiles)
    start = code.times(row, length)
    first = code.plus(
        code.times(tile, code.constant(TILE)), code.times(thread, code.constant(EACH))
    )
    nothing = neutral(code, "max" if way == "logaddexp" else way, type_)
    values: list[SSAValue] = []
    places = [code.plus(first, number) for number in range(EACH)]
    for place in places:
        is_inside = code.less(place, length)
        at = code.select(is_inside, code.plus(start, place), code.constant(0))
        found = code.select(is_inside, code.element(source, at), nothing)
        values.append(_combined(code.add, way, values[-1], found) if values else found)
    before = _scan_threads(code, way, shared, thread, values[-1], nothing)
    for place, value in zip(places, values, strict=True):
        with code.branch(code.less(place, length)):
            code.put(_combined(code.add, way, before, value), target, code.plus(start, place))
    with code.branch(code.at_least(thread, code.constant(THREADS - 1))):
        code.put(code.element(shared, thread), totals, kernel.number)
    return kernel.module


def _scan_threads(
    code: Code, way: Way, shared: SSAValue, thread: SSAValue, value: SSAValue, nothing: SSAValue
) -> SSAValue:
    """What the threads before this one give; what they and this one give is left in shared memory."""
    code.put(value, shared, thread)
    code.insert(gpu.BarrierOp())
    step = 1
    while step < THREADS:
        value = _combined(code.add, way, _before(code, shared, thread, step, nothing), value)
        code.insert(gpu.BarrierOp())
        code.put(value, shared, thread)
        code.insert(gpu.BarrierOp())
        step *= 2
    return _before(code, shared, thread, 1, nothing)


def _before(
    code: Code, shared: SSAValue, thread: SSAValue, step: int, nothing: SSAValue
) -> SSAValue:
    """What the thread so many before has in shared memory; `nothing` where there is none."""
    is_there = code.at_least(thread, code.constant(step))
    at = code.select(is_there, code.minus(thread, step), code.constant(0))
    return code.select(is_there, code.element(shared, at), nothing)


def carry(way: Way, element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over what is scanned of what tiles give, and the scanned tiles, which it makes scanned rows.
    Its words are those of `block_scan`, but the first is the number of elements.
    """
    type_ = TYPES[element.name]
    kernel = ElementKernel(type_, type_)
    totals, rows = kernel.arrays
    length, tiles = kernel.size(1), kernel.size(2)
    row = kernel.each(index_op(arith.DivUIOp, kernel.number, length))
    place = kernel.each(index_op(arith.RemUIOp, kernel.number, length))
    tile = kernel.each(index_op(arith.DivUIOp, place, kernel.index(TILE)))
    is_first = kernel.each(arith.CmpiOp(tile, kernel.index(0), "eq"))
    at = kernel.each(index_op(arith.SubiOp, kernel.moved(tile, row, tiles), kernel.index(1)))
    safe = kernel.each(create(arith.SelectOp, (is_first, kernel.index(0), at), (INDEX,)))
    before = kernel.load(totals, safe, type_)
    value = kernel.load(rows, kernel.number, type_)
    both = _combined(kernel.each, way, before, value)
    kernel.store(
        kernel.each(create(arith.SelectOp, (is_first, value, both), (type_,))),
        rows,
        kernel.number,
    )
    return kernel.module(CARRY_NAME, words=3, cost=WORK_PS)


def _combined(add: Add, way: Way, a: SSAValue, b: SSAValue) -> SSAValue:
    """What two elements give."""
    if way != "logaddexp":
        return combined(add, way, a, b)
    return log_of_sum(add, a, b)
