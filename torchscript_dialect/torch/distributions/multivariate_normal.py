"""The normal distribution of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution, Parametric
from torchscript_dialect.torch.distributions.utils import lazy_property, standard_normal


def times_vectors(matrices: Any, vectors: Any) -> Any:
    """The product of each matrix with a vector."""
    return torch.matmul(matrices, vectors.unsqueeze(-1)).squeeze(-1)


def mahalanobis(factors: Any, vectors: Any) -> Any:
    """The squared length of `inverse(factor) @ vector`, for lower triangular factors of (..., n, n) and vectors of (..., n)."""
    size = torch.broadcast_shapes(factors.shape[:-2], vectors.shape[:-1])
    count = vectors.size(-1)
    solved = torch.linalg.solve_triangular(
        factors.expand((*size, count, count)),
        vectors.expand((*size, count)).unsqueeze(-1),
        upper=False,
    )
    return solved.squeeze(-1).pow(2).sum(-1)


def log_of_diagonal(factors: Any) -> Any:
    """The logarithm of the determinant of each triangular matrix."""
    return factors.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def factor_of_precision(precision: Any) -> Any:
    """The lower triangular L of which `L @ L.T` is the inverse of a matrix."""
    upper = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    inverse = torch.transpose(torch.flip(upper, (-2, -1)), -2, -1)
    identity = torch.eye(precision.shape[-1], dtype=precision.dtype, device=precision.device)
    return torch.linalg.solve_triangular(inverse, identity, upper=False)


def factor_of(name: str, matrix: Any) -> Any:
    """The lower triangular factor of the covariance that a matrix of one of the three names gives."""
    if name == "scale_tril":
        return matrix
    return (
        torch.linalg.cholesky(matrix)
        if name == "covariance_matrix"
        else factor_of_precision(matrix)
    )


class OfScaleTril:
    """The three matrices of a distribution, from the lower triangular factor of one of them."""

    _batch_shape: Any
    _unbroadcasted_scale_tril: Any

    def _expanded(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *matrix.shape[-2:]))

    @lazy_property
    def scale_tril(self) -> Any:
        return self._expanded(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self) -> Any:
        return self._expanded(
            torch.matmul(self._unbroadcasted_scale_tril, self._unbroadcasted_scale_tril.mT)
        )

    @lazy_property
    def precision_matrix(self) -> Any:
        return self._expanded(torch.cholesky_inverse(self._unbroadcasted_scale_tril))


class MultivariateNormal(OfScaleTril, Parametric):
    """Vectors around `loc`, of the shape (..., n), given by one of three matrices of (..., n, n): their covariance, its inverse, or the
    lower triangular `scale_tril` of which it is `scale_tril @ scale_tril.T`.
    """

    parameters = ("loc", "covariance_matrix", "precision_matrix", "scale_tril")
    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self,
        loc: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = [(name, matrix) for name, matrix in matrices.items() if matrix is not None]
        if len(given) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        name, matrix = given[0]
        if matrix.dim() < 2:
            called = "scale_tril matrix" if name == "scale_tril" else name
            raise ValueError(
                f"{called} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        self.loc = loc.expand((*batch_shape, -1))
        Distribution.__init__(self, batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = factor_of(name, matrix)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        return new

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        squares = self._unbroadcasted_scale_tril.pow(2).sum(-1)
        return squares.expand((*self._batch_shape, *self._event_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        drawn = standard_normal(shape, self.loc.dtype, self.loc.device)
        return self.loc + times_vectors(self._unbroadcasted_scale_tril, drawn)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        distance = mahalanobis(self._unbroadcasted_scale_tril, value - self.loc)
        whole = self._event_shape[0] * math.log(2 * math.pi) + distance
        return -0.5 * whole - log_of_diagonal(self._unbroadcasted_scale_tril)

    def entropy(self) -> Any:
        of_one = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        found = of_one + log_of_diagonal(self._unbroadcasted_scale_tril)
        return found.expand(self._batch_shape) if self._batch_shape else found
