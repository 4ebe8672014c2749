"""The geometric distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import ByProbsOrLogits
from torchscript_dialect.torch.distributions.utils import broadcast_all


class Geometric(ByProbsOrLogits):
    """How many trials fail before the first that succeeds, with the probability `probs`, whose log odds are `logits`."""

    parameters = ("probs", "logits")
    arg_constraints: ClassVar[Any] = {
        "probs": constraints.unit_interval,
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._check_given(probs, logits)
        given = {"probs": probs} if logits is None else {"logits": logits}
        self._set_parameters(validate_args, **given)
        if self._validate_args and probs is not None:
            value = self.probs
            if not bool((value > 0).all()):
                raise ValueError(
                    f"Expected parameter probs (Tensor of shape {tuple(value.shape)}) of distribution {self!r} "
                    f"to be positive but found invalid values:\n{value[~(value > 0)]}"
                )

    @property
    def mean(self) -> Any:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Any:
        return torch.zeros_like(self.probs)

    @property
    def variance(self) -> Any:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with torch.no_grad():
            drawn = self.probs.new_empty(shape).uniform_(torch.finfo(self.probs.dtype).tiny, 1)
            return (drawn.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failing = (-probs).masked_fill((probs == 1) & (value == 0), 0)  # nothing fails: 0, not NaN
        return value * failing.log1p() + self.probs.log()

    def entropy(self) -> Any:
        entropy = torch.nn.functional.binary_cross_entropy_with_logits
        return entropy(self.logits, self.probs, reduction="none") / self.probs
