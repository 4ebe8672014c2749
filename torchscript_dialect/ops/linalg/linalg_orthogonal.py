"""Orthogonal factors of batches of matrices by NumPy's LAPACK, and their reflectors (PyTorch: native/BatchLinearAlgebra.cpp)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.linalg.linalg import (
    check_inexact,
    check_matrix,
    in_columns,
    in_rows,
    like_first,
)
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
Pair = Callable[..., tuple[Tensor, Tensor]]


@registry.kernel("linalg_qr")
@ignores_float_errors
def qr(x: Tensor, mode: str) -> tuple[Tensor, Tensor]:
    check_matrix("linalg.qr", x)
    check_inexact("linalg.qr", x)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    element = x.array.dtype
    if mode == "r":
        upper = cast("Any", np.linalg.qr(x.array, mode="r"))
        return tensor_of(np.zeros((0,), element)), in_columns(upper, element)
    q, r = np.linalg.qr(x.array, mode=cast("Any", mode))
    return in_columns(q, element), in_columns(r, element)


registry.implement("qr", lambda x, some: qr(x, "reduced" if some else "complete"))


@registry.kernel("geqrf")
@ignores_float_errors
def geqrf(x: Tensor) -> tuple[Tensor, Tensor]:
    check_matrix("torch.geqrf", x, "input")
    check_inexact("torch.geqrf", x)
    reflectors, tau = np.linalg.qr(x.array, mode="raw")
    element = x.array.dtype
    return in_columns(np.swapaxes(reflectors, -1, -2), element), in_rows(tau, element)


def _reflected(reflectors: Array, tau: Array, block: Array, *, adjoint: bool) -> Array:
    """H_1 ... H_k applied to the columns of `block`, or its adjoint."""
    count = tau.shape[-1]
    tau = tau.conj() if adjoint else tau
    for place in range(count) if adjoint else range(count - 1, -1, -1):
        v = reflectors[..., :, place].copy()
        v[..., :place] = 0
        v[..., place] = 1
        product = (v.conj()[..., None] * block).sum(axis=-2, keepdims=True)
        block = block - tau[..., place, None, None] * v[..., None] * product
    return block


@registry.kernel("linalg_householder_product orgqr", shape=like_first)
@ignores_float_errors
def householder_product(x: Tensor, tau: Tensor) -> Tensor:
    name = "torch.linalg.householder_product"
    check_matrix(name, x, "input")
    rows, columns = x.array.shape[-2:]
    if rows < columns:
        raise RuntimeError(
            f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if columns < tau.array.shape[-1]:
        raise RuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1]"
        )
    block = np.broadcast_to(np.eye(rows, columns, dtype=x.array.dtype), x.array.shape)
    return in_columns(_reflected(x.array, tau.array, block, adjoint=False), x.array.dtype)


@registry.kernel("ormqr")
@ignores_float_errors
def ormqr(x: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool) -> Tensor:
    for name, given, least in (("input", x, 2), ("tau", tau, 1), ("other", other, 2)):
        if given.array.ndim < least:
            raise RuntimeError(f"torch.ormqr: {name} must have at least {least} dimensions.")
    rows, place = other.array.shape[-2 if left else -1], -2 if left else -1
    if tau.array.shape[-1] != min(rows, x.array.shape[-1]):
        raise RuntimeError(
            f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{place}], input.shape[-1])"
        )
    if x.array.shape[-2] != rows:
        raise RuntimeError(f"torch.ormqr: other.shape[{place}] must be equal to input.shape[-2]")
    if left:
        raw = _reflected(x.array, tau.array, other.array, adjoint=transpose)
    else:
        turned = np.swapaxes(other.array, -1, -2).conj()
        found = _reflected(x.array, tau.array, turned, adjoint=not transpose)
        raw = np.swapaxes(found, -1, -2).conj()
    return in_columns(raw, other.array.dtype)
