"""Computes products of matrices by tiles, which the threads of a block share.

Before: Note [Kernel launch form], in which a kernel that holds a product, perhaps for each matrix of a batch, does nothing else but
what is computed of an element of the result and of others at its place. After: the range of the launch is the tiles, and a block
computes one (`product_tile.py`): of 128 by 128 elements where these give all processors of a device something to do, and of 64 by 64
where they do not. A warp does a column of a product of few rows (`few_rows.py`). Factors of 16 bits are multiplied by tensor cores,
where the target has them, and those of float32 where it lets them be rounded to tf32.

What lies beyond the factors is 0 in shared memory, so sizes need be multiples of nothing. A result that only what follows reads is
never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import BFloat16Type, Float16Type, ModuleOp, f32, i8
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from lowering.dialects.kernel_launch import LaunchOp
from lowering.dialects.nvvm_mma import OLDEST_SM
from lowering.gpu.block_size import set_block_size
from lowering.gpu.few_rows import COLUMNS, ROWS, FewRows, can_be_few
from lowering.gpu.polynomials import Polynomials, derived_sizes
from lowering.gpu.product_tile import Cores, ProductTile
from lowering.gpu.scalar_cores import ScalarCores
from lowering.gpu.shared_memory import shared_memory
from lowering.gpu.staged_factor import THREADS
from lowering.gpu.target import NEWER_SM, Target, target_of
from lowering.gpu.tensor_cores import TensorCores
from lowering.gpu.tile_epilogue import ProductLaunch
from lowering.kernel_functions import input_kernels
from lowering.loops.code import Code
from lowering.shaped import element_type

TILES_DOWN = 8
"""Rows of tiles that go from left to right together, so that blocks that run at once read the same pieces of both factors."""


class TileProductsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-tile-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function, signature in input_kernels(op, self.name):
            known = Polynomials(derived_sizes(op, function, signature))
            for launch in [one for one in function.body.block.ops if isinstance(one, LaunchOp)]:
                if any(isinstance(inner, linalg.MatmulOp) for inner in launch.walk()):
                    _Tiling(launch, known, target_of(op)).run()
                    set_block_size(function, THREADS)


def cores_for(found: ProductLaunch, target: Target) -> Cores:
    """What devices multiply a product with: tensor cores where they have them, and float32 may be rounded for them."""
    types = {element_type(one.base.type) for one in (found.a, found.b)}
    sm = target.sm
    if types == {Float16Type()} and sm >= OLDEST_SM["f16", 8]:
        return TensorCores("f16", 16 if sm >= NEWER_SM else 8)
    if types == {BFloat16Type()} and sm >= NEWER_SM:
        return TensorCores("bf16", 16)
    if types == {f32} and target.tf32 and sm >= NEWER_SM:
        return TensorCores("tf32", 8)
    return ScalarCores(element_type(found.c.base.type))


class _Way(NamedTuple):
    """One way to compute a product: how many blocks do it, and what writes the work of a block by its number."""

    blocks: SSAValue
    write: Callable[[Code, SSAValue], None]


class _Tiling:
    """The tiling of one launch, in place; LoweringError where it does something else than a product and what follows."""

    def __init__(self, launch: LaunchOp, polynomial: Polynomials, target: Target) -> None:
        self.launch = launch
        self.found = found = ProductLaunch.of(launch, polynomial)
        self.processors = target.processors
        cores = cores_for(found, target)
        self.tiles = [
            ProductTile(found, cores, lines, target.sm >= NEWER_SM) for lines in cores.tiles
        ]

    def run(self) -> None:
        """Put what blocks do in the place of what the launch holds."""
        launch = self.launch
        block, inside = launch.parent, launch.body.block
        assert block is not None and inside.first_op is not None
        old = list(inside.ops)
        outside, code = Code(block, launch), Code(inside, inside.first_op)
        shared = shared_memory(code, "tile_bytes", i8, max(tile.shared for tile in self.tiles))
        small, *larger = (self._by_tiles(outside, shared, tile) for tile in self.tiles)
        ways: list[tuple[SSAValue, _Way]] = []
        if can_be_few(self.found):
            rows = outside.value(self.found.c.sizes[0])
            ways.append((outside.at_least(outside.constant(ROWS), rows), self._by_column(outside)))
        for way in larger:
            enough = outside.at_least(way.blocks, outside.constant(self.processors))
            ways.append((enough, way))
        blocks = small.blocks
        for condition, way in reversed(ways):
            blocks = outside.select(condition, way.blocks, blocks)
        begin, end = inside.args
        with code.loop(begin, end, 1) as loop:
            _write(code, loop.variable, ways, small)
        for op in reversed(old):
            inside.erase_op(op, safe_erase=False)
        launch.operands = [blocks, outside.constant(1), *launch.operands[2:]]
        for op in reversed(list(block.ops)):
            if isinstance(op, memref.ViewOp | memref.AllocOp) and not op.results[0].uses:
                block.erase_op(op)

    def _by_tiles(self, outside: Code, shared: SSAValue, tile: ProductTile) -> _Way:
        """Each block computes a tile."""
        extent = outside.constant(tile.lines)
        grid = [
            outside.divided(outside.plus(outside.value(size), tile.lines - 1), extent)[0]
            for size in self.found.c.sizes
        ]
        blocks = outside.times(*grid)

        def write(code: Code, number: SSAValue) -> None:
            batch, number = self._of_batch(code, number, blocks)
            group, within = code.divided(number, code.times(grid[1], code.constant(TILES_DOWN)))
            above = code.times(group, code.constant(TILES_DOWN))
            height = code.smaller(code.minus(grid[0], above), code.constant(TILES_DOWN))
            across, down = code.divided(within, height)
            places = code.plus(above, down), across
            at = [code.times(place, code.constant(tile.lines)) for place in places]
            tile.write(code, shared, batch, self.found.matrices(code, batch), at)

        return _Way(self._of_all(outside, blocks), write)

    def _by_column(self, outside: Code) -> _Way:
        """Each warp of a block computes the few elements of a column; none where there are no rows."""
        rows, columns = map(outside.value, self.found.c.sizes)
        blocks = outside.divided(outside.plus(columns, COLUMNS - 1), outside.constant(COLUMNS))[0]

        def write(code: Code, number: SSAValue) -> None:
            batch, number = self._of_batch(code, number, blocks)
            first = code.times(number, code.constant(COLUMNS))
            FewRows(self.found).write(code, batch, self.found.matrices(code, batch), first)

        some = outside.times(blocks, outside.smaller(rows, outside.constant(1)))
        return _Way(self._of_all(outside, some), write)

    def _of_all(self, code: Code, blocks: SSAValue) -> SSAValue:
        """The blocks of all matrices of a batch, where there is one."""
        return blocks if self.found.batch is None else code.times(self.found.batch[1], blocks)

    def _of_batch(
        self, code: Code, number: SSAValue, blocks: SSAValue
    ) -> tuple[list[SSAValue], SSAValue]:
        """Which matrix of a batch a block works on, where there is one, and its number among those that do."""
        if self.found.batch is None:
            return [], number
        matrix, number = code.divided(number, blocks)
        return [matrix], number


def _write(code: Code, number: SSAValue, ways: Sequence[tuple[SSAValue, _Way]], last: _Way) -> None:
    """Do the first of the ways whose condition holds, or the last one."""
    if not ways:
        last.write(code, number)
        return
    (condition, way), *others = ways
    with code.branch(condition) as branch:
        way.write(code, number)
        with branch.otherwise():
            _write(code, number, others, last)
