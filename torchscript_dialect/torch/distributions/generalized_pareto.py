"""The generalized Pareto distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Parametric


class GeneralizedPareto(Parametric):
    """How far numbers are above `loc`, where only few are: as `scale` and, for the tail, `concentration` say."""

    parameters = ("loc", "scale", "concentration")
    arg_constraints: ClassVar[Any] = {
        "loc": constraints.real,
        "scale": constraints.positive,
        "concentration": constraints.real,
    }
    has_rsample = True

    def __init__(
        self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        self.loc: Any
        self.scale: Any
        self.concentration: Any
        self._set_parameters(validate_args, loc=loc, scale=scale, concentration=concentration)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        end = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, torch.where(self.concentration < 0, end, math.inf))

    @property
    def mean(self) -> Any:
        has_one = self.concentration < 1
        safe = torch.where(has_one, self.concentration, 0.5)
        return torch.where(has_one, self.loc + self.scale / (1 - safe), math.nan)

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        has_one = self.concentration < 0.5
        safe = torch.where(has_one, self.concentration, 0.25)
        found = self.scale**2 / ((1 - safe) ** 2 * (1 - 2 * safe))
        return torch.where(has_one, found, math.nan)

    def _exponential(self) -> tuple[Any, Any]:
        """Where the tail is exponential, and concentrations that are divisors."""
        concentration = self.concentration
        exponential = torch.isclose(concentration, torch.zeros_like(concentration))
        return exponential, torch.where(exponential, 1.0, concentration)

    def _distance(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return (value - self.loc) / self.scale

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        return self.icdf(torch.rand(shape, dtype=self.loc.dtype, device=self.loc.device))

    def log_prob(self, value: Any) -> Any:
        distance = self._distance(value)
        exponential, divisor = self._exponential()
        power = 1 / divisor + torch.ones_like(distance)
        tail = torch.where(power == 0, power, power * torch.log1p(divisor * distance))
        return -self.scale.log() - torch.where(exponential, distance, tail)

    def log_survival_function(self, value: Any) -> Any:
        """The logarithm of the probability of what is above a value."""
        distance = self._distance(value)
        exponential, divisor = self._exponential()
        return torch.where(exponential, -distance, -torch.log1p(divisor * distance) / divisor)

    def log_cdf(self, value: Any) -> Any:
        """The logarithm of `cdf`."""
        return torch.log1p(-torch.exp(self.log_survival_function(value)))

    def cdf(self, value: Any) -> Any:
        return torch.exp(self.log_cdf(value))

    def icdf(self, value: Any) -> Any:
        exponential, divisor = self._exponential()
        above = torch.log1p(-value)
        tail = self.loc + self.scale / divisor * torch.expm1(-divisor * above)
        return torch.where(exponential, self.loc - self.scale * above, tail)

    def entropy(self) -> Any:
        found = torch.log(self.scale) + self.concentration + 1
        return torch.broadcast_to(found, self._batch_shape)
