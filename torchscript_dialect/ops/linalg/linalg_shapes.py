"""Shape rules of linear algebra: sizes and dtypes of factors and solutions, not their strides, which are LAPACK's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    broadcast,
    dtype_of,
    fresh,
    is_known,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.types.tensor_type import Dims, TensorProperties

Sizes = tuple[int | None, ...]
Element = dtypes.dtype | None


def _made(element: Element, sizes: Dims | None, like: Fact) -> TensorProperties:
    return replace(fresh(element, sizes, like), strides=None)


def _matrix(fact: Fact) -> tuple[Sizes, int | None, int | None] | None:
    """The batch sizes, rows and columns of matrices; None where the rank is not known, or too low."""
    sizes = rank_known(fact)
    if sizes is None or len(sizes) < 2:
        return None
    *batch, rows, columns = sizes
    return tuple(batch), rows, columns


def _smaller(rows: int | None, columns: int | None) -> int | None:
    return None if rows is None or columns is None else min(rows, columns)


def _real(element: Element) -> Element:
    return None if element is None else element.to_real() if element.is_complex else element


def _complex(element: Element) -> Element:
    is_known = element is not None and (element.is_floating_point or element.is_complex)
    return element.to_complex() if element is not None and is_known else None


Parts = Callable[[Fact, Sizes, Any, Any, Element], Any]


def _of_matrices(names: str, parts: Parts, count: int = 1) -> None:
    """Attach a rule that takes apart the matrices of the first operand; there are so many results."""

    def rule(facts: Sequence[Fact]) -> Fact:
        found = _matrix(facts[0])
        if found is None:
            return NOTHING if count == 1 else (NOTHING,) * count
        return parts(facts[0], *found, dtype_of(facts[0]))

    for name in names.split():
        registry.attach(f"aten::{name}", shape=rule)


_INT32, _INT64 = dtypes.int32, dtypes.int64

_of_matrices(
    "linalg_inv_ex linalg_cholesky_ex",
    lambda x, b, m, n, e: (_made(e, (*b, m, n), x), _made(_INT32, b, x)),
    2,
)
_of_matrices(
    "linalg_lu_factor linalg_ldl_factor",
    lambda x, b, m, n, e: (_made(e, (*b, m, n), x), _made(_INT32, (*b, _smaller(m, n)), x)),
    2,
)
_of_matrices(
    "linalg_lu_factor_ex linalg_ldl_factor_ex _lu_with_info",
    lambda x, b, m, n, e: (
        _made(e, (*b, m, n), x),
        _made(_INT32, (*b, _smaller(m, n)), x),
        _made(_INT32, b, x),
    ),
    3,
)
_of_matrices("linalg_det det logdet", lambda x, b, m, n, e: _made(e, b, x))
_of_matrices(
    "linalg_slogdet slogdet", lambda x, b, m, n, e: (_made(e, b, x), _made(_real(e), b, x)), 2
)
_of_matrices(
    "geqrf", lambda x, b, m, n, e: (_made(e, (*b, m, n), x), _made(e, (*b, _smaller(m, n)), x)), 2
)
_of_matrices(
    "linalg_eigh",
    lambda x, b, m, n, e: (_made(_real(e), (*b, n), x), _made(e, (*b, m, n), x)),
    2,
)
_of_matrices("linalg_eigvalsh", lambda x, b, m, n, e: _made(_real(e), (*b, n), x))
_of_matrices(
    "linalg_eig",
    lambda x, b, m, n, e: (_made(_complex(e), (*b, n), x), _made(_complex(e), (*b, m, n), x)),
    2,
)
_of_matrices("linalg_eigvals _linalg_eigvals", lambda x, b, m, n, e: _made(_complex(e), (*b, n), x))
_of_matrices("linalg_svdvals", lambda x, b, m, n, e: _made(_real(e), (*b, _smaller(m, n)), x))
_of_matrices("linalg_matrix_exp matrix_exp", lambda x, b, m, n, e: _made(e, (*b, m, n), x))
_of_matrices(
    "linalg_pinv linalg_pinv.atol_rtol_float pinverse",
    lambda x, b, m, n, e: _made(e, (*b, n, m), x),
)
_of_matrices(
    "linalg_matrix_rank linalg_matrix_rank.atol_rtol_float",
    lambda x, b, m, n, e: _made(_INT64, b, x),
)


def _qr_parts(x: Fact, mode: str) -> tuple[Fact, Fact]:
    found, element = _matrix(x), dtype_of(x)
    if found is None:
        return NOTHING, NOTHING
    batch, rows, columns = found
    least = _smaller(rows, columns)
    if mode == "complete":
        return _made(element, (*batch, rows, rows), x), _made(element, (*batch, rows, columns), x)
    first = _made(element, (0,) if mode == "r" else (*batch, rows, least), x)
    return first, _made(element, (*batch, least, columns), x)


def _linalg_qr(facts: Sequence[Fact]) -> Fact:
    x, mode = facts
    return _qr_parts(x, mode) if isinstance(mode, str) else (NOTHING, NOTHING)


def _qr(facts: Sequence[Fact]) -> Fact:
    x, some = facts
    if not isinstance(some, bool):
        return NOTHING, NOTHING
    return _qr_parts(x, "reduced" if some else "complete")


registry.attach("aten::linalg_qr", shape=_linalg_qr)
registry.attach("aten::qr", shape=_qr)


def _svd(facts: Sequence[Fact]) -> Fact:
    x, full = facts[:2]
    found, element = _matrix(x), dtype_of(x)
    if found is None or not isinstance(full, bool):
        return NOTHING, NOTHING, NOTHING
    batch, rows, columns = found
    least = _smaller(rows, columns)
    return (
        _made(element, (*batch, rows, rows if full else least), x),
        _made(_real(element), (*batch, least), x),
        _made(element, (*batch, columns if full else least, columns), x),
    )


registry.attach("aten::linalg_svd", shape=_svd)


# Solutions


def _solution(a: Fact, b: Fact) -> TensorProperties:
    """The solution of batches of systems of matrices."""
    left, right = _matrix(a), _matrix(b)
    if left is None or right is None:
        return NOTHING
    batch = broadcast([left[0], right[0]])
    return NOTHING if batch is None else _made(dtype_of(b), (*batch, *right[1:]), b)


def _solve_triangular(facts: Sequence[Fact]) -> Fact:
    return _solution(facts[0], facts[1])


def _cholesky_solve(facts: Sequence[Fact]) -> Fact:
    return _solution(facts[1], facts[0])


def _triangular_solve(facts: Sequence[Fact]) -> Fact:
    b, a = facts[:2]
    left, right = _matrix(a), _matrix(b)
    if left is None or right is None:
        return NOTHING, NOTHING
    batch = broadcast([left[0], right[0]])
    if batch is None:
        return NOTHING, NOTHING
    return _made(dtype_of(b), (*batch, *right[1:]), b), _made(dtype_of(a), (*batch, *left[1:]), a)


def _solve(facts: Sequence[Fact]) -> TensorProperties:
    """Where the second operand may be vectors, only its dtype is known."""
    a, b = facts[:2]
    left, right = rank_known(a), rank_known(b)
    if left is None or right is None or not is_known(left, right):
        return NOTHING
    if len(right) == 1 or (len(right) == len(left) - 1 and right == left[:-1]):
        return NOTHING
    return _solution(a, b)


def _solve_ex(facts: Sequence[Fact]) -> Fact:
    return _solve(facts), NOTHING


registry.attach("aten::linalg_solve", shape=_solve)
registry.attach("aten::linalg_solve_ex", shape=_solve_ex)
registry.attach("aten::linalg_solve_triangular", shape=_solve_triangular)
registry.attach("aten::triangular_solve", shape=_triangular_solve)
registry.attach("aten::cholesky_solve", shape=_cholesky_solve)


def _ormqr(facts: Sequence[Fact]) -> Fact:
    other = facts[2]
    return _made(dtype_of(other), rank_known(other), other)


registry.attach("aten::ormqr", shape=_ormqr)
