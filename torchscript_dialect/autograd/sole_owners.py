"""Gradients that nobody else holds, which leaves take without a copy.

PyTorch asks `use_count` for that (torch/csrc/autograd/functions/accumulate_grad.h).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from sys import getrefcount

import numpy as np

from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def sole_owners(found: Iterable[Tensor | None]) -> frozenset[int]:
    """The ids of the tensors that nothing but the sequence of them holds, on memory that nothing but each of them holds."""
    of_tensor, of_array = _expected()
    return frozenset(
        key for key, *counts in _counts(found) if counts[0] <= of_tensor and counts[1] <= of_array
    )


def _counts(found: Iterable[Tensor | None]) -> list[tuple[int, int, int]]:
    """The id of each plain tensor on memory of its own, and the references to the tensor and to its array."""
    return [
        (id(one), getrefcount(one), getrefcount(one.array))
        for one in found
        if one is not None and one.__class__ is Tensor and one.array.base is None
    ]


@cache
def _expected() -> tuple[int, int]:
    """What is counted of such a tensor, which is up to the interpreter."""
    ((_, *counts),) = _counts([tensor_of(np.empty(1))])
    return counts[0], counts[1]
