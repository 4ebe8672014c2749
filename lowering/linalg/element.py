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
