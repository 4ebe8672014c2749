"""The distribution of what transforms make of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.independent import Independent
from torchscript_dialect.torch.distributions.transforms import ComposeTransform, Transform
from torchscript_dialect.torch.distributions.utils import sum_rightmost


class TransformedDistribution(Distribution):
    """Samples of `base_distribution`, taken through transforms, the first one first."""

    arg_constraints: ClassVar[Any] = {}

    def __init__(
        self, base_distribution: Any, transforms: Any, validate_args: bool | None = None
    ) -> None:
        given: Any = [transforms] if isinstance(transforms, Transform) else transforms
        if given.__class__ is not list:
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(one, Transform) for one in given):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms: list[Any] = given
        whole = ComposeTransform(self.transforms)
        event_dim = len(base_distribution.event_shape)
        shape = base_distribution.batch_shape + base_distribution.event_shape
        if len(shape) < whole.domain.event_dim:
            raise ValueError(
                f"base_distribution needs to have shape with size at least {whole.domain.event_dim}, but got {shape}."
            )
        result = whole.forward_shape(shape)
        expanded = whole.inverse_shape(result)
        if tuple(shape) != tuple(expanded):
            base_distribution = base_distribution.expand(expanded[: len(expanded) - event_dim])
        if (more := whole.domain.event_dim - event_dim) > 0:
            base_distribution = Independent(base_distribution, more)
        self.base_dist = base_distribution
        change = whole.codomain.event_dim - whole.domain.event_dim
        kept = len(result) - max(whole.codomain.event_dim, event_dim + change)
        super().__init__(result[:kept], result[kept:], validate_args=validate_args)

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Any:
        new = self._get_checked_instance(TransformedDistribution, _instance)
        shape: Any = (*batch_shape, *self.event_shape)
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        kept = len(shape) - len(self.base_dist.event_shape)
        new.base_dist = self.base_dist.expand(shape[:kept])
        new.transforms = self.transforms
        return self._finish_expand(new, batch_shape)

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self.event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    @property
    def has_rsample(self) -> bool:
        return self.base_dist.has_rsample

    def _transformed(self, x: Any) -> Any:
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with torch.no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        event_dim, found, y = len(self.event_shape), 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            event_dim += transform.domain.event_dim - transform.codomain.event_dim
            stretched = transform.log_abs_det_jacobian(x, y)
            found = found - sum_rightmost(stretched, event_dim - transform.domain.event_dim)
            y = x
        of_base = self.base_dist.log_prob(y)
        return found + sum_rightmost(of_base, event_dim - len(self.base_dist.event_shape))

    def _flipped(self, value: Any) -> Any:
        """A probability, from the other end where transforms fall."""
        sign: Any = ComposeTransform(self.transforms).sign
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._flipped(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        return self._transformed(self.base_dist.icdf(self._flipped(value)))
