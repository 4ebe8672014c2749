"""A kernel that copies arrays whose neighbouring elements lie along other dimensions in the source than in the target, as
`x.t().contiguous()` does: by tiles of 32 by 32 in shared memory, so that threads beside each other read neighbours, and write some.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import SSAValue

from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.shared_memory import shared_memory
from lowering.gpu.shuffles import WARP

NAME = "turned_copy"
WORK_PS = 2000
TILE = WARP
DOWN = THREADS // WARP
"""Rows of a tile that the warps of a block have at once."""
PITCH = TILE + 1
"""Elements from one row of a tile to the next: those of a column are in different banks."""
OF_DIMENSION = 3
"""Words of a dimension: its size, and the strides of source and target in elements."""


def turned_copy(rank: int, bits: int) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) for arrays of so many dimensions and elements of so many bits. Its words are the number of
    blocks, then those of each dimension: first the one along which elements of the source lie side by side, then that of the target,
    and the others.
    """
    element = IntegerType(bits)
    kernel = BlockKernel(NAME, element, element, words=1 + OF_DIMENSION * rank, cost=WORK_PS)
    source, target = kernel.arrays
    code = kernel.code
    dims = [
        [kernel.size(1 + OF_DIMENSION * dim + part) for part in range(OF_DIMENSION)]
        for dim in range(rank)
    ]
    (along_size, *along_strides), (across_size, *across_strides), *others = dims
    rest, tile = code.divided(kernel.number, code.divided_up(across_size, TILE))
    across = code.times(tile, code.constant(TILE))
    rest, tile = code.divided(rest, code.divided_up(along_size, TILE))
    along = code.times(tile, code.constant(TILE))
    starts: list[SSAValue] = [code.constant(0), code.constant(0)]
    for size, *strides in reversed(others):
        rest, place = code.divided(rest, size)
        starts = [
            code.plus(start, code.times(place, stride))
            for start, stride in zip(starts, strides, strict=True)
        ]
    warp, lane = code.divided(kernel.thread, code.constant(WARP))
    rows = [code.plus(warp, DOWN * step) for step in range(TILE // DOWN)]

    def at(which: int, one: SSAValue, other: SSAValue) -> SSAValue:
        """Where in the source, or the target, an element is, by its places along both dimensions."""
        place = code.plus(starts[which], code.times(one, along_strides[which]))
        return code.plus(place, code.times(other, across_strides[which]))

    one = code.smaller(code.plus(along, lane), code.minus(along_size, 1))
    last = code.minus(across_size, 1)
    found = [
        code.element(source, at(0, one, code.smaller(code.plus(across, row), last))) for row in rows
    ]
    shared = shared_memory(code, f"turned_{element}", element, TILE * PITCH)
    for row, value in zip(rows, found, strict=True):
        code.put(value, shared, code.plus(code.times(row, code.constant(PITCH)), lane))
    kernel.wait()
    other = code.plus(across, lane)
    is_column = code.less(other, across_size)
    for row in rows:
        one = code.plus(along, row)
        with code.branch(code.add(arith.AndIOp(is_column, code.less(one, along_size)))):
            place = code.plus(code.times(lane, code.constant(PITCH)), row)
            code.put(code.element(shared, place), target, at(1, one, other))
    return kernel.module
