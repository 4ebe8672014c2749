"""Sums, norms and softmax of sparse tensors (PyTorch: native/sparse/SparseTensorMath.cpp, SoftMax.cpp, SparseCsrTensorMath.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_coo import coalesced, strided_kernel
from torchscript_dialect.ops.unstrided.sparse_making import as_chosen, flat_places
from torchscript_dialect.ops.unstrided.sparse_parts import require_coo
from torchscript_dialect.ops.unstrided.unstrided import ON_COO, ON_CSR, ON_SPARSE
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.tensor.unstrided import CompressedTensor, SparseTensor, compressed, coo

Array = NDArray[Any]


def _dims(x: Tensor, dims: Sequence[int] | None) -> list[int]:
    found = [wrap_dim(dim, x.dim()) for dim in dims] if dims else list(range(x.dim()))
    if len(set(found)) != len(found):
        raise RuntimeError("dim appears multiple times in the list of dims")
    return found


@ON_SPARSE("sum")
def total(x: Any, wanted: int | None) -> Tensor:
    whole = coalesced(x) if isinstance(x, SparseTensor) else x
    return strided_kernel("sum")(tensor_of(whole.elements), wanted)


@ON_COO("_sparse_sum")
def sparse_total(x: SparseTensor) -> Tensor:
    return total(x, None)


ON_COO("_sparse_sum.dtype")(total)


def _summed(x: SparseTensor, dims: Sequence[int], *, keeps: bool, wanted: int | None) -> Tensor:
    """Sums over dimensions: strided where no sparse one is left. Floats of 16 bits are rounded once."""
    x = coalesced(x)
    count = len(x.places)
    outer = [dim for dim in dims if dim < count]
    inner = [dim - count + 1 for dim in dims if dim >= count]
    if wanted is None and x.dtype.numpy_dtype.kind in "iub":
        wanted = dtypes.int64.scalar_type
    elements = as_chosen(x.elements, wanted)
    if inner:
        elements = strided_kernel("sum.dim_IntList")(tensor_of(elements), inner, keeps, None).array
    kept = [dim for dim in range(count) if dim not in outer]
    sizes = [
        1 if dim in dims else size for dim, size in enumerate(x.sizes) if keeps or dim not in dims
    ]
    if not kept:
        if not len(elements):
            return tensor_of(np.zeros(sizes, elements.dtype))
        made = strided_kernel("sum.dim_IntList")(tensor_of(elements), [0], False, None)
        return tensor_of(made.array.reshape(sizes))
    if keeps:
        places = x.places.copy()
        places[outer] = 0
    else:
        places = np.ascontiguousarray(x.places[kept])
    whole = coalesced(coo(places, _wide(elements), sizes, not outer))
    return whole.twin(whole.elements.astype(elements.dtype, copy=False))


def _wide(elements: Any) -> Any:
    """The elements in the dtype in which they are added up."""
    return elements.astype(opmath(dtypes.of_array(elements)).numpy_dtype, copy=False)


@ON_COO("sum.dim_IntList")
def sum_over(x: SparseTensor, dims: list[int] | None, keeps: bool, wanted: int | None) -> Tensor:
    return _summed(x, _dims(x, dims), keeps=keeps, wanted=wanted)


@registry.kernel("_sparse_sum _sparse_sum.dtype _sparse_sum.dim _sparse_sum.dim_dtype")
def _(x: Tensor, *_: Any) -> Tensor:
    require_coo(x, "_sparse_sum")
    raise AssertionError("the table of unstrided kernels has what runs it")


@ON_COO("_sparse_sum.dim")
def sparse_sum(x: SparseTensor, dims: list[int]) -> Tensor:
    if not dims:
        raise RuntimeError("sparse_sum: dims list must be nonempty")
    made: Any = _summed(x, _dims(x, dims), keeps=False, wanted=x.dtype.scalar_type)
    return made


@ON_COO("_sparse_sum.dim_dtype")
def sparse_sum_as(x: SparseTensor, dims: list[int], wanted: int) -> Tensor:
    return _summed(x, _dims(x, dims), keeps=False, wanted=wanted)


# Rows and columns of compressed tensors


def _reduced(x: Tensor, dims: list[int], keeps: bool, wanted: int | None, by: Any) -> Tensor:
    if not isinstance(x, CompressedTensor) or x.kind is not layout.sparse_csr:
        raise RuntimeError(
            "reduction operations are supported for tensors of the layout SparseCsr only"
        )
    if not keeps:
        raise RuntimeError("reduction operations on CSR tensors with keepdim=False is unsupported")
    if x.batch:
        raise RuntimeError("reduction operations on batched CSR tensors are unsupported")
    over = _dims(x, dims)
    if wanted is None and x.dtype.numpy_dtype.kind in "iub":
        wanted = dtypes.int64.scalar_type
    given = as_chosen(x.elements, wanted)
    elements, element = _wide(given), given.dtype
    index = x.bounds.dtype
    if len(over) == 2:
        count = min(1, len(elements))
        kept = by.reduce(elements, keepdims=True)[:count].astype(element, copy=False)
        return compressed(
            x.kind, np.asarray([0, count], index), np.zeros(count, index), kept, (1, 1)
        )
    if over == [0]:
        columns, place = np.unique(x.places, return_inverse=True)
        order = np.argsort(place, kind="stable")
        starts = np.searchsorted(place[order], np.arange(len(columns)))
        kept = by.reduceat(elements[order], starts) if len(columns) else elements
        bounds = np.asarray([0, len(columns)], index)
        kept = kept.astype(element, copy=False)
        return compressed(x.kind, bounds, columns.astype(index), kept, (1, x.sizes[1]))
    counts = np.diff(x.bounds)
    starts = x.bounds[:-1][counts > 0]
    kept = by.reduceat(elements, starts) if len(starts) else elements
    bounds = np.concatenate(([0], np.cumsum(counts > 0))).astype(index)
    kept = kept.astype(element, copy=False)
    return compressed(x.kind, bounds, np.zeros(len(starts), index), kept, (x.sizes[0], 1))


@registry.kernel("_sparse_csr_sum.dim_dtype")
def csr_sum(x: Tensor, dims: list[int], keeps: bool, wanted: int | None) -> Tensor:
    return _reduced(x, dims, keeps, wanted, np.add)


@registry.kernel("_sparse_csr_prod.dim_dtype")
def csr_product(x: Tensor, dims: list[int], keeps: bool, wanted: int | None) -> Tensor:
    return _reduced(x, dims, keeps, wanted, np.multiply)


ON_CSR("_sparse_csr_sum.dim_dtype")(csr_sum)
ON_CSR("_sparse_csr_prod.dim_dtype")(csr_product)


@ON_CSR("sum.dim_IntList")
def csr_sum_over(x: Any, dims: list[int] | None, keeps: bool, wanted: int | None) -> Tensor:
    return _reduced(x, dims or [], keeps, wanted, np.add)


# Norms


def _norm(x: Tensor, p: Any, dims: Sequence[int], keeps: bool, wanted: int | None) -> Tensor:
    if not isinstance(x, SparseTensor):
        raise NotImplementedError(
            "Could not run 'aten::native_norm' with arguments from the 'CPU' backend."
        )
    if keeps:
        raise RuntimeError("norm_sparse currently does not support keepdim=True")
    if dims and set(_dims(x, dims)) != set(range(x.ndim)):
        raise RuntimeError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty or contain all "
            "dimensions of the input"
        )
    if wanted is not None:
        raise RuntimeError("norm_sparse currently does not support 'dtype' argument")
    return strided_kernel("norm.Scalar")(tensor_of(coalesced(x).elements), 2 if p is None else p)


@registry.kernel("native_norm")
def native_norm(x: Tensor, p: Any) -> Tensor:
    return _norm(x, p, (), False, None)


@registry.kernel("native_norm.ScalarOpt_dim_dtype")
def native_norm_over(x: Tensor, p: Any, dims: list[int], keeps: bool, wanted: int | None) -> Tensor:
    return _norm(x, p, dims, keeps, wanted)


ON_COO("native_norm norm.Scalar")(native_norm)
ON_COO("native_norm.ScalarOpt_dim_dtype norm.ScalarOpt_dim_dtype")(native_norm_over)
ON_COO.implement("norm.ScalarOpt_dim", lambda x, p, dims, keeps: _norm(x, p, dims, keeps, None))


@ON_COO("any")
def any_of(x: SparseTensor) -> Tensor:
    return strided_kernel("any")(tensor_of(coalesced(x).elements))


# Softmax of what is kept


def _softmax(x: Tensor, dim: int, *, log: bool) -> Tensor:
    """Softmax of the elements that are kept: others count as minus infinity."""
    if not isinstance(x, SparseTensor):
        raise NotImplementedError(
            "Could not run 'aten::_sparse_softmax' with arguments from the 'CPU' backend."
        )
    if x.dtype.numpy_dtype.kind in "iubc":
        raise NotImplementedError(f'"softmax" not implemented for {x.dtype.type_name!r}')
    x = coalesced(x)
    dim = wrap_dim(dim, x.ndim)
    count = len(x.places)
    if dim >= count:
        name = "_log_softmax" if log else "_softmax"
        return x.twin(strided_kernel(name)(tensor_of(x.elements), dim - count + 1, False).array)
    if not x.elements.size:
        return x
    others = [place for place in range(count) if place != dim]
    keys = flat_places(x.places[others], [x.sizes[place] for place in others])
    groups, number = np.unique(keys, return_inverse=True)
    shape = (len(groups), *x.elements.shape[1:])
    values = x.elements
    largest = np.full(shape, -np.inf, values.dtype)
    np.maximum.at(largest, number, values)
    shift = np.where(np.isneginf(largest), 0, largest).astype(values.dtype)
    powers = np.exp(values - shift[number])
    sums = np.zeros(shape, values.dtype)
    np.add.at(sums, number, powers)
    with np.errstate(all="ignore"):
        if log:
            made = values - shift[number] - np.log(sums)[number]
        else:
            made = powers / sums[number]
    return x.twin(made.astype(values.dtype))


def _attach(name: str, *, log: bool) -> None:
    def of_dim(x: Tensor, dim: int, _half_to_float: bool) -> Tensor:
        return _softmax(x, dim, log=log)

    def as_dtype(x: Any, dim: int, wanted: int | None) -> Tensor:
        if wanted is not None and isinstance(x, SparseTensor):
            x = x.twin(as_chosen(x.elements, wanted))
        return _softmax(x, dim, log=log)

    for qualified, function in ((name, of_dim), (f"{name}.int", as_dtype)):
        registry.implement(qualified, function)
        ON_COO(qualified)(function)


_attach("_sparse_softmax", log=False)
_attach("_sparse_log_softmax", log=True)


@ON_COO("softmax.int")
def softmax(x: SparseTensor, dim: int, wanted: int | None) -> Tensor:
    return _softmax(x if wanted is None else x.twin(as_chosen(x.elements, wanted)), dim, log=False)
