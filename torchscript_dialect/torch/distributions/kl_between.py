"""KL divergences between distributions of different families, registered when this is imported."""

from __future__ import annotations

import math
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions.bernoulli import Bernoulli
from torchscript_dialect.torch.distributions.beta import Beta
from torchscript_dialect.torch.distributions.binomial import Binomial
from torchscript_dialect.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.gumbel import Gumbel
from torchscript_dialect.torch.distributions.kl import register_kl
from torchscript_dialect.torch.distributions.laplace import Laplace
from torchscript_dialect.torch.distributions.normal import Normal
from torchscript_dialect.torch.distributions.pareto import Pareto
from torchscript_dialect.torch.distributions.poisson import Poisson
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.utils import euler_constant


def _from_normal(mean: Any, variance: Any, q: Any) -> Any:
    """What is to be expected of `-q.log_prob(x)`, for a normal distribution q and x of this mean and variance."""
    distance = (variance + (mean - q.loc).pow(2)) / (2 * q.scale.pow(2))
    return 0.5 * math.log(2 * math.pi) + q.scale.log() + distance


def _from_gamma(mean: Any, mean_log: Any, q: Any) -> Any:
    """The same for a gamma distribution q, by the means of x and of log(x)."""
    scale = q.concentration.lgamma() - q.concentration * q.rate.log()
    return scale - (q.concentration - 1) * mean_log + q.rate * mean


def _mean_log(p: Any) -> Any:
    """The mean of log(x) for x that is uniform."""
    width = p.high - p.low
    return (torch.xlogy(p.high, p.high) - torch.xlogy(p.low, p.low) - width) / width


for _p, _others in {
    Beta: (Pareto,),
    ContinuousBernoulli: (Pareto,),
    Exponential: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gamma: (Beta, ContinuousBernoulli, Pareto, Uniform),
    Gumbel: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Laplace: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Normal: (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform),
    Pareto: (Beta, ContinuousBernoulli, Uniform),
    Poisson: (Bernoulli, Binomial),
}.items():
    for _q in _others:  # p has samples that q has not

        @register_kl(_p, _q)
        def _infinite(p: Any, q: Any) -> Any:
            return torch.full_like(getattr(p, next(iter(p.arg_constraints))), math.inf)


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Any:
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _beta_continuous_bernoulli(p: Any, q: Any) -> Any:
    return -p.entropy() - p.mean * q.logits - torch.log1p(-q.probs) - q.log_normalizer()


@register_kl(Beta, Exponential)
@register_kl(ContinuousBernoulli, Exponential)
def _beta_exponential(p: Any, q: Any) -> Any:
    return -p.entropy() - q.rate.log() + q.rate * p.mean


@register_kl(Beta, Gamma)
def _beta_gamma(p: Any, q: Any) -> Any:
    mean_log = p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    return -p.entropy() + _from_gamma(p.mean, mean_log, q)


@register_kl(Beta, Normal)
def _beta_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)


@register_kl(Beta, Uniform)
def _beta_uniform(p: Any, q: Any) -> Any:
    found = -p.entropy() + (q.high - q.low).log()
    return found.masked_fill((q.low > 0.0) | (q.high < 1.0), math.inf)


@register_kl(ContinuousBernoulli, Normal)
def _continuous_bernoulli_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p: Any, q: Any) -> Any:
    found = -p.entropy() + (q.high - q.low).log()
    return found.masked_fill((q.low >= 0) | (q.high <= 1), math.inf)  # as PyTorch has it


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p: Any, q: Any) -> Any:
    found = _beta_continuous_bernoulli(p, q)
    return found.masked_fill((p.high >= 1) | (p.low <= 0), math.inf)


@register_kl(Exponential, Gamma)
def _exponential_gamma(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    found = -q.concentration * torch.log(ratio) + ratio + q.concentration.lgamma()
    return found + q.concentration * euler_constant - (1 + euler_constant)


@register_kl(Exponential, Normal)
def _exponential_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)


@register_kl(Gamma, Exponential)
def _gamma_exponential(p: Any, q: Any) -> Any:
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Normal)
def _gamma_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)


@register_kl(Laplace, Normal)
def _laplace_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Any:
    apart = p.loc - q.loc
    deviations = apart / p.scale
    beside = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * deviations.pow(2))
    distance = beside + apart * torch.erf(math.sqrt(0.5) * deviations)
    ratio = p.scale / q.scale
    return -torch.log(ratio) + distance / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


@register_kl(Uniform, Beta)
def _uniform_beta(p: Any, q: Any) -> Any:
    mirrored = Uniform(1 - p.high, 1 - p.low, validate_args=False)
    ways = q.concentration1.lgamma() + q.concentration0.lgamma()
    ways = ways - (q.concentration1 + q.concentration0).lgamma()
    found = ways - (p.high - p.low).log() - (q.concentration1 - 1) * _mean_log(p)
    found = found - (q.concentration0 - 1) * _mean_log(mirrored)
    return found.masked_fill((p.high > 1.0) | (p.low < 0.0), math.inf)


@register_kl(Uniform, Exponential)
def _uniform_exponential(p: Any, q: Any) -> Any:
    found = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return found.masked_fill(p.low < 0.0, math.inf)


@register_kl(Uniform, Gamma)
def _uniform_gamma(p: Any, q: Any) -> Any:
    found = -p.entropy() + _from_gamma(p.mean, _mean_log(p), q)
    return found.masked_fill(p.low < 0.0, math.inf)


@register_kl(Uniform, Normal)
def _uniform_normal(p: Any, q: Any) -> Any:
    return -p.entropy() + _from_normal(p.mean, p.variance, q)
