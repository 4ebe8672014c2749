"""How far one distribution is from another: `kl_divergence`, and the formulas within a family (torch/distributions/kl.py)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.torch.distributions.bernoulli import Bernoulli
from torchscript_dialect.torch.distributions.beta import Beta
from torchscript_dialect.torch.distributions.binomial import Binomial
from torchscript_dialect.torch.distributions.categorical import Categorical
from torchscript_dialect.torch.distributions.cauchy import Cauchy
from torchscript_dialect.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torchscript_dialect.torch.distributions.dirichlet import Dirichlet
from torchscript_dialect.torch.distributions.exp_family import ExponentialFamily
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.geometric import Geometric
from torchscript_dialect.torch.distributions.gumbel import Gumbel
from torchscript_dialect.torch.distributions.half_normal import HalfNormal
from torchscript_dialect.torch.distributions.independent import Independent
from torchscript_dialect.torch.distributions.laplace import Laplace
from torchscript_dialect.torch.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
)
from torchscript_dialect.torch.distributions.multivariate_normal import (
    MultivariateNormal,
    log_of_diagonal,
    mahalanobis,
)
from torchscript_dialect.torch.distributions.normal import Normal
from torchscript_dialect.torch.distributions.one_hot_categorical import OneHotCategorical
from torchscript_dialect.torch.distributions.pareto import Pareto
from torchscript_dialect.torch.distributions.poisson import Poisson
from torchscript_dialect.torch.distributions.transformed_distribution import (
    TransformedDistribution,
)
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.utils import euler_constant, sum_rightmost

Formula = Callable[[Any, Any], Any]
_formulas: dict[tuple[type, type], Formula] = {}
"""By the classes of both: those of this package and of whoever registers more."""


def register_kl(type_p: type, type_q: type) -> Callable[[Formula], Formula]:
    """Decorates what computes KL(p || q) for distributions of two classes and their subclasses."""

    def register(formula: Formula) -> Formula:
        _formulas[type_p, type_q] = formula
        return formula

    return register


def kl_divergence(p: Any, q: Any) -> Any:
    """KL(p || q) for each distribution of the batch: what is to be expected of `p.log_prob(x) - q.log_prob(x)` for samples of p.

    Raises:
        NotImplementedError: there is no formula for distributions of these classes.
    """
    formula = _formula(p.__class__, q.__class__)
    if formula is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return formula(p, q)


def _formula(type_p: type, type_q: type) -> Formula | None:
    """The formula for the closest superclasses; where those of p and those of q say different ones, it goes by p."""
    found = _formulas.get((type_p, type_q))
    if found is not None:
        return found
    fitting = [
        (one, other)
        for one, other in _formulas
        if issubclass(type_p, one) and issubclass(type_q, other)
    ]
    if not fitting:
        return None
    above_p, above_q = type_p.__mro__.index, type_q.__mro__.index
    by_p = min(fitting, key=lambda pair: (above_p(pair[0]), above_q(pair[1])))
    by_q = min(fitting, key=lambda pair: (above_q(pair[1]), above_p(pair[0])))
    if _formulas[by_p] is not _formulas[by_q]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). "
            f"Please register_kl({by_p[0].__name__}, {by_q[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _formulas[by_p]


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Any:
    softplus = torch.nn.functional.softplus
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones = ones.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zeros = zeros.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0)
    return ones + zeros


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Any:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Any:
    of_p = p.log_normalizer() + torch.log1p(-p.probs)
    of_q = q.log_normalizer() + torch.log1p(-q.probs)
    return p.mean * (p.logits - q.logits) + of_p - of_q


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Any:
    of_p, of_q = p.concentration, q.concentration
    total_p, total_q = of_p.sum(-1), of_q.sum(-1)
    whole = total_p.lgamma() - total_q.lgamma() - (of_p.lgamma() - of_q.lgamma()).sum(-1)
    return whole + ((of_p - of_q) * (of_p.digamma() - total_p.digamma().unsqueeze(-1))).sum(-1)


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Any:
    if bool((p.total_count < q.total_count).any()):
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    of_one = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return (p.total_count * of_one).masked_fill(p.total_count > q.total_count, math.inf)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    terms = p.probs * (p.logits - q.logits)
    return terms.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot_categorical(p: Any, q: Any) -> Any:
    return _categorical(p._categorical, q._categorical)


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Any, q: Any) -> Any:
    apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return apart.log() - (4 * p.scale * q.scale).log()


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Any:
    shapes = torch.lgamma(q.concentration) - torch.lgamma(p.concentration)
    shapes = shapes + (p.concentration - q.concentration) * torch.digamma(p.concentration)
    rates = q.concentration * (p.rate / q.rate).log()
    return rates + shapes + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Any:
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Any:
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * torch.exp(-apart / p.scale) - 1


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: Any, q: Any) -> Any:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Any, q: Any) -> Any:
    ratio, distance = p.scale / q.scale, (q.loc - p.loc) / q.scale
    of_tail = torch.exp(distance + (1 + ratio).lgamma())
    return -ratio.log() - distance + ratio * euler_constant + of_tail - (1 + euler_constant)


@register_kl(Pareto, Pareto)
def _pareto(p: Any, q: Any) -> Any:
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return found.masked_fill(p.scale < q.scale, math.inf)


_DIFFERENT_EVENTS = f"KL-divergence between two {{}}Multivariate Normals with{' ' * 26}different event shapes cannot be computed"
"""PyTorch's text, with the spaces of its continued line."""


def _squares(matrices: Any) -> Any:
    return matrices.pow(2).sum((-2, -1))


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(_DIFFERENT_EVENTS.format(""))
    of_p, of_q = p._unbroadcasted_scale_tril, q._unbroadcasted_scale_tril
    size = (*torch.broadcast_shapes(of_p.shape[:-2], of_q.shape[:-2]), *of_p.shape[-2:])
    spread = torch.linalg.solve_triangular(of_q.expand(size), of_p.expand(size), upper=False)
    distances = spread.pow(2).sum((-2, -1)) + mahalanobis(of_q, q.loc - p.loc)
    return log_of_diagonal(of_q) - log_of_diagonal(of_p) + 0.5 * (distances - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _low_rank(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(_DIFFERENT_EVENTS.format("Low Rank "))
    factor, diagonal = p._unbroadcasted_cov_factor, p._unbroadcasted_cov_diag
    of_q, solved = q._unbroadcasted_cov_diag, q.solved()
    spread = (diagonal / of_q).sum(-1) + _squares(factor * of_q.rsqrt().unsqueeze(-1))
    spread = spread - _squares(solved * diagonal.sqrt().unsqueeze(-2))
    spread = spread - _squares(torch.matmul(solved, factor))
    volumes = q.log_determinant() - p.log_determinant()
    return 0.5 * (volumes + spread + q.distance(q.loc - p.loc) - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _normal_low_rank(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(_DIFFERENT_EVENTS.format("(Low Rank) "))
    factor = p._unbroadcasted_scale_tril
    spread = _squares(factor * q._unbroadcasted_cov_diag.rsqrt().unsqueeze(-1))
    spread = spread - _squares(torch.matmul(q.solved(), factor))
    volumes = q.log_determinant() - 2 * log_of_diagonal(factor)
    return 0.5 * (volumes + spread + q.distance(q.loc - p.loc) - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _low_rank_normal(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(_DIFFERENT_EVENTS.format("(Low Rank) "))
    of_q, factor = q._unbroadcasted_scale_tril, p._unbroadcasted_cov_factor
    batch = torch.broadcast_shapes(of_q.shape[:-2], factor.shape[:-2])
    deviations = torch.diag_embed(p._unbroadcasted_cov_diag.sqrt())
    spread: Any = 0.0
    for matrices in (factor, deviations):
        whole, given = (one.expand((*batch, *one.shape[-2:])) for one in (of_q, matrices))
        spread = spread + _squares(torch.linalg.solve_triangular(whole, given, upper=False))
    volumes = 2 * log_of_diagonal(of_q) - p.log_determinant()
    distance = mahalanobis(of_q, q.loc - p.loc)
    return 0.5 * (volumes + spread + distance - p.event_shape[0])


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: Any, q: Any) -> Any:
    """By Bregman's divergence of the log normalizer."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed using Bregman divergences"
        )
    of_p = [parameter.detach().requires_grad_() for parameter in p._natural_params]
    of_q = q._natural_params
    found = p._log_normalizer(*of_p)
    gradients = torch.autograd.grad(found.sum(), of_p, create_graph=True)
    result = q._log_normalizer(*of_q) - found
    for one, other, gradient in zip(of_p, of_q, gradients, strict=True):
        result = result - sum_rightmost((other - one) * gradient, len(q.event_shape))
    return result


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Any:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return found.masked_fill((q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)
