"""Eigenvalues and singular values of matrices, and what follows from them: norms, ranks, inverses, powers, exponentials."""

from __future__ import annotations

from textwrap import indent
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import MAY_BE_OPERAND
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.linalg.linalg import (
    LinAlgError,
    check_inexact,
    check_matrix,
    check_square,
    in_columns,
    in_rows,
)
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]
_numpy = cast("Any", np)  # whose stubs leave some types open
Three = tuple[Tensor, Tensor, Tensor]


def _real(x: Tensor) -> np.dtype[Any]:
    return x.dtype.to_real().numpy_dtype


def _nothing(element: np.dtype[Any]) -> Tensor:
    return tensor_of(np.zeros((0,), element))


# Eigenvalues


@ignores_float_errors
def _symmetric(x: Tensor, uplo: str, vectors: bool) -> tuple[Tensor, Tensor]:
    check_square("linalg.eigh", x)
    if uplo.upper() not in ("L", "U"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")
    side = cast("Any", uplo.upper())
    if not vectors:
        return in_rows(np.linalg.eigvalsh(x.array, side), _real(x)), _nothing(x.array.dtype)
    values, found = np.linalg.eigh(x.array, side)
    return in_rows(values, _real(x)), in_columns(found, x.array.dtype)


registry.implement("linalg_eigh", lambda x, uplo: _symmetric(x, uplo, True))
registry.implement("_linalg_eigh", _symmetric)
registry.implement("linalg_eigvalsh", lambda x, uplo: _symmetric(x, uplo, False)[0])


def _require_finite(name: str, x: Tensor) -> None:
    if not np.isfinite(x.array).all():
        raise RuntimeError(f"{name}: input tensor should not contain infs or NaNs.")


@registry.kernel("linalg_eig")
@ignores_float_errors
def eig(x: Tensor) -> tuple[Tensor, Tensor]:
    check_square("linalg.eig", x)
    _require_finite("torch.linalg.eig", x)
    values, vectors = np.linalg.eig(x.array)
    element = x.dtype.to_complex().numpy_dtype
    return in_rows(values, element), in_columns(vectors, element)


@registry.kernel("linalg_eigvals _linalg_eigvals")
@ignores_float_errors
def eigvals(x: Tensor) -> Tensor:
    check_square("linalg.eigvals", x)
    _require_finite("torch.linalg.eigvals", x)
    return in_rows(np.linalg.eigvals(x.array), x.dtype.to_complex().numpy_dtype)


# Singular values


def _svd(array: Array, full: bool = False, vectors: bool = True) -> Any:
    """NumPy's; LinAlgError as PyTorch raises it."""
    try:
        return np.linalg.svd(array, full_matrices=full, compute_uv=vectors)
    except np.linalg.LinAlgError:
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values."
        ) from None


@ignores_float_errors
def _decomposed(x: Tensor, full: bool) -> Three:
    check_matrix("linalg.svd", x)
    check_inexact("linalg.svd", x)
    u, s, vh = _svd(x.array, full)
    return in_columns(u, x.array.dtype), in_rows(s, _real(x)), in_columns(vh, x.array.dtype)


@registry.kernel("linalg_svdvals")
@ignores_float_errors
def svdvals(x: Tensor, _driver: str | None) -> Tensor:
    check_matrix("linalg.svdvals", x)
    check_inexact("linalg.svdvals", x)
    return in_rows(_svd(x.array, vectors=False), _real(x))


registry.implement("linalg_svd", lambda x, full, _driver: _decomposed(x, full))


@registry.kernel("_linalg_svd")
def svd_or_values(x: Tensor, full: bool, vectors: bool, driver: str | None) -> Three:
    if vectors:
        return _decomposed(x, full)
    return _nothing(x.array.dtype), svdvals(x, driver), _nothing(x.array.dtype)


@registry.kernel("svd")
def svd(x: Tensor, some: bool, vectors: bool) -> Three:
    if vectors:
        u, s, vh = _decomposed(x, not some)
        return u, s, tensor_of(np.swapaxes(vh.array, -1, -2).conj())
    rows, columns = x.array.shape[-2:]
    batch = x.array.shape[:-2]
    left = np.zeros((*batch, rows, rows), x.array.dtype)
    right = np.zeros((*batch, columns, columns), x.array.dtype)
    return tensor_of(left), svdvals(x, None), in_columns(right, x.array.dtype)


# Inverses and ranks

Tolerance = Tensor | float | None


def _tolerances(x: Tensor, absolute: Tolerance, relative: Tolerance, top: Array) -> Array:
    """Below what singular values count as 0, from the largest ones."""
    limit = np.finfo(_real(x)).eps * max(x.array.shape[-2:])
    low = absolute.array if isinstance(absolute, Tensor) else (absolute or 0.0)
    if relative is None:
        # Where an absolute tolerance is given, it alone counts.
        factor = limit if absolute is None else _numpy.where(np.asarray(low) > 0, 0.0, limit)
    else:
        factor = relative.array if isinstance(relative, Tensor) else relative
    return np.maximum(low, factor * top)


def _magnitudes(x: Tensor, hermitian: bool) -> Array:
    if hermitian:
        return np.abs(np.linalg.eigvalsh(x.array))
    return _svd(x.array, vectors=False)


@ignores_float_errors
def _rank(x: Tensor, absolute: Tolerance, relative: Tolerance, hermitian: bool) -> Tensor:
    check_matrix("linalg.matrix_rank", x)
    check_inexact("linalg.matrix_rank", x)
    if hermitian:
        check_square("linalg.matrix_rank", x)
    if not x.array.size:
        return tensor_of(np.zeros(x.array.shape[:-2], np.int64))
    sizes = _magnitudes(x, hermitian)
    top = sizes.max(axis=-1)
    found = sizes > _tolerances(x, absolute, relative, top)[..., None]
    return in_rows(np.asarray(found.sum(axis=-1)), np.dtype(np.int64))


registry.implement("linalg_matrix_rank", lambda x, tol, hermitian: _rank(x, tol, 0.0, hermitian))
registry.implement(
    "linalg_matrix_rank.tol_tensor", lambda x, tol, hermitian: _rank(x, tol, 0.0, hermitian)
)
registry.implement("linalg_matrix_rank.atol_rtol_tensor linalg_matrix_rank.atol_rtol_float", _rank)


@ignores_float_errors
def _pinv(x: Tensor, absolute: Tolerance, relative: Tolerance, hermitian: bool) -> Tensor:
    check_matrix("linalg.pinv", x)
    check_inexact("linalg.pinv", x)
    array = x.array
    if not array.size:
        return tensor_of(
            np.zeros((*array.shape[:-2], array.shape[-1], array.shape[-2]), array.dtype)
        )
    if hermitian:
        values, vectors = np.linalg.eigh(array)
        left, right, sizes = vectors, np.swapaxes(vectors, -1, -2).conj(), np.abs(values)
    else:
        u, sizes, vh = _svd(array)
        left, right, values = np.swapaxes(vh, -1, -2).conj(), np.swapaxes(u, -1, -2).conj(), sizes
    kept = sizes > _tolerances(x, absolute, relative, sizes.max(axis=-1))[..., None]
    inverse = _numpy.where(kept, 1 / _numpy.where(kept, values, 1), 0).astype(_real(x))
    return in_rows((left * inverse[..., None, :]) @ right, array.dtype)


registry.implement(
    "linalg_pinv linalg_pinv.rcond_tensor",
    lambda x, rcond, hermitian: _pinv(x, 0.0, rcond, hermitian),
)
registry.implement("linalg_pinv.atol_rtol_float linalg_pinv.atol_rtol_tensor", _pinv)
registry.implement("pinverse", lambda x, rcond: _pinv(x, 0.0, rcond, False))


@registry.kernel("linalg_lstsq")
@ignores_float_errors
def lstsq(
    a: Tensor, b: Tensor, rcond: float | None, driver: str | None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The smallest solutions with the smallest residuals, by singular values."""
    if a.array.ndim < 2:
        raise RuntimeError("torch.linalg.lstsq: input must have at least 2 dimensions.")
    if b.array.ndim < 1:
        raise RuntimeError("torch.linalg.lstsq: other must have at least 1 dimension.")
    check_inexact("torch.linalg.lstsq", a)
    if a.dtype is not b.dtype:
        raise RuntimeError(
            "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
            f"{a.dtype.type_name} and other's dtype {b.dtype.type_name}"
        )
    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"
        )
    x, y = a.array, b.array
    is_vector = x.ndim - 1 == y.ndim and y.shape == x.shape[:-1]
    if x.ndim - 1 == y.ndim == 1 and not is_vector:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-1)")
    matrix = y[..., None] if is_vector else y
    rows, columns = x.shape[-2:]
    if matrix.ndim < 2 or matrix.shape[-2] != rows:
        raise RuntimeError("torch.linalg.lstsq: input.size(-2) should match other.size(-2)")
    u, s, vh = _svd(x)
    limit = np.finfo(_real(a)).eps * max(rows, columns) if rcond is None else rcond
    kept = s > limit * s.max(axis=-1, keepdims=True, initial=0)
    inverse = _numpy.where(kept, 1 / _numpy.where(kept, s, 1), 0).astype(s.dtype)
    raw = np.swapaxes(vh, -1, -2).conj() @ (
        inverse[..., None] * (np.swapaxes(u, -1, -2).conj() @ matrix)
    )
    ranks = kept.sum(axis=-1)
    real, element = _real(a), x.dtype
    residuals = _nothing(real)
    if rows > columns and driver != "gelsy" and (ranks == columns).all():
        gap = np.abs(x @ raw - matrix) ** 2
        residuals = in_rows(gap.sum(axis=-2), real)
    # PyTorch's solution is the head of a matrix that had room for both sides.
    room = np.zeros((*raw.shape[:-2], max(rows, columns), raw.shape[-1]), element)
    room[..., :columns, :] = raw
    solution = tensor_of(in_columns(room, element).array[..., :columns, :])
    rank = _nothing(np.dtype(np.int64))
    if driver != "gels":
        rank = in_rows(np.asarray(ranks), np.dtype(np.int64))
    values = in_rows(s, real) if driver in ("gelsd", "gelss") else _nothing(real)
    return tensor_of(solution.array[..., 0]) if is_vector else solution, residuals, rank, values


# Norms

_MATRIX_NORM = """
    if len(dim) != 2:
        raise RuntimeError("linalg.matrix_norm: dim must be a 2-tuple. Got " + str(dim))
    x = self if dtype is None else self.to(dtype)
    if x.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    first = dim[0] if dim[0] >= 0 else dim[0] + x.dim()
    second = dim[1] if dim[1] >= 0 else dim[1] + x.dim()
    if first == second:
        raise RuntimeError("linalg.matrix_norm: dims must be different. Got (" + str(dim[0]) + ", " + str(dim[1]) + ")")
"""
composite(
    "aten::linalg_matrix_norm",
    """
def linalg_matrix_norm(self: Tensor, ord: number, dim: List[int], keepdim: bool, dtype: Optional[int]) -> Tensor:"""
    + """
    if isinstance(ord, complex):
        raise RuntimeError("linalg.matrix_norm: Expected a non-complex scalar as the order of norm.")
    order = float(ord)
    size = abs(order)
    if size != 1.0 and size != 2.0 and size != float("inf"):
        raise RuntimeError("linalg.matrix_norm: Order " + str(ord) + " not supported.")"""
    + _MATRIX_NORM
    + """
    if size == 2.0:
        values = torch.linalg_svdvals(x.movedim([first, second], [-2, -1]))
        if order > 0:
            result = values.sum(-1) if x.numel() == 0 else values.amax(-1)  # 0 where there is nothing
        else:
            result = values.amin(-1)
        if keepdim:
            result = result.unsqueeze(-1).unsqueeze(-1).movedim([-2, -1], [first, second])
        return result
    rows, columns = first, second
    if size == float("inf"):
        rows, columns = second, first
    if not keepdim and columns > rows:
        columns -= 1
    sums = torch.linalg_vector_norm(x, 1.0, [rows], keepdim)
    if order > 0:
        return sums.sum([columns], keepdim) if x.numel() == 0 else sums.amax([columns], keepdim)
    return sums.amin([columns], keepdim)
""",
)
composite(
    "aten::linalg_matrix_norm.str_ord",
    """
def linalg_matrix_norm(self: Tensor, ord: str, dim: List[int], keepdim: bool, dtype: Optional[int]) -> Tensor:"""
    + """
    if ord != "fro" and ord != "nuc":
        raise RuntimeError("linalg.matrix_norm: Order " + ord + " not supported.")"""
    + _MATRIX_NORM
    + """
    if ord == "fro":
        return torch.linalg_vector_norm(x, 2, [first, second], keepdim)
    result = torch.linalg_svdvals(x.movedim([first, second], [-2, -1])).sum([-1])
    if keepdim:
        result = result.unsqueeze(-1).unsqueeze(-1).movedim([-2, -1], [first, second])
    return result
""",
)
composite(
    "aten::linalg_norm",
    """
def linalg_norm(self: Tensor, ord: Optional[number], dim: Optional[List[int]], keepdim: bool, dtype: Optional[int]) -> Tensor:
    if dim is not None:
        if len(dim) != 1 and len(dim) != 2:
            raise RuntimeError("linalg.norm: If dim is specified, it must be of length 1 or 2. Got " + str(dim))
        if ord is not None:
            if len(dim) == 2:
                return torch.linalg_matrix_norm(self, ord, dim, keepdim, dtype=dtype)
            return torch.linalg_vector_norm(self, ord, dim, keepdim, dtype=dtype)
    else:
        if ord is not None:
            if self.dim() != 1 and self.dim() != 2:
                raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
                    + str(self.dim()) + "D.")
            if self.dim() == 2:
                return torch.linalg_matrix_norm(self, ord, [0, 1], keepdim, dtype=dtype)
            return torch.linalg_vector_norm(self, ord, None, keepdim, dtype=dtype)
    return torch.linalg_vector_norm(self, 2, dim, keepdim, dtype=dtype)
""",
)
composite(
    "aten::linalg_norm.ord_str",
    """
def linalg_norm(self: Tensor, ord: str, dim: Optional[List[int]], keepdim: bool, dtype: Optional[int]) -> Tensor:
    places = [0, 1]
    if dim is not None:
        places = dim
    elif self.dim() != 1 and self.dim() != 2:
        raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got "
            + str(self.dim()) + "D.")
    return torch.linalg_matrix_norm(self, ord, places, keepdim, dtype=dtype)
""",
)
composite(
    "aten::nuclear_norm",
    "def nuclear_norm(self: Tensor, keepdim: bool) -> Tensor:\n"
    '    return torch.linalg_matrix_norm(self, "nuc", [-2, -1], keepdim)\n',
)
composite(
    "aten::nuclear_norm.dim",
    "def nuclear_norm(self: Tensor, dim: List[int], keepdim: bool) -> Tensor:\n"
    '    return torch.linalg_matrix_norm(self, "nuc", dim, keepdim)\n',
)


# Powers, exponentials, and operators that are made of the others

composite(
    "aten::linalg_matrix_power",
    """
def linalg_matrix_power(self: Tensor, n: int) -> Tensor:
    if self.dim() < 2:
        raise RuntimeError("linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
    if self.size(-1) != self.size(-2):
        raise RuntimeError("linalg.matrix_power: A must be batches of square matrices, but they are "
            + str(self.size(-2)) + " by " + str(self.size(-1)) + " matrices")
    if n == 0:
        return self.clone(memory_format=torch.contiguous_format).copy_(torch.eye(self.size(-1), dtype=self.dtype))
    base = self if n > 0 else torch.linalg_inv(self)
    power = n if n > 0 else -n
    if n == 1:
        return self.clone(memory_format=torch.contiguous_format)
    result = base
    squared = base
    started = False
    while power > 0:
        if power % 2 == 1:
            result = torch.matmul(result, squared) if started else squared
            started = True
        power = power // 2
        if power > 0:
            squared = torch.matmul(squared, squared)
    return result
""",
)
composite(
    "aten::matrix_power",
    "def matrix_power(self: Tensor, n: int) -> Tensor:\n    return torch.linalg_matrix_power(self, n)\n",
)

_PADE = (
    64764752532480000,
    32382376266240000,
    7771770303897600,
    1187353796428800,
    129060195264000,
    10559470521600,
    670442572800,
    33522128640,
    1323241920,
    40840800,
    960960,
    16380,
    182,
    1,
)


@registry.kernel("linalg_matrix_exp matrix_exp")
@ignores_float_errors
def matrix_exp(x: Tensor) -> Tensor:
    """Scaling and squaring of Pade's approximant of degree 13 (Higham 2005)."""
    check_matrix("linalg.matrix_exp", x)
    if x.array.shape[-1] != x.array.shape[-2] or not (
        x.dtype.is_floating_point or x.dtype.is_complex
    ):
        check_square("linalg.matrix_exp", x)
    array = x.array.astype(np.complex128 if x.dtype.is_complex else np.float64)
    if not array.size:
        return tensor_of(x.array.copy())
    size = float(np.abs(array).sum(axis=-2).max())
    halvings = max(0, int(np.ceil(np.log2(size / 5.4)))) if size > 5.4 and np.isfinite(size) else 0
    array = array / 2**halvings
    unit = np.eye(array.shape[-1])
    powers = [unit + 0 * array, array @ array]
    for _ in range(5):
        powers.append(powers[-1] @ powers[1])
    even: Any = sum(c * power for c, power in zip(_PADE[0::2], powers))
    odd: Any = array @ cast("Any", sum(c * power for c, power in zip(_PADE[1::2], powers)))
    result = cast("Any", np.linalg.solve(even - odd, even + odd))
    for _ in range(halvings):
        result = result @ result
    return in_rows(result, x.array.dtype)


_CONDITION = """
    if self.dim() < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
"""
_CONDITION_OF_NOTHING = """
    if self.numel() == 0:
        return torch.real(self.new_zeros(self.size()[:-2]))
"""
_CONDITION_BY_INVERSE = (
    """
    if self.size(-1) != self.size(-2):
        raise RuntimeError("linalg.cond(ord=" + str(p) + "): A must be batches of square matrices, but they are "
            + str(self.size(-2)) + " by " + str(self.size(-1)) + " matrices")
"""
    + _CONDITION_OF_NOTHING
    + """
    inverse, info = torch.linalg_inv_ex(self)
    is_singular = info != 0
    inverse = inverse.masked_fill(is_singular.unsqueeze(-1).unsqueeze(-1), 0)
    product = torch.linalg_matrix_norm(self, p) * torch.linalg_matrix_norm(inverse, p)
    return product.nan_to_num(float("inf"), float("inf"), -float("inf")).masked_fill(is_singular, float("inf"))
"""
)
composite(
    "aten::linalg_cond",
    """
def linalg_cond(self: Tensor, p: Optional[number]) -> Tensor:"""
    + _CONDITION
    + """
    order = 2.0
    if p is not None:
        order = float(p)
    if p is None or abs(order) == 2.0:"""
    + indent(_CONDITION_OF_NOTHING, "    ")
    + """
        values = torch.linalg_svdvals(self)
        largest, smallest = values.select(-1, 0), values.select(-1, -1)
        return largest / smallest if order > 0 else smallest / largest
    if abs(order) != 1.0 and abs(order) != float("inf"):
        raise RuntimeError("linalg.cond got an invalid norm type: " + str(p))"""
    + _CONDITION_BY_INVERSE,
)
composite(
    "aten::linalg_cond.p_str",
    """
def linalg_cond(self: Tensor, p: str) -> Tensor:"""
    + _CONDITION
    + """
    if p != "fro" and p != "nuc":
        raise RuntimeError("linalg.cond got an invalid norm type: " + p)"""
    + _CONDITION_BY_INVERSE,
)
composite(
    "aten::linalg_diagonal",
    """
def linalg_diagonal(A: Tensor, offset: int, dim1: int, dim2: int) -> Tensor:
    return A.diagonal(offset, dim1, dim2)
""",
    aliases=MAY_BE_OPERAND,
)
composite(
    "aten::linalg_tensorinv",
    """
def linalg_tensorinv(self: Tensor, ind: int) -> Tensor:
    if ind <= 0:
        raise RuntimeError("Expected a strictly positive integer for 'ind', but got " + str(ind))
    sizes = self.size()
    rows = 1
    for size in sizes[:ind]:
        rows *= size
    columns = 1
    for size in sizes[ind:]:
        columns *= size
    if rows != columns:
        raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
            + str(columns) + " != " + str(rows))
    return torch.linalg_inv(self.reshape([rows, columns])).reshape(sizes[ind:] + sizes[:ind])
""",
)
composite(
    "aten::linalg_tensorsolve",
    """
def linalg_tensorsolve(self: Tensor, other: Tensor, dims: Optional[List[int]]) -> Tensor:
    x = self
    if dims is not None:
        x = x.movedim(dims, [d - len(dims) + x.dim() for d in range(len(dims))])
    sizes = x.size()[other.dim():]
    columns = 1
    for size in sizes:
        columns *= size
    if columns != other.numel():
        raise RuntimeError("Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim])")
    return torch.linalg_solve(x.reshape([other.numel(), columns]), other.reshape([-1])).reshape(sizes)
""",
)
