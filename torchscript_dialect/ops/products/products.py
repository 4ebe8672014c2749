"""Products of several tensors and of pairs of vectors, and distances: tensordot, kron, cross, cdist, cov."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from math import inf
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import DIMENSION_IN_RANGE, composite, decomposed
from torchscript_dialect.ops.native_code import NativeCode
from torchscript_dialect.ops.pointwise.numpy_math import complex_logaddexp
from torchscript_dialect.ops.pointwise.steps import rounded
from torchscript_dialect.ops.reduction.reduction import computed, stored
from torchscript_dialect.ops.registry import Kernel
from torchscript_dialect.ops.shapes import (
    Fact,
    broadcast,
    dtype_of,
    fresh,
    rank_known,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim
from torchscript_dialect.tensor.type_promotion import promote_types

Array = NDArray[Any]
_numpy = cast("Any", np)  # whose stubs leave some types open

composite(
    "aten::addr",
    """
def addr(self: Tensor, vec1: Tensor, vec2: Tensor, beta: number, alpha: number) -> Tensor:
    if vec1.dim() != 1 or vec2.dim() != 1:
        raise RuntimeError("addr: Expected 1-D argument vec1 and vec2")
    if self.dim() > 2:
        raise RuntimeError("addr: Expected self to have at most 2 dimensions")
    common = torch.result_type(self, torch.mul(vec1[:1], vec2[:1]))
    left, right = vec1.to(common).unsqueeze(1), vec2.to(common).unsqueeze(0)
    if not left.is_floating_point() and not left.is_complex():
        if isinstance(beta, (float, complex)):
            raise RuntimeError("For integral input tensors, argument beta must not be a floating point number.")
        if isinstance(alpha, (float, complex)):
            raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if common == torch.bool:
        product = torch.mul(left, right)
        if alpha == 0:
            product = torch.zeros_like(product)
        return product if beta == 0 else torch.logical_or(self, product)
    if torch.result_type(beta, beta) == torch.bool:
        raise RuntimeError("Boolean beta only supported for Boolean results.")
    if torch.result_type(alpha, alpha) == torch.bool:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    product = torch.mul(left, right)
    if alpha != 1:
        product = product * torch.full([], alpha, dtype=common)
    if beta == 0:
        return product
    if beta == 1:
        return torch.add(self, product)
    return torch.add(torch.mul(self, torch.full([], beta, dtype=common)), product)
""",
)
composite(
    "aten::kron",
    """
def kron(self: Tensor, other: Tensor) -> Tensor:
    rank = max(self.dim(), other.dim())
    x = self.reshape([1] * (rank - self.dim()) + self.size())
    y = other.reshape([1] * (rank - other.dim()) + other.size())
    left: List[int] = []
    right: List[int] = []
    sizes: List[int] = []
    for d in range(rank):
        left.append(x.size(d))
        left.append(1)
        right.append(1)
        right.append(y.size(d))
        sizes.append(x.size(d) * y.size(d))
    return (x.reshape(left) * y.reshape(right)).view(sizes)
""",
)
composite(
    "aten::tensordot",
    """
def tensordot(self: Tensor, other: Tensor, dims_self: List[int], dims_other: List[int]) -> Tensor:
    if len(dims_self) != len(dims_other):
        raise RuntimeError("both dimension lists should have same length")
    if self.dtype != other.dtype:
        raise RuntimeError("tensordot: both inputs should have same dtype")
    x, y = self, other
    count = 1
    mine = [d if d >= 0 else d + self.dim() for d in dims_self]
    theirs = [d if d >= 0 else d + other.dim() for d in dims_other]
    for d, e in zip(mine, theirs):
        if x.size(d) == 1:
            y = y.sum([e], True, dtype=y.dtype)
        elif y.size(e) == 1:
            x = x.sum([d], True, dtype=x.dtype)
        elif x.size(d) != y.size(e):
            raise RuntimeError("contracted dimensions need to match, but first has size " + str(x.size(d))
                + " in dim " + str(d) + " and second has size " + str(y.size(e)) + " in dim " + str(e))
        count *= x.size(d) if y.size(e) != 1 else 1
    free: List[int] = []
    others: List[int] = []
    sizes: List[int] = []
    rows, columns = 1, 1
    for d in range(self.dim()):
        if d not in mine:
            free.append(d)
            sizes.append(self.size(d))
            rows *= self.size(d)
    for d in range(other.dim()):
        if d not in theirs:
            others.append(d)
            sizes.append(other.size(d))
            columns *= other.size(d)
    left = x.permute(free + mine).reshape([rows, count])
    right = y.permute(theirs + others).reshape([count, columns])
    return left.mm(right).reshape(sizes)
""",
)
composite(
    "aten::chain_matmul",
    """
def chain_matmul(matrices: List[Tensor]) -> Tensor:
    if len(matrices) == 0:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if matrix.dim() != 2:
            raise RuntimeError("Tensor dimension is " + str(matrix.dim()) + ", expected 2 instead.")
    return matrices[0] if len(matrices) == 1 else torch.linalg_multi_dot(matrices)
""",
)
composite(
    "aten::linalg_multi_dot",
    """
def linalg_multi_dot(tensors: List[Tensor]) -> Tensor:
    count = len(tensors)
    if count < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(count))
    first, last = tensors[0], tensors[count - 1]
    if first.dim() != 1 and first.dim() != 2:
        raise RuntimeError("multi_dot(): the first tensor must be 1D or 2D but got " + str(first.dim()) + "D")
    if last.dim() != 1 and last.dim() != 2:
        raise RuntimeError("multi_dot(): the last tensor must be 1D or 2D but got " + str(last.dim()) + "D")
    x = first.unsqueeze(0) if first.dim() == 1 else first
    for place in range(1, count):
        factor = tensors[place]
        if place == count - 1 and factor.dim() == 1:
            factor = factor.unsqueeze(-1)
        if factor.dim() != 2 or x.dim() != 2:
            raise RuntimeError("multi_dot(): tensor " + str(place) + " must be 2D but got " + str(factor.dim()) + "D")
        x = x.mm(factor)
    if first.dim() == 1 and last.dim() == 1:
        return x.reshape([])
    if first.dim() == 1:
        return x.squeeze(0)
    return x.squeeze(-1) if last.dim() == 1 else x
""",
)
composite(
    "aten::linalg_vecdot",
    """
def linalg_vecdot(x: Tensor, y: Tensor, dim: int) -> Tensor:
    if not (x.is_floating_point() or x.is_complex()):
        raise RuntimeError("linalg.vecdot: Expected a floating point or complex tensor as input.")
    if x.dim() == 1 and y.dim() == 1:
        result = torch.vdot(x, y)
    else:
        result = (x.conj() * y).sum(dim)
    return result
""",
)


@cache
def _interpreted_cross() -> Kernel:
    operator = registry.find("aten::linalg_cross")
    assert operator is not None
    return decomposed(operator)


@ignores_float_errors
def _cross(x: Tensor, y: Tensor, dim: int) -> Tensor:
    """What the decomposition computes, in few calls of NumPy's where both have one wide float dtype."""
    a, b = x.array, y.array
    is_plain = a.dtype is b.dtype and a.dtype.char in "fd" and a.ndim == b.ndim
    if not is_plain or not -a.ndim <= dim < a.ndim or not a.shape[dim] == b.shape[dim] == 3:
        return _interpreted_cross()(x, y, dim)
    following, before = (1, 2, 0), (2, 0, 1)
    first = a.take(following, dim) * b.take(before, dim)
    first -= a.take(before, dim) * b.take(following, dim)
    return tensor_of(np.ascontiguousarray(first))


composite(
    "aten::linalg_cross",
    """
def linalg_cross(self: Tensor, other: Tensor, dim: int) -> Tensor:
    if self.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if self.size(dim) != 3 or other.size(dim) != 3:
        raise RuntimeError("linalg.cross: inputs dimension " + str(dim) + " must have length 3. Got "
            + str(self.size(dim)) + " and " + str(other.size(dim)))
    x, y = self, other
    if self.size() != other.size():
        both = torch.broadcast_tensors([self, other])
        x, y = both[0], both[1]
    place = dim if dim >= 0 else dim + x.dim()
    last = (x.roll(-1, place) * y.roll(1, place)) - (x.roll(1, place) * y.roll(-1, place))
    return last.contiguous()
""",
    kernel=_cross,
)
composite(
    "aten::cross",
    """
def cross(self: Tensor, other: Tensor, dim: Optional[int]) -> Tensor:
    if dim is None:
        for d in range(self.dim()):
            if self.size(d) == 3:
                return torch.linalg_cross(self, other, dim=d)
        raise RuntimeError("no dimension of size 3 in input")
    return torch.linalg_cross(self, other, dim=dim)
""",
)
composite(
    "aten::linalg_vander",
    """
def linalg_vander(x: Tensor, N: Optional[int]) -> Tensor:
    if N is None:
        count = x.size(-1)
    else:
        count = N
        if count <= 1:
            raise RuntimeError("N must be greater than 1.")
    rows = x.unsqueeze(-1) if x.dim() == 0 else x
    powers = torch.cumprod(rows.unsqueeze(-1).expand(rows.size() + [count - 1]), -1)
    return torch.cat([powers.new_ones(rows.size() + [1]), powers], -1)
""",
)
composite(
    "aten::vander",
    """
def vander(x: Tensor, N: Optional[int], increasing: bool) -> Tensor:
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x.size(0)
    if N is not None:
        count = N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    is_integral = not x.is_floating_point() and not x.is_complex()
    first = x.new_ones([x.size(0), min(count, 1)], dtype=torch.int64 if is_integral else x.dtype)
    result = first
    if count > 1:
        powers = torch.cumprod(x.unsqueeze(1).expand([x.size(0), count - 1]), 1)
        result = torch.cat([first, powers], 1)
    return result if increasing else result.flip([1])
""",
)

# Distances


def _norm_of_last(gap: Array, p: float, largest: Any = np.maximum) -> Array:
    """The p-norm along the last dimension; `largest` finds the largest of two."""
    if p == 2:
        return np.sqrt(np.einsum("...i,...i->...", gap, gap))
    size = np.abs(gap)
    if p == 0:
        return np.add.reduce(np.minimum(np.ceil(size), 1), axis=-1)
    if p == inf:
        return largest.reduce(size, axis=-1, initial=0)
    if p == 1:
        return np.add.reduce(size, axis=-1)
    return np.add.reduce(size**p, axis=-1) ** (1 / p)


def _cdist_shape(facts: Sequence[Fact]) -> Fact:
    x, y = rank_known(facts[0]), rank_known(facts[1])
    if x is None or y is None or len(x) < 2 or len(y) < 2:
        return fresh(dtype_of(facts[0]), None, *facts[:2])
    batch = broadcast([x[:-2], y[:-2]])
    sizes = None if batch is None else (*batch, x[-2], y[-2])
    return fresh(dtype_of(facts[0]), sizes, *facts[:2])


@registry.kernel("cdist", shape=_cdist_shape)
@ignores_float_errors
def cdist(x: Tensor, y: Tensor, p: float, mode: int | None) -> Tensor:
    """The distances between the rows of two matrices."""
    a, b = x.array, y.array
    for place, tensor in (("X1", x), ("X2", y)):
        if tensor.array.ndim < 2:
            raise RuntimeError(
                f"cdist only supports at least 2D tensors, {place} got: {tensor.array.ndim}D"
            )
        if not tensor.dtype.is_floating_point:
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {place} got: {tensor.dtype.type_name}"
            )
    if a.shape[-1] != b.shape[-1]:
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {a.shape[-1]} X2: {b.shape[-1]}"
        )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if mode not in (None, 0, 1, 2):
        raise RuntimeError(f"possible modes: 0, 1, 2, but was: {mode}")
    if x.dtype is not y.dtype and a.size and b.size:
        names = x.dtype.type_name, y.dtype.type_name
        raise RuntimeError(f"expected scalar type {names[0]} but found {names[1]}")
    is_long = max(a.shape[-2], b.shape[-2]) > 25
    if p == 2 and a.size and b.size and (mode == 1 or (mode != 2 and is_long)):
        by_product = registry.find("aten::_euclidean_dist")
        assert by_product is not None and by_product.kernel is not None
        found = by_product.kernel(tensor_of(computed(a)), tensor_of(computed(b)))
        return stored(found.array, x.dtype)
    kernels = DISTANCES.for_work(a.size * b.shape[-2])
    if kernels is not None:
        found = kernels.between(p, x, y)
        if found is not None:
            return found
    a, b = computed(a), computed(b)
    gap = a[..., :, None, :] - b[..., None, :, :]
    # PyTorch's largest passes over NaN here, but not in `pdist`.
    return stored(_norm_of_last(gap, p, np.fmax), x.dtype)


DISTANCES = NativeCode("torchscript_dialect.runtime.kernels.handwritten.distance_kernels", 1 << 12)
"""Counts elements of the differences of all pairs of rows."""
_MANY_TO_PAIR = 1 << 19
"""Elements of all pairs, twice, from which on `pdist` goes row by row."""


def _all_pairs(count: int) -> tuple[Array, Array]:
    """The first and second ones of all pairs of so many."""
    return np.triu_indices(count, 1)


_FEW_ROWS = 64
"""So many rows have pairs that are kept."""
_pairs = lru_cache(16)(_all_pairs)


@registry.kernel("pdist")
@ignores_float_errors
def pdist(x: Tensor, p: float) -> Tensor:
    """The distances between each two rows."""
    if x.array.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {x.array.ndim}D")
    if not x.dtype.is_floating_point:
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    count = len(x.array)
    kernels = DISTANCES.for_work(x.array.size * count // 2)
    if kernels is not None:
        found = kernels.pairs(p, x)
        if found is not None:
            return found
    array = computed(x.array)
    if count * array.size < _MANY_TO_PAIR:
        first, second = (_pairs if count <= _FEW_ROWS else _all_pairs)(count)
        return stored(_norm_of_last(array[first] - array[second], p), x.dtype)
    by_row = [_norm_of_last(row - array[place:], p) for place, row in enumerate(array[:-1], 1)]
    return stored(np.concatenate(by_row), x.dtype)


composite(
    "aten::dist",
    """
def dist(self: Tensor, other: Tensor, p: number) -> Tensor:
    return torch.norm(self - other, p)
""",
)
composite(
    "aten::renorm",
    """
def renorm(self: Tensor, p: number, dim: int, maxnorm: number) -> Tensor:
    if self.dim() < 2:
        raise RuntimeError("renorm: input needs at least 2 dimensions, got " + str(self.dim()) + " dimensions")
    rank = self.dim()"""
    + DIMENSION_IN_RANGE
    + """
    if not float(p) > 0.0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if not float(maxnorm) >= 0.0:
        raise RuntimeError("renorm: expected maxnorm to be >= 0 but got " + str(float(maxnorm)))
    place = dim if dim >= 0 else dim + rank
    others: List[int] = []
    for d in range(rank):
        if d != place:
            others.append(d)
    wide = torch.float32 if self.dtype == torch.float16 or self.dtype == torch.bfloat16 else self.dtype
    sizes = torch.linalg_vector_norm(self, p, others, True, dtype=wide)
    factor = torch.where(sizes > maxnorm, torch.reciprocal(sizes + 1e-7) * maxnorm, torch.ones_like(sizes))
    return (self * factor.to(self.dtype)).contiguous()
""",
)


# Covariances


def _real_dtype(x: Tensor) -> dtypes.dtype:
    element = x.dtype
    is_inexact = element.is_floating_point or element.is_complex
    return element if is_inexact else dtypes.get_default_dtype()


def _covariance(
    x: Tensor, correction: int, fweights: Tensor | None, aweights: Tensor | None
) -> Any:
    if x.array.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {x.array.ndim} dimensions"
        )
    if x.array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    array = computed(x.array)
    rows = array.reshape(1, -1) if array.ndim < 2 else array
    weights = np.ones(rows.shape[1], np.int64)
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        if given.array.ndim > 1:
            raise RuntimeError(f"cov(): expected {name} to have one or fewer dimensions")
        if given.array.size != rows.shape[1]:
            raise RuntimeError(
                f"cov(): expected {name} to have the same numel as there are observations in the input"
            )
        if name == "fweights" and given.array.dtype.kind not in "iu":
            raise RuntimeError(
                "cov(): expected fweights to have integral dtype but got fweights with "
                f"{given.dtype.type_name} dtype"
            )
        if given.array.size and not given.array.min() >= 0:  # nor may it be NaN
            raise RuntimeError(f"cov(): {name} cannot be negative")
        weights = weights.astype(given.array.dtype) * given.array.reshape(-1)
    total = weights.sum()
    element = _real_dtype(x)
    means = rounded(rounded(rows * weights, element).sum(axis=1, keepdims=True), element) / total
    centered = rounded(rows - rounded(means, element), element)
    freedom = total - correction
    if aweights is not None and correction:
        freedom = total - correction * (weights * aweights.array.reshape(-1)).sum() / total
    product = (
        rounded(centered * weights, element) @ centered.T.conj()
        if array.dtype.kind != "c"
        else (centered @ (centered * weights).T.conj())
    )
    return (rounded(product, element) / max(freedom, 0)).squeeze()


@registry.kernel("cov")
@ignores_float_errors
def cov(x: Tensor, correction: int, fweights: Tensor | None, aweights: Tensor | None) -> Tensor:
    element = _real_dtype(x)
    if aweights is not None:
        element = promote_types(element, aweights.dtype)
    return stored(_covariance(x, correction, fweights, aweights), element)


@registry.kernel("corrcoef")
@ignores_float_errors
def corrcoef(x: Tensor) -> Tensor:
    if x.array.ndim > 2:
        raise RuntimeError(
            "corrcoef(): expected input to have two or fewer dimensions but got an input with "
            f"{x.array.ndim} dimensions"
        )
    found = _covariance(x, 1, None, None)
    if not found.ndim:
        return stored(found / found, _real_dtype(x))
    element = _real_dtype(x)
    found = rounded(found, element)
    deviation = rounded(np.sqrt(cast("Any", np.diagonal(found)).real), element)
    found = rounded(found / deviation[:, None], element) / deviation[None, :]
    for part in (found.real, found.imag) if element.is_complex else (found,):
        np.clip(part, -1, 1, out=part)
    return stored(found, element)


@registry.kernel(
    "logcumsumexp", shape=lambda facts: fresh(dtype_of(facts[0]), rank_known(facts[0]), facts[0])
)
@ignores_float_errors
def logcumsumexp(x: Tensor, dim: int) -> Tensor:
    """The logarithms of running sums of exponentials."""
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        raise NotImplementedError(
            f"\"logcumsumexp_out_cpu\" not implemented for '{x.dtype.type_name}'"
        )
    array = computed(x.array)
    dim = wrap_dim(dim, array.ndim or 1)
    if not array.ndim or not array.size:
        return stored(array.copy(), x.dtype)
    if array.dtype.kind == "f":
        return stored(np.logaddexp.accumulate(array, axis=dim) + 0, x.dtype)  # never -0.0
    rows = cast("Any", np.moveaxis(array, dim, 0))
    sums = [rows[0] + 0]
    for row in rows[1:]:
        sums.append(complex_logaddexp(sums[-1], row))
    return stored(np.moveaxis(_numpy.stack(sums), 0, dim), x.dtype)
