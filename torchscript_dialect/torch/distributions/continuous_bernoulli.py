"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import ByProbsOrLogits, Distribution
from torchscript_dialect.torch.distributions.exp_family import ExponentialFamily
from torchscript_dialect.torch.distributions.utils import (
    NUMBERS,
    broadcast_all,
    clamp_probs,
    lazy_property,
    logits_to_probs,
)


class ContinuousBernoulli(ByProbsOrLogits, ExponentialFamily):
    """Numbers from 0 to 1, of a density in proportion to `probs ** x * (1 - probs) ** (1 - x)`.

    Near 1/2, between the two `lims`, series stand for formulas that divide by zero there.
    """

    parameters = ("probs", "logits")
    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self,
        probs: Any = None,
        logits: Any = None,
        lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:
        self._check_given(probs, logits)
        if probs is not None:
            (whole,) = broadcast_all(probs)
            constraint = self.arg_constraints["probs"]
            if validate_args is not None and not bool(constraint.check(whole).all()):
                raise ValueError("The parameter probs has invalid values")
            self.probs = clamp_probs(whole)
        else:
            (self.logits,) = broadcast_all(logits)
        self._lims = lims
        is_number = isinstance(logits if probs is None else probs, NUMBERS)
        batch_shape = () if is_number else self._param.size()
        Distribution.__init__(self, batch_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = super().expand(batch_shape, _instance)
        new._lims = self._lims
        return new

    @lazy_property
    def probs(self) -> Any:
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _is_beside(self) -> Any:
        """Where the formulas hold."""
        low, high = self._lims
        return (self.probs <= low) | (self.probs > high)

    def _cut(self) -> Any:
        """Probabilities for which the formulas hold."""
        return torch.where(
            self._is_beside(), self.probs, self._lims[0] * torch.ones_like(self.probs)
        )

    def log_normalizer(self) -> Any:
        """The logarithm of the factor of the density."""
        cut = self._cut()
        below = torch.where(cut <= 0.5, cut, torch.zeros_like(cut))
        above = torch.where(cut >= 0.5, cut, torch.ones_like(cut))
        distance = torch.where(cut <= 0.5, torch.log1p(-2.0 * below), torch.log(2.0 * above - 1.0))
        found = torch.log(torch.abs(torch.log1p(-cut) - torch.log(cut))) - distance
        x = torch.pow(self.probs - 0.5, 2)
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return torch.where(self._is_beside(), found, series)

    @property
    def mean(self) -> Any:
        cut, x = self._cut(), self.probs - 0.5
        found = cut / (2.0 * cut - 1.0) + 1.0 / (torch.log1p(-cut) - torch.log(cut))
        series = 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * torch.pow(x, 2)) * x
        return torch.where(self._is_beside(), found, series)

    @property
    def variance(self) -> Any:
        cut, x = self._cut(), torch.pow(self.probs - 0.5, 2)
        found = cut * (cut - 1.0) / torch.pow(1.0 - 2.0 * cut, 2)
        found = found + 1.0 / torch.pow(torch.log1p(-cut) - torch.log(cut), 2)
        series = 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x
        return torch.where(self._is_beside(), found, series)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        return self.icdf(torch.rand(shape, dtype=self.probs.dtype, device=self.probs.device))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        entropies = torch.nn.functional.binary_cross_entropy_with_logits(
            logits, value, reduction="none"
        )
        return -entropies + self.log_normalizer()

    def cdf(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        cut = self._cut()
        found = torch.pow(cut, value) * torch.pow(1.0 - cut, 1.0 - value) + cut - 1.0
        found = torch.where(self._is_beside(), found / (2.0 * cut - 1.0), value)
        found = torch.where(value >= 1.0, torch.ones_like(value), found)
        return torch.where(value <= 0.0, torch.zeros_like(value), found)

    def icdf(self, value: Any) -> Any:
        cut = self._cut()
        of_zero = torch.log1p(-cut)
        found = torch.log1p(-cut + value * (2.0 * cut - 1.0)) - of_zero
        return torch.where(self._is_beside(), found / (torch.log(cut) - of_zero), value)

    def entropy(self) -> Any:
        of_zero, of_one = torch.log1p(-self.probs), torch.log(self.probs)
        return self.mean * (of_zero - of_one) - self.log_normalizer() - of_zero

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        low, high = (limit - 0.5 for limit in self._lims)
        is_beside = (x <= low) | (x > high)
        cut = torch.where(is_beside, x, low * torch.ones_like(x))
        found = torch.log(torch.abs(torch.special.expm1(cut))) - torch.log(torch.abs(cut))
        series = 0.5 * x + torch.pow(x, 2) / 24.0 - torch.pow(x, 4) / 2880.0
        return torch.where(is_beside, found, series)
