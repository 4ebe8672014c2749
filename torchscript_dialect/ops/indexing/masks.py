"""Elements where a mask says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.indexing.indexing import Scalar, first_fact
from torchscript_dialect.ops.shapes import (
    Fact,
    broadcast,
    dtype_of,
    fresh,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.overlap import assert_no_internal_overlap
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
)
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def _mask_of(name: str, mask: Tensor) -> NDArray[Any]:
    if mask.array.dtype.kind != "b":
        raise RuntimeError(
            f"{name} only supports boolean masks, but got mask with dtype "
            f"{_CPP.get(mask.dtype.name, mask.dtype.name)}"
        )
    return mask.array


_CPP = {"uint8": "unsigned char", "float32": "float", "int64": "long long", "float64": "double"}


@ignores_float_errors
def masked_fill_(x: Tensor, mask: Tensor, value: Scalar | Tensor) -> Tensor:
    array = x.array
    chosen = _mask_of("masked_fill_", mask)
    is_alike = chosen.shape == array.shape
    if not is_alike and broadcast_shapes(array.shape, chosen.shape) != array.shape:
        raise RuntimeError(
            f"output with shape {list(array.shape)} doesn't match the broadcast shape "
            f"{list(broadcast_shapes(array.shape, chosen.shape))}"
        )
    if isinstance(value, Tensor):
        if value.array.ndim:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{value.array.ndim} dimension(s)."
            )
        check_fits(x.dtype, value.item())
        filler = value.array
    else:
        check_fits(x.dtype, value)
        filler = np.asarray(value)
    np.copyto(array, filler.astype(array.dtype), where=chosen)
    return x


def _masked_fill_shape(facts: Sequence[Fact]) -> Fact:
    sizes = broadcast([rank_known(facts[0]), rank_known(facts[1])])
    return fresh(dtype_of(facts[0]), sizes, facts[0])


registry.attach("aten::masked_fill.Scalar", lower="lowering.linalg.in_place:MaskedFill")
registry.attach("aten::masked_fill_.Scalar", lower="lowering.linalg.in_place:MaskedFillInPlace")


@registry.kernel("masked_fill.Scalar masked_fill.Tensor", shape=_masked_fill_shape)
def masked_fill(x: Tensor, mask: Tensor, value: Scalar | Tensor) -> Tensor:
    array, given = x.array, mask.array.shape
    shape = array.shape if given == array.shape else broadcast_shapes(array.shape, given)
    copy = np.empty(shape, array.dtype)
    copy[...] = array
    return masked_fill_(tensor_of(copy), mask, value)


registry.implement("masked_fill_.Scalar masked_fill_.Tensor", masked_fill_, shape=first_fact)


def _one_dim(facts: Sequence[Fact]) -> Fact:
    return fresh(dtype_of(facts[0]), (None,), facts[0])


@registry.kernel("fill_diagonal_", shape=first_fact)
def fill_diagonal_(x: Tensor, value: Scalar, wrap: bool) -> Tensor:
    """The diagonal of the first two dimensions, or of all where they are more; `wrap` begins it anew below the end of a tall matrix."""
    array = x.array
    if array.ndim < 2:
        raise RuntimeError("dimensions must larger than 1")
    if array.ndim > 2 and len(set(array.shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    check_fits(x.dtype, value)
    if array.size:
        np.fill_diagonal(array, np.asarray(value).astype(array.dtype), wrap)
    return x


@registry.kernel("masked_select", shape=_one_dim, strict_out=True)
def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    if mask.array.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes(x.array.shape, mask.array.shape)
    chosen = np.broadcast_to(mask.array, shape).astype(np.bool_)
    return tensor_of(np.broadcast_to(x.array, shape)[chosen])


def masked_scatter_(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    assert_no_internal_overlap(x.array)
    chosen = np.broadcast_to(_mask_of("masked_scatter_", mask), x.array.shape)
    count = int(chosen.sum())
    if source.dtype is not x.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{x.dtype.type_name} and {source.dtype.type_name}"
        )
    if count > source.array.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    x.array[chosen] = source.array.reshape(-1)[:count]
    return x


registry.implement("masked_scatter_", masked_scatter_, shape=first_fact)


@registry.kernel("masked_scatter")
def masked_scatter(x: Tensor, mask: Tensor, source: Tensor) -> Tensor:
    shape = broadcast_shapes(x.array.shape, mask.array.shape)
    copy = np.broadcast_to(x.array, shape).copy(order="C")
    return masked_scatter_(tensor_of(copy), mask, source)


def _nonzero_shape(facts: Sequence[Fact]) -> Fact:
    sizes = rank_known(facts[0])
    rank = None if sizes is None else len(sizes)
    return fresh(dtypes.int64, (None, rank), facts[0], strides=(None, None))


@registry.kernel("nonzero argwhere", shape=_nonzero_shape)
def nonzero(x: Tensor) -> Tensor:
    """The places of what is not zero, a row each; PyTorch's kernel lays them out by column."""
    array = x.array
    if not array.ndim:
        return tensor_of(np.zeros((int(bool(array)), 0), np.int64))
    return tensor_of(np.array(np.nonzero(array), np.int64).T)


@registry.kernel("where nonzero_numpy")
def where_nonzero(x: Tensor) -> list[Tensor]:
    """The indices of what is not zero, one tensor for each dimension."""
    array = x.array if x.array.ndim else x.array.reshape(1)
    return [tensor_of(places) for places in np.array(np.nonzero(array), np.int64)]
