"""Computes products of matrices by tiles, which the threads of a block share.

Before: Note [Kernel launch form], in which a kernel that holds a product, perhaps for each matrix of a batch, does nothing else but
what is computed of an element of the result and of others at its place. After: the range of the launch is the tiles. For a tile, the
threads of a block go along K: they bring a piece of both factors into shared memory, wait, and add up a part of the result, in
registers (`simple_tile.py`). Then this goes through shared memory, too, so that neighbouring threads get neighbouring elements, and
compute what follows. Factors of 16 bits are multiplied by tensor cores, where the target has them, and those
of float32 where it lets them be rounded to tf32 (`tensor_core_tile.py`).

What lies beyond the factors is 0 in shared memory, so sizes need be multiples of nothing. A result that only what follows reads is
never stored.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel_launch import LaunchOp
from lowering.gpu.block_size import set_block_size
from lowering.gpu.polynomials import Polynomials, derived_sizes
from lowering.gpu.simple_tile import SimpleTile
from lowering.gpu.target import Target, target_of
from lowering.gpu.tensor_core_tile import TensorCoreTile, cores_for
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.kernel_functions import input_kernels
from lowering.loops.code import Code
from lowering.loops.index_builder import index_op

TILES_DOWN = 8
"""Rows of tiles that go from left to right together, so that blocks that run at once read the same pieces of both factors."""


@dataclass(frozen=True)
class TileProductsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-tile-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, signature in input_kernels(op, self.name):
            known = Polynomials(derived_sizes(op, function, signature))
            for launch in [one for one in function.body.block.ops if isinstance(one, LaunchOp)]:
                if any(isinstance(inner, linalg.MatmulOp) for inner in launch.walk()):
                    tiling = _Tiling(launch, known, target_of(op))
                    tiling.run()
                    set_block_size(function, tiling.tile.threads)


class _Tiling:
    """The tiling of one launch, in place; LoweringError where it does something else than a product and what follows."""

    def __init__(self, launch: LaunchOp, polynomial: Polynomials, target: Target) -> None:
        self.launch = launch
        self.found = found = ProductLaunch.of(launch, polynomial)
        cores = cores_for(found, target)
        self.tile = SimpleTile(found) if cores is None else TensorCoreTile(found, cores, target)

    def run(self) -> None:
        """Put loops over tiles in the place of what the launch holds."""
        launch, found, tile = self.launch, self.found, self.tile
        block, inside = launch.parent, launch.body.block
        assert block is not None and inside.first_op is not None
        old = list(inside.ops)
        outside = Code(block, launch)
        tiles = [
            self._tiles(outside, outside.value(size), extent)
            for size, extent in zip(found.c.sizes, (tile.rows, tile.columns), strict=True)
        ]
        total = outside.times(*tiles)
        if found.batch is not None:
            total = outside.times(found.batch[1], total)
        code = Code(inside, inside.first_op)
        begin, end = inside.args
        with code.loop(begin, end, 1) as loop:
            self._tile(code, loop.variable, tiles)
        for op in reversed(old):
            inside.erase_op(op, safe_erase=False)
        launch.operands = [total, outside.constant(1), *launch.operands[2:]]
        for op in reversed(list(block.ops)):
            if isinstance(op, memref.ViewOp | memref.AllocOp) and not op.results[0].uses:
                block.erase_op(op)

    def _tiles(self, code: Code, size: SSAValue, extent: int) -> SSAValue:
        above = code.plus(size, extent - 1)
        return code.add(index_op(arith.DivUIOp, above, code.constant(extent)))

    def _tile(self, code: Code, number: SSAValue, tiles: list[SSAValue]) -> None:
        tile = self.tile
        batch: list[SSAValue] = []
        if self.found.batch is not None:
            matrix, number = code.divided(number, code.times(*tiles))
            batch.append(matrix)
        group, within = code.divided(number, code.times(tiles[1], code.constant(TILES_DOWN)))
        above = code.times(group, code.constant(TILES_DOWN))
        height = code.smaller(code.minus(tiles[0], above), code.constant(TILES_DOWN))
        across, down = code.divided(within, height)
        down = code.plus(above, down)
        top = code.times(down, code.constant(tile.rows))
        left = code.times(across, code.constant(tile.columns))
        tile.write(code, batch, self.found.matrices(code, batch), (top, left))
