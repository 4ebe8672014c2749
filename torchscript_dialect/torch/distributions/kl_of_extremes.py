"""KL divergences of and from the families of extremes, Gumbel and Pareto, registered when this is imported."""

from __future__ import annotations

import math
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.gumbel import Gumbel
from torchscript_dialect.torch.distributions.kl import register_kl
from torchscript_dialect.torch.distributions.normal import Normal
from torchscript_dialect.torch.distributions.pareto import Pareto
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.utils import euler_constant


def _from_gumbel(mean: Any, mean_of_exp: Any, q: Any) -> Any:
    """What is to be expected of `-q.log_prob(x)`, by the means of x and of exp(-x / q.scale)."""
    return q.scale.log() + (mean - q.loc) / q.scale + torch.exp(q.loc / q.scale) * mean_of_exp


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p: Any, q: Any) -> Any:
    product = p.rate * q.scale
    return -p.entropy() + _from_gumbel(p.mean, product / (product + 1), q)


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p: Any, q: Any) -> Any:
    mean_of_exp = (1 + (p.rate * q.scale).reciprocal()).pow(-p.concentration)
    return -p.entropy() + _from_gumbel(p.mean, mean_of_exp, q)


@register_kl(Normal, Gumbel)
def _normal_gumbel(p: Any, q: Any) -> Any:
    ratio, apart = (p.scale / q.scale).pow(2), (p.loc - q.loc) / q.scale
    found = -0.5 * ratio.log() + apart + torch.exp(0.5 * ratio - apart)
    return found - 0.5 * (1 + math.log(2 * math.pi))


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p: Any, q: Any) -> Any:
    share = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return share.log() + 0.5 * (high + low) - share * (torch.exp(-high) - torch.exp(-low))


@register_kl(Gumbel, Normal)
def _gumbel_normal(p: Any, q: Any) -> Any:
    ratio = p.scale / q.scale
    apart = (p.loc + p.scale * euler_constant - q.loc) / q.scale
    found = (math.pi * ratio * 0.5).pow(2) / 3 + apart.pow(2) * 0.5
    return found - (ratio / math.sqrt(2 * math.pi)).log() - (euler_constant + 1)


@register_kl(Pareto, Exponential)
def _pareto_exponential(p: Any, q: Any) -> Any:
    product = p.scale * q.rate
    found = (p.alpha / product).log() - p.alpha.reciprocal() - 1
    found = found + p.alpha * product / (p.alpha - 1)
    return found.masked_fill(p.alpha <= 1, math.inf)


@register_kl(Pareto, Gamma)
def _pareto_gamma(p: Any, q: Any) -> Any:
    mean_log = p.scale.log() + p.alpha.reciprocal()
    found = p.alpha.log() - mean_log + q.concentration.lgamma() - 1
    found = found - q.concentration * q.rate.log() + (1 - q.concentration) * mean_log
    found = found + q.rate * p.alpha * p.scale / (p.alpha - 1)
    return found.masked_fill(p.alpha <= 1, math.inf)


@register_kl(Pareto, Normal)
def _pareto_normal(p: Any, q: Any) -> Any:
    share = p.scale / (p.alpha - 1)
    spread = p.alpha * share.pow(2) / (p.alpha - 2) + (p.alpha * share - q.loc).pow(2)
    found = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    found = found - p.alpha.reciprocal() + spread / (2 * q.scale.pow(2)) - 1
    return found.masked_fill(p.alpha <= 2, math.inf)


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Any, q: Any) -> Any:
    width = p.high - p.low
    mean_log = (torch.xlogy(p.high, p.high) - torch.xlogy(p.low, p.low) - width) / width
    found = mean_log * (q.alpha + 1) - (q.alpha * q.scale.pow(q.alpha) * width).log()
    return found.masked_fill(p.low < q.scale, math.inf)
