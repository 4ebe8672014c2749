"""Index arithmetic at the top of a kernel in loop form: syms, sizes and constants, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IndexType, i64

from lowering.extents import Extent
from lowering.shaped import integer_attribute

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, SSAValue

INDEX = IndexType()
OVERFLOW = {"overflowFlags": arith.IntegerOverflowAttr("none")}


class IndexBuilder:
    """Appends to `block`; what it has computed before is not computed again.

    `block` is the function's own block, so that its values are visible in every loop.
    """

    def __init__(self, block: Block, syms: SSAValue, opaque: list[SSAValue]) -> None:
        self.block = block
        self.syms = syms
        self.opaque = opaque
        self._constants: dict[int, SSAValue] = {}
        self._words: dict[int, SSAValue] = {}
        self._extents: dict[Extent, SSAValue] = {}

    def add(self, op: Operation) -> SSAValue:
        """Appends `op` and gives its first result."""
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        """An index constant."""
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = self.add(index_constant(value))
        return found

    def word(self, sym: int) -> SSAValue:
        """Word `sym` of the syms, an i64."""
        found = self._words.get(sym)
        if found is None:
            load = memref.LoadOp.create(
                operands=[self.syms, self.constant(sym)], result_types=[i64]
            )
            found = self._words[sym] = self.add(load)
        return found

    def extent(self, extent: Extent) -> SSAValue:
        """The value of `extent` as an index."""
        if not extent.atoms:
            return self.constant(extent.factor)
        found = self._extents.get(extent)
        if found is not None:
            return found
        if len(extent.atoms) == 1 and extent.factor == 1:
            result = self._atom(extent.atoms[0])
        else:
            result = self.extent(Extent(1, extent.atoms[-1:]))
            rest = Extent(extent.factor, extent.atoms[:-1])
            result = self.add(index_op(arith.MuliOp, self.extent(rest), result))
        self._extents[extent] = result
        return result

    def _atom(self, atom: int) -> SSAValue:
        value = self.word(atom) if atom >= 0 else self.opaque[-atom - 1]
        if isinstance(value.type, IndexType):
            return value
        return self.add(arith.IndexCastOp.create(operands=[value], result_types=[INDEX]))

    def sum(self, left: SSAValue | None, right: SSAValue) -> SSAValue:
        """`left + right`, where an absent `left` is zero."""
        return right if left is None else self.add(index_op(arith.AddiOp, left, right))


def index_constant(value: int) -> Operation:
    """`arith.constant value : index`."""
    return arith.ConstantOp.create(
        result_types=[INDEX], properties={"value": integer_attribute(value, INDEX)}
    )


def index_op(
    op_class: type[arith.AddiOp] | type[arith.MuliOp] | type[arith.SubiOp],
    left: SSAValue,
    right: SSAValue,
) -> Operation:
    """A binary operation on two index values."""
    return op_class.create(operands=[left, right], result_types=[INDEX], properties=OVERFLOW)
