"""Products of groups of matrices, as mixtures of experts make them (PyTorch: native/GroupedMMUtils.h)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.reduction.reduction import computed, stored
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor

Array = NDArray[Any]


def _grouped_shape(facts: Sequence[Fact]) -> Fact:
    ranks = [sizes and len(sizes) for sizes in map(rank_known, facts[:2])]
    rank = None if None in ranks else 2 if ranks in ([2, 3], [3, 2]) else 3
    return fresh(dtype_of(facts[0]), None if rank is None else (None,) * rank, facts[0])


@registry.kernel("_grouped_mm", shape=_grouped_shape)
def grouped_mm(
    x: Tensor, y: Tensor, offs: Tensor | None, bias: Tensor | None, out_dtype: int | None
) -> Tensor:
    """A product for each group. Where x is (T, K) and y (G, K, N), `offs` (G) says where the rows of each group end; of (M, T) and
    (T, N) groups of products are added up, (G, M, K) and (K, T) have groups of columns, (G, M, K) and (G, K, N) a group a matrix.

    Raises:
        RuntimeError: sizes do not match, `offs` is missing or where it is not wanted, or there is a bias.
    """
    left, right = x.array, y.array
    if left.ndim not in (2, 3) or right.ndim not in (2, 3):
        raise RuntimeError("mat_a has to be 2 or 3d and mat_b has to be 2 or 3d")
    if left.shape[-1] != right.shape[-2]:
        raise RuntimeError("contraction dimension of mat_a and mat_b must match")
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if (offs is None) != (left.ndim == right.ndim == 3):
        raise RuntimeError(
            "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d"
        )
    if left.ndim == right.ndim == 3 and len(left) != len(right):
        raise RuntimeError("batched dimension has to match")
    wanted = x.dtype if out_dtype is None else dtypes.from_scalar_type(out_dtype)
    found = _product(computed(left), computed(right), None if offs is None else offs.array)
    return stored(found, wanted)


def _product(left: Array, right: Array, ends: Array | None) -> Array:
    if ends is None:
        return np.matmul(left, right)
    groups = [slice(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    count = len(right) if right.ndim == 3 else len(left) if left.ndim == 3 else len(groups)
    if count != len(groups):
        raise RuntimeError("matrix batch sizes have to match")
    if left.ndim == right.ndim == 2:
        return np.stack([left[:, group] @ right[group] for group in groups])
    found = np.zeros((left.shape[-2], right.shape[-1]), left.dtype)
    for number, group in enumerate(groups):
        if left.ndim == 2:
            found[group] = left[group] @ right[number]
        else:
            found[:, group] = left[number] @ right[:, group]
    return found
