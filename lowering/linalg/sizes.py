"""Sizes that the program names: numbers, and sizes of other tensors; and lists of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.operands import constant, is_known
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of
from lowering.linalg.scalars import SizeOf
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


def named_size(b: LinalgBuilder, value: SSAValue, size: int | None) -> Symbol | None:
    """The size that an int is, which the specialization has as `size`; None for -1, which stands for what follows from others.

    Raises:
        LoweringError: it is no constant, no size of a tensor, and no number that a kernel is given.
    """
    found = constant(value)
    if found is not None:
        return None if found.value == -1 else fixed(found.value)
    if value not in b.size_numbers:
        b.size_numbers[value] = b.given_size(value, size)
    return b.size_numbers[value]


def listed_sizes(
    b: LinalgBuilder, value: SSAValue, sizes: Sequence[int | None] = ()
) -> list[Symbol | None]:
    """The sizes in a list, which the specialization has as `sizes`."""
    if value in b.size_lists:
        return list(b.size_lists[value])
    found = constant(value)
    if found is not None:
        return [None if size == -1 else fixed(size) for size in found.value]
    if not isinstance(value.owner, prim.ListConstructOp):
        raise LoweringError("sizes in a list that the graph does not make have no form in linalg")
    known = sizes or [None] * len(value.owner.operands)
    pairs = zip(value.owner.operands, known, strict=True)
    return [named_size(b, one, size) for one, size in pairs]


def named_sizes(b: LinalgBuilder, value: SSAValue, sizes: Sequence[int | None] = ()) -> Shape:
    """The sizes in a list of which none is left to follow from others."""
    return tuple(size for size in listed_sizes(b, value, sizes) if size is not None)


def known_sizes(value: SSAValue) -> tuple[int, ...] | None:
    """The sizes in a list: a constant, all sizes of a tensor of which they are known, or some; None for another."""
    owner = value.owner
    if isinstance(owner, prim.ListConstructOp):
        sizes = [_known_size(one) for one in owner.operands]
        return None if None in sizes else tuple(size for size in sizes if size is not None)
    if isinstance(owner, OperatorOp) and lowering_of(type(owner)) is Sizes:
        type_ = owner.operands[0].type
        if not Sizes.takes(owner) or not isinstance(type_, TensorType):
            return None
        return tuple(size for size in type_.sizes or () if size is not None)
    found = constant(value)
    return None if found is None else tuple(found.value)


def _known_size(value: SSAValue) -> int | None:
    """The number that an int is: a constant, or the size of a tensor."""
    if (found := constant(value)) is not None:
        return found.value
    op = value.owner
    lowering = lowering_of(type(op)) if isinstance(op, OperatorOp) else None
    if lowering is None or not issubclass(lowering, SizeOf):
        return None
    assert isinstance(op, OperatorOp)
    return lowering.known(op) if lowering.takes(op) else None


def is_list_of_sizes(value: SSAValue) -> bool:
    """Whether a value may be such a list, or is a constant."""
    owner = value.owner
    if isinstance(owner, OperatorOp) and lowering_of(type(owner)) is Sizes:
        return True
    return constant(value) is not None or isinstance(owner, prim.ListConstructOp)


def are_in_kernel(value: SSAValue) -> bool:
    """Whether a kernel knows the sizes in such a list."""
    return not isinstance(value.owner, prim.ListConstructOp) or SizeList.suits_kernel(value.owner)


def _may_join(op: Operation) -> bool:
    lowering = lowering_of(type(op))
    if lowering is None or not lowering.joins_groups:
        return False
    return lowering.takes(op) and lowering.suits_kernel(op)


class Sizes(OperatorLowering):
    """`aten::size(%x)` becomes nothing: what takes the list looks at it."""

    is_view = True
    vanishes = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        return is_known(op.operands[0])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        b.size_lists[op.results[0]] = b.shapes[op.operands[0]]
        return [None]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return ()


class ItemOfSizes(SizeOf):
    """`aten::__getitem__(%sizes, %dim)`, of a list that `aten::size(%x)` gave, is the size of a dimension."""

    @classmethod
    def tensor(cls, op: OperatorOp) -> SSAValue:
        sizes = op.operands[0].owner
        assert isinstance(sizes, OperatorOp)
        return sizes.operands[0]

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        sizes, dim = op.operands[0].owner, constant(op.operands[1])
        if dim is None or not isinstance(sizes, OperatorOp):
            return False
        if lowering_of(type(sizes)) is not Sizes or not Sizes.takes(sizes):
            return False
        rank = len(cast(TensorType, sizes.operands[0].type).sizes or ())
        return -rank <= dim.value < rank


class SizeList(OperatorLowering):
    """`prim::ListConstruct(%n, %m)` becomes nothing; in groups, it is of sizes, or of tensors for one operator that they may hold."""

    is_view = True
    vanishes = True

    @classmethod
    def takes(cls, op: prim.ListConstructOp) -> bool:
        return True

    @classmethod
    def suits_kernel(cls, op: prim.ListConstructOp) -> bool:
        if op.results[0].type == ListType(TENSOR):
            users = [use.operation for use in op.results[0].uses]
            return len(users) == 1 and _may_join(users[0])
        owners = [value.owner for value in op.operands]
        counts = (isinstance(one, OperatorOp) and one.KIND == "aten::numel" for one in owners)
        return op.results[0].type == ListType(INT) and not any(counts)

    def shapes(self, b: LinalgBuilder, op: prim.ListConstructOp) -> Sequence[None]:
        return [None]

    def lower(self, b: LinalgBuilder, op: prim.ListConstructOp) -> Sequence[SSAValue]:
        return ()
