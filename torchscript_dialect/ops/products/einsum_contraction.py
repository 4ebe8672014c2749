"""How operands of an einsum are contracted, as PyTorch does it (aten/src/ATen/native/Linear.cpp): strides and dtypes of results follow.

Operands are brought into one order of dimensions: those of the result, then those that are summed, with size 1 where an operand lacks a
label. Two at a time, from left to right, are multiplied, or become matrices where both have what is summed behind them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.views.views import reshaped_view
from torchscript_dialect.tensor.dtype import bool_, dtype, int64
from torchscript_dialect.tensor.storage import restride
from torchscript_dialect.tensor.strides import empty_like_operands
from torchscript_dialect.tensor.type_promotion import opmath, promote_types

Array = NDArray[Any]
Names: TypeAlias = tuple[str, ...]
Sizes: TypeAlias = tuple[int, ...]


class Operand(NamedTuple):
    """Elements, in the dtype that they are computed in, and the dtype that they have."""

    array: Array
    element: dtype

    def summed(self, dims: Sizes) -> Operand:
        """The sum over dimensions, which stay; that of integers has 64 bits."""
        if not dims:
            return self
        element, into = self.element, None
        if self.array.dtype.kind in "iub":
            element, into = int64, np.int64
        found: Array = self.array.sum(axis=dims, keepdims=True, dtype=into)
        return Operand(np.ascontiguousarray(found).reshape(-1).reshape(found.shape), element)

    def times(self, other: Operand) -> Operand:
        """The elements of both, multiplied."""
        made = promote_types(self.element, other.element)
        compute = opmath(made).numpy_dtype
        arrays = [one.array.astype(compute, copy=False) for one in (self, other)]
        found = np.multiply(*arrays, out=empty_like_operands(arrays, compute))
        return Operand(found, made)


class Matrices(NamedTuple):
    """How two operands become matrices, or batches of them, and their product the result."""

    swaps: bool
    """Whether the second one is the left factor: its dimensions come first in the result."""
    left: Sizes
    left_shape: Sizes
    right: Sizes
    right_shape: Sizes
    sizes: Sizes
    order: Sizes

    def of(self, one: Operand, other: Operand) -> Operand:
        """The product.

        Raises:
            RuntimeError: the dtypes differ, or there are no products of bools.
        """
        left, right = (other, one) if self.swaps else (one, other)
        if left.element is not right.element:
            names = left.element.name, right.element.name
            text = f"expected m1 and m2 to have the same dtype, but got: {names[0]} != {names[1]}"
            raise RuntimeError(text)
        if left.element is bool_ and 0 not in (*self.left_shape, *self.right_shape):
            raise NotImplementedError("\"bmm\" not implemented for 'Bool'")
        first = left.array.transpose(self.left).reshape(self.left_shape)
        second = right.array.transpose(self.right).reshape(self.right_shape)
        product = np.matmul(first, second).reshape(self.sizes).transpose(self.order)
        return Operand(product, left.element)


@lru_cache(maxsize=1 << 10)
def _matrices(a: Sizes, b: Sizes, summed: Sizes) -> Matrices:
    """How operands of these sizes are multiplied, and summed over dimensions that both have."""
    rest = [dim for dim in range(len(a)) if dim not in summed]
    both = [dim for dim in rest if a[dim] != 1 and b[dim] != 1]
    first = [dim for dim in rest if a[dim] != 1 and b[dim] == 1]
    second = [dim for dim in rest if a[dim] == 1]
    swaps = bool(first and second) and second[-1] < first[0]
    if swaps:
        a, b, first, second = b, a, second, first
    batch = (prod(a[dim] for dim in both),) if both else ()
    rows, columns = prod(a[dim] for dim in first), prod(b[dim] for dim in second)
    depth = prod(a[dim] for dim in summed)
    made = [*both, *first, *summed, *second]
    sizes = *(a[dim] for dim in (*both, *first)), *(1 for _ in summed), *(b[dim] for dim in second)
    return Matrices(
        swaps,
        (*both, *first, *summed, *second),
        (*batch, rows, depth),
        (*both, *summed, *second, *first),
        (*batch, depth, columns),
        sizes,
        tuple(map(made.index, range(len(made)))),
    )


class Step(NamedTuple):
    """What is done to the result so far and the next operand."""

    of_first: Sizes
    """Dimensions over which the former is summed alone."""
    of_second: Sizes
    matrices: Matrices | None
    """None where nothing is summed that both have."""


class Arrangement(NamedTuple):
    """How an operand gets the dimensions of all."""

    diagonals: tuple[tuple[int, int], ...]
    """Pairs of its dimensions that have one label, one after the other."""
    axes: Sizes
    """The dimensions that it has, in their order."""
    lacking: Sizes
    """Where it has none."""

    @staticmethod
    def of(names: Names, order: Names) -> Arrangement:
        """That of an operand with these labels, for an order of labels."""
        left = list(names)
        diagonals: list[tuple[int, int]] = []
        while len(set(left)) < len(left):
            label = next(one for one in left if left.count(one) > 1)
            place = left.index(label)
            again = left.index(label, place + 1)
            diagonals.append((place, again))
            del left[again]
        axes = tuple(left.index(label) for label in order if label in left)
        lacking = tuple(place for place, label in enumerate(order) if label not in left)
        return Arrangement(tuple(diagonals), axes, lacking)

    def arranged(self, array: Array) -> Array:
        """The operand, with size 1 where it has no such dimension."""
        for place, again in self.diagonals:
            array = np.moveaxis(array.diagonal(0, place, again), -1, place)
        array = array.transpose(self.axes)
        if not self.lacking:
            return array
        sizes, strides = list(array.shape), list(array.strides)
        for place in self.lacking:
            sizes.insert(place, 1)
            strides.insert(place, array.itemsize)
        return restride(array, tuple(sizes), tuple(strides))


class Contraction(NamedTuple):
    """What is done to operands of certain labels and sizes."""

    operands: tuple[Arrangement, ...]
    steps: tuple[Step, ...]
    result: int
    """How many dimensions the result has."""

    def of(self, operands: Sequence[Operand]) -> Operand:
        """The result."""
        arranged = [
            Operand(how.arranged(one.array), one.element)
            for one, how in zip(operands, self.operands, strict=True)
        ]
        made = arranged[0]
        if not self.steps:
            dims = tuple(range(self.result, made.array.ndim))
            summed = made.summed(dims)
            return summed._replace(array=summed.array.reshape(made.array.shape[: self.result]))
        for step, other in zip(self.steps, arranged[1:], strict=True):
            one, two = made.summed(step.of_first), other.summed(step.of_second)
            made = one.times(two) if step.matrices is None else step.matrices.of(one, two)
        if made.array.ndim == self.result:
            return made
        found = reshaped_view(made.array, made.array.shape[: self.result])
        assert found is not None
        return made._replace(array=found)


def _rank(label: str) -> tuple[bool, int, str]:
    """Where a label stands among those that are summed: dimensions of an ellipsis come first."""
    is_letter = not label.startswith(".")
    return is_letter, 0 if is_letter else int(label[3:]), label


@lru_cache(maxsize=1 << 10)
def contraction(
    operands: tuple[Names, ...], result: Names, shapes: tuple[Sizes, ...]
) -> Contraction:
    """The contraction of operands with these labels, whose sizes fit."""
    rest = sorted({label for names in operands for label in names} - set(result), key=_rank)
    order = (*result, *rest)
    sizes = [dict(zip(names, shape, strict=True)) for names, shape in zip(operands, shapes)]
    arranged = [tuple(of.get(label, 1) for label in order) for of in sizes]
    left = [sum(shape[dim] != 1 for shape in arranged) for dim in range(len(order))]
    steps: list[Step] = []
    made = arranged[0]
    for other in arranged[1:]:
        both: list[int] = []
        alone: tuple[list[int], list[int]] = ([], [])
        for dim in range(len(result), len(order)):
            if made[dim] != 1 and other[dim] != 1:
                left[dim] -= 1
                if left[dim] == 1:
                    both.append(dim)
            elif left[dim] == 1 and (made[dim] != 1 or other[dim] != 1):
                alone[made[dim] == 1].append(dim)
            else:
                continue
            left[dim] = 0 if dim in (*both, *alone[0], *alone[1]) else left[dim]
        one, two = (
            tuple(1 if dim in dims else size for dim, size in enumerate(shape))
            for shape, dims in zip((made, other), alone, strict=True)
        )
        matrices = _matrices(one, two, tuple(both)) if both else None
        steps.append(Step(tuple(alone[0]), tuple(alone[1]), matrices))
        made = tuple(
            1 if dim in both else (b if a == 1 else a) for dim, (a, b) in enumerate(zip(one, two))
        )
    arrangements = tuple(Arrangement.of(names, order) for names in operands)
    return Contraction(arrangements, tuple(steps), len(result))
