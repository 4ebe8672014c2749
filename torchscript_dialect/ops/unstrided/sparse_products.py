"""Products with sparse matrices (PyTorch: native/sparse/SparseTensorMath.cpp, SparseBlasImpl.cpp, SparseMatMul.cpp)."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.unstrided.sparse_conversion import compress, coo_of_compressed
from torchscript_dialect.ops.unstrided.sparse_coo import (
    coalesced,
    layout_name,
    rows_of,
    strided,
    strided_kernel,
    strided_of,
)
from torchscript_dialect.ops.unstrided.sparse_like import zeros_like
from torchscript_dialect.ops.unstrided.sparse_parts import require_coo
from torchscript_dialect.ops.unstrided.sparse_pointwise import add, multiply
from torchscript_dialect.ops.unstrided.sparse_views import select, stack, turned
from torchscript_dialect.ops.unstrided.unstrided import FOR_SPARSE, ON_COO, ON_CSR, ON_SPARSE
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    SparseTensor,
    UnstridedTensor,
    coo,
)

Array = NDArray[Any]


def is_strided(x: Any) -> bool:
    return not isinstance(x, UnstridedTensor)


def check_product(name: str, x: Tensor, y: Tensor) -> None:
    """RuntimeError unless both are matrices, and of one dtype, that may be multiplied."""
    if x.dim() != 2 or y.dim() != 2:
        raise RuntimeError(
            f"{name}: expected 2-D matrices, got {x.dim()}-D and {y.dim()}-D tensors"
        )
    if x.size(1) != y.size(0):
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({x.size(0)}x{x.size(1)} and {y.size(0)}x{y.size(1)})"
        )
    if x.dtype is not y.dtype:
        raise RuntimeError(
            f"{name}: expected mat1 and mat2 to have the same dtype, but got: {x.dtype.type_name} != {y.dtype.type_name}"
        )


def coordinates(x: Any) -> SparseTensor:
    """The coordinates of a sparse matrix, row by row."""
    return coalesced(x) if isinstance(x, SparseTensor) else coo_of_compressed(x)


def _times_strided(x: SparseTensor, y: Array) -> Array:
    """The product of a coalesced matrix and a strided one: rows of the second are added up in the order of columns of the first."""
    result = np.zeros((x.sizes[0], y.shape[1]), x.elements.dtype)
    rows, columns = x.places
    if not len(rows) or not result.size:
        return result
    starts = np.flatnonzero(np.concatenate(([True], rows[1:] != rows[:-1])))
    wide = _wider(x.elements.dtype)
    products = x.elements.astype(wide)[:, None] * y.astype(wide)[columns]
    result[rows[starts]] = np.add.reduceat(products, starts, axis=0).astype(x.elements.dtype)
    return result


def _wider(element: Any) -> Any:
    return (
        np.dtype(np.float32)
        if element.kind not in "fciub" or (element.itemsize < 4 and element.kind == "f")
        else element
    )


def _times_sparse(x: SparseTensor, y: SparseTensor) -> SparseTensor:
    """The product of two coalesced matrices."""
    rows, inner = x.places
    begins = cast("Array", np.searchsorted(y.places[0], inner, side="left"))
    counts = cast("Array", np.searchsorted(y.places[0], inner, side="right")) - begins
    mine = np.repeat(np.arange(len(rows)), counts)
    within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    theirs = np.repeat(begins, counts) + within
    places = np.stack([rows[mine], y.places[1][theirs]])
    products = x.elements[mine] * y.elements[theirs]
    return coalesced(coo(places, products, (x.sizes[0], y.sizes[1]), False))


@ON_SPARSE("mm")
def mm(x: Any, y: Any) -> Tensor:
    check_product("mm", x, y)
    if is_strided(x):
        product: Any = mm(turned(y), tensor_of(x.array.T))
        is_coo = isinstance(y, SparseTensor)  # PyTorch turns the result of coordinates only
        return tensor_of(product.array.T if is_coo else np.ascontiguousarray(product.array.T))
    if is_strided(y):
        return tensor_of(_times_strided(coordinates(x), y.array))
    made = _times_sparse(coordinates(x), coordinates(y))
    if isinstance(x, SparseTensor) and isinstance(y, SparseTensor):
        return made
    if isinstance(x, SparseTensor) or isinstance(y, SparseTensor):
        raise RuntimeError(
            f"addmm: computation on CPU is not implemented for Strided + {layout_name(x)} @ {layout_name(y)}"
        )
    is_plain = not (x.is_blocked or y.is_blocked)
    return compress(made, layout.sparse_csr) if is_plain else strided(made)


@ON_SPARSE("matmul")
def matmul(x: Any, y: Any) -> Tensor:
    if y.dim() == 1 and not is_strided(x):
        return mv(x, y)
    if x.dim() == 1 and not is_strided(y):
        return mv(turned(y), x)
    if x.dim() == 2 and y.dim() == 2:
        return mm(x, y)
    return bmm(x, y)


@ON_SPARSE("mv")
def mv(x: Any, y: Any) -> Tensor:
    if x.dim() != 2 or y.dim() != 1:
        raise RuntimeError(
            f"mv: expected self to be 2-D and vec 1-D, got {x.dim()}-D and {y.dim()}-D"
        )
    if x.size(1) != y.size(0):
        raise RuntimeError(
            f"mv: expected self.size(-1) == vec.size(-1), but got {x.size(1)} and {y.size(0)}"
        )
    product: Any = mm(x, tensor_of(strided_of(y).reshape(-1, 1)))
    return tensor_of(product.array.reshape(-1))


@ON_SPARSE("addmm")
def addmm(bias: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Tensor:
    product: Any = mm(x, y)
    if is_strided(product):
        return _plus(bias, product, beta, alpha)
    if is_strided(bias):
        return _plus(bias, strided(product), beta, alpha)
    made: Any = add(multiply(bias, beta) if beta != 0 else zeros_like(bias), product, alpha)
    if isinstance(made, CompressedTensor):
        made.bounds, made.places = (one.astype(np.int64) for one in (made.bounds, made.places))
    return made


def _plus(bias: Any, product: Tensor, beta: Any, alpha: Any) -> Tensor:
    """`beta * bias + alpha * product`; where `beta` is 0 the first does not count."""
    scaled = product if alpha == 1 else strided_kernel("mul.Scalar")(product, alpha)
    if beta == 0:
        return scaled
    rest = strided(bias)
    rest = rest if beta == 1 else strided_kernel("mul.Scalar")(rest, beta)
    return strided_kernel("add.Tensor")(scaled, rest, 1)


@ON_COO("addmm_")
def addmm_in_place(bias: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Tensor:
    made: Any = addmm(bias, x, y, beta, alpha)
    if is_strided(bias):
        bias.array[...] = made.array
    else:
        bias.become(made)
    return bias


@FOR_SPARSE("_sparse_mm")
def sparse_mm(x: Any, y: Any) -> Tensor:
    return strided_kernel("mm")(x, y) if is_strided(x) and is_strided(y) else mm(x, y)


@FOR_SPARSE("_sparse_addmm")
def sparse_addmm(bias: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Tensor:
    if is_strided(x) and is_strided(y):
        return strided_kernel("addmm")(bias, x, y, beta, alpha)
    return addmm(bias, x, y, beta, alpha)


@registry.kernel("_sparse_sparse_matmul")
def sparse_sparse_matmul(x: Tensor, y: Tensor) -> Tensor:
    if not isinstance(x, SparseTensor) or not isinstance(y, SparseTensor):
        raise NotImplementedError(
            "Could not run 'aten::_sparse_sparse_matmul' with arguments from the 'CPU' backend."
        )
    return mm(x, y)


ON_COO("_sparse_sparse_matmul")(sparse_sparse_matmul)


@registry.kernel("hspmm")
def hspmm(x: Tensor, y: Tensor) -> Tensor:
    """The product as a tensor whose rows are sparse, and dense in themselves."""
    x = coalesced(require_coo(x, "hspmm"))
    check_product("hspmm", x, y)
    rows = np.unique(x.places[0])
    return coo(rows.reshape(1, -1), _times_strided(x, y.array)[rows], (x.sizes[0], y.size(1)), True)


ON_COO("hspmm")(hspmm)


@registry.kernel("smm")
def smm(x: Tensor, y: Tensor) -> Tensor:
    empty = coo(
        np.zeros((2, 0), np.int64), np.zeros(0, x.dtype.numpy_dtype), (x.size(0), y.size(1)), True
    )
    return sspaddmm(empty, x, y, 0, 1)


@registry.kernel("sspaddmm")
def sspaddmm(bias: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Tensor:
    """`beta * bias + alpha * x @ y`, of which every row is kept whole in which `x` keeps an element."""
    x, bias = coalesced(require_coo(x, "sspaddmm")), require_coo(bias, "sspaddmm")
    check_product("sspaddmm", x, y)
    rows: Array = np.unique(x.places[0])
    wide = y.array.shape[1]
    places = np.stack([np.repeat(rows, wide), np.tile(np.arange(int(wide)), len(rows))])
    scaled = strided_kernel("mul.Scalar")(
        tensor_of(_times_strided(x, y.array)[rows].reshape(-1)), alpha
    )
    product = coo(places, scaled.array, (x.sizes[0], wide), True)
    return add(multiply(bias, beta), product, 1)


ON_COO("sspaddmm")(sspaddmm)

ON_COO("smm")(smm)


@ON_COO("bmm")
def bmm(x: Any, y: Any) -> Tensor:
    """Products of the matrices of two batches."""
    if is_strided(x) or x.dim() != 3 or y.dim() != 3:
        raise RuntimeError("bmm_sparse: expected a sparse and a strided batch of matrices")
    if x.size(0) != y.size(0) or x.size(2) != y.size(1):
        raise RuntimeError(
            f"bmm_sparse: sizes {list(x.shape)} and {list(y.shape)} cannot be multiplied"
        )
    parts: list[Any] = [
        mm(select(x, 0, n), select(y, 0, n) if not is_strided(y) else tensor_of(y.array[n]))
        for n in range(x.size(0))
    ]
    if parts and not is_strided(parts[0]):
        return stack(parts, 0)
    made = np.zeros((x.size(0), x.size(1), y.size(2)), x.elements.dtype)
    for place, part in enumerate(parts):
        made[place] = part.array
    return tensor_of(made)


@ON_SPARSE("linear")
def linear(x: Any, weight: Any, bias: Any) -> Tensor:
    turned_weight = turned(weight) if not is_strided(weight) else tensor_of(weight.array.T)
    made: Any = matmul(x, turned_weight)
    return made if bias is None else add(made, bias, 1)


# At the places that a matrix keeps


@registry.kernel("sparse_sampled_addmm")
def sampled_addmm(x: Tensor, first: Tensor, second: Tensor, beta: Any, alpha: Any) -> Tensor:
    """`beta * x + alpha * first @ second` at the places that `x` keeps."""
    if not isinstance(x, CompressedTensor) or x.kind is not layout.sparse_csr:
        raise RuntimeError(f"Expected self to have sparse csr layout, but got {layout_name(x)}")
    if not is_strided(first) or not is_strided(second):
        raise RuntimeError("sampled_addmm: Expected mat1 and mat2 to have strided layout")
    product = strided_kernel("matmul")(first, second).array
    if product.shape != x.sizes:
        raise RuntimeError(
            f"sampled_addmm: self.shape {list(x.sizes)} must match the shape of the product {list(product.shape)}"
        )
    wide = x.places.shape[-1]
    count = int(np.prod(x.batch, dtype=np.int64))
    rows, columns = rows_of(x).reshape(count, wide), x.places.reshape(count, wide)
    flat = product.reshape(count, *x.sizes[-2:])
    taken = np.stack([each[r, c] for each, r, c in zip(flat, rows, columns)]).reshape(
        x.elements.shape
    )
    return x.twin(_plus(tensor_of(x.elements), tensor_of(taken), beta, alpha).array)


ON_CSR("sparse_sampled_addmm")(sampled_addmm)


# Rows reduced by other means than a sum

_REDUCTIONS = {"sum": np.add, "mean": np.add, "amax": np.maximum, "amin": np.minimum}


@registry.kernel("_sparse_mm_reduce_impl")
def mm_reduce(x: Tensor, y: Tensor, reduce: str) -> tuple[Tensor, Tensor]:
    """The product, its sums replaced by another reduction of what is kept; rows that keep nothing are 0."""
    if not isinstance(x, CompressedTensor) or x.kind is not layout.sparse_csr:
        backend = x.BACKEND if isinstance(x, UnstridedTensor) else "CPU"
        raise NotImplementedError(
            f"Could not run 'aten::_sparse_mm_reduce_impl' with arguments from the '{backend}' backend."
        )
    if reduce not in _REDUCTIONS:
        raise RuntimeError("reduce argument must be either sum, mean, amax or amin.")
    if y.dim() != 2 or x.sizes[1] != y.size(0):
        raise RuntimeError("sparse_mm_reduce: sizes of the matrices do not match")
    if y.dtype is not x.dtype:
        raise RuntimeError("sparse_mm_reduce: expected the same dtype of both matrices")
    counts = np.diff(x.bounds)
    starts = x.bounds[:-1][counts > 0]
    wide = _wider(x.elements.dtype)
    products = x.elements.astype(wide)[:, None] * y.array.astype(wide)[x.places]
    result = np.zeros((x.sizes[0], y.size(1)), wide)
    if len(starts) and result.size:
        result[counts > 0] = _REDUCTIONS[reduce].reduceat(products, starts, axis=0)
    if reduce == "mean":
        result /= np.maximum(counts, 1)[:, None].astype(wide)
    return tensor_of(result.astype(x.elements.dtype)), tensor_of(np.zeros(0, np.int64))


ON_CSR("_sparse_mm_reduce_impl")(mm_reduce)


@FOR_SPARSE("_sparse_mm.reduce")
def sparse_mm_reduce(x: Tensor, y: Tensor, reduce: str) -> Tensor:
    return mm_reduce(x, y, reduce)[0]


@ON_CSR("triangular_solve")
def triangular_solve(b: Tensor, a: Tensor, *flags: bool) -> tuple[Tensor, Tensor]:
    _, _, unitriangular = flags
    given = strided(a)
    solution, _ = strided_kernel("triangular_solve")(b, given, *flags)
    diagonal = np.diagonal(given.array, axis1=-2, axis2=-1)
    if not unitriangular and not diagonal.all():
        solution.array[...] = np.nan  # as PyTorch's kernels of sparse matrices have it
    return solution, tensor_of(np.zeros(0, b.dtype.numpy_dtype))
