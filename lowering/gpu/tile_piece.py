"""A piece of a factor of a product on its way to the memory that a block shares, element by element."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from lowering.create import create
from lowering.loops.code import Code
from lowering.loops.product import Matrix

THREADS = 256
"""Threads of a block that computes a tile."""


class Place(NamedTuple):
    """Where elements lie in shared memory: across K from `start` on, with `pitch` from one place along K to the next."""

    start: int
    pitch: int

    def of(self, code: Code, depth: SSAValue, line: SSAValue) -> SSAValue:
        """The place of the element of a row, or column, that is `depth` along K."""
        at = code.plus(code.times(depth, code.constant(self.pitch)), line)
        return code.plus(at, self.start)


class Piece:
    """What of a factor is in shared memory: `depth` places along K of `width` rows, or columns."""

    def __init__(
        self,
        code: Code,
        thread: SSAValue,
        matrix: Matrix,
        axis: int,
        first: SSAValue,
        extents: tuple[int, int],
        place: Place,
    ) -> None:
        """`axis` is the one that is not K, of which the piece begins at `first`; `extents` are `width` and `depth`."""
        self.code, self.matrix = code, matrix
        self.axis_k = 1 - axis
        width, depth = extents
        goes_along_k = matrix.unit(self.axis_k) and not matrix.unit(axis)
        fast = depth if goes_along_k else width
        rest, fastest = code.divided(thread, code.constant(fast))
        step = THREADS // fast
        count = width * depth // THREADS
        others = [code.plus(rest, step * n) for n in range(count)]
        same = [fastest] * count
        self.depths, lines = (same, others) if goes_along_k else (others, same)
        self.starts: list[SSAValue] = []
        self.are_inside: list[SSAValue] = []
        self.targets: list[SSAValue] = []
        for at_depth, line in zip(self.depths, lines, strict=True):
            at = code.plus(first, line)
            self.are_inside.append(code.less(at, matrix.sizes[axis]))
            self.starts.append(code.plus(matrix.offset, self.along(axis, at)))
            self.targets.append(place.of(code, at_depth, line))

    def along(self, axis: int, index: SSAValue) -> SSAValue:
        """How far an element lies from the first one along an axis."""
        stride = self.matrix.strides[axis]
        return index if stride == 1 else self.code.times(index, self.code.value(stride))

    def bring(self, depth: SSAValue, shared: SSAValue, nothing: SSAValue) -> None:
        """Copy from a place along K on what there is, and `nothing` for what lies beyond; the copy is of its type, perhaps a wider
        float.
        """
        code, matrix = self.code, self.matrix
        for of_thread, start, is_line, target in zip(
            self.depths, self.starts, self.are_inside, self.targets, strict=True
        ):
            at = code.plus(depth, of_thread)
            parts = [is_line, code.less(at, matrix.sizes[self.axis_k])]
            is_inside = code.add(create(arith.AndIOp, parts, [i1]))
            index = code.plus(start, self.along(self.axis_k, at))
            found = code.element(matrix.base, code.select(is_inside, index, matrix.offset))
            if found.type != nothing.type:
                found = code.add(arith.ExtFOp(found, nothing.type))
            code.put(code.select(is_inside, found, nothing), shared, target)
