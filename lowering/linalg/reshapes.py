"""Reshapes: `tensor.collapse_shape` to what both shapes are made of, then `tensor.expand_shape`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from lowering.linalg.element import Element
from lowering.linalg.operands import is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.sizes import is_list_of_sizes, listed_sizes
from lowering.linalg.symbolic_shapes import Shape, Symbol, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

Groups = tuple[tuple[int, ...], ...]
"""Dimensions, neighbours together that another shape has as one."""


class Reshape(OperatorLowering):
    """`aten::view(%x, [6, -1])` of a `4x3x5` becomes `tensor.collapse_shape` to `12x5` and `tensor.expand_shape` of that.

    A dimension that stays may have any size; sizes that the operator names, or that are joined and cut, are those of the types.
    """

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *others = op.operands
        return is_known(tensor) and all(is_known(one) or is_list_of_sizes(one) for one in others)

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        sizes = tuple(cast(int, size) for size in cast(TensorType, op.results[0].type).sizes or ())
        named = _named_sizes(b, op, len(sizes))
        shape = [fixed(size) for size in sizes]
        for from_dims, to_dims in zip(*reassociations(_sizes(source), sizes), strict=True):
            if len(from_dims) == len(to_dims) == 1:
                shape[to_dims[0]] = source[from_dims[0]]
                wanted = named[to_dims[0]]
                if wanted is not None:
                    wanted.unite(source[from_dims[0]])
                continue
            for dim in from_dims:
                source[dim].unite(fixed(source[dim].size))
        return [tuple(shape)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        given, shape, of = b.shapes[source], b.shapes[result], b.dtype_of(result)
        if not prod(_sizes(given)):
            return [b.empty(shape, of)]
        from_groups, to_groups = reassociations(_sizes(given), _sizes(shape))
        if not given:
            number = Element(source, of, ())
            return [b.generic(shape, of, [number], lambda math, elements: elements[0], like=op)]
        if len(given) == len(shape) == len(from_groups):
            return [source]
        joined = tuple(
            given[dims[0]] if len(dims) == 1 else Symbol(prod(given[dim].size for dim in dims))
            for dims in from_groups
        )
        value = source
        if len(joined) != len(given):
            value = b.collapse_shape(value, from_groups, joined, of)
        if len(joined) != len(shape):
            value = b.expand_shape(value, to_groups, shape, of)
        return [value]


def _sizes(shape: Shape) -> tuple[int, ...]:
    return tuple(symbol.size for symbol in shape)


def _named_sizes(b: LinalgBuilder, op: OperatorOp, rank: int) -> list[Symbol | None]:
    """The sizes of the result that the operator names, or another tensor; None for those that follow from the rest."""
    if len(op.operands) != 2:
        return [None] * rank  # a range of dimensions names none
    other = op.operands[1]
    if other in b.shapes:
        return list(b.shapes[other])
    sizes = listed_sizes(b, other)
    return sizes if len(sizes) == rank else [None] * rank


def reassociations(a: Sequence[int], b: Sequence[int]) -> tuple[Groups, Groups]:
    """The dimensions of two shapes of as many elements, in groups that pairwise have as many; as small ones as can be."""
    if not prod(a) or not a or not b:
        whole = not a or not b
        return ((), ()) if whole else ((tuple(range(len(a))),), (tuple(range(len(b))),))
    groups: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = ([], [])
    i = j = 0
    while i < len(a) and j < len(b):
        from_dims, to_dims, x, y = [i], [j], a[i], b[j]
        while x != y:
            if x < y:
                i += 1
                from_dims.append(i)
                x *= a[i]
            else:
                j += 1
                to_dims.append(j)
                y *= b[j]
        i, j = i + 1, j + 1
        groups[0].append(tuple(from_dims))
        groups[1].append(tuple(to_dims))
    groups[0][-1] += tuple(range(i, len(a)))
    groups[1][-1] += tuple(range(j, len(b)))
    return tuple(groups[0]), tuple(groups[1])
