"""The Weibull distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.transformed_distribution import (
    TransformedDistribution,
)
from torchscript_dialect.torch.distributions.transforms import AffineTransform, PowerTransform
from torchscript_dialect.torch.distributions.utils import broadcast_all, euler_constant


class Weibull(TransformedDistribution):
    """How long something lasts whose risk goes with a power of its age."""

    arg_constraints: ClassVar[Any] = {
        "scale": constraints.positive,
        "concentration": constraints.positive,
    }
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        base = Exponential(torch.ones_like(self.scale), validate_args=validate_args)
        self._finish(base, validate_args)

    def _finish(self, base: Any, validate_args: bool | None) -> None:
        self.concentration_reciprocal = self.concentration.reciprocal()
        transforms = [
            PowerTransform(self.concentration_reciprocal),
            AffineTransform(0, self.scale),
        ]
        TransformedDistribution.__init__(self, base, transforms, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(Weibull, _instance)
        new.scale = self.scale.expand(batch_shape)
        new.concentration = self.concentration.expand(batch_shape)
        new._finish(self.base_dist.expand(batch_shape), False)
        new._validate_args = self._validate_args
        return new

    @property
    def mean(self) -> Any:
        return self.scale * torch.exp(torch.lgamma(1 + self.concentration_reciprocal))

    @property
    def mode(self) -> Any:
        share = (self.concentration - 1) / self.concentration
        return self.scale * share**self.concentration_reciprocal

    @property
    def variance(self) -> Any:
        of_squares = torch.exp(torch.lgamma(1 + 2 * self.concentration_reciprocal))
        of_mean = torch.exp(2 * torch.lgamma(1 + self.concentration_reciprocal))
        return self.scale.pow(2) * (of_squares - of_mean)

    def entropy(self) -> Any:
        reciprocal = self.concentration_reciprocal
        return euler_constant * (1 - reciprocal) + torch.log(self.scale * reciprocal) + 1
