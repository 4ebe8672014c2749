"""Builds one loop nest over flat buffers, each operation in the outermost loop that it can be in.

Level 0 is the body of the kernel, level l the body of the l-th loop. A value belongs to the level
of the deepest operand it needs; so broadcast loads, address arithmetic and scalar work on them
leave the inner loops by construction, and no later pass has to hoist them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, Region

from lowering.create import create
from lowering.extents import ONE, ZERO, Extent
from lowering.loops.index_builder import INDEX, IndexBuilder, index_op
from lowering.loops.scope import Scope
from lowering.shaped import element_type, i32_array, is_memref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import Attribute, Operation, SSAValue

TRAPPING = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.FloorDivSIOp)
"""Not moved out of a loop that may run zero times."""

NO_SEGMENTS: dict[str, Attribute] = {}
ONE_DIMENSION = {"operandSegmentSizes": i32_array((1, 1, 1, 0))}


@dataclass(eq=False)
class Access:
    """Element (i0, i1, ...) of a loop nest is `base[offset + i0 * strides[0] + ...]`.

    The parts of complex numbers are elements of their own: number `part` of so many `parts` of what lies so far apart.
    """

    base: SSAValue
    offset: SSAValue | None
    strides: list[Extent]
    parts: int = 1
    part: int = 0

    def of_parts(self) -> list[Access]:
        """Those of the parts of complex numbers."""
        strides = [stride.times(Extent(2)) for stride in self.strides]
        return [Access(self.base, self.offset, [*strides], 2, part) for part in range(2)]


@dataclass
class Loop:
    """One loop: its trip count and whether it reduces."""

    size: Extent
    reduces: bool


def coalesce(loops: list[Loop], accesses: Sequence[Access]) -> list[Loop]:
    """Drops loops of one iteration and joins neighbours that every access walks as one.

    Changes the strides of `accesses` to match the loops it returns.
    """
    kept = [level for level, loop in enumerate(loops) if loop.size != ONE]
    loops = [loops[level] for level in kept]
    for access in accesses:
        access.strides = [access.strides[level] for level in kept]
    level = len(loops) - 2
    while level >= 0:
        outer, inner = loops[level], loops[level + 1]
        if outer.reduces == inner.reduces and all(
            access.strides[level] == access.strides[level + 1].times(inner.size)
            if access.strides[level + 1] != ZERO
            else access.strides[level] == ZERO
            for access in accesses
        ):
            loops[level] = Loop(outer.size.times(inner.size), outer.reduces)
            del loops[level + 1]
            for access in accesses:
                del access.strides[level]
        level -= 1
    return loops


class Nest:
    """A loop nest under construction; `finish` puts the loops into the innermost block of `scope`."""

    def __init__(self, builder: IndexBuilder, scope: Scope, loops: list[Loop]) -> None:
        self.builder = builder
        self.scope = scope
        self.loops = loops
        self.base = len(scope.blocks) - 1
        """The level of what stands around the nest."""
        self.depth = self.base + len(loops)
        self.parallel_depth = self.base + sum(not loop.reduces for loop in loops)
        self.blocks = [*scope.blocks, *(Block(arg_types=[INDEX]) for _ in loops)]
        self.levels = scope.levels
        for level, block in enumerate(self.blocks[self.base + 1 :], self.base + 1):
            self.levels[block.args[0]] = level
        self._memo: dict[tuple[object, ...], SSAValue] = {}

    def variable(self, loop: int) -> SSAValue:
        """What a loop of the nest counts."""
        return self.blocks[self.base + 1 + loop].args[0]

    def place(self, op: Operation, least: int = 0) -> int:
        """Appends `op` to the loop of its deepest operand, or that of the level `least`; gives the level."""
        level = max((self.levels.get(operand, 0) for operand in op.operands), default=0)
        level = max(level, least)
        if isinstance(op, TRAPPING):
            level = self.depth
        self.blocks[level].add_op(op)
        if level:
            for result in op.results:
                self.levels[result] = level
        return level

    def address(self, access: Access, depth: int) -> SSAValue:
        """The linear index of `access` in the loops up to level `depth`."""
        offset = access.offset
        if offset is not None and access.parts != 1:
            offset = self._memoized(arith.MuliOp, offset, self.builder.constant(access.parts))
        for loop, stride in enumerate(access.strides[: depth - self.base]):
            if stride == ZERO:
                continue
            step = self._scaled(loop, stride)
            offset = step if offset is None else self._memoized(arith.AddiOp, offset, step)
        if offset is None:
            return self.builder.constant(access.part)
        if not access.part:
            return offset
        return self._memoized(arith.AddiOp, offset, self.builder.constant(access.part))

    def _scaled(self, loop: int, stride: Extent) -> SSAValue:
        variable = self.variable(loop)
        if stride == ONE:
            return variable
        return self._memoized(arith.MuliOp, variable, self.builder.extent(stride))

    def _memoized(
        self, op_class: type[arith.AddiOp] | type[arith.MuliOp], left: SSAValue, right: SSAValue
    ) -> SSAValue:
        key = (op_class, left, right)
        found = self._memo.get(key)
        if found is None:
            op = index_op(op_class, left, right)
            self.place(op)
            found = self._memo[key] = op.results[0]
        return found

    def load(self, access: Access) -> SSAValue:
        """The element of `access`, read in the outermost loop that determines it."""
        index = self.address(access, self.depth)
        type_ = access.base.type
        assert is_memref(type_)
        op = create(memref.LoadOp, (access.base, index), (element_type(type_),))
        self.place(op, 0 if access.base in self.scope.inputs else self.base)
        return op.results[0]

    def store(self, value: SSAValue, access: Access) -> None:
        """Writes the element of `access` once per iteration of the parallel loops."""
        index = self.address(access, self.parallel_depth)
        store = create(memref.StoreOp, (value, access.base, index), ())
        self.blocks[self.parallel_depth].add_op(store)

    def accumulators(self, initial: list[SSAValue]) -> list[SSAValue]:
        """Gives the reduction loops one running value each, started from `initial`."""
        for level in range(self.parallel_depth + 1, self.depth + 1):
            block = self.blocks[level]
            for value in initial:
                argument = block.insert_arg(value.type, len(block.args))
                self.levels[argument] = level
        return list(self.blocks[self.depth].args[1:])

    def close_reductions(self, initial: list[SSAValue], final: list[SSAValue]) -> list[SSAValue]:
        """Ends the reduction loops; `final` is what an iteration yields. Gives the results."""
        for level in range(self.depth, self.parallel_depth, -1):
            block = self.blocks[level]
            outermost = level == self.parallel_depth + 1
            start = initial if outermost else self.blocks[level - 1].args[1:]
            block.add_op(scf.YieldOp.create(operands=final))
            final = self._loop(level, start, None)
        return final

    def finish(self, bounds: tuple[SSAValue, SSAValue] | None) -> None:
        """Ends the parallel loops; `bounds` are those of the outermost one, the whole if None."""
        for level in range(self.parallel_depth, self.base, -1):
            self.blocks[level].add_op(scf.ReduceOp.create())
            self._loop(level, [], bounds if level == self.base + 1 else None)

    def _loop(
        self, level: int, initial: Sequence[SSAValue], bounds: tuple[SSAValue, SSAValue] | None
    ) -> list[SSAValue]:
        builder = self.builder
        loop = self.loops[level - 1 - self.base]
        if bounds is None:
            bounds = builder.constant(0), builder.extent(loop.size)
        op_class = scf.ForOp if loop.reduces else scf.ParallelOp
        op = op_class.create(
            operands=[*bounds, builder.constant(1), *initial],
            result_types=[value.type for value in initial],
            properties=NO_SEGMENTS if loop.reduces else ONE_DIMENSION,
            regions=[Region(self.blocks[level])],
        )
        self.blocks[level - 1].add_op(op)
        for result in op.results:
            self.levels[result] = level - 1
        return list(op.results)
