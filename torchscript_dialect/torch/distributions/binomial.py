"""The binomial distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import ByProbsOrLogits, Distribution
from torchscript_dialect.torch.distributions.utils import broadcast_all


class Binomial(ByProbsOrLogits):
    """How many of `total_count` trials succeed, each with the probability `probs`, whose log odds are `logits`."""

    parameters = ("total_count", "probs", "logits")
    arg_constraints: ClassVar[Any] = {
        "total_count": constraints.nonnegative_integer,
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    has_enumerate_support = True

    def __init__(
        self,
        total_count: Any = 1,
        probs: Any = None,
        logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:
        self._check_given(probs, logits)
        if logits is None:
            total_count, self.probs = broadcast_all(total_count, probs)
        else:
            total_count, self.logits = broadcast_all(total_count, logits)
        self.total_count = total_count.type_as(self._param)
        Distribution.__init__(self, self._param.size(), validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Any:
        return self.total_count * self.probs

    @property
    def mode(self) -> Any:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            return torch.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        count, logits = self.total_count, self.logits
        # The logarithm of (1 + exp(logits)) ** count, which does not overflow; at 0 its gradient is half of either side's.
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        whole = count * positive + count * torch.log1p(torch.exp(-torch.abs(logits)))
        chosen = torch.lgamma(value + 1), torch.lgamma(count - value + 1)
        return value * logits - chosen[0] - chosen[1] - (whole - torch.lgamma(count + 1))

    def entropy(self) -> Any:
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(torch.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        count = self._one_count("enumerate_support")
        values = torch.arange(1 + count, dtype=self._param.dtype, device=self._param.device)
        return self._enumerated(values, expand)

    def _one_count(self, name: str) -> int:
        """The trials of all distributions; NotImplementedError where they have different ones."""
        count = int(self.total_count.max())
        if int(self.total_count.min()) != count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{name}`.")
        return count
