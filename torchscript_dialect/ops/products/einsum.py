"""Sums of products in Einstein's notation: `einsum_contraction.py` computes what the labels of an equation say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import Aliasing, Origin
from torchscript_dialect.ops.products.einsum_contraction import Names, Operand, Sizes, contraction
from torchscript_dialect.ops.reduction.reduction import computed
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    broadcast,
    dtype_of,
    fresh,
    is_known,
    rank_known,
)
from torchscript_dialect.tensor.dtype import dtype, int64
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import promote_types
from torchscript_dialect.types.tensor_type import TensorProperties

Array = NDArray[Any]


class Labels(NamedTuple):
    """An equation: one label for each dimension."""

    operands: tuple[Names, ...]
    result: Names


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
    fits &= len(set(result)) == len(result)
    fits &= all(label.startswith("...") or (label.isalpha() and label.isascii()) for label in every)
    return Labels(tuple(operands), result) if fits else None


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
    element = _promoted([dtype_of(one) for one in operands])
    if element is not None and not (element.is_floating_point or element.is_complex):
        element = int64 if element is int64 else None  # sums have 64 bits
    made = fresh(element, None, *operands)
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
    left, arrow, right = equation.replace(" ", "").partition("->")
    if len(tensors) == 1:
        view = _view_of(left, arrow, right, tensors[0].array)
        if view is not None:
            return tensor_of(view)
    shapes = tuple(x.array.shape for x in tensors)
    labels = labels_of(f"{left}{arrow}{right}", shapes)
    arrays = [computed(x.array) for x in tensors]
    if labels is None:
        raise RuntimeError(f"einsum(): {_objection(equation, arrays)}")
    operands = [Operand(one, x.dtype) for one, x in zip(arrays, tensors, strict=True)]
    found = contraction(labels.operands, labels.result, shapes).of(operands)
    return tensor_of(found.array.astype(found.element.numpy_dtype, copy=False))


def _objection(equation: str, arrays: Sequence[Array]) -> str:
    """Why operands do not fit an equation, in NumPy's words."""
    try:
        np.einsum(equation, *arrays)
    except ValueError as error:
        return str(error)
    return f"the operands do not fit '{equation}'"


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
