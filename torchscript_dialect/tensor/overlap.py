"""Refuses in-place writes whose result would depend on the order of writing
(ATen/MemoryOverlap.cpp).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor.storage import byte_extent
from torchscript_dialect.tensor.strides import element_strides, is_non_overlapping_and_dense

_INTERNAL = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_SHARED = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)


class Overlap(Enum):
    """How the memory of two arrays meets; `UNKNOWN` where an array has gaps, so that deciding would
    be hard.
    """

    NONE = auto()
    FULL = auto()
    PARTIAL = auto()
    UNKNOWN = auto()


def has_internal_overlap(array: NDArray[Any], /) -> bool:
    """Whether two elements surely lie at one address: a dimension of stride 0. Subtler overlaps are
    not looked for.
    """
    if not array.size:
        return False
    return 0 in array.strides and any(
        n > 1 and stride == 0 for n, stride in zip(array.shape, element_strides(array), strict=True)
    )


def may_overlap_internally(array: NDArray[Any], /) -> bool:
    """Whether two elements may lie at one address, as far as sizes and strides tell without solving for it (PyTorch:
    `_maybe_overlapping_memory`).
    """
    farthest = 0
    for stride, size in sorted(zip(element_strides(array), array.shape, strict=True)):
        if size > 1:
            if stride <= farthest:
                return True
            farthest += stride * (size - 1)
    return False


def overlap_of(a: NDArray[Any], b: NDArray[Any], /) -> Overlap:
    """How the memory of two arrays meets: in full when the elements pair up at equal addresses."""
    if a is b:
        return Overlap.FULL
    if not a.size or not b.size or not np.may_share_memory(a, b):
        return Overlap.NONE
    if not (_is_dense(a) and _is_dense(b)):
        return Overlap.UNKNOWN
    same_block = byte_extent(a) == byte_extent(b)
    return Overlap.FULL if same_block and a.strides == b.strides else Overlap.PARTIAL


def _is_dense(array: NDArray[Any]) -> bool:
    return array.flags.c_contiguous or is_non_overlapping_and_dense(
        array.shape, element_strides(array)
    )


def assert_no_internal_overlap(written: NDArray[Any], /) -> None:
    """RuntimeError where the array to write to has a dimension of stride 0."""
    if has_internal_overlap(written):
        raise RuntimeError(_INTERNAL)


def assert_no_partial_overlap(written: NDArray[Any], read: NDArray[Any], /) -> None:
    """RuntimeError where the arrays share memory without being the same view of it (pointwise
    operators).
    """
    if overlap_of(written, read) is Overlap.PARTIAL:
        raise RuntimeError(_SHARED)


def assert_no_overlap(written: NDArray[Any], read: NDArray[Any], /) -> None:
    """RuntimeError where the arrays surely share memory (operators that read after they write)."""
    if overlap_of(written, read) in (Overlap.PARTIAL, Overlap.FULL):
        raise RuntimeError(_SHARED)
