"""Factors of random correlations (Lewandowski, Kurowicka and Joe, 2009)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.beta import Beta
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.utils import broadcast_all


class LKJCholesky(Distribution):
    """Lower triangular factors of correlations of `dim` numbers, whose density is a power of the determinant: `concentration - 1`."""

    arg_constraints: ClassVar[Any] = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        of = {"dtype": self.concentration.dtype, "device": self.concentration.device}
        offset = torch.arange(dim - 1, **of)
        offset = torch.cat([offset.new_zeros((1,)), offset])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.size(), (dim, dim), validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(LKJCholesky, _instance)
        new.dim = self.dim
        new.concentration = self.concentration.expand(batch_shape)
        new._beta = self._beta.expand((*batch_shape, self.dim))
        return self._finish_expand(new, batch_shape)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Rows of random lengths and directions, by the onion method; what is left of 1 is on the diagonal."""
        length = self._beta.sample(sample_shape).unsqueeze(-1)
        of = {"dtype": length.dtype, "device": length.device}
        normal = torch.randn(self._extended_shape(sample_shape), **of).tril(-1)
        direction = normal / normal.norm(dim=-1, keepdim=True)
        direction[..., 0, :].fill_(0.0)  # which has no length
        rows = torch.sqrt(length) * direction
        rest = 1 - torch.sum(rows**2, dim=-1)
        rows += torch.diag_embed(torch.clamp(rest, min=torch.finfo(rows.dtype).tiny).sqrt())
        return rows

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        density = torch.sum(order * diagonal.log(), dim=-1)
        rest = self.dim - 1
        alpha = self.concentration + 0.5 * rest
        below = torch.lgamma(alpha) * rest
        above = torch.mvlgamma(alpha - 0.5, rest)
        return density - (0.5 * rest * math.log(math.pi) + above - below)
