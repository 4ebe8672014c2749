"""Transforms of rows and matrices (torch/distributions/transforms.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.transform import Transform, check_dims
from torchscript_dialect.torch.distributions.utils import (
    clipped_sigmoid,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)


class ReshapeTransform(Transform):
    """Events of one shape as events of another."""

    bijective = True

    def __init__(
        self, in_shape: Sequence[int], out_shape: Sequence[int], cache_size: int = 0
    ) -> None:
        self.in_shape = torch.Size(in_shape)
        self.out_shape = torch.Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")
        super().__init__(cache_size=cache_size)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.independent(constraints.real, len(self.out_shape))

    def with_cache(self, cache_size: int = 1) -> Any:
        if self._cache_size == cache_size:
            return self
        return ReshapeTransform(self.in_shape, self.out_shape, cache_size=cache_size)

    def _call(self, x: Any) -> Any:
        return x.reshape(x.shape[: x.dim() - len(self.in_shape)] + self.out_shape)

    def _inverse(self, y: Any) -> Any:
        return y.reshape(y.shape[: y.dim() - len(self.out_shape)] + self.in_shape)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return _reshaped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return _reshaped(shape, self.out_shape, self.in_shape)


def _reshaped(shape: Any, old: Any, new: Any) -> Any:
    """A shape that ends otherwise; ValueError if it did not end in `old`."""
    check_dims(shape, len(old))
    cut = len(shape) - len(old)
    if shape[cut:] != old:
        raise ValueError(f"Shape mismatch: expected {shape[cut:]} but got {old}")
    return shape[:cut] + new


class _OfRows(Transform):
    """A transform of rows without parameters: all of a class are equal."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    change = 0
    """How many elements more the results have."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))

    def forward_shape(self, shape: Any) -> Any:
        check_dims(shape, 1)
        return (*shape[:-1], shape[-1] + self.change) if self.change else shape

    def inverse_shape(self, shape: Any) -> Any:
        check_dims(shape, 1)
        return (*shape[:-1], shape[-1] - self.change) if self.change else shape


class SoftmaxTransform(_OfRows):
    """Shares that grow with the exponentials of the elements; no bijection."""

    def _call(self, x: Any) -> Any:
        shares = (x - x.max(-1, True)[0]).exp()
        return shares / shares.sum(-1, True)

    def _inverse(self, y: Any) -> Any:
        return y.log()


class StickBreakingTransform(_OfRows):
    """Shares, one more than elements: each element says how much of what is left comes next."""

    bijective = True
    change = 1

    def _call(self, x: Any) -> Any:
        broken = clipped_sigmoid(x - _left(x).log())
        rest = (1 - broken).cumprod(-1)
        pad = torch.nn.functional.pad
        return pad(broken, [0, 1], value=1) * pad(rest, [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        first = y[..., :-1]
        rest = torch.clamp(1 - first.cumsum(-1), min=torch.finfo(y.dtype).tiny)
        return first.log() - rest.log() + _left(first).log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        x = x - _left(x).log()
        return (-x + torch.nn.functional.logsigmoid(x) + y[..., :-1].log()).sum(-1)


def _left(x: Any) -> Any:
    """How many elements of a row there are from each on."""
    return x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)


class _OfMatrices(Transform):
    domain = constraints.independent(constraints.real, 2)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self))


class LowerCholeskyTransform(_OfMatrices):
    """Lower triangular matrices with a positive diagonal; no bijection."""

    codomain = constraints.lower_cholesky

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(_OfMatrices):
    """Positive definite matrices, of the factors that `LowerCholeskyTransform` gives."""

    codomain = constraints.positive_definite

    def _call(self, x: Any) -> Any:
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y: Any) -> Any:
        return LowerCholeskyTransform().inv(torch.linalg.cholesky(y))


class CorrCholeskyTransform(Transform):
    """Factors of correlations, of rows with as many elements as such a matrix has below the diagonal. Its rows have length 1: their
    squares are broken off as by `StickBreakingTransform`.
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Any) -> Any:
        eps = torch.finfo(x.dtype).eps
        parts = vec_to_tril_matrix(torch.tanh(x).clamp(min=-1 + eps, max=1 - eps), diag=-1)
        rest = (1 - parts**2).sqrt().cumprod(-1)
        parts = parts + torch.eye(parts.shape[-1], dtype=parts.dtype, device=parts.device)
        return parts * torch.nn.functional.pad(rest[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        rest = 1 - torch.cumsum(y * y, dim=-1)
        before = torch.nn.functional.pad(rest[..., :-1], [1, 0], value=1)
        parts = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(before, diag=-1).sqrt()
        return (parts.log1p() - parts.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x: Any, y: Any, intermediates: Any = None) -> Any:
        """Of what is below the diagonal."""
        rest = tril_matrix_to_vec(1 - (y * y).cumsum(dim=-1), diag=-2)
        bounded = -2 * (x + torch.nn.functional.softplus(-2 * x) - math.log(2.0)).sum(dim=-1)
        return 0.5 * rest.log().sum(-1) + bounded

    def forward_shape(self, shape: Any) -> Any:
        check_dims(shape, 1)
        size = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != shape[-1]:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return (*shape[:-1], size, size)

    def inverse_shape(self, shape: Any) -> Any:
        check_dims(shape, 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)
