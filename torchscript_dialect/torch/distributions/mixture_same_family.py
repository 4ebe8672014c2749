"""Mixtures of distributions of one family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.categorical import Categorical
from torchscript_dialect.torch.distributions.distribution import Distribution


class MixtureSameFamily(Distribution):
    """Samples of one of the components, which are the last dimension of the batch of `component_distribution`; the `Categorical`
    `mixture_distribution` says how often each comes.
    """

    arg_constraints: ClassVar[Any] = {}
    has_rsample = False

    def __init__(
        self,
        mixture_distribution: Any,
        component_distribution: Any,
        validate_args: bool | None = None,
    ) -> None:
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution need to be an instance of torch.distributions.Distribution"
            )
        of_mixture = mixture_distribution.batch_shape
        of_components = component_distribution.batch_shape[:-1]
        for one, other in zip(reversed(of_mixture), reversed(of_components), strict=False):
            if one != 1 and other != 1 and one != other:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({of_mixture}) is not compatible with "
                    f"`component_distribution.batch_shape`({of_components})"
                )
        wanted = mixture_distribution.logits.shape[-1]
        found = component_distribution.batch_shape[-1]
        if wanted != found:
            raise ValueError(
                f"`mixture_distribution component` ({wanted}) does not equal `component_distribution.batch_shape[-1]` ({found})"
            )
        self._num_component = wanted
        event_shape = component_distribution.event_shape
        super().__init__(of_components, event_shape, validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(MixtureSameFamily, _instance)
        components = (*batch_shape, self._num_component)
        new._component_distribution = self._component_distribution.expand(components)
        new._mixture_distribution = self._mixture_distribution.expand(batch_shape)
        new._num_component = self._num_component
        return self._finish_expand(new, batch_shape)

    @constraints.dependent_property
    def support(self) -> Any:
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    @property
    def mixture_distribution(self) -> Any:
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Any:
        return self._component_distribution

    @property
    def _place(self) -> int:
        """The dimension of the components, from the end."""
        return -1 - len(self._event_shape)

    def _shares(self) -> Any:
        """The probabilities of components, with a dimension for each of an event."""
        probs = self._mixture_distribution.probs
        return probs.reshape((*probs.shape, *[1] * len(self._event_shape)))

    @property
    def mean(self) -> Any:
        return torch.sum(self._shares() * self._component_distribution.mean, dim=self._place)

    @property
    def variance(self) -> Any:
        shares, components = self._shares(), self._component_distribution
        within = torch.sum(shares * components.variance, dim=self._place)
        apart = (components.mean - self.mean.unsqueeze(self._place)).pow(2.0)
        return within + torch.sum(shares * apart, dim=self._place)

    def cdf(self, value: Any) -> Any:
        of_each = self._component_distribution.cdf(value.unsqueeze(self._place))
        return torch.sum(of_each * self._mixture_distribution.probs, dim=-1)

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        of_each = self._component_distribution.log_prob(value.unsqueeze(self._place))
        shares = torch.log_softmax(self._mixture_distribution.logits, dim=-1)
        return torch.logsumexp(of_each + shares, dim=-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with torch.no_grad():
            place = len(sample_shape) + len(self.batch_shape)
            chosen = self._mixture_distribution.sample(sample_shape)
            drawn = self._component_distribution.sample(sample_shape)
            ones = [1] * (1 + len(self._event_shape))
            places = chosen.reshape((*chosen.shape, *ones))
            places = places.expand((*chosen.shape, 1, *self._event_shape))
            return torch.gather(drawn, place, places).squeeze(place)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
