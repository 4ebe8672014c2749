"""Sums of products in Einstein's notation (PyTorch: aten/src/ATen/native/Linear.cpp).

What two operands are multiplied and summed over is a product of matrices, one for each of what both and the result have: operands are
brought into that form, and the result has the strides that follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing, Origin
from torchscript_dialect.ops.reduction import computed, stored
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    broadcast,
    dtype_of,
    fresh,
    is_known,
    rank_known,
)
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import empty_like_operands
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import promote_types
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]
Names = tuple[str, ...]
Sizes = tuple[int, ...]


class Labels(NamedTuple):
    """An equation: one label for each dimension."""

    operands: tuple[Names, ...]
    result: Names

    @property
    def has_diagonals(self) -> bool:
        """Whether a label stands twice in an operand."""
        return any(len(set(labels)) < len(labels) for labels in self.operands)


@lru_cache(maxsize=1 << 10)
def labels_of(equation: str, shapes: tuple[Sizes, ...]) -> Labels | None:
    """The labels of an equation for operands of these sizes, with some for the dimensions of ellipses; None where sizes do not fit, or
    the result has others, or one twice.
    """
    left, arrow, right = equation.partition("->")
    operands: list[Names] = []
    dotted: list[str] = []
    for term, sizes in zip(left.split(","), shapes, strict=True):
        before, dots, after = term.partition("...")
        count = len(sizes) - len(before) - len(after)
        if count < 0 or (count and not dots):
            return None
        own = [f"...{number}" for number in range(-count, 0)]
        dotted = max(dotted, own, key=len)
        operands.append((*before, *own, *after))
    every = [label for labels in operands for label in labels]
    if arrow:
        before, dots, after = right.partition("...")
        result = (*before, *(dotted if dots else ()), *after)
    else:
        once = sorted(one for one in every if one not in dotted and every.count(one) == 1)
        result = (*dotted, *once)
    of_size: dict[str, set[int]] = {}
    for labels, sizes in zip(operands, shapes, strict=True):
        for label, size in zip(labels, sizes, strict=True):
            of_size.setdefault(label, {1}).add(size)
    fits = all(len(sizes) <= 2 for sizes in of_size.values()) and set(result) <= of_size.keys()
    pairs = zip(operands, shapes, strict=True)
    fits &= all(len({*zip(one, sizes)}) == len(set(one)) for one, sizes in pairs)
    fits &= len(set(result)) == len(result) and "." not in every
    return Labels(tuple(operands), result) if fits else None


def _common(labels: Labels | None, shapes: Sequence[Sizes], elements: Sequence[dtype]) -> dtype:
    """The dtype of the result of operands of several dtypes, which are contracted from left to right.

    Raises:
        RuntimeError: what two of them share is summed, and their dtypes differ. Only those that are multiplied are promoted.
    """
    made = elements[0]
    if labels is None:
        return made
    sizes = dict(zip(labels.operands[0], shapes[0], strict=True))
    for place, element in enumerate(elements[1:], 1):
        needed = {label for operand in labels.operands[place + 1 :] for label in operand}
        needed |= set(labels.result)
        own = dict(zip(labels.operands[place], shapes[place], strict=True))
        summed = sizes.keys() & own.keys() - needed
        if made is not element and any(sizes[one] != 1 and own[one] != 1 for one in summed):
            raise RuntimeError(
                f"expected m1 and m2 to have the same dtype, but got: {made.name} != {element.name}"
            )
        made = promote_types(made, element)
        every = {**own, **{one: size for one, size in sizes.items() if size != 1}}
        sizes = {label: size for label, size in every.items() if label in needed}
    return made


def _contracted(labels: Labels, arrays: Sequence[Array]) -> Array:
    """The result of operands that are contracted from left to right."""
    names, result = labels.operands[0], arrays[0]
    for place, array in enumerate(arrays[1:], 1):
        others = labels.operands[place]
        later = {label for operand in labels.operands[place + 1 :] for label in operand}
        both = {*names, *others}
        kept = tuple(label for label in labels.result if label in both)
        kept += tuple(sorted((both & later) - set(labels.result)))
        pair = _pair(names, others, kept, result.shape, array.shape, turns=len(arrays) == 2)
        names, result = kept, pair.contracted(result, array)
    return result


class _Factor(NamedTuple):
    """How an operand becomes a factor."""

    summed: Sizes
    """The dimensions that neither the other operand nor the result has."""
    rows: Sizes
    """The others in the order of the result, in which the sum lies."""
    order: Sizes
    """These in the order that a product takes them in."""
    shape: Sizes

    def of(self, array: Array) -> Array:
        """The factor."""
        if self.summed:
            array = np.asarray(array.sum(axis=self.summed).transpose(self.rows), order="C")
        return array.transpose(self.order).reshape(self.shape)


class _Pair(NamedTuple):
    """How two operands of certain sizes are multiplied and summed. Dimensions of size 1 count for those of the other operand."""

    first: _Factor
    second: _Factor
    sizes: Sizes
    """What a product of matrices has instead of batches, rows and columns."""
    order: Sizes | None
    """The dimensions of the product in the order of the result; None where it is none of matrices."""
    is_turned: bool = False
    """Whether the second operand is the first factor, as its dimensions come first in the result."""

    def contracted(self, left: Array, right: Array) -> Array:
        """The result for operands of the sizes that it is for."""
        if self.is_turned:
            left, right = right, left
        one, other = self.first.of(left), self.second.of(right)
        if self.order is None:
            return np.multiply(one, other, out=empty_like_operands([one, other], one.dtype))
        return np.matmul(one, other).reshape(self.sizes).transpose(self.order)


@lru_cache(maxsize=1 << 10)
def _pair(first: Names, second: Names, result: Names, a: Sizes, b: Sizes, *, turns: bool) -> _Pair:
    """The pair of operands with these labels and sizes; whether it may be turned, so that the result lies in rows."""
    sizes_a, sizes_b = dict(zip(first, a, strict=True)), dict(zip(second, b, strict=True))
    left = {label for label, size in sizes_a.items() if size != 1}
    right = {label for label, size in sizes_b.items() if size != 1}
    shared = set(first) & set(second) - set(result)
    lonely = (set(first) ^ set(second)) - set(result)
    alone_a = lonely & left | shared & (left - right)
    alone_b = lonely - left | shared & (right - left)
    if not shared & left & right:
        beside_a, beside_b = (
            tuple(sizes.get(label, 1) for label in result) for sizes in (sizes_a, sizes_b)
        )
        return _Pair(
            _factor(first, alone_a, result, result, beside_a),
            _factor(second, alone_b, result, result, beside_b),
            (),
            None,
        )
    batch = tuple(label for label in result if (label in left) == (label in right))
    rows = tuple(label for label in result if label in left and label not in right)
    columns = tuple(label for label in result if label in right and label not in left)
    inner = tuple(sorted(shared & left & right))
    of_label = {**dict.fromkeys(result, 1), **sizes_b, **{one: sizes_a[one] for one in left}}
    count, height, depth, width = (
        prod(of_label[label] for label in group) for group in (batch, rows, inner, columns)
    )
    leading = (count,) if batch else ()
    made = (*batch, *rows, *columns)
    if (
        turns
        and not lonely
        and columns
        and rows
        and result.index(columns[-1]) < result.index(rows[0])
    ):
        return _pair(second, first, result, b, a, turns=False)._replace(is_turned=True)
    return _Pair(
        _factor(first, alone_a, result, (*batch, *rows, *inner), (*leading, height, depth)),
        _factor(second, alone_b, result, (*batch, *inner, *columns), (*leading, depth, width)),
        tuple(of_label[label] for label in made),
        tuple(map(made.index, result)),
    )


def _factor(names: Names, alone: set[str], result: Names, wanted: Names, shape: Sizes) -> _Factor:
    """What an operand with these labels becomes: dimensions as they are `wanted`, then those of size 1."""
    kept = [label for label in names if label not in alone]
    summed = tuple(place for place, label in enumerate(names) if label in alone)
    rest = sorted(set(kept) - set(result))
    rows = [*(label for label in result if label in kept), *rest] if summed else kept
    ordered = [label for label in wanted if label in kept]
    ordered += [label for label in rows if label not in ordered]
    return _Factor(summed, tuple(map(kept.index, rows)), tuple(map(rows.index, ordered)), shape)


def _view_of(labels: str, arrow: str, right: str, array: Array) -> Array | None:
    """The operand with its dimensions in another order, and diagonals where a label stands twice; None where something is summed."""
    extra = [f".{place}" for place in range(array.ndim - len(labels.replace("...", "")))]
    before, dots, after = labels.partition("...")
    names = [*before, *(extra if dots else ()), *after]
    if not arrow:
        kept = [*(extra if dots else ()), *sorted(set(before + after))]
        kept = kept if len(kept) == len(names) else []
    else:
        before, dots, after = right.partition("...")
        kept = [*before, *(extra if dots else ()), *after]
    if len(names) != array.ndim or set(kept) != set(names) or len(set(kept)) != len(kept):
        return None
    if len({*zip(names, array.shape, strict=True)}) > len(kept):
        return None
    if len(kept) == len(names):
        return array.transpose([names.index(name) for name in kept])
    return np.einsum(array, [kept.index(name) for name in names], range(len(kept)))


def _einsum_shape(facts: Sequence[Fact]) -> TensorProperties:
    """The common dtype of the operands, and the sizes of labels where the equation names the result's."""
    equation, tensors, _ = facts
    if not isinstance(tensors, list) or not tensors:
        return NOTHING
    operands = cast("list[Fact]", tensors)
    if not all(isinstance(one, TensorProperties) for one in operands):
        return NOTHING
    made = fresh(_promoted([dtype_of(one) for one in operands]), None, *operands)
    if not is_known(equation) or "->" not in equation or "." in equation:
        return made
    left, _, right = equation.replace(" ", "").partition("->")
    sizes: dict[str, int | None] = {}
    for labels, operand in zip(left.split(","), operands, strict=False):
        known = rank_known(operand) or (None,) * len(labels)
        if len(known) != len(labels):
            return made
        for label, size in zip(labels, known, strict=True):
            both = broadcast([(sizes.get(label, 1),), (size,)])
            if both is None:
                return made
            (sizes[label],) = both
    if not set(right) <= sizes.keys():
        return made
    return replace(made, sizes=tuple(sizes[label] for label in right))


def _promoted(elements: Sequence[dtype | None]) -> dtype | None:
    """The common dtype; None where one is not known, or there is none."""
    try:
        return reduce(promote_types, cast("Sequence[dtype]", elements)) if all(elements) else None
    except RuntimeError:
        return None


@registry.kernel(
    "einsum", aliases=Aliasing(results=Origin.ANYWHERE, keeps=(1,)), shape=_einsum_shape
)
@ignores_float_errors
def einsum(equation: str, tensors: Sequence[Tensor], _path: Sequence[int] | None) -> Tensor:
    """The sum of products that the equation names."""
    if not tensors:
        raise RuntimeError("einsum(): must provide at least one operand")
    given = equation.replace(" ", "").partition("->")[0].split(",")
    if len(given) != len(tensors):
        more = "more" if len(tensors) > len(given) else "fewer"
        raise RuntimeError(
            f"einsum(): {more} operands were provided than specified in the equation"
        )
    element = tensors[0].dtype
    left, arrow, right = equation.replace(" ", "").partition("->")
    if len(tensors) == 1:
        view = _view_of(left, arrow, right, tensors[0].array)
        if view is not None:
            return tensor_of(view)
    arrays = [computed(x.array) for x in tensors]
    if any(x.dtype is not element for x in tensors):
        shapes = tuple(one.shape for one in arrays)
        labels = labels_of(f"{left}{arrow}{right}", shapes)
        element = _common(labels, shapes, [x.dtype for x in tensors])
        arrays = [computed(tensor_of(one).to(element).array) for one in arrays]
    if len(arrays) > 1 and arrays[0].dtype.kind in "fc":
        labels = labels_of(f"{left}{arrow}{right}", tuple(one.shape for one in arrays))
        if labels is not None and not labels.has_diagonals:
            raw = _contracted(labels, arrays)
            return tensor_of(raw.astype(element.numpy_dtype, copy=False))
    drops = "..." in left and arrow and "..." not in right
    try:
        raw = np.einsum(
            f"{left}->...{right}" if drops else equation, *arrays, optimize=len(arrays) > 2
        )
    except ValueError as error:
        raise RuntimeError(f"einsum(): {error}") from None
    if drops:  # What the ellipsis stands for is summed, where NumPy refuses.
        raw = raw.sum(axis=tuple(range(raw.ndim - len(right.strip()))))
    return stored(raw, element)


def einsum_of_lists(*operands: Any) -> tuple[str, list[Tensor]]:
    """The equation, and the tensors, of operands that alternate with lists of numbers; a last list is the result's.

    Raises:
        ValueError: a number is not from 0 to 51.
    """
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    def term(labels: Sequence[Any]) -> str:
        for label in labels:
            if label is not Ellipsis and not 0 <= label < 52:
                raise ValueError(
                    "einsum(): subscript in subscript list is not within the valid range [0, 52)"
                )
        return "".join("..." if label is Ellipsis else letters[label] for label in labels)

    equation = ",".join(term(labels) for labels in operands[1::2])
    tensors = list(operands[: 2 * (len(operands) // 2) : 2])
    return (f"{equation}->{term(operands[-1])}" if len(operands) % 2 else equation), tensors
