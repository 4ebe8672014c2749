"""How ops on tensors read their operands."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.ir import SSAValue

from torchscript_dialect.tensor.dtype import dtype


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
