"""Distances between rows on the device: norms of their differences, or made of products as on the host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import common_shape
from torchscript_dialect.tensor.tensor import Tensor

LONG = 25
"""Rows above which distances are made of products, where the mode leaves that open."""
_TYPES = (dtypes.float32, dtypes.float64)


def _between(_: Any, operands: Sequence[Any]) -> Any:
    """`aten::cdist` and `aten::_cdist_forward`."""
    x, y, p, mode = operands
    given, other = x.array.shape, y.array.shape
    if min(len(given), len(other)) < 2 or given[-1] != other[-1] or not x.array.size:
        return NOTHING  # the kernel of the host says why
    if x.dtype is not y.dtype or x.dtype not in _TYPES or p < 0:
        return NOTHING
    if (
        mode not in (None, 0, 1, 2)
        or common_shape(given[:-2], other[:-2]) is None
        or not y.array.size
    ):
        return NOTHING
    is_long = max(given[-2], other[-2]) > LONG
    if p == 2 and (mode == 1 or (mode != 2 and is_long)):
        return call("aten::_euclidean_dist", (x, y))
    return _norm(x.unsqueeze(-2) - y.unsqueeze(-3), p)


def _pairs(_: Any, operands: Sequence[Any]) -> Any:
    """`aten::pdist` and `aten::_pdist_forward`."""
    x, p = operands
    if x.array.ndim != 2 or x.dtype not in _TYPES or p < 0 or not x.array.size:
        return NOTHING
    count = x.array.shape[0]
    if count < 2:
        return NOTHING
    rows = numbers(count, [count])
    is_pair = rows.unsqueeze(1).lt(rows.unsqueeze(0))
    first, second = call("aten::nonzero", (is_pair,)).unbind(1)
    return _norm(x.index_select(0, first) - x.index_select(0, second), p)


def _norm(gap: Tensor, p: float) -> Tensor:
    return call("aten::linalg_vector_norm", (gap, p, [-1], False), {"dtype": None})


DISTANCES: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::cdist": _between,
    "aten::_cdist_forward": _between,
    "aten::pdist": _pairs,
    "aten::_pdist_forward": _pairs,
}
