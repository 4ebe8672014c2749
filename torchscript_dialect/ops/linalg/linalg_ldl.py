"""Factorizations L D L^T of symmetric and Hermitian matrices, by the pivots of Bunch and Kaufman (LAPACK: sytf2, hetf2, sytrs).

NumPy has none. L and D stand in one lower triangle. A pivot above 0 is a block of D of one element, and names the row (from 1) that was
exchanged with its own; two equal ones below 0 are a block of two by two, whose second row was exchanged with the one they name.
"""

from __future__ import annotations

from math import prod, sqrt
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.linalg.linalg import LinAlgError, check_square, in_columns
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import broadcast_shapes
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]

_ALPHA = (1 + sqrt(17)) / 8
"""How small a diagonal element may be beside its column: it bounds the growth of both kinds of blocks alike."""


def _magnitude(x: Any) -> Any:
    """LAPACK's, which of a complex number is no absolute value."""
    return np.abs(x.real) + np.abs(x.imag)


def _adjoint(x: Array, hermitian: bool) -> Array:
    return x.conj() if hermitian else x


def _pivot(a: Array, k: int) -> tuple[int, int]:
    """The row that changes places with the last of the block at `k`, and the size of the block."""
    size = len(a)
    here = _magnitude(a[k, k])
    if k + 1 == size:
        return k, 1
    below = _magnitude(a[k + 1 :, k])
    other = k + 1 + int(np.argmax(below))
    largest = below.max()
    if here >= _ALPHA * largest:  # of zeros, too
        return k, 1
    row = np.concatenate([a[other, k:other], a[other + 1 :, other]])
    beside = _magnitude(row).max()
    if here >= _ALPHA * largest * (largest / beside):
        return k, 1
    return other, 1 if _magnitude(a[other, other]) >= _ALPHA * beside else 2


def _exchange(a: Array, k: int, of: int, other: int, hermitian: bool) -> None:
    """Give the rows and columns `of` and `other` of what is left from `k` on each other's place, in the lower triangle."""
    if of == other:
        return
    a[other + 1 :, [of, other]] = a[other + 1 :, [other, of]]
    between = slice(of + 1, other)
    column = a[between, of].copy()
    a[between, of] = _adjoint(a[other, between], hermitian)
    a[other, between] = _adjoint(column, hermitian)
    a[other, of] = _adjoint(a[other, of], hermitian)
    a[of, of], a[other, other] = a[other, other], a[of, of]
    if of > k:
        a[of, k], a[other, k] = a[other, k], a[of, k]


def _eliminate(a: Array, k: int, size: int, hermitian: bool) -> None:
    """Take the block of D at `k` off what is below it, and leave the columns of L."""
    rest = a[k + size :, k + size :]
    columns = a[k + size :, k : k + size].copy()
    block = a[k : k + size, k : k + size]
    if size == 1:
        factors = columns / block
    else:
        low = block[1, 0]
        whole = np.array([[block[0, 0], _adjoint(low, hermitian)], [low, block[1, 1]]])
        factors = np.linalg.solve(whole.T, columns.T).T
    rest -= np.tril(factors @ _adjoint(columns, hermitian).T)
    a[k + size :, k : k + size] = factors


def _factor(a: Array, pivots: Array, hermitian: bool) -> int:
    """Factor a lower triangle in place; the first element of D that is 0, counted from 1 (0 for none)."""
    info = k = 0
    while k < len(a):
        if hermitian:
            diagonal = cast("Any", np).einsum("ii->i", a[k:, k:])
            diagonal[...] = diagonal.real
        if not np.nan_to_num(_magnitude(a[k:, k]), nan=0.0, posinf=1.0).any():
            info = info or k + 1
            pivots[k] = k + 1
            k += 1
            continue
        other, size = _pivot(a, k)
        _exchange(a, k, k + size - 1, other, hermitian)
        _eliminate(a, k, size, hermitian)
        pivots[k : k + size] = other + 1 if size == 1 else -(other + 1)
        k += size
    return info


@registry.kernel("linalg_ldl_factor_ex")
@ignores_float_errors
def ldl_factor_ex(x: Tensor, hermitian: bool, check: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The factors, the pivots and LAPACK's `info`."""
    check_square("torch.linalg.ldl_factor_ex", x)
    return _factored("torch.linalg.ldl_factor_ex", x, hermitian, check)


def _factored(name: str, x: Tensor, hermitian: bool, check: bool) -> tuple[Tensor, Tensor, Tensor]:
    array = x.array
    size = array.shape[-1]
    hermitian = hermitian and x.dtype.is_complex
    work = np.tril(array).reshape(prod(array.shape[:-2]), size, size)
    pivots = np.zeros(work.shape[:2], np.int32)
    found = [_factor(a, p, hermitian) for a, p in zip(work, pivots, strict=True)]
    info = np.array(found, np.int32).reshape(array.shape[:-2])
    if check and info.any():
        raise LinAlgError(f"{name}: the factor D has a 0 at place {info.max()} of its diagonal")
    factors = in_columns(work.reshape(array.shape), array.dtype)
    return factors, tensor_of(pivots.reshape(array.shape[:-1])), tensor_of(info)


@registry.kernel("linalg_ldl_factor")
@ignores_float_errors
def ldl_factor(x: Tensor, hermitian: bool) -> tuple[Tensor, Tensor]:
    check_square("torch.linalg.ldl_factor_ex", x)
    return _factored("torch.linalg.ldl_factor", x, hermitian, True)[:2]


def _solve(a: Array, pivots: Array, b: Array, hermitian: bool) -> None:
    """Solve in place, for the factors of one matrix."""
    blocks: list[tuple[int, int]] = []
    k = 0
    while k < len(a):
        size = 1 if pivots[k] > 0 else 2
        blocks.append((k, size))
        k += size
    for k, size in blocks:
        last, other = k + size - 1, abs(pivots[k]) - 1
        b[[last, other]] = b[[other, last]]
        b[k + size :] -= a[k + size :, k : k + size] @ b[k : k + size]
        if size == 1:
            b[k] /= a[k, k]
            continue
        low = a[k + 1, k]
        whole = np.array([[a[k, k], _adjoint(low, hermitian)], [low, a[k + 1, k + 1]]])
        b[k : k + 2] = np.linalg.solve(whole, b[k : k + 2])
    for k, size in reversed(blocks):
        last, other = k + size - 1, abs(pivots[k]) - 1
        columns = a[k + size :, k : k + size]
        b[k : k + size] -= _adjoint(columns, hermitian).T @ b[k + size :]
        b[[last, other]] = b[[other, last]]


def _check_solve(factors: Tensor, pivots: Tensor, b: Tensor) -> None:
    name, a = "torch.linalg.ldl_solve", factors.array
    check_square(name, factors, "LD")
    if b.array.ndim < 2:
        raise RuntimeError(
            f"{name}: Expected B to have at least 2 dimensions, but it has {b.array.ndim}"
        )
    if a.shape[:-1] != pivots.array.shape:
        raise RuntimeError(
            f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
            f"{list(pivots.array.shape)} instead"
        )
    if pivots.array.dtype.kind not in "iu":
        raise RuntimeError(f"{name}: Expected pivots to be integers. Got {pivots.dtype.type_name}")
    if factors.dtype is not b.dtype:
        raise RuntimeError(
            f"Expected b and A to have the same dtype, but found b of type {b.dtype.type_name} and A of type "
            f"{factors.dtype.type_name} instead."
        )
    if a.shape[-1] != b.array.shape[-2]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {a.shape[-2]} by {a.shape[-1]} but each b matrix "
            f"is {b.array.shape[-2]} by {b.array.shape[-1]}"
        )


@registry.kernel("linalg_ldl_solve")
@ignores_float_errors
def ldl_solve(factors: Tensor, pivots: Tensor, b: Tensor, hermitian: bool) -> Tensor:
    """X for which L D L^T X = B."""
    _check_solve(factors, pivots, b)
    a, right = factors.array, b.array
    hermitian = hermitian and factors.dtype.is_complex
    batch = broadcast_shapes(a.shape[:-2], right.shape[:-2])
    result = np.broadcast_to(right, (*batch, *right.shape[-2:])).copy()
    left = np.broadcast_to(a, (*batch, *a.shape[-2:]))
    exchanged = cast("Any", np).broadcast_to(pivots.array, (*batch, a.shape[-1]))
    for place in np.ndindex(*batch):
        _solve(left[place], exchanged[place], result[place], hermitian)
    return in_columns(result, right.dtype)
