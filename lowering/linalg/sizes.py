"""Sizes that the program names: numbers, and sizes of other tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.operands import constant
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from torchscript_dialect.dialects import prim

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


def named_size(b: LinalgBuilder, value: SSAValue) -> Symbol | None:
    """The size that an int is; None for -1, which stands for what follows from others.

    Raises:
        LoweringError: it is no constant, and no size of a tensor.
    """
    found = constant(value)
    if found is not None:
        return None if found.value == -1 else fixed(found.value)
    if value not in b.size_numbers:
        raise LoweringError("a size that is computed from others has no form in linalg")
    return b.size_numbers[value]


def listed_sizes(b: LinalgBuilder, value: SSAValue) -> list[Symbol | None]:
    """The sizes in a list."""
    found = constant(value)
    if found is not None:
        return [None if size == -1 else fixed(size) for size in found.value]
    if not isinstance(value.owner, prim.ListConstructOp):
        raise LoweringError("sizes in a list that the graph does not make have no form in linalg")
    return [named_size(b, one) for one in value.owner.operands]


def named_sizes(b: LinalgBuilder, value: SSAValue) -> Shape:
    """The sizes in a list of which none is left to follow from others."""
    sizes = listed_sizes(b, value)
    return tuple(size for size in sizes if size is not None)


def is_list_of_sizes(value: SSAValue) -> bool:
    """Whether a value may be such a list, or is a constant."""
    return constant(value) is not None or isinstance(value.owner, prim.ListConstructOp)
