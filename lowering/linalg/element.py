"""How ops on tensors read their operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import SSAValue

from torchscript_dialect.tensor.dtype import dtype

if TYPE_CHECKING:
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class Element(NamedTuple):
    """An element of a tensor, for a generic op: `axes` are the loops that walk the dimensions, -1 where none does."""

    tensor: SSAValue
    dtype: dtype
    axes: tuple[int, ...]


Place = tuple[tuple[int, int], ...]
"""Where loops stand in a dimension: the sum of loops, each times a factor; nothing is the first element.

`ONE` stands for the number 1.
"""

ONE = -1


class Window(NamedTuple):
    """An element of a tensor, for an op that accumulates."""

    tensor: SSAValue
    dtype: dtype
    places: tuple[Place, ...]


def along(first: int, count: int) -> list[Place]:
    """Dimensions that loops walk, from the loop `first` on."""
    return [((first + number, 1),) for number in range(count)]


def unchanged(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
    """The body of an op that copies its operand."""
    return elements[0]


def multiply_add(math: ScalarBuilder, total: Scalar, factors: list[Scalar]) -> Scalar:
    """The step of an op that adds up products, in the dtype of the total."""
    return math.add(total, math.mul(*(math.cast(one, total.dtype.name) for one in factors)))
