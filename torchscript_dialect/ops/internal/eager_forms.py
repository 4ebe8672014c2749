"""Operators of PyTorch's eager machinery that compute what others do: lazy negations and copies, zeros of another tensor's form, rows
that are left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.tensor.dtype import from_scalar_type
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

composite(
    "aten::_neg_view_copy",
    "def negated(self: Tensor) -> Tensor:\n    return torch.neg(self).contiguous()\n",
)
composite(
    "aten::_lazy_clone", "def copied(self: Tensor) -> Tensor:\n    return torch.clone(self)\n"
)
composite(
    "aten::_new_zeros_with_same_feature_meta",
    """
def zeros_as(self: Tensor, other: Tensor, self_num_batch_dims: int) -> Tensor:
    sizes = self.size()[:self_num_batch_dims]
    return torch.zeros(sizes + other.size(), dtype=other.dtype, device=other.device)
""",
)


@registry.kernel("_rowwise_prune")
def rowwise_prune(weight: Tensor, mask: Tensor, kind: int) -> tuple[Tensor, Tensor]:
    """The rows that the mask keeps, and of each row its place among them, -1 for one that is left out.

    Raises:
        RuntimeError: the places are neither int32 nor int64, or the mask is no row of bools of the right length.
    """
    places = from_scalar_type(kind).numpy_dtype
    if places not in (np.dtype(np.int32), np.dtype(np.int64)):
        raise RuntimeError("compressed_indices_dtype should be either int(int32) or long(int64).")
    kept = mask.array
    if kept.ndim != 1 or kept.dtype != np.bool_ or len(kept) != len(weight.array):
        raise RuntimeError(
            "Number of elements in 'mask' should be equivalent to the number of rows in 'weights'."
        )
    found: Any = np.where(kept, np.cumsum(kept) - 1, -1)
    return tensor_of(np.ascontiguousarray(weight.array[kept])), tensor_of(found.astype(places))
