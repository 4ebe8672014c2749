"""Linear algebra on batches of real matrices of the device: factors by `lowering/gpu/matrix_factors.py`, and what follows from them by
`lowering/gpu/matrix_columns.py`. Results lie column by column, as on the host.

Whether there is a result the host waits for, as PyTorch's does. Large matrices, complex numbers and what is wrong with operands are
left to the kernels of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.linalg.linalg import not_definite, singular, unsolvable
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.kernel import THREADS
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.places import there
from torchscript_dialect.runtime.cuda.operators.rearranged import numbers
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.strides import broadcast_shapes, element_strides
from torchscript_dialect.tensor.tensor import Tensor

LARGEST = 512
"""Rows and columns; the host does larger matrices."""
SMALL = 64
"""Elements of a matrix that one thread does."""


def _fits(*matrices: Tensor) -> bool:
    """Whether these are batches of matrices of one dtype that are done here."""
    kinds = {one.dtype for one in matrices}
    return len(kinds) == 1 and all(
        there(one) is not None
        and one.dtype in (dtypes.float32, dtypes.float64)
        and one.array.ndim >= 2
        and 0 < max(one.array.shape[-2:]) <= LARGEST
        and one.array.size > 0
        for one in matrices
    )


def _is_square(x: Tensor) -> bool:
    return _fits(x) and x.array.shape[-1] == x.array.shape[-2]


def _in_rows(x: Tensor) -> Tensor:
    """A copy whose matrices lie row by row."""
    return call("aten::clone", (x,), {"memory_format": 0})


def _in_columns(x: Tensor) -> Tensor:
    """The matrices, which lie column by column."""
    return x.mT.contiguous().mT


def _array(x: Tensor) -> DeviceArray:
    return cast("DeviceArray", x.array)


def _launch(
    name: str, form: Sequence[Any], count: int, arrays: Sequence[Tensor], words: Sequence[int]
) -> None:
    """Launch a thread for each of so many things."""
    blocks = -(-count // THREADS)
    memory().launch(name, form, blocks, list(map(_array, arrays)), [blocks, count, *words])


# Factors


def _factored(name: str, work: Tensor, others: Sequence[Tensor], *form: Any) -> None:
    """Factor matrices that lie row by row, where they are: a block does each, or a thread each small one."""
    *batch, rows, columns = work.array.shape
    count = prod(batch)
    threads = 1 if rows * columns <= SMALL else THREADS
    blocks = -(-count // THREADS) if threads == 1 else count
    arrays = list(map(_array, (work, *others)))
    memory().launch(
        name, (work.dtype, threads, *form), blocks, arrays, [blocks, count, rows, columns]
    )


def _lu(x: Tensor, pivot: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """L and U in one matrix, which lies row by row, the rows that were exchanged, and the first pivot that is 0."""
    work = _in_rows(x)
    *batch, rows, columns = x.array.shape
    pivots = x.new_empty([*batch, min(rows, columns)], dtype=dtypes.int32)
    info = x.new_empty(batch, dtype=dtypes.int32)
    _factored("lu_factors", work, (pivots, info), pivot)
    return work, pivots, info


def _order(pivots: Tensor, rows: int) -> Tensor:
    """For each row of the permuted matrices, the row that it was."""
    *batch, steps = pivots.array.shape
    found = pivots.new_empty([*batch, rows], dtype=dtypes.int64)
    _launch("row_order", (), prod(batch), (pivots.contiguous(), found), [rows, steps])
    return found


def _permutation(order: Tensor, like: Tensor, dim: int) -> Tensor:
    """Ones where the order of rows says, among zeros."""
    rows = order.array.shape[-1]
    made = like.new_zeros([*order.array.shape[:-1], rows, rows])
    return made.scatter(dim, order.unsqueeze(dim), 1)


def _parts(factors: Tensor) -> tuple[Tensor, Tensor]:
    """L and U."""
    steps = min(factors.array.shape[-2:])
    lower = factors.narrow(-1, 0, steps).tril(-1)
    lower.diagonal(0, -2, -1).fill_(1)
    return lower, factors.narrow(-2, 0, steps).triu()


def _lu_factor_ex(x: Tensor, pivot: bool, check: bool) -> Any:
    """`aten::linalg_lu_factor_ex`."""
    if not _fits(x):
        return NOTHING
    work, pivots, info = _lu(x, pivot)
    if check and bool(info.any().item()):
        return NOTHING  # the kernel of the host says why
    return _in_columns(work), pivots, info


def _lu_factor(x: Tensor, pivot: bool) -> Any:
    found = _lu_factor_ex(x, pivot, True)
    return found if found is NOTHING else found[:2]


def _lu_with_info(x: Tensor, pivot: bool, _: bool) -> Any:
    return _lu_factor_ex(x, pivot, False)


def _linalg_lu(x: Tensor, pivot: bool) -> Any:
    if not _fits(x):
        return NOTHING
    work, pivots, _ = _lu(x, pivot)
    if not pivot:
        return x.new_zeros([0]), *_parts(work)
    return _permutation(_order(pivots, x.array.shape[-2]), x, -2), *_parts(work)


def _lu_unpack(factors: Tensor, pivots: Tensor, with_data: bool, with_pivots: bool) -> Any:
    if not _fits(factors) or pivots.dtype is not dtypes.int32:
        return NOTHING
    lower, upper = _parts(factors) if with_data else (factors.new_zeros([0]) for _ in range(2))
    if not with_pivots:
        return factors.new_zeros([0]), lower, upper
    order = _order(pivots, factors.array.shape[-2])
    return _permutation(order, factors, -2), lower, upper


# Systems


def _substituted(a: Tensor, b: Tensor, *, upper: bool, unit: bool = False) -> Tensor:
    """X with A X = B of a triangular A, by substitution; B, which lies row by row, becomes it."""
    *batch, rows, columns = b.array.shape
    matrices = a.expand([*batch, rows, rows]).reshape([-1, rows, rows])
    words = [rows, columns, *element_strides(matrices.array)]
    _launch(
        "triangular_solutions", (b.dtype, upper, unit), prod(batch) * columns, (matrices, b), words
    )
    return b


def _spread(a: Tensor, b: Tensor) -> Tensor:
    """A copy of right sides for each matrix, row by row."""
    batch = broadcast_shapes(a.array.shape[:-2], b.array.shape[:-2])
    return _in_rows(b.expand([*batch, *b.array.shape[-2:]]))


def _exchanged(b: Tensor, order: Tensor) -> Tensor:
    """Rows in an order, which lie row by row."""
    places = order.unsqueeze(-1).expand([*b.array.shape])
    return b.gather(-2, places)


def _lu_solved(factors: Tensor, pivots: Tensor, b: Tensor, left: bool, adjoint: bool) -> Tensor:
    """X with A X = B (X A = B where not `left`), where A is a product of factors, or the adjoint of one."""
    if not left:
        return _lu_solved(factors, pivots, b.mT, True, not adjoint).mT
    rows = factors.array.shape[-1]
    work = _spread(factors, b)
    order = _order(pivots, rows)
    if not adjoint:
        work = _exchanged(work, order).contiguous()
        _substituted(factors, work, upper=False, unit=True)
        return _substituted(factors, work, upper=True)
    _substituted(factors.mT, work, upper=False)
    _substituted(factors.mT, work, upper=True, unit=True)
    back = order.new_empty([*order.array.shape]).scatter(
        -1, order, numbers(rows, [rows]).expand([*order.array.shape])
    )
    return _exchanged(work, back)


def _lu_solve(factors: Tensor, pivots: Tensor, b: Tensor, left: bool, adjoint: bool) -> Any:
    """`aten::linalg_lu_solve`."""
    if not _is_square(factors) or not _fits(factors, b) or pivots.dtype is not dtypes.int32:
        return NOTHING
    if b.array.shape[-2 if left else -1] != factors.array.shape[-1]:
        return NOTHING
    found = _lu_solved(factors, pivots, b, left, adjoint)
    return _in_columns(found) if left else found.contiguous()


def _old_lu_solve(b: Tensor, factors: Tensor, pivots: Tensor) -> Any:
    return _lu_solve(factors, pivots, b, True, False)


def _solved(a: Tensor, b: Tensor, left: bool) -> tuple[Tensor, Tensor] | None:
    """The solution, and the first pivots that are 0; None where the host does it."""
    if not _is_square(a) or a.dtype is not b.dtype or there(b) is None or not b.array.size:
        return None
    shape, given = a.array.shape, b.array.shape
    is_vector = len(given) == 1 or (len(shape) - 1 == len(given) and given == shape[:-1])
    if is_vector and not left:
        return None
    sides = b.unsqueeze(-1) if is_vector else b
    if sides.array.ndim < 2 or sides.array.shape[-2 if left else -1] != shape[-1]:
        return None
    factors, pivots, info = _lu(a)
    found = _lu_solved(factors, pivots, sides, left, False)
    found = found.squeeze(-1) if is_vector else found
    if found.array.ndim > 1:
        found = _in_columns(found) if left else found.contiguous()
    return found, info


def _solve(a: Tensor, b: Tensor, left: bool) -> Any:
    """`aten::linalg_solve`."""
    found = _solved(a, b, left)
    if found is None:
        return NOTHING
    if bool(found[1].any().item()):
        raise unsolvable("torch.linalg.solve", found[1].cpu().array)
    return found[0]


def _solve_ex(a: Tensor, b: Tensor, left: bool, check: bool) -> Any:
    found = _solved(a, b, left)
    if found is None or (check and bool(found[1].any().item())):
        return NOTHING
    return found


def _inverses(x: Tensor) -> tuple[Tensor, Tensor] | None:
    if not _is_square(x):
        return None
    factors, pivots, info = _lu(x)
    work = _permutation(_order(pivots, x.array.shape[-1]), x, -1)
    _substituted(factors, work, upper=False, unit=True)
    return _in_columns(_substituted(factors, work, upper=True)), info


def _inv(x: Tensor) -> Any:
    """`aten::linalg_inv`."""
    found = _inverses(x)
    if found is None:
        return NOTHING
    if bool(found[1].any().item()):
        raise singular("linalg.inv", found[1].cpu().array)
    return found[0]


def _inv_ex(x: Tensor, check: bool) -> Any:
    found = _inverses(x)
    if found is None:
        return NOTHING
    inverses, info = found
    if check and bool(info.any().item()):
        raise singular("linalg.inv_ex", info.cpu().array)
    is_bad = info.ne(0).unsqueeze(-1).unsqueeze(-1)
    return _in_columns(inverses.masked_fill(is_bad, float("nan"))), info


def _solve_triangular(a: Tensor, b: Tensor, upper: bool, left: bool, unit: bool) -> Any:
    """`aten::linalg_solve_triangular`."""
    if not _is_square(a) or a.dtype is not b.dtype or b.array.ndim < 2:
        return NOTHING
    if a.array.shape[-1] != b.array.shape[-2 if left else -1]:
        return NOTHING
    if not b.array.size:
        return _in_columns(_spread(a, b))
    if not _fits(a, b):
        return NOTHING
    if left:
        return _in_columns(_substituted(a, _spread(a, b), upper=upper, unit=unit))
    return _substituted(a.mT, _spread(a, b.mT), upper=not upper, unit=unit).mT


def _triangular_solve(b: Tensor, a: Tensor, upper: bool, transpose: bool, unit: bool) -> Any:
    if not _is_square(a) or not _fits(a, b) or a.array.shape[-1] != b.array.shape[-2]:
        return NOTHING
    work = _spread(a, b)
    matrix = a.mT if transpose else a
    _substituted(matrix, work, upper=upper != transpose, unit=unit)
    copied = a.expand([*work.array.shape[:-2], *a.array.shape[-2:]])
    return _in_columns(work), _in_columns(_in_rows(copied))


# Determinants


def _diagonal_and_sign(x: Tensor) -> tuple[Tensor, Tensor] | None:
    """The pivots, and the sign of the permutation of rows."""
    if not _is_square(x):
        return None
    work, pivots, _ = _lu(x)
    size = x.array.shape[-1]
    moved = pivots.ne(numbers(size, [size]).add(1)).sum([-1])
    sign = moved.remainder(2).mul(-2).add(1)
    return work.diagonal(0, -2, -1), call("aten::to", (sign, x.dtype))


def _det(x: Tensor) -> Any:
    """`aten::linalg_det`."""
    found = _diagonal_and_sign(x)
    return NOTHING if found is None else found[0].prod(-1).mul(found[1])


def _slogdet(x: Tensor) -> Any:
    """`aten::linalg_slogdet`."""
    found = _diagonal_and_sign(x)
    if found is None:
        return NOTHING
    diagonal, sign = found
    return diagonal.sign().prod(-1).mul(sign), diagonal.abs().log().sum([-1])


def _logdet(x: Tensor) -> Any:
    found = _slogdet(x)
    return found if found is NOTHING else found[1].masked_fill(found[0].lt(0), float("nan"))


# Cholesky


def _lower_factors(x: Tensor, upper: bool) -> tuple[Tensor, Tensor]:
    """Factors that lie row by row, 0 where there is none, and the first minors that are not positive."""
    work = _in_rows(x.mT if upper else x)
    info = x.new_empty([*x.array.shape[:-2]], dtype=dtypes.int32)
    _factored("cholesky_factors", work, (info,))
    return work.tril().masked_fill(info.ne(0).unsqueeze(-1).unsqueeze(-1), 0), info


def _cholesky_ex(name: str, x: Tensor, upper: bool, check: bool) -> Any:
    if not _is_square(x):
        return NOTHING
    lower, info = _lower_factors(x, upper)
    if check and bool(info.any().item()):
        raise not_definite(name, info.cpu().array)
    return lower.mT if upper else _in_columns(lower), info


def _cholesky(x: Tensor, upper: bool) -> Any:
    """`aten::linalg_cholesky`."""
    found = _cholesky_ex("linalg.cholesky", x, upper, True)
    return found if found is NOTHING else found[0]


def _solved_by_factor(factor: Tensor, work: Tensor, upper: bool) -> Tensor:
    first, second = (factor.mT, factor) if upper else (factor, factor.mT)
    _substituted(first, work, upper=False)
    return _in_columns(_substituted(second, work, upper=True))


def _cholesky_solve(b: Tensor, factor: Tensor, upper: bool) -> Any:
    if not _is_square(factor) or not _fits(b, factor):
        return NOTHING
    if factor.array.shape[-1] != b.array.shape[-2]:
        return NOTHING
    return _solved_by_factor(factor, _spread(factor, b), upper)


def _cholesky_inverse(factor: Tensor, upper: bool) -> Any:
    if not _is_square(factor) or bool(factor.diagonal(0, -2, -1).eq(0).any().item()):
        return NOTHING
    return _solved_by_factor(factor, _identity(factor, factor.array.shape[-1]), upper)


# Orthogonal factors


def _identity(x: Tensor, columns: int) -> Tensor:
    """Ones on the diagonals of matrices with the rows of others."""
    made = x.new_zeros([*x.array.shape[:-1], columns])
    made.diagonal(0, -2, -1).fill_(1)
    return made


def _reflectors(x: Tensor) -> tuple[Tensor, Tensor]:
    work = _in_rows(x)
    *batch, rows, columns = x.array.shape
    factors = x.new_empty([*batch, min(rows, columns)])
    _factored("householder_factors", work, (factors,))
    return work, factors


def _reflected(reflectors: Tensor, factors: Tensor, work: Tensor, *, adjoint: bool) -> Tensor:
    """The product of reflectors, or its adjoint, applied to matrices that lie row by row, where they are."""
    *batch, rows, columns = work.array.shape
    vectors = reflectors.reshape([-1, *reflectors.array.shape[-2:]])
    count = factors.array.shape[-1]
    words = [rows, columns, count, *element_strides(vectors.array)]
    arrays = vectors, factors.contiguous(), work
    _launch("reflections", (work.dtype, adjoint), prod(batch) * columns, arrays, words)
    return work


def _qr(x: Tensor, mode: str) -> Any:
    """`aten::linalg_qr`."""
    if not _fits(x) or mode not in ("reduced", "complete", "r"):
        return NOTHING
    work, factors = _reflectors(x)
    rows = x.array.shape[-2]
    kept = rows if mode == "complete" else min(x.array.shape[-2:])
    upper = _in_columns(work.narrow(-2, 0, kept).triu())
    if mode == "r":
        return x.new_zeros([0]), upper
    return _in_columns(_reflected(work, factors, _identity(x, kept), adjoint=False)), upper


def _old_qr(x: Tensor, some: bool) -> Any:
    return _qr(x, "reduced" if some else "complete")


def _geqrf(x: Tensor) -> Any:
    if not _fits(x):
        return NOTHING
    work, factors = _reflectors(x)
    return _in_columns(work), factors


def _householder_product(x: Tensor, factors: Tensor) -> Any:
    if not _fits(x) or factors.dtype is not x.dtype or not factors.array.size:
        return NOTHING
    rows, columns = x.array.shape[-2:]
    if (
        rows < columns
        or columns < factors.array.shape[-1]
        or factors.array.shape[:-1] != x.array.shape[:-2]
    ):
        return NOTHING
    return _in_columns(_reflected(x, factors, _identity(x, columns), adjoint=False))


def _checked_cholesky(x: Tensor, upper: bool, check: bool) -> Any:
    return _cholesky_ex("linalg.cholesky_ex", x, upper, check)


MADE: dict[str, Callable[..., Any]] = {
    "aten::linalg_lu_factor_ex": _lu_factor_ex,
    "aten::_lu_with_info": _lu_with_info,
    "aten::linalg_lu_factor": _lu_factor,
    "aten::linalg_lu": _linalg_lu,
    "aten::lu_unpack": _lu_unpack,
    "aten::linalg_lu_solve": _lu_solve,
    "aten::lu_solve": _old_lu_solve,
    "aten::linalg_solve": _solve,
    "aten::linalg_solve_ex": _solve_ex,
    "aten::linalg_inv": _inv,
    "aten::inverse": _inv,
    "aten::linalg_inv_ex": _inv_ex,
    "aten::linalg_solve_triangular": _solve_triangular,
    "aten::triangular_solve": _triangular_solve,
    "aten::linalg_det": _det,
    "aten::det": _det,
    "aten::linalg_slogdet": _slogdet,
    "aten::slogdet": _slogdet,
    "aten::logdet": _logdet,
    "aten::linalg_cholesky": _cholesky,
    "aten::cholesky": _cholesky,
    "aten::linalg_cholesky_ex": _checked_cholesky,
    "aten::cholesky_solve": _cholesky_solve,
    "aten::cholesky_inverse": _cholesky_inverse,
    "aten::linalg_qr": _qr,
    "aten::qr": _old_qr,
    "aten::geqrf": _geqrf,
    "aten::linalg_householder_product": _householder_product,
    "aten::orgqr": _householder_product,
}
"""What operators give, in the order of their schemas."""
LINEAR_ALGEBRA = {name: own(make) for name, make in MADE.items()}
"""What runs operators, by their names."""
