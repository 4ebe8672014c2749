"""The Kumaraswamy distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.transformed_distribution import (
    TransformedDistribution,
)
from torchscript_dialect.torch.distributions.transforms import AffineTransform, PowerTransform
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.utils import broadcast_all, euler_constant


class Kumaraswamy(TransformedDistribution):
    """Numbers between 0 and 1, much like those of a beta distribution."""

    arg_constraints: ClassVar[Any] = {
        "concentration1": constraints.positive,
        "concentration0": constraints.positive,
    }
    support = constraints.unit_interval

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool | None = None
    ) -> None:
        both = broadcast_all(concentration1, concentration0)
        self.concentration1, self.concentration0 = both
        bounds = (torch.full_like(self.concentration0, bound) for bound in (0, 1))
        transforms = [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]
        super().__init__(
            Uniform(*bounds, validate_args=validate_args), transforms, validate_args=validate_args
        )

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(Kumaraswamy, _instance)
        new.concentration1 = self.concentration1.expand(batch_shape)
        new.concentration0 = self.concentration0.expand(batch_shape)
        return super().expand(batch_shape, new)

    def _moment(self, n: int) -> Any:
        """The mean of the power `n`."""
        a, b = 1 + n / self.concentration1, self.concentration0
        return b * torch.exp(torch.lgamma(a) + torch.lgamma(b) - torch.lgamma(a + b))

    @property
    def mean(self) -> Any:
        return self._moment(1)

    @property
    def mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        found = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        return found.masked_fill((b < 1) | (a < 1), math.nan).exp()

    @property
    def variance(self) -> Any:
        return self._moment(2) - torch.pow(self.mean, 2)

    def entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        of_b = torch.digamma(b + 1) + euler_constant
        whole = 1 - b.reciprocal() + (1 - a.reciprocal()) * of_b
        return whole - torch.log(a) - torch.log(b)
