"""The Wishart distribution of positive definite matrices."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.exp_family import ExponentialFamily
from torchscript_dialect.torch.distributions.gamma import Chi2
from torchscript_dialect.torch.distributions.multivariate_normal import (
    OfScaleTril,
    factor_of,
    log_of_diagonal,
)
from torchscript_dialect.torch.distributions.utils import NUMBERS

_LOG_2 = math.log(2)
_MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


def _mvdigamma(x: Any, p: int) -> Any:
    halves = torch.arange(p, dtype=x.dtype, device=x.device).div(2)
    return torch.digamma(x.unsqueeze(-1) - halves.expand((*x.shape, -1))).sum(-1)


class Wishart(OfScaleTril, ExponentialFamily):
    """Sums of `df` products `x @ x.T` of vectors of a normal distribution around 0, which one of three matrices gives: its covariance,
    its inverse, or the lower triangular `scale_tril`.
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self.event_shape[-1] - 1),
        }

    def __init__(
        self,
        df: Any,
        covariance_matrix: Any = None,
        precision_matrix: Any = None,
        scale_tril: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        matrices = zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril), strict=True)
        given = [(name, matrix) for name, matrix in matrices if matrix is not None]
        if len(given) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        name, matrix = given[0]
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch dimensions"
            )
        if isinstance(df, NUMBERS):
            batch_shape = matrix.shape[:-2]
            self.df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        else:
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        event_shape = matrix.shape[-2:]
        if bool((self.df <= event_shape[-1] - 1).any()):
            raise ValueError(
                f"Value of df={df} expected to be greater than ndim - 1 = {event_shape[-1] - 1}."
            )
        setattr(self, name, matrix.expand((*batch_shape, -1, -1)))
        if bool((self.df < event_shape[-1]).any()):
            warnings.warn(
                "Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                stacklevel=2,
            )
        Distribution.__init__(self, batch_shape, event_shape, validate_args=validate_args)
        self._unbroadcasted_scale_tril = factor_of(name, matrix)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(Wishart, _instance)
        sizes = (*batch_shape, *self._event_shape)
        new.df = self.df.expand(batch_shape)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(sizes)
        for name in _MATRICES:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(sizes))
        return self._finish_expand(new, batch_shape)

    def _of_matrices(self, numbers: Any) -> Any:
        return numbers.view((*self._batch_shape, 1, 1))

    @property
    def mean(self) -> Any:
        return self._of_matrices(self.df) * self.covariance_matrix

    @property
    def mode(self) -> Any:
        factor = self.df - self._event_shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, math.nan)
        return self._of_matrices(factor) * self.covariance_matrix

    @property
    def variance(self) -> Any:
        covariance = self.covariance_matrix
        diagonal = covariance.diagonal(dim1=-2, dim2=-1)
        squares = covariance.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2)
        return self._of_matrices(self.df) * squares

    def _drawn(self, sample_shape: Sequence[int]) -> Any:
        """Samples by Bartlett's decomposition; some may be singular."""
        count = self._event_shape[-1]
        kind: Any = {
            "dtype": self._unbroadcasted_scale_tril.dtype,
            "device": self._unbroadcasted_scale_tril.device,
        }
        squares = Chi2(self.df.unsqueeze(-1) - torch.arange(count, **kind)).rsample(sample_shape)
        lengths = squares.sqrt().clamp(min=torch.finfo(squares.dtype).eps)
        noise = lengths.diag_embed(dim1=-2, dim2=-1)
        rows, columns = torch.tril_indices(count, count, offset=-1)
        shape = (*sample_shape, *self._batch_shape, count * (count - 1) // 2)
        noise[..., rows, columns] = torch.randn(shape, **kind)
        factor = torch.matmul(self._unbroadcasted_scale_tril, noise)
        return torch.matmul(factor, factor.transpose(-2, -1))

    def rsample(
        self, sample_shape: Sequence[int] = (), max_try_correction: int | None = None
    ) -> Any:
        """As PyTorch's: those of the first try that are positive definite are drawn again, so that one seed gives the same samples."""
        batch_dims = [-(place + 1) for place in range(len(self._batch_shape))]

        def over_batch(found: Any) -> Any:
            return found.amax(batch_dims) if batch_dims else found

        sample = self._drawn(sample_shape)
        again = over_batch(self.support.check(sample))
        if not bool(again.any()):
            return sample
        warnings.warn("Singular sample detected.", stacklevel=2)
        for _ in range(10 if max_try_correction is None else max_try_correction):
            drawn = self._drawn((int(again.sum()),))
            sample[again] = drawn
            again[again.clone()] = over_batch(~self.support.check(drawn))
            if not bool(again.any()):
                break
        return sample

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        df, count, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        solved = torch.cholesky_solve(value, factor).diagonal(dim1=-2, dim2=-1).sum(dim=-1)
        return (
            -df * (count * _LOG_2 / 2 + log_of_diagonal(factor))
            - torch.mvlgamma(df / 2, p=count)
            + (df - count - 1) / 2 * torch.linalg.slogdet(value)[1]
            - solved / 2
        )

    def entropy(self) -> Any:
        df, count, factor = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        return (
            (count + 1) * (count * _LOG_2 / 2 + log_of_diagonal(factor))
            + torch.mvlgamma(df / 2, p=count)
            - (df - count - 1) / 2 * _mvdigamma(df / 2, count)
            + df * count / 2
        )

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x, y), count = natural_params, self._event_shape[-1]
        half = y + (count + 1) / 2
        logarithm = -torch.linalg.slogdet(-2 * x)[1] + _LOG_2 * count
        return half * logarithm + torch.mvlgamma(half, p=count)
