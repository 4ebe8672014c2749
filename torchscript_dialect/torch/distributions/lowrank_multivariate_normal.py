"""The normal distribution of vectors whose covariance is a matrix of low rank and a diagonal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution, Parametric
from torchscript_dialect.torch.distributions.multivariate_normal import (
    log_of_diagonal,
    mahalanobis,
    times_vectors,
)
from torchscript_dialect.torch.distributions.utils import lazy_property, standard_normal


def _with_identity(matrices: Any) -> Any:
    count = matrices.shape[-1]
    return matrices + torch.eye(count, dtype=matrices.dtype, device=matrices.device)


class LowRankMultivariateNormal(Parametric):
    """Vectors around `loc`, of the covariance `cov_factor @ cov_factor.T + diag(cov_diag)`."""

    parameters = ("loc", "cov_factor", "cov_diag")
    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch dimensions"
            )
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(
                f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m"
            )
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            of_loc, self.cov_factor, of_diag = torch.broadcast_tensors(
                loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1)
            )
        except RuntimeError as error:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from error
        self.loc, self.cov_diag = of_loc[..., 0], of_diag[..., 0]
        self._unbroadcasted_cov_factor = cov_factor
        self._unbroadcasted_cov_diag = cov_diag
        self._capacitance_tril = torch.linalg.cholesky(
            _with_identity(torch.matmul(self._by_diagonal, cov_factor))
        )
        batch_shape = self.loc.shape[:-1]
        Distribution.__init__(self, batch_shape, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new._unbroadcasted_cov_factor = self._unbroadcasted_cov_factor
        new._unbroadcasted_cov_diag = self._unbroadcasted_cov_diag
        new._capacitance_tril = self._capacitance_tril
        return new

    @property
    def _by_diagonal(self) -> Any:
        return self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)

    def _expanded(self, matrix: Any) -> Any:
        return matrix.expand((*self._batch_shape, *self._event_shape, *self._event_shape))

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        squares = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return squares.expand((*self._batch_shape, *self._event_shape))

    @lazy_property
    def scale_tril(self) -> Any:
        deviations = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / deviations
        factors = torch.linalg.cholesky(_with_identity(torch.matmul(scaled, scaled.mT)))
        return self._expanded(deviations * factors)

    @lazy_property
    def covariance_matrix(self) -> Any:
        factor = self._unbroadcasted_cov_factor
        product = torch.matmul(factor, factor.mT)
        return self._expanded(product + torch.diag_embed(self._unbroadcasted_cov_diag))

    def solved(self) -> Any:
        """The matrix A of which `diag(1 / cov_diag) - A.T @ A` is the inverse of the covariance."""
        return torch.linalg.solve_triangular(self._capacitance_tril, self._by_diagonal, upper=False)

    @lazy_property
    def precision_matrix(self) -> Any:
        solved = self.solved()
        diagonal = torch.diag_embed(self._unbroadcasted_cov_diag.reciprocal())
        return self._expanded(diagonal - torch.matmul(solved.mT, solved))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        of_factor = (*shape[:-1], *self.cov_factor.shape[-1:])
        few = standard_normal(of_factor, self.loc.dtype, self.loc.device)
        all_of_them = standard_normal(shape, self.loc.dtype, self.loc.device)
        along = times_vectors(self._unbroadcasted_cov_factor, few)
        return self.loc + along + self._unbroadcasted_cov_diag.sqrt() * all_of_them

    def log_determinant(self) -> Any:
        """The logarithm of the determinant of each covariance."""
        return 2 * log_of_diagonal(self._capacitance_tril) + self._unbroadcasted_cov_diag.log().sum(
            -1
        )

    def distance(self, vectors: Any) -> Any:
        """The squared length of vectors, by the inverse of the covariance."""
        beside = mahalanobis(self._capacitance_tril, times_vectors(self._by_diagonal, vectors))
        return (vectors.pow(2) / self._unbroadcasted_cov_diag).sum(-1) - beside

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        whole = self._event_shape[0] * math.log(2 * math.pi) + self.log_determinant()
        return -0.5 * (whole + self.distance(value - self.loc))

    def entropy(self) -> Any:
        of_one = self._event_shape[0] * (1.0 + math.log(2 * math.pi))
        found = 0.5 * (of_one + self.log_determinant())
        return found.expand(self._batch_shape) if self._batch_shape else found
