"""Reshapes: `tensor.collapse_shape` to what both shapes are made of, then `tensor.expand_shape`."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.element import Element, unchanged
from lowering.linalg.operands import constant, has_elements, is_known, may_turn
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.sizes import are_in_kernel, is_list_of_sizes, listed_sizes, named_size
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, fixed, ratio
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

Groups = tuple[tuple[int, ...], ...]
"""Dimensions, neighbours together that another shape has as one."""


class Reshape(OperatorLowering):
    """`aten::view(%x, [6, -1])` of a `4x3x5` becomes `tensor.collapse_shape` to `12x5` and `tensor.expand_shape` of that.

    A dimension that stays may have any size; for other compilers, those that are cut have the sizes of the types.
    """

    is_view = True
    takes_complex = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        tensor, *others = op.operands
        if not is_known(tensor, takes_complex=True):
            return False
        return all(is_known(one) or is_list_of_sizes(one) for one in others)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        source, result = op.operands[0], op.results[0]
        if not has_elements(source) or may_turn(source) or not _known_sizes(result):
            return False
        return all(map(are_in_kernel, op.operands[1:]))

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        source = b.shapes[op.operands[0]]
        sizes = _known_sizes(op.results[0])
        named = _named_sizes(b, op, sizes)
        shape = [fixed(size) for size in sizes]
        if None in named:
            for one in named:
                if one is not None and not one.is_fixed:
                    b.require(one, 1)  # or what is left could be anything
        for from_dims, to_dims in zip(*_groups(b, op, _sizes(source), sizes), strict=True):
            if len(from_dims) == len(to_dims) == 1:
                shape[to_dims[0]] = source[from_dims[0]]
                wanted = named[to_dims[0]]
                if wanted is not None:
                    wanted.unite(source[from_dims[0]])
                continue
            factors = tuple(source[dim] for dim in from_dims)
            others = {dim: one for dim in to_dims if (one := named[dim]) is not None}
            last = next((dim for dim in to_dims if dim not in others), to_dims[0])
            wanted = others.pop(last, None)
            shape[last] = _quotient(b, sizes[last], factors, tuple(others.values()))
            if wanted is not None:
                wanted.unite(shape[last])
            for dim, one in others.items():
                shape[dim] = one
        return [tuple(shape)]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        source, result = op.operands[0], op.results[0]
        given, shape, of = b.shapes[source], b.shapes[result], b.dtype_of(result)
        if not prod(_sizes(given)):
            return [b.empty(shape, of)]
        from_groups, to_groups = _groups(b, op, _sizes(given), _sizes(shape))
        if not given:
            number = Element(source, of, ())
            return [b.generic(shape, of, [number], unchanged, like=op)]
        if len(given) == len(shape) == len(from_groups):
            return [source]
        joined = tuple(
            given[source_dims[0]]
            if len(source_dims) == 1
            else shape[dims[0]]
            if len(dims) == 1
            else Symbol(prod(given[dim].size for dim in source_dims))
            for source_dims, dims in zip(from_groups, to_groups, strict=True)
        )
        value = b.dense(source, op)
        if len(joined) != len(given):
            value = b.collapse_shape(value, from_groups, joined, of)
        if len(joined) != len(shape):
            value = b.expand_shape(value, to_groups, shape, of)
        return [value]


def _sizes(shape: Shape) -> tuple[int, ...]:
    return tuple(symbol.size for symbol in shape)


def _known_sizes(value: SSAValue) -> tuple[int, ...]:
    type_ = value.type
    assert isinstance(type_, TensorType)
    return tuple(size for size in type_.sizes or () if size is not None)


def _quotient(b: LinalgBuilder, size: int, factors: Shape, divisors: Shape) -> Symbol:
    """What is left of a product of sizes when others have been taken out."""
    number = prod(one.size for one in divisors if one.is_fixed)
    symbols = tuple(one for one in divisors if not one.is_fixed)
    return b.derived(ratio(size, factors, number, symbols))


def _groups(
    b: LinalgBuilder, op: OperatorOp, given: Sequence[int], sizes: Sequence[int]
) -> tuple[Groups, Groups]:
    """The dimensions that become others, as `reassociations` tells it, or the operator where it names no sizes."""
    if not prod(given) or not given or not sizes:
        return reassociations(given, sizes)
    rank = len(given)
    if op.KIND == "aten::flatten":
        start, end = (b.constant(dim) % rank for dim in op.operands[1:3])
    elif op.KIND == "aten::ravel":
        start, end = 0, rank - 1
    elif op.KIND == "aten::unflatten":
        dim: int = b.constant(op.operands[1]) % rank
        parts = len(sizes) - rank + 1
        whole = tuple((axis,) for axis in range(rank))
        split = tuple(range(dim, dim + parts))
        behind = tuple((axis + parts - 1,) for axis in range(dim + 1, rank))
        return whole, (*whole[:dim], split, *behind)
    else:
        return reassociations(given, sizes)
    lead = tuple((axis,) for axis in range(start))
    behind = tuple((axis,) for axis in range(end + 1, rank))
    return (*lead, tuple(range(start, end + 1)), *behind), tuple((i,) for i in range(len(sizes)))


def _named_sizes(b: LinalgBuilder, op: OperatorOp, known: Sequence[int]) -> list[Symbol | None]:
    """The sizes of the result that the operator names, or another tensor; None for those that follow from the rest."""
    if op.KIND == "aten::unflatten":
        source = b.shapes[op.operands[0]]
        dim: int = b.constant(op.operands[1]) % len(source)
        sizes = listed_sizes(b, op.operands[2], known[dim : dim + len(known) - len(source) + 1])
        return [*[None] * dim, *sizes, *[None] * (len(source) - dim - 1)]
    if len(op.operands) != 2:
        return [None] * len(known)  # a range of dimensions names none
    other = op.operands[1]
    if other in b.shapes:
        return list(b.shapes[other])
    found = _open_sizes(b, b.shapes[op.operands[0]], other, known)
    return listed_sizes(b, other, known) if found is None else found


def _open_sizes(
    b: LinalgBuilder, source: Shape, sizes: SSAValue, known: Sequence[int]
) -> list[Symbol | None] | None:
    """The sizes in a list of which the kernel is given some: one of these may be -1 in any call. None where that cannot be."""
    if not isinstance(sizes.owner, prim.ListConstructOp):
        return None
    numbers = sizes.owner.operands
    given = [one for one in numbers if constant(one) is None and one not in b.size_numbers]
    if not given or any(one.value == -1 for one in map(constant, numbers) if one is not None):
        return None
    found: list[Symbol | None] = []
    named: list[Symbol] = []
    for value, size in zip(numbers, known, strict=True):
        if value in given:
            number, symbol = b.open_size(value, size)
            named.append(number)
        else:
            symbol = named_size(b, value, size)
            assert symbol is not None
            named.append(symbol)
        found.append(symbol)
    for place, (value, symbol) in enumerate(zip(numbers, found, strict=True)):
        if value in given and symbol is not None:
            others = (*named[:place], *named[place + 1 :])
            named_here = Definition("named", (named[place], *source), divisors=others)
            symbol.find().definitions.append(named_here)
    return found


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
