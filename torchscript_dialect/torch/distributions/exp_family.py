"""The base class for authors of exponential families (torch/distributions/exp_family.py)."""

from __future__ import annotations

from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.utils import Undefined


class ExponentialFamily(Distribution):
    """Densities of the form `exp(<t(x), parameters> - F(parameters) + k(x))`.

    A subclass gives the natural parameters, F as `_log_normalizer`, and the mean of k. The entropy follows from the gradients of F. The
    families of this package tell their entropies themselves, and only Wishart and ContinuousBernoulli are subclasses.
    """

    _mean_carrier_measure: Any = Undefined()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    def entropy(self) -> Any:
        given = [parameter.detach().requires_grad_() for parameter in self._natural_params]
        found = self._log_normalizer(*given)
        gradients = torch.autograd.grad(found.sum(), given, create_graph=True)
        result = found - self._mean_carrier_measure
        for parameter, gradient in zip(given, gradients, strict=True):
            result = result - (parameter * gradient).reshape((*self._batch_shape, -1)).sum(-1)
        return result
