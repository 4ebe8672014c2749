"""Sparse tensors of their parts (PyTorch: native/sparse/SparseTensor.cpp, SparseCsrTensor.cpp).

PyTorch looks at places only when it is told to (`torch.sparse.check_sparse_tensor_invariants`), and reads outside of memory where they
are wrong. Here places outside of a tensor are refused when it is made, by whichever operator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.factories import check_size
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import cast_array
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import CompressedTensor, SparseTensor, compressed, coo

Array = NDArray[Any]

ROWS = (layout.sparse_csr, layout.sparse_bsr)
BLOCKS = (layout.sparse_bsr, layout.sparse_bsc)


def check_device(device: Any, pin_memory: bool | None) -> None:
    """RuntimeError unless the options name the cpu."""
    if device is not None and device.type != "cpu":
        raise RuntimeError(f"tensors live on the cpu only, not on device '{device}'")
    if pin_memory:
        raise RuntimeError("Cannot access accelerator device when none is available.")


def as_chosen(values: Array, wanted: int | None) -> Array:
    """Elements of the dtype that is asked for: those that are given, where they have it."""
    if wanted is None or dtypes.of_array(values).scalar_type == wanted:
        return values
    return cast_array(values, dtypes.from_scalar_type(wanted))


# Coordinates


def check_coo(places: Array, elements: Array, sizes: Sequence[int] | None) -> None:
    """RuntimeError where coordinates and elements do not make a tensor of these sizes."""
    if places.ndim != 2:
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(places.shape)}")
    if not elements.ndim:
        raise RuntimeError("values must have at least one dimension")
    if places.shape[1] != elements.shape[0]:
        raise RuntimeError(
            f"indices and values must have same nnz, but got nnz from indices: {places.shape[1]}, "
            f"nnz from values: {elements.shape[0]}"
        )
    if sizes is None:
        return
    sparse, dense = places.shape[0], elements.ndim - 1
    if len(sizes) != sparse + dense:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(sizes)}, "
            f"sparse_dim = {sparse}, dense_dim = {dense}"
        )
    expected = [places.shape[1], *sizes[sparse:]]
    if list(elements.shape) != expected:
        raise RuntimeError(
            f"values has incorrect size, expected {expected}, got {list(elements.shape)}"
        )
    if not places.size:
        return
    for dim, (low, high) in enumerate(
        zip(places.min(axis=1).tolist(), places.max(axis=1).tolist())
    ):
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {dim}")
        if high >= sizes[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {sizes[dim]} but found index {high}"
            )


def is_sorted(places: Array, sizes: Sequence[int]) -> bool:
    """Whether places are in order, and no two are the same."""
    keys = flat_places(places, sizes)
    return bool((keys[1:] > keys[:-1]).all())


def flat_places(places: Array, sizes: Sequence[int]) -> Array:
    """One number for each place, in the order of the places."""
    keys = np.zeros(places.shape[1], np.int64)
    for row, size in zip(places, sizes):
        keys = keys * size + row
    return keys


def _coo(
    indices: Tensor,
    values: Tensor,
    sizes: Sequence[int] | None,
    wanted: int | None,
    unique: bool | None,
) -> SparseTensor:
    places = indices.array
    if places.dtype.kind == "c":
        raise RuntimeError("indices must be integers")
    places = np.asarray(places, np.int64) if places.dtype != np.int64 else places
    elements = as_chosen(values.array, wanted)
    elements = elements if elements.ndim else elements.reshape(1)
    check_coo(places, elements, None)
    if sizes is None:
        if not places.shape[1] and places.shape[0]:
            found = [0] * places.shape[0]
        else:
            found = [int(row.max()) + 1 for row in places]
        sizes = [*found, *elements.shape[1:]]
    sizes = check_size(sizes)
    check_coo(places, elements, sizes)
    if unique and not is_sorted(places, sizes):
        raise RuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
        )
    return coo(places, elements, sizes, places.shape[1] < 2 if unique is None else unique)


def empty_coo(sizes: Sequence[int], sparse: int, dense: int, element: dtypes.dtype) -> SparseTensor:
    """A tensor of zeros, none of which is kept."""
    sizes = check_size(sizes)
    if len(sizes) != sparse + dense:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(sizes)}, "
            f"sparse_dim = {sparse}, dense_dim = {dense}"
        )
    elements = np.zeros((0, *sizes[sparse:]), element.numpy_dtype)
    return coo(np.zeros((sparse, 0), np.int64), elements, sizes, True)


def chosen(wanted: int | None) -> dtypes.dtype:
    """The dtype that is asked for, or the default."""
    return dtypes.get_default_dtype() if wanted is None else dtypes.from_scalar_type(wanted)


@registry.kernel("sparse_coo_tensor.size")
def coo_of_size(
    size: list[int], wanted: int | None, _layout: int | None, device: Any, pin_memory: bool | None
) -> Tensor:
    check_device(device, pin_memory)
    return empty_coo(size, len(size), 0, chosen(wanted))


@registry.kernel("sparse_coo_tensor.indices")
def coo_of_indices(
    indices: Tensor,
    values: Tensor,
    wanted: int | None,
    _layout: int | None,
    device: Any,
    pin_memory: bool | None,
    unique: bool | None,
) -> Tensor:
    check_device(device, pin_memory)
    return _coo(indices, values, None, wanted, unique)


@registry.kernel("sparse_coo_tensor.indices_size _sparse_coo_tensor_unsafe")
def coo_of_indices_and_size(
    indices: Tensor,
    values: Tensor,
    size: list[int],
    wanted: int | None,
    _layout: int | None,
    device: Any,
    pin_memory: bool | None,
    unique: bool | None,
) -> Tensor:
    check_device(device, pin_memory)
    return _coo(indices, values, size, wanted, unique)


@registry.kernel("_sparse_coo_tensor_with_dims")
def coo_with_dims(
    sparse: int,
    dense: int,
    size: list[int],
    wanted: int | None,
    _layout: int | None,
    device: Any,
    pin_memory: bool | None,
) -> Tensor:
    check_device(device, pin_memory)
    return empty_coo(size, sparse, dense, chosen(wanted))


@registry.kernel("_sparse_coo_tensor_with_dims_and_tensors")
def coo_with_dims_and_tensors(
    sparse: int,
    dense: int,
    size: list[int],
    indices: Tensor,
    values: Tensor,
    wanted: int | None,
    _layout: int | None,
    device: Any,
    pin_memory: bool | None,
    unique: bool | None,
) -> Tensor:
    check_device(device, pin_memory)
    if (len(indices.array), values.array.ndim - 1) != (sparse, dense):
        raise RuntimeError(
            f"sparse_dim and dense_dim are {sparse} and {dense}, and not those of indices and values"
        )
    return _coo(indices, values, size, wanted, unique)


# Compressed rows and columns


def check_compressed(
    kind: layout, bounds: Array, places: Array, elements: Array, sizes: Sequence[int]
) -> None:
    """RuntimeError where the parts do not make a tensor whose elements stand inside of it."""
    names = ("crow_indices", "col_indices") if kind in ROWS else ("ccol_indices", "row_indices")
    batch = bounds.ndim - 1
    if bounds.ndim < 1 or places.ndim < 1:
        raise RuntimeError(f"{names[0]} must have dimensionality >= 1 but got {bounds.ndim}")
    if bounds.shape[:-1] != places.shape[:-1] or elements.shape[:batch] != places.shape[:-1]:
        raise RuntimeError(
            f"all batch dimensions of {names[0]} ({list(bounds.shape[:-1])}), {names[1]} "
            f"({list(places.shape[:-1])}), and values ({list(elements.shape[:batch])}) must be equal"
        )
    if bounds.dtype != places.dtype or bounds.dtype.name not in ("int32", "int64"):
        raise RuntimeError(
            f"{names[0]} and {names[1]} must be an int32 or int64 type, but got {dtypes.of_array(bounds)} "
            f"and {dtypes.of_array(places)}"
        )
    if elements.ndim <= batch or elements.shape[batch] != places.shape[-1]:
        raise RuntimeError(
            f"number of elements in {names[1]} and values must be the same, got {places.shape[-1]}"
        )
    block = elements.shape[batch + 1 : batch + 3] if kind in BLOCKS else (1, 1)
    if len(block) != 2 or len(sizes) < batch + 2 or tuple(sizes[:batch]) != bounds.shape[:-1]:
        raise RuntimeError(
            f"tensor dimensionality must be sum of batch, base, and dense dimensionalities, but got size {list(sizes)}"
        )
    dense = elements.shape[batch + 1 + 2 * (kind in BLOCKS) :]
    if tuple(sizes[batch + 2 :]) != dense:
        raise RuntimeError(
            f"values has dense dimensions {list(dense)}, but the size is {list(sizes)}"
        )
    rows, columns = (size // max(step, 1) for size, step in zip(sizes[batch : batch + 2], block))
    many, wide = (rows, columns) if kind in ROWS else (columns, rows)
    if bounds.shape[-1] != many + 1:
        raise RuntimeError(
            f"{names[0]}.shape[-1] must be equal to the number of {'rows' if kind in ROWS else 'columns'} + 1 "
            f"(={many + 1}), but got {bounds.shape[-1]}"
        )
    if (bounds[..., 0] != 0).any():
        raise RuntimeError(f"`{names[0]}[..., 0] == 0` is not satisfied.")
    if (bounds[..., -1] != places.shape[-1]).any():
        raise RuntimeError(f"`{names[0]}[..., -1] == nnz` is not satisfied.")
    steps = np.diff(bounds, axis=-1)
    if (steps < 0).any() or (steps > wide).any():
        raise RuntimeError(
            f"`0 <= {names[0]}[..., 1:] - {names[0]}[..., :-1] <= {'ncols' if kind in ROWS else 'nrows'}` "
            "is not satisfied."
        )
    if places.size and (places.min() < 0 or places.max() >= wide):
        raise RuntimeError(
            f"`0 <= {names[1]} < {'ncols' if kind in ROWS else 'nrows'}` is not satisfied."
        )


def inferred_sizes(kind: layout, bounds: Array, places: Array, elements: Array) -> list[int]:
    """The smallest sizes of a tensor of these parts."""
    batch = bounds.ndim - 1
    block = elements.shape[batch + 1 : batch + 3] if kind in BLOCKS else (1, 1)
    many, wide = bounds.shape[-1] - 1, int(places.max()) + 1 if places.size else 0
    rows, columns = (many, wide) if kind in ROWS else (wide, many)
    dense = elements.shape[batch + (3 if kind in BLOCKS else 1) :]
    return [*bounds.shape[:-1], rows * block[0], columns * block[1], *dense]


def made_compressed(
    kind: layout,
    bounds: Tensor,
    places: Tensor,
    values: Tensor,
    sizes: Sequence[int] | None,
    wanted: int | None,
) -> CompressedTensor:
    elements = as_chosen(values.array, wanted)
    if sizes is None:
        sizes = inferred_sizes(kind, bounds.array, places.array, elements)
    sizes = check_size(sizes)
    check_compressed(kind, bounds.array, places.array, elements, sizes)
    return compressed(kind, bounds.array, places.array, elements, sizes)


def empty_compressed(
    kind: layout,
    sizes: Sequence[int],
    element: dtypes.dtype,
    block: Sequence[int] = (1, 1),
    dense: int = 0,
    index: Any = np.int64,
    count: int = 0,
) -> CompressedTensor:
    """A tensor of zeros, with room for so many elements."""
    sizes = check_size(sizes)
    batch = len(sizes) - 2 - dense
    if batch < 0:
        raise RuntimeError(f"expected at least 2 sizes, but got {list(sizes)}")
    base = [size // step for size, step in zip(sizes[batch : batch + 2], block)]
    many = base[0] if kind in ROWS else base[1]
    shape = (*sizes[:batch], count, *(block if kind in BLOCKS else ()), *sizes[batch + 2 :])
    return compressed(
        kind,
        np.zeros((*sizes[:batch], many + 1), index),
        np.zeros((*sizes[:batch], count), index),
        np.zeros(shape, element.numpy_dtype),
        sizes,
    )


def _attach(name: str, kind: layout | None, *, sized: bool) -> None:
    def of_size(
        bounds: Tensor,
        places: Tensor,
        values: Tensor,
        size: list[int],
        wanted: int | None,
        asked: int | None,
        device: Any,
        pin_memory: bool | None,
    ) -> Tensor:
        check_device(device, pin_memory)
        return made_compressed(_kind(kind, asked), bounds, places, values, size, wanted)

    def of_parts(
        bounds: Tensor,
        places: Tensor,
        values: Tensor,
        wanted: int | None,
        asked: int | None,
        device: Any,
        pin_memory: bool | None,
    ) -> Tensor:
        check_device(device, pin_memory)
        return made_compressed(_kind(kind, asked), bounds, places, values, None, wanted)

    registry.kernel(name)(of_size if sized else of_parts)


def _kind(kind: layout | None, asked: int | None) -> layout:
    if kind is None:
        if asked is None:
            raise RuntimeError(
                "sparse_compressed_tensor expected sparse compressed tensor layout but got none"
            )
        found = layout(asked)
        if found.name not in ("sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc"):
            raise RuntimeError(
                f"sparse_compressed_tensor expected sparse compressed tensor layout but got {found}"
            )
        return found
    if asked is not None and asked != kind:
        raise RuntimeError(
            f"sparse compressed tensor layout must be {kind} but got {layout(asked)}"
        )
    return kind


for _name, _first, _second in (
    ("csr", "crow", "col"),
    ("csc", "ccol", "row"),
    ("bsr", "crow", "col"),
    ("bsc", "ccol", "row"),
):
    _of = layout[f"sparse_{_name}"]
    _attach(f"sparse_{_name}_tensor.{_first}_{_second}_value_size", _of, sized=True)
    _attach(f"sparse_{_name}_tensor.{_first}_{_second}_value", _of, sized=False)
    _attach(f"_sparse_{_name}_tensor_unsafe", _of, sized=True)
_attach("sparse_compressed_tensor.comp_plain_value_size", None, sized=True)
_attach("sparse_compressed_tensor.comp_plain_value", None, sized=False)
_attach("_sparse_compressed_tensor_unsafe", None, sized=True)


@registry.kernel("_sparse_compressed_tensor_with_dims")
def compressed_with_dims(
    count: int,
    dense: int,
    size: list[int],
    block: list[int],
    index: int,
    wanted: int | None,
    asked: int | None,
    device: Any,
    pin_memory: bool | None,
) -> Tensor:
    check_device(device, pin_memory)
    kind = _kind(None, asked)
    return empty_compressed(
        kind,
        size,
        chosen(wanted),
        block or (1, 1),
        dense,
        dtypes.from_scalar_type(index).numpy_dtype,
        count,
    )
