"""Linear algebra on batches of matrices by NumPy's LAPACK; results lie column by column (PyTorch: native/BatchLinearAlgebra.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
_numpy = cast("Any", np)  # whose stubs leave some types open


class LinAlgError(RuntimeError):
    """PyTorch's `torch.linalg.LinAlgError`: a matrix for which there is no result."""


# Operands and results


def check_inexact(name: str, x: Tensor) -> None:
    """Raise where the operand has integers, bools or 16-bit floats."""
    element = x.dtype
    if not (element.is_floating_point or element.is_complex):
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {element.type_name}"
        )
    if element.itemsize < 4:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {element.type_name}")


def check_matrix(name: str, x: Tensor, argument: str = "A") -> None:
    """Raise where the operand has fewer than two dimensions."""
    if x.array.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor {argument} must have at least 2 dimensions.")


def check_square(name: str, x: Tensor, argument: str = "A") -> None:
    """Raise where the operand is no batch of square matrices of floats."""
    check_matrix(name, x, argument)
    rows, columns = x.array.shape[-2:]
    if rows != columns:
        raise RuntimeError(
            f"{name}: {argument} must be batches of square matrices, but they are {rows} by {columns} matrices"
        )
    check_inexact(name, x)


def in_columns(raw: Array, element: np.dtype[Any]) -> Tensor:
    """A tensor whose matrices lie column by column."""
    if raw.ndim < 2:
        return tensor_of(np.ascontiguousarray(raw, element).reshape(raw.shape))
    block = np.empty((*raw.shape[:-2], raw.shape[-1], raw.shape[-2]), element)
    result = block.swapaxes(-1, -2)
    result[...] = raw
    return tensor_of(result)


def in_rows(raw: Array, element: np.dtype[Any]) -> Tensor:
    """A contiguous tensor."""
    result = np.empty(raw.shape, element)
    result[...] = raw
    return tensor_of(result)


def no_errors(batch: Sequence[int]) -> Tensor:
    """LAPACK's `info` of matrices that are all regular."""
    return tensor_of(np.zeros(tuple(batch), np.int32))


def like_first(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    sizes = rank_known(x)
    strides = None if sizes is None else tuple(None for _ in sizes)
    return fresh(dtype_of(x), sizes, x, strides=strides)


def _first_failure(name: str, info: Array) -> tuple[str, int]:
    """How a message begins, and what `info` has, of the first matrix that is not 0 there."""
    first = int(np.argmax(info != 0))
    batch = f" (Batch element {first}):" if info.ndim else ""
    return f"{name}:{batch}", int(info.flat[first])


def singular(name: str, info: Array) -> LinAlgError:
    """`info` has the first place of each matrix whose diagonal element is zero, counted from 1 (0 for none)."""
    head, where = _first_failure(name, info)
    return LinAlgError(
        f"{head} The diagonal element {where} is zero, the inversion could not be completed because the input matrix is "
        "singular."
    )


def unsolvable(name: str, info: Array) -> LinAlgError:
    """The same of equations."""
    head, _ = _first_failure(name, info)
    return LinAlgError(f"{head} The solver failed because the input matrix is singular.")


# Factorizations in LU


def lu_factors(array: Array, pivot: bool = True) -> tuple[Array, Array, Array]:
    """L and U in one matrix, the rows that were exchanged (counted from 1), and the first pivot that is 0 (0 for none).

    NumPy has no such factorization: this is Gauss's elimination, all matrices of the batch at once.
    """
    rows, columns = array.shape[-2:]
    steps = min(rows, columns)
    work = array.reshape(prod(array.shape[:-2]), rows, columns).copy()
    count = len(work)
    pivots = np.broadcast_to(np.arange(1, steps + 1, dtype=np.int32), (count, steps)).copy()
    info = np.zeros(count, np.int32)
    each = _numpy.arange(count)
    for step in range(steps):
        if pivot and count:
            below = cast("Any", work[:, step:, step])
            size = np.abs(below.real) + np.abs(below.imag)  # LAPACK's, of complex numbers
            chosen = np.argmax(size, axis=1) + step
            pivots[:, step] = chosen + 1
            kept = work[each, chosen].copy()
            work[each, chosen] = work[:, step]
            work[:, step] = kept
        head = work[:, step, step]
        zero = head == 0
        info[zero & (info == 0)] = step + 1
        factors = work[:, step + 1 :, step] / _numpy.where(zero, 1, head)[:, None]
        work[:, step + 1 :, step] = factors
        work[:, step + 1 :, step + 1 :] -= factors[:, :, None] * work[:, None, step, step + 1 :]
    batch = array.shape[:-2]
    return (
        work.reshape(array.shape),
        pivots.reshape(*batch, steps),
        info.reshape(batch),
    )


def _first_zero_pivot(array: Array) -> Array:
    """For each matrix, the place of the first pivot that is 0, up to the first matrix that has such a place (0 for none)."""
    info = np.zeros(array.shape[:-2], np.int32)
    for place in np.ndindex(info.shape):
        try:
            np.linalg.inv(array[place])
        except np.linalg.LinAlgError:
            info[place] = lu_factors(array[place])[2]
            break
    return info


def _row_order(pivots: Array, rows: int) -> Array:
    """For each row of the permuted matrix, the row that it was."""
    flat = pivots.reshape(prod(pivots.shape[:-1]), pivots.shape[-1])
    order = np.broadcast_to(np.arange(rows), (len(flat), rows)).copy()
    each = _numpy.arange(len(flat))
    for step in range(flat.shape[-1]):
        other = flat[:, step] - 1
        kept = order[each, other].copy()
        order[each, other] = order[:, step]
        order[:, step] = kept
    return order.reshape((*pivots.shape[:-1], rows))


def permutation(pivots: Array, rows: int, element: np.dtype[Any]) -> Array:
    """The matrix P with P L U = A."""
    order = _row_order(pivots, rows)
    return np.swapaxes(_numpy.eye(rows, dtype=element)[order], -1, -2)


def _out_of_range(pivots: Array, low: int, high: float) -> bool:
    return bool(((pivots < low) | (pivots > high)).any())


def _lu_parts(factors: Array) -> tuple[Array, Array]:
    rows, columns = factors.shape[-2:]
    steps = min(rows, columns)
    lower = np.tril(factors[..., :, :steps], -1)
    lower = lower + np.eye(rows, steps, dtype=factors.dtype)
    return lower, np.triu(factors[..., :steps, :])


def check_pivoting(x: Tensor, pivot: bool) -> None:
    """RuntimeError where rows are not to be exchanged, but for tensors on devices, of which it is known."""
    if not pivot and x.device.type == "cpu":
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")


def _no_divisor(name: str, info: Array) -> RuntimeError:
    head, where = _first_failure(name, info)
    return RuntimeError(
        f"{head} U[{where},{where}] is zero and using it on lu_solve would result in a division by zero. If you still "
        "want to perform the factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)"
    )


@registry.kernel("linalg_lu_factor_ex")
@ignores_float_errors
def lu_factor_ex(x: Tensor, pivot: bool, check: bool) -> tuple[Tensor, Tensor, Tensor]:
    check_matrix("torch.lu_factor", x)
    check_inexact("torch.lu_factor", x)
    check_pivoting(x, pivot)
    factors, pivots, info = lu_factors(x.array, pivot)
    if check and info.any():
        raise _no_divisor("torch.linalg.lu_factor_ex", info)
    return in_columns(factors, x.array.dtype), tensor_of(pivots), tensor_of(info)


@registry.kernel("linalg_lu_factor")
def lu_factor(x: Tensor, pivot: bool) -> tuple[Tensor, Tensor]:
    factors, pivots, info = lu_factor_ex(x, pivot, False)
    if info.array.any():
        raise _no_divisor("torch.linalg.lu_factor", info.array)
    return factors, pivots


registry.implement("_lu_with_info", lambda x, pivot, _: lu_factor_ex(x, pivot, False))


@registry.kernel("linalg_lu")
@ignores_float_errors
def lu(x: Tensor, pivot: bool) -> tuple[Tensor, Tensor, Tensor]:
    check_matrix("linalg.lu", x)
    check_inexact("linalg.lu", x)
    check_pivoting(x, pivot)
    factors, pivots, _ = lu_factors(x.array, pivot)
    lower, upper = _lu_parts(factors)
    element = x.array.dtype
    exchanged = (
        permutation(pivots, x.array.shape[-2], element) if pivot else np.zeros((0,), element)
    )
    return in_rows(exchanged, element), in_rows(lower, element), in_rows(upper, element)


@registry.kernel("lu_unpack")
def lu_unpack(
    factors: Tensor, pivots: Tensor, with_data: bool, with_pivots: bool
) -> tuple[Tensor, Tensor, Tensor]:
    element = factors.array.dtype
    if with_pivots and pivots.dtype is not dtypes.int32:
        raise RuntimeError(
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype."
        )
    if with_pivots and _out_of_range(pivots.array, 1, factors.array.shape[-2]):
        raise RuntimeError(
            "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive."
            "Did you properly pass the result of lu_factor?"
        )
    nothing = np.zeros((0,), element)
    lower, upper = _lu_parts(factors.array) if with_data else (nothing, nothing)
    rows = factors.array.shape[-2]
    exchanged = permutation(pivots.array, rows, element) if with_pivots else nothing
    return in_rows(exchanged, element), in_rows(lower, element), in_rows(upper, element)


# Systems of equations


def _is_vector(a: Array, b: Array) -> bool:
    return b.ndim == 1 or (a.ndim - 1 == b.ndim and b.shape == a.shape[:-1])


def _solved(name: str, a: Tensor, b: Tensor, left: bool) -> Tensor:
    check_square(name, a)
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"{name}: Expected A and B to have the same dtype, but found A of type {a.dtype.type_name} and B of type "
            f"{b.dtype.type_name} instead"
        )
    x, y = a.array, b.array
    is_vector = left and _is_vector(x, y)
    if not left and _is_vector(x, y):
        raise RuntimeError(
            f"{name}: Vector broadcasting of the left hand side is not supported for left=False."
        )
    matrix = y[..., None] if is_vector else y
    if matrix.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor B must have at least 2 dimensions.")
    if matrix.shape[-2 if left else -1] != x.shape[-1]:
        raise RuntimeError(
            f"{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
            f"({x.shape[-2]}x{x.shape[-1]} and {matrix.shape[-2]}x{matrix.shape[-1]})"
        )
    try:
        if left:
            raw = np.linalg.solve(x, matrix)
        else:
            raw = np.swapaxes(np.linalg.solve(x.swapaxes(-1, -2), matrix.swapaxes(-1, -2)), -1, -2)
    except np.linalg.LinAlgError:
        raise unsolvable(name, _first_zero_pivot(x)) from None
    raw = raw[..., 0] if is_vector else raw
    return in_columns(raw, x.dtype) if left else in_rows(raw, x.dtype)


@registry.kernel("linalg_solve")
@ignores_float_errors
def solve(a: Tensor, b: Tensor, left: bool) -> Tensor:
    return _solved("torch.linalg.solve", a, b, left)


@registry.kernel("linalg_solve_ex")
@ignores_float_errors
def solve_ex(a: Tensor, b: Tensor, left: bool, check: bool) -> tuple[Tensor, Tensor]:
    try:
        return _solved("torch.linalg.solve_ex", a, b, left), no_errors(a.array.shape[:-2])
    except LinAlgError:
        if check:
            raise
    matrix = a.array if left else np.swapaxes(a.array, -1, -2)
    is_vector = _is_vector(a.array, b.array)
    right = b.array[..., None] if is_vector else b.array if left else np.swapaxes(b.array, -1, -2)
    factors, pivots, info = map(tensor_of, lu_factors(matrix))
    raw = _lu_solved(factors, pivots, tensor_of(right), True, False)
    raw = raw[..., 0] if is_vector else raw if left else np.swapaxes(raw, -1, -2)
    return in_columns(raw, matrix.dtype) if left else in_rows(raw, matrix.dtype), info


@registry.kernel("linalg_inv inverse", shape=like_first)
@ignores_float_errors
def inv(x: Tensor) -> Tensor:
    check_square("linalg.inv", x)
    try:
        return in_columns(np.linalg.inv(x.array), x.array.dtype)
    except np.linalg.LinAlgError:
        raise singular("linalg.inv", _first_zero_pivot(x.array)) from None


@registry.kernel("linalg_inv_ex")
@ignores_float_errors
def inv_ex(x: Tensor, check: bool) -> tuple[Tensor, Tensor]:
    check_square("linalg.inv", x)
    batch = x.array.shape[:-2]
    try:
        return in_columns(np.linalg.inv(x.array), x.array.dtype), no_errors(batch)
    except np.linalg.LinAlgError:
        if check:
            raise singular("linalg.inv_ex", _first_zero_pivot(x.array)) from None
        info = lu_factors(x.array)[2]
        found = np.full(x.array.shape, np.nan, x.array.dtype)
        for place in np.ndindex(*batch):
            if not info[place]:
                found[place] = np.linalg.inv(x.array[place])
        return in_columns(found, x.array.dtype), tensor_of(info)


def _check_sizes(name: str, a: Sequence[int], b: Sequence[int]) -> None:
    if a[0] != a[1]:
        raise RuntimeError(
            f"A must be batches of square matrices, but they are {a[0]} by {a[1]} matrices"
        )
    if a[0] != b[0]:
        raise RuntimeError(
            f"Incompatible matrix sizes for {name}: each A matrix is {a[0]} by {a[0]} but each b matrix is {b[0]} by {b[1]}"
        )


def _adjoint(array: Array) -> Array:
    return np.swapaxes(array, -1, -2).conj()


def _triangular(a: Array, b: Array, *, upper: bool, left: bool, unit: bool) -> Array:
    """X with A X = B (X A = B where not `left`) of a triangular A, by substitution."""
    if not left:
        found = _triangular(
            np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2), upper=not upper, left=True, unit=unit
        )
        return np.swapaxes(found, -1, -2)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    size = a.shape[-1]
    a = np.broadcast_to(a, (*batch, size, size))
    x = np.broadcast_to(b, (*batch, *b.shape[-2:])).copy()
    order = range(size - 1, -1, -1) if upper else range(size)
    for row in order:
        rest = slice(row + 1, None) if upper else slice(None, row)
        x[..., row, :] -= (a[..., row, rest, None] * x[..., rest, :]).sum(axis=-2)
        if not unit:
            x[..., row, :] /= a[..., row, row, None]
    return x


@registry.kernel("linalg_solve_triangular")
@ignores_float_errors
def solve_triangular(a: Tensor, b: Tensor, upper: bool, left: bool, unit: bool) -> Tensor:
    check_square("linalg.solve_triangular", a)
    check_matrix("linalg.solve_triangular", b, "B")
    if a.array.shape[-1] != b.array.shape[-2 if left else -1]:
        raise RuntimeError(
            "linalg.solve_triangular: Incompatible shapes of A and B for the equation "
            f"{'AX = B' if left else 'XA = B'} ({a.array.shape[-2]}x{a.array.shape[-1]} and "
            f"{b.array.shape[-2]}x{b.array.shape[-1]})"
        )
    raw = _triangular(a.array, b.array, upper=upper, left=left, unit=unit)
    return in_columns(raw, a.array.dtype)


@registry.kernel("triangular_solve")
@ignores_float_errors
def triangular_solve(
    b: Tensor, a: Tensor, upper: bool, transpose: bool, unit: bool
) -> tuple[Tensor, Tensor]:
    _check_sizes("triangular_solve", a.array.shape[-2:], b.array.shape[-2:])
    matrix = np.swapaxes(a.array, -1, -2) if transpose else a.array
    raw = _triangular(matrix, b.array, upper=upper != transpose, left=True, unit=unit)
    batch = raw.shape[:-2]
    copied = np.broadcast_to(a.array, (*batch, *a.array.shape[-2:]))
    return in_columns(raw, b.array.dtype), in_columns(copied, a.array.dtype)


@ignores_float_errors
def _lu_solved(factors: Tensor, pivots: Tensor, b: Tensor, left: bool, adjoint: bool) -> Array:
    """X with A X = B (X A = B where not `left`), where A is a product of factors, or the adjoint of one."""
    if not left:
        turned = tensor_of(_adjoint(b.array))
        return _adjoint(_lu_solved(factors, pivots, turned, True, not adjoint))
    exchanged = permutation(pivots.array, factors.array.shape[-2], factors.array.dtype)
    if not adjoint:
        raw = np.swapaxes(exchanged, -1, -2) @ b.array
        raw = _triangular(factors.array, raw, upper=False, left=True, unit=True)
        return _triangular(factors.array, raw, upper=True, left=True, unit=False)
    turned = _adjoint(factors.array)
    raw = _triangular(turned, b.array, upper=False, left=True, unit=False)
    return exchanged @ _triangular(turned, raw, upper=True, left=True, unit=True)


@registry.kernel("linalg_lu_solve")
def lu_solve(factors: Tensor, pivots: Tensor, b: Tensor, left: bool, adjoint: bool) -> Tensor:
    check_square("torch.linalg.lu_solve", factors)
    for low, high, text in (
        (1, float("inf"), "greater or equal to 1"),
        (0, factors.array.shape[-2], "smaller or equal to LU.size(-2)"),
    ):
        if _out_of_range(pivots.array, low, high):
            raise RuntimeError(
                f"Pivots given to lu_solve must all be {text}. Did you properly pass the result of lu_factor?"
            )
    raw = _lu_solved(factors, pivots, b, left, adjoint)
    return in_columns(raw, b.array.dtype) if left else in_rows(raw, b.array.dtype)


registry.implement("lu_solve", lambda b, factors, pivots: lu_solve(factors, pivots, b, True, False))

# Determinants


@registry.kernel("linalg_det det")
@ignores_float_errors
def det(x: Tensor) -> Tensor:
    check_square("linalg.det", x)
    return in_rows(np.asarray(np.linalg.det(x.array)), x.array.dtype)


def _sign_and_logarithm(name: str, x: Tensor) -> tuple[Tensor, Tensor]:
    check_square(name, x)
    sign, logarithm = np.linalg.slogdet(x.array)
    real = x.dtype.to_real().numpy_dtype
    return in_rows(np.asarray(sign), x.array.dtype), in_rows(np.asarray(logarithm), real)


@registry.kernel("linalg_slogdet slogdet")
@ignores_float_errors
def slogdet(x: Tensor) -> tuple[Tensor, Tensor]:
    return _sign_and_logarithm("linalg.slogdet", x)


@registry.kernel("logdet")
@ignores_float_errors
def logdet(x: Tensor) -> Tensor:
    sign, logarithm = _sign_and_logarithm("logdet", x)
    if x.dtype.is_complex:
        return in_rows(np.log(sign.array) + logarithm.array, x.array.dtype)
    return in_rows(_numpy.where(sign.array < 0, np.nan, logarithm.array), x.array.dtype)


# Cholesky


def not_definite(name: str, info: Array) -> LinAlgError:
    head, where = _first_failure(name, info)
    return LinAlgError(
        f"{head} The factorization could not be completed because the input is not positive-definite (the leading minor "
        f"of order {where} is not positive-definite)."
    )


def _cholesky_factors(array: Array, upper: bool) -> tuple[Array, Array]:
    """The factors, and for each matrix the order of the first minor that is not positive (0 for none)."""
    lower = np.swapaxes(array, -1, -2).conj() if upper else array
    info = np.zeros(array.shape[:-2], np.int32)
    found = np.zeros(array.shape, array.dtype)
    for place in np.ndindex(*array.shape[:-2]):
        try:
            found[place] = np.linalg.cholesky(np.tril(lower[place]))
        except np.linalg.LinAlgError:
            size = array.shape[-1]
            info[place] = next(
                order
                for order in range(1, size + 1)
                if order == size
                or np.linalg.det(_hermitian(lower[place])[:order, :order]).real <= 0
            )
    return (np.swapaxes(found, -1, -2).conj() if upper else found), info


def _hermitian(lower: Array) -> Array:
    strict = np.tril(lower, -1)
    return np.tril(lower) + np.swapaxes(strict, -1, -2).conj()


@registry.kernel("linalg_cholesky", shape=like_first)
@ignores_float_errors
def cholesky(x: Tensor, upper: bool) -> Tensor:
    check_square("linalg.cholesky", x)
    found, info = _cholesky_factors(x.array, upper)
    if info.any():
        raise not_definite("linalg.cholesky", info)
    return in_columns(found, x.array.dtype)


@registry.kernel("linalg_cholesky_ex")
@ignores_float_errors
def cholesky_ex(x: Tensor, upper: bool, check: bool) -> tuple[Tensor, Tensor]:
    check_square("linalg.cholesky", x)
    found, info = _cholesky_factors(x.array, upper)
    if check and info.any():
        raise not_definite("linalg.cholesky_ex", info)
    return in_columns(found, x.array.dtype), tensor_of(info)


registry.implement("cholesky", cholesky, shape=like_first)


def _solved_by_factor(factor: Array, b: Array, upper: bool) -> Array:
    """X with A X = B, where A has this Cholesky factor."""
    first, second = (_adjoint(factor), factor) if upper else (factor, _adjoint(factor))
    raw = _triangular(first, b, upper=False, left=True, unit=False)
    return _triangular(second, raw, upper=True, left=True, unit=False)


@registry.kernel("cholesky_solve")
@ignores_float_errors
def cholesky_solve(b: Tensor, factor: Tensor, upper: bool) -> Tensor:
    if b.array.ndim < 2:
        raise RuntimeError(
            f"b should have at least 2 dimensions, but has {b.array.ndim} dimensions instead"
        )
    if factor.array.ndim < 2:
        raise RuntimeError(
            f"u should have at least 2 dimensions, but has {factor.array.ndim} dimensions instead"
        )
    _check_sizes("cholesky_solve", factor.array.shape[-2:], b.array.shape[-2:])
    return in_columns(_solved_by_factor(factor.array, b.array, upper), b.array.dtype)


@registry.kernel("cholesky_inverse", shape=like_first)
@ignores_float_errors
def cholesky_inverse(factor: Tensor, upper: bool) -> Tensor:
    check_square("cholesky_inverse", factor)
    array = factor.array
    is_zero = np.diagonal(array, axis1=-2, axis2=-1) == 0
    if is_zero.any():
        raise singular("cholesky_inverse", is_zero.any(-1) * (is_zero.argmax(-1) + 1))
    identity = np.eye(array.shape[-1], dtype=array.dtype)
    return in_columns(_solved_by_factor(array, identity, upper), array.dtype)
