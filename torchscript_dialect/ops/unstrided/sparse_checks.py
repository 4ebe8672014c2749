"""Whether parts make a sparse tensor (PyTorch: native/sparse/ValidateCompressedIndicesCommon.h)."""

from __future__ import annotations

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_making import check_compressed, check_coo, is_sorted
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor


@registry.kernel("_validate_sparse_coo_tensor_args")
def check_coo_args(
    indices: Tensor, values: Tensor, size: list[int], unique: bool | None, _pinning: bool | None
) -> None:
    check_coo(indices.array, values.array, size)
    if unique and not is_sorted(indices.array, size):
        raise RuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )


@registry.kernel("_validate_sparse_compressed_tensor_args")
def check_compressed_args(
    bounds: Tensor,
    places: Tensor,
    values: Tensor,
    size: list[int],
    kind: int,
    _pinning: bool | None,
) -> None:
    check_compressed(layout(kind), bounds.array, places.array, values.array, size)
    _check_order(bounds, places, is_crow=layout(kind).name in ("sparse_csr", "sparse_bsr"))


for _name in ("csr", "csc", "bsr", "bsc"):
    registry.implement(
        f"_validate_sparse_{_name}_tensor_args",
        lambda bounds, places, values, size, pinning, kind=layout[f"sparse_{_name}"]: (
            check_compressed_args(bounds, places, values, size, kind, pinning)
        ),
    )


@registry.kernel("_validate_compressed_sparse_indices")
def check_indices(
    is_crow: bool, bounds: Tensor, places: Tensor, many: int, wide: int, count: int
) -> None:
    kind = layout.sparse_csr if is_crow else layout.sparse_csc
    size = [*bounds.array.shape[:-1], *((many, wide) if is_crow else (wide, many))]
    elements = np.zeros((*bounds.array.shape[:-1], count))
    check_compressed(kind, bounds.array, places.array, elements, size)
    _check_order(bounds, places, is_crow=is_crow)


def _check_order(bounds: Tensor, places: Tensor, *, is_crow: bool) -> None:
    """RuntimeError unless the places of each row are in order and distinct."""
    wide = places.array.shape[-1]
    for ends, row in zip(
        bounds.array.reshape(-1, bounds.array.shape[-1]),
        places.array.reshape(-1, wide) if wide else (),
    ):
        falls = np.flatnonzero(np.diff(row) <= 0) + 1
        if not np.isin(falls, ends).all():
            name = ("col", "crow") if is_crow else ("row", "ccol")
            raise RuntimeError(
                f"`{name[0]}_indices[..., {name[1]}_indices[..., i - 1]:{name[1]}_indices[..., i]] "
                "for all i = 1, ..., "
                f"{'nrows' if is_crow else 'ncols'} are sorted and distinct along the last dimension values` "
                "is not satisfied."
            )
