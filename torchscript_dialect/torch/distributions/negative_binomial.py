"""The negative binomial distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import ByProbsOrLogits, Distribution
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.utils import broadcast_all, lazy_property


class NegativeBinomial(ByProbsOrLogits):
    """How often something of the probability `probs` happens until it has not happened `total_count` times."""

    parameters = ("total_count", "probs", "logits")
    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self,
        total_count: Any,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self._check_given(probs, logits)
        count, given = broadcast_all(total_count, probs if logits is None else logits)
        setattr(self, "probs" if logits is None else "logits", given)
        self.total_count = count.type_as(given)
        Distribution.__init__(self, given.size(), validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.total_count * torch.exp(self.logits)

    @property
    def mode(self) -> Any:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Any:
        return self.mean / torch.sigmoid(-self.logits)

    @lazy_property
    def _gamma(self) -> Any:
        return Gamma(self.total_count, torch.exp(-self.logits), validate_args=False)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with torch.no_grad():
            return torch.poisson(self._gamma.sample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        of = torch.nn.functional.logsigmoid
        found = self.total_count * of(-self.logits) + value * of(self.logits)
        whole = -torch.lgamma(self.total_count + value) + torch.lgamma(1.0 + value)
        whole = whole + torch.lgamma(self.total_count)
        return found - whole.masked_fill(self.total_count + value == 0.0, 0.0)
