"""Kernels of sorts of rows: bitonic networks (K. E. Batcher, Sorting networks and their applications, 1968).

A row is padded to a power of two. Keys are signed integers, and equal ones are ordered by their places, so that a sort is stable. A
block holds a tile of the padded rows in shared memory and does all steps whose pairs lie within it (`block_sort`, `block_merge`); pairs
that lie farther apart are exchanged where they are (`exchange`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import IntegerType, ModuleOp, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.create import create
from lowering.gpu.block_kernel import BlockKernel
from lowering.gpu.block_size import THREADS
from lowering.gpu.element_kernel import ElementKernel
from lowering.gpu.indexed_copy import TYPES
from lowering.gpu.shared_memory import shared_memory
from lowering.loops.index_builder import index_op
from lowering.shaped import integer_attribute, is_integer
from torchscript_dialect.tensor.dtype import dtype

NAME, MERGE_NAME, EXCHANGE_NAME = "block_sort", "block_merge", "exchange"
WORK_PS = 20000
EACH = 4
"""Elements of a tile for each thread."""
TILE = THREADS * EACH
"""A power of two."""
PLACE = i32


class _Tile:
    """Keys and places of a tile in shared memory, and the work on it of the threads of a block."""

    def __init__(self, name: str, key: IntegerType, words: int) -> None:
        kernel = BlockKernel(name, key, PLACE, key, PLACE, words=words, cost=WORK_PS)
        self.from_keys, self.from_places, self.to_keys, self.to_places = kernel.arrays
        self.module, self.thread = kernel.module, kernel.thread
        self.code = code = kernel.code
        self.key = key
        self.padded, self.length, self.rows, self.last = map(kernel.size, range(1, 5))
        self.keys = shared_memory(code, f"sorted_{key}", key, TILE)
        self.places = shared_memory(code, "sorted_places", PLACE, TILE)
        self.first = code.times(kernel.number, code.constant(TILE))
        """The number, in the padded rows, of the first element."""

    def elements(self) -> Generator[tuple[SSAValue, SSAValue]]:
        """Those of a thread: their places in the tile, and their numbers in the padded rows."""
        for each in range(EACH):
            at = self.code.plus(self.thread, each * THREADS)
            yield at, self.code.plus(self.first, at)

    def step(self, stage: SSAValue, distance: SSAValue) -> None:
        """Order pairs at a distance, a power of two: upwards where the number of the stage says nothing else."""
        code = self.code
        for each in range(EACH // 2):
            pair = code.plus(self.thread, each * THREADS)
            low = _low(code.add, pair, distance, code.constant(1))
            high = code.plus(low, distance)
            inside = code.add(
                index_op(arith.AndIOp, code.plus(self.first, low), code.minus(self.padded, 1))
            )
            rises = _rises(code.add, inside, stage, code.constant(0))
            one, other = (
                (code.element(self.keys, at), code.element(self.places, at)) for at in (low, high)
            )
            swaps = _swaps(code.add, one, other, rises)
            for memory, a, b in ((self.keys, one[0], other[0]), (self.places, one[1], other[1])):
                code.put(code.select(swaps, b, a), memory, low)
                code.put(code.select(swaps, a, b), memory, high)
        code.insert(gpu.BarrierOp())

    def store(self) -> None:
        """Write the tile."""
        code = self.code
        count = code.times(self.rows, self.padded)
        for at, number in self.elements():
            with code.branch(code.less(number, count)):
                code.put(code.element(self.keys, at), self.to_keys, number)
                code.put(code.element(self.places, at), self.to_places, number)


def block_sort(element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over the keys of rows, places that nobody reads, and padded keys and places, which it writes,
    with each tile sorted up or down. Its words are the number of tiles, the length of a padded row, of a row, the number of rows, and
    that of stages: the logarithm of the padded length, or of a tile's.
    """
    key = _key(element)
    tile = _Tile(NAME, key, words=5)
    code = tile.code
    largest = _integer(code.add, (1 << (key.width.data - 1)) - 1, key)
    for at, number in tile.elements():
        row, place = code.divided(number, tile.padded)
        inside = code.add(
            create(arith.AndIOp, (code.less(place, tile.length), code.less(row, tile.rows)), (i1,))
        )
        source = code.plus(code.times(row, tile.length), place)
        found = code.element(tile.from_keys, code.select(inside, source, code.constant(0)))
        code.put(code.select(inside, found, largest), tile.keys, at)
        code.put(code.add(create(arith.IndexCastOp, (place,), (PLACE,))), tile.places, at)
    code.insert(gpu.BarrierOp())
    with code.loop(code.constant(1), code.plus(tile.last, 1), 1) as stages:
        stage = _power(code.add, code.constant(1), stages.variable)
        with code.loop(code.constant(0), stages.variable, 1) as steps:
            exponent = code.minus(code.minus(stages.variable, steps.variable), 1)
            tile.step(stage, _power(code.add, code.constant(1), exponent))
    tile.store()
    return tile.module


def block_merge(element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over padded keys and places, which it reads, and again, which it writes: the steps of a stage
    whose pairs lie within a tile. Its words are those of `block_sort`, and the last the logarithm of the stage.
    """
    tile = _Tile(MERGE_NAME, _key(element), words=5)
    code = tile.code
    for at, number in tile.elements():
        code.put(code.element(tile.from_keys, number), tile.keys, at)
        code.put(code.element(tile.from_places, number), tile.places, at)
    code.insert(gpu.BarrierOp())
    stage = _power(code.add, code.constant(1), tile.last)
    distance = TILE // 2
    while distance:
        tile.step(stage, code.constant(distance))
        distance //= 2
    tile.store()
    return tile.module


def exchange(element: dtype) -> ModuleOp:
    """A kernel (Note [Kernel loop form]) over padded keys and places, which it reads and writes: one step. Its words are the number of
    pairs, the length of a padded row, the stage, and the distance of pairs.
    """
    key = _key(element)
    kernel = ElementKernel(key, PLACE)
    keys, places = kernel.arrays
    padded, stage, distance = (kernel.size(place) for place in (1, 2, 3))
    one = kernel.index(1)
    low = _low(kernel.each, kernel.number, distance, one)
    high = kernel.each(index_op(arith.AddiOp, low, distance))
    mask = kernel.each(index_op(arith.SubiOp, padded, one))
    inside = kernel.each(index_op(arith.AndIOp, low, mask))
    rises = _rises(kernel.each, inside, stage, kernel.index(0))
    a, b = ((kernel.load(keys, at, key), kernel.load(places, at, PLACE)) for at in (low, high))
    swaps = _swaps(kernel.each, a, b, rises)
    for memory, first, second in ((keys, a[0], b[0]), (places, a[1], b[1])):
        for at, then, otherwise in ((low, second, first), (high, first, second)):
            chosen = create(arith.SelectOp, (swaps, then, otherwise), (first.type,))
            kernel.store(kernel.each(chosen), memory, at)
    return kernel.module(EXCHANGE_NAME, words=4, cost=WORK_PS // 10)


SORT_STEPS = {NAME: block_sort, MERGE_NAME: block_merge, EXCHANGE_NAME: exchange}
Add = Callable[[Operation], SSAValue]
"""Appends an op."""
Pair = tuple[SSAValue, SSAValue]
"""A key and its place."""


def _low(add: Add, pair: SSAValue, distance: SSAValue, one: SSAValue) -> SSAValue:
    """The first element of a pair, by its number: 2 * pair, less what is beyond a multiple of the distance."""
    within = add(index_op(arith.AndIOp, pair, add(index_op(arith.SubiOp, distance, one))))
    twice = add(index_op(arith.AddiOp, pair, pair))
    return add(index_op(arith.SubiOp, twice, within))


def _rises(add: Add, place: SSAValue, stage: SSAValue, zero: SSAValue) -> SSAValue:
    """Whether a stage sorts upwards at a place of a row."""
    return add(arith.CmpiOp(add(index_op(arith.AndIOp, place, stage)), zero, "eq"))


def _swaps(add: Add, one: Pair, other: Pair, rises: SSAValue) -> SSAValue:
    """Whether elements are to change places."""
    is_larger = add(arith.CmpiOp(one[0], other[0], "sgt"))
    is_equal = add(arith.CmpiOp(one[0], other[0], "eq"))
    is_later = add(arith.CmpiOp(one[1], other[1], "sgt"))
    is_behind = add(create(arith.AndIOp, (is_equal, is_later), (i1,)))
    comes_after = add(create(arith.OrIOp, (is_larger, is_behind), (i1,)))
    return add(arith.CmpiOp(comes_after, rises, "eq"))


def _power(add: Add, one: SSAValue, exponent: SSAValue) -> SSAValue:
    return add(index_op(arith.ShLIOp, one, exponent))


def _integer(add: Add, value: int, type_: Attribute) -> SSAValue:
    assert is_integer(type_)
    return add(create(arith.ConstantOp, (), (type_,), {"value": integer_attribute(value, type_)}))


def _key(element: dtype) -> IntegerType:
    type_ = TYPES[element.name]
    assert is_integer(type_)
    return type_
