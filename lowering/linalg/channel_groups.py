"""Channels in groups: tensors with a dimension cut into two, the groups and the channels of each, and put together again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.tensor.dtype import dtype

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


def cut(b: LinalgBuilder, source: SSAValue, axis: int, parts: Shape, of: dtype) -> SSAValue:
    """A tensor with a dimension cut into two."""
    shape = b.shapes[source]
    sizes = (*shape[:axis], *parts, *shape[axis + 1 :])
    result = b.expand_shape(source, _pair(axis, len(sizes)), sizes, of)
    b.shapes[result] = sizes
    return result


def joined(b: LinalgBuilder, source: SSAValue, axis: int, shape: Shape, of: dtype) -> SSAValue:
    """A tensor of the sizes `shape`, in which a dimension is what two were."""
    return b.collapse_shape(source, _pair(axis, len(shape) + 1), shape, of)


def _pair(axis: int, rank: int) -> list[list[int]]:
    """Dimensions that stay alone, but for two neighbours."""
    alone = [[one] for one in range(rank) if one != axis + 1]
    alone[axis].append(axis + 1)
    return alone
