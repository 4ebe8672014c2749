"""Index arithmetic at the top of a kernel: sizes and constants, each once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType

from lowering.create import create
from lowering.extents import Extent
from lowering.shaped import integer_attribute

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from xdsl.ir import Block, Operation, SSAValue

    from lowering.loops.scope import Scope

INDEX = IndexType()


class IndexBuilder:
    """Appends to `block`; what it has computed before is not computed again.

    `block` is the function's own block, so that its values are visible in every loop. `words` gives the number in a word of syms,
    `opaque` holds the index values that are atoms of extents.
    """

    def __init__(
        self, block: Block, words: Callable[[int], SSAValue], opaque: list[SSAValue]
    ) -> None:
        self.block = block
        self.words = words
        self.opaque = opaque
        self._constants: dict[int, SSAValue] = {}
        self._extents: dict[Extent, SSAValue] = {}
        self._scope: Scope | None = None
        self._local: dict[Extent, SSAValue] = {}

    def add(self, op: Operation) -> SSAValue:
        """Appends `op` and gives its first result."""
        self.block.add_op(op)
        return op.results[0]

    def append(self, op: Operation) -> None:
        """Appends `op` to the block that is open, `block` if none is."""
        if self._scope is None:
            self.block.add_op(op)
        else:
            self._scope.add(op)

    @contextmanager
    def within(self, scope: Scope) -> Generator[None]:
        """Lets what depends on opaque values, which may be those of a loop, go to the innermost block of `scope`."""
        outer = self._scope, self._local
        self._scope, self._local = scope, {}
        yield
        self._scope, self._local = outer

    def constant(self, value: int) -> SSAValue:
        """An index constant."""
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = self.add(index_constant(value))
        return found

    def extent(self, extent: Extent) -> SSAValue:
        """The value of `extent` as an index."""
        if not extent.atoms:
            return self.constant(extent.factor)
        known = self._local if extent.atoms[0] < 0 else self._extents
        found = known.get(extent)
        if found is not None:
            return found
        if len(extent.atoms) == 1 and extent.factor == 1:
            result = self._atom(extent.atoms[0])
        else:
            last = self.extent(Extent(1, extent.atoms[-1:]))
            rest = self.extent(Extent(extent.factor, extent.atoms[:-1]))
            op = index_op(arith.MuliOp, rest, last)
            (self.append if extent.atoms[0] < 0 else self.block.add_op)(op)
            result = op.results[0]
        known[extent] = result
        return result

    def mixed(self, extents: Sequence[Extent]) -> tuple[tuple[int, ...], list[SSAValue]]:
        """A list of numbers as memref has it: the static ones, and values for the others."""
        static = tuple(DYNAMIC_INDEX if one.atoms else one.factor for one in extents)
        return static, [self.extent(one) for one in extents if one.atoms]

    def _atom(self, atom: int) -> SSAValue:
        value = self.words(atom) if atom >= 0 else self.opaque[-atom - 1]
        if isinstance(value.type, IndexType):
            return value
        return self.add(create(arith.IndexCastOp, (value,), (INDEX,)))

    def sum(self, left: SSAValue | None, right: SSAValue) -> SSAValue:
        """`left + right`, where an absent `left` is zero."""
        if left is None:
            return right
        op = index_op(arith.AddiOp, left, right)
        self.append(op)
        return op.results[0]


def index_constant(value: int) -> Operation:
    """`arith.constant value : index`."""
    return create(arith.ConstantOp, (), (INDEX,), {"value": integer_attribute(value, INDEX)})


def index_op(op_class: type[Operation], left: SSAValue, right: SSAValue) -> Operation:
    """A binary operation on two index values."""
    return create(op_class, (left, right), (INDEX,))
