"""Distributions, and all that is asked of each; by both namespaces, or from what PyTorch gave (test/golden/distributions.json)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

DISTRIBUTIONS = {
    "Normal": "D.Normal(t([0.0, 1.0, -2.5]), t([1.0, 0.5, 2.0]))",
    "Normal of numbers": "D.Normal(1.5, 2)",
    "Normal of float64": "D.Normal(torch.zeros(2, 1, dtype=torch.float64), t([1.0, 3.0]).double())",
    "Laplace": "D.Laplace(t([0.0, 1.0, -2.5]), t([1.0, 0.5, 2.0]))",
    "Cauchy": "D.Cauchy(t([0.0, 1.0, -2.5]), t([1.0, 0.5, 2.0]))",
    "Uniform": "D.Uniform(t([0.0, 1.0, -2.5]), t([1.0, 1.5, 2.0]))",
    "Uniform of numbers": "D.Uniform(-1, 3.0)",
    "Exponential": "D.Exponential(t([0.5, 1.0, 8.0]))",
    "Gamma": "D.Gamma(t([0.5, 1.0, 8.0]), t([2.0, 1.0, 0.25]))",
    "Chi2": "D.Chi2(t([1.0, 4.0]))",
    "Beta": "D.Beta(t([0.5, 1.0, 8.0]), t([2.0, 1.0, 0.25]))",
    "Beta of numbers": "D.Beta(2.0, 3)",
    "Dirichlet": "D.Dirichlet(t([[0.5, 0.25, 0.75], [2.0, 3.0, 1.5]]))",
    "Poisson": "D.Poisson(t([0.5, 4.0, 60.0]))",
    "Bernoulli": "D.Bernoulli(t([0.0, 0.25, 0.5, 1.0]))",
    "Bernoulli of logits": "D.Bernoulli(logits=t([-3.0, 0.0, 2.0]))",
    "Bernoulli of a number": "D.Bernoulli(0.75)",
    "Geometric": "D.Geometric(t([0.25, 0.5, 1.0]))",
    "Geometric of logits": "D.Geometric(logits=t([-1.0, 2.0]))",
    "Binomial": "D.Binomial(10, t([0.0, 0.25, 0.5, 1.0]))",
    "Binomial of logits": "D.Binomial(t([4.0, 4.0]), logits=t([-1.0, 2.0]))",
    "Binomial of counts": "D.Binomial(t([4.0, 60.0]), t([0.5, 0.125]))",
    "Categorical": "D.Categorical(t([[0.1, 0.2, 0.7], [1.0, 0.0, 3.0]]))",
    "Categorical of logits": "D.Categorical(logits=t([0.5, -1.0, 2.0, 0.0]))",
    "OneHotCategorical": "D.OneHotCategorical(t([[0.1, 0.2, 0.7], [1.0, 0.0, 3.0]]))",
    "straight through": "D.OneHotCategoricalStraightThrough(logits=t([0.5, -1.0, 2.0]))",
    "Multinomial": "D.Multinomial(6, t([[0.1, 0.2, 0.7], [1.0, 1.0, 2.0]]))",
    "Multinomial of logits": "D.Multinomial(3, logits=t([0.5, -1.0, 2.0]))",
    "LogNormal": "D.LogNormal(t([0.0, 1.0]), t([1.0, 0.5]))",
    "Gumbel": "D.Gumbel(t([0.0, 1.0]), t([1.0, 0.5]))",
    "Gumbel of numbers": "D.Gumbel(0.5, 2)",
    "HalfNormal": "D.HalfNormal(t([1.0, 0.5]))",
    "HalfCauchy": "D.HalfCauchy(t([1.0, 0.5]))",
    "InverseGamma": "D.InverseGamma(t([0.5, 1.5, 3.0]), t([2.0, 1.0, 0.25]))",
    "Kumaraswamy": "D.Kumaraswamy(t([0.5, 2.0]), t([1.5, 3.0]))",
    "NegativeBinomial": "D.NegativeBinomial(t([3.0, 0.0, 20.0]), t([0.25, 0.5, 0.75]))",
    "NegativeBinomial of logits": "D.NegativeBinomial(4, logits=t([-1.0, 2.0]))",
    "Pareto": "D.Pareto(t([1.0, 0.5]), t([3.0, 1.0]))",
    "RelaxedBernoulli": "D.RelaxedBernoulli(t(0.5), t([0.25, 0.75]))",
    "RelaxedBernoulli of logits": "D.RelaxedBernoulli(t([2.0]), logits=t([-1.0, 2.0]))",
    "RelaxedOneHotCategorical": "D.RelaxedOneHotCategorical(t(0.5), t([[0.1, 0.2, 0.7], [1.0, 1.0, 2.0]]))",
    "RelaxedOneHotCategorical of logits": "D.RelaxedOneHotCategorical(t([2.0]), logits=t([0.5, -1.0, 2.0]))",
    "StudentT": "D.StudentT(t([0.5, 1.5, 4.0]), t([0.0, 1.0, -1.0]), 2.0)",
    "Weibull": "D.Weibull(t([1.0, 0.5]), t([0.5, 2.0]))",
    "half normal gone wide": "D.HalfNormal(t([1.0])).expand((2,))",
    "gumbel gone wide": "D.Gumbel(t([0.0]), 1.0).expand((2,))",
    "weibull gone wide": "D.Weibull(t([1.0]), t([2.0])).expand((2,))",
    "t gone wide": "D.StudentT(t([4.0])).expand((2,))",
    "relaxed gone wide": "D.RelaxedOneHotCategorical(t(0.5), logits=t([0.5, -1.0])).expand((2,))",
    "relaxed bits gone wide": "D.RelaxedBernoulli(t(0.5), logits=t([0.5])).expand((2,))",
    "counts gone wide": "D.NegativeBinomial(t([3.0]), t([0.25])).expand((2,))",
    "MultivariateNormal": "D.MultivariateNormal(t([1.0, -1.0]), t([[2.0, 0.5], [0.5, 1.0]]))",
    "of precisions": "D.MultivariateNormal(torch.zeros(3, 2), precision_matrix=t([[2.0, 0.5], [0.5, 1.0]]))",
    "of factors": "D.MultivariateNormal(t([1.0, -1.0]), scale_tril=t([[[2.0, 0.0], [0.5, 1.0]], [[1.0, 0.0], [3.0, 0.5]]]))",
    "Independent": "D.Independent(D.Normal(torch.zeros(2, 3), t([1.0, 2.0, 3.0])), 1)",
    "Independent of bits": "D.Independent(D.Bernoulli(logits=t([[-3.0, 0.0], [1.0, 2.0]])), 2)",
    "tanh": "D.TransformedDistribution(D.Normal(t([0.0, 0.5]), 1.0), D.TanhTransform(cache_size=1))",
    "falling": "D.TransformedDistribution(D.Uniform(t([0.0, 0.5]), 1.0), [D.AffineTransform(1.0, -2.0), D.ExpTransform()])",
    "logistic": "D.TransformedDistribution(D.Uniform(torch.zeros(2), 1), [D.SigmoidTransform().inv, D.AffineTransform(t([1.0, 2.0]), 3.0)])",
    "of events": "D.TransformedDistribution(D.Normal(torch.zeros(2, 3), 1.0), [D.AffineTransform(0.0, t([1.0, 2.0, -3.0]), event_dim=1)])",
    "powers": "D.TransformedDistribution(D.Exponential(t([1.0, 2.0])), [D.PowerTransform(t(0.5)), D.SoftplusTransform().inv])",
    "half": "D.TransformedDistribution(D.Normal(t([0.0]), 1.0), [D.AbsTransform()])",
    "MixtureSameFamily": "D.MixtureSameFamily(D.Categorical(t([0.25, 0.75])), D.Normal(t([-1.0, 2.0]), t([0.5, 1.0])))",
    "mixture of vectors": "D.MixtureSameFamily(D.Categorical(torch.ones(3, 2)), D.Independent(D.Normal(torch.zeros(3, 2, 2), t([1.0, 2.0])), 1))",
    "LKJCholesky": "D.LKJCholesky(3, t([0.5, 1.0, 2.0]))",
    "LKJCholesky of two": "D.LKJCholesky(2)",
    "factors gone wide": "D.LKJCholesky(4, t([1.5])).expand((2,))",
    "LogisticNormal": "D.LogisticNormal(t([[0.0, 0.5, -1.0]]), t([1.0, 0.5, 2.0]))",
    "shares gone wide": "D.LogisticNormal(t([0.0, 0.5]), t([1.0, 0.5])).expand((2,))",
    "a copula": "D.TransformedDistribution(D.Normal(t([0.0, 0.5]), 2.0), [D.CumulativeDistributionTransform(D.Normal(0.0, 1.0))])",
    "FisherSnedecor": "D.FisherSnedecor(t([1.0, 3.0, 8.0]), t([2.0, 5.0, 3.0]))",
    "ratios gone wide": "D.FisherSnedecor(2.0, t([5.0])).expand((2,))",
    "GeneralizedPareto": "D.GeneralizedPareto(t([0.0, 1.0, -1.0]), t([1.0, 0.5, 2.0]), t([0.0, 0.25, -0.5]))",
    "a tail gone wide": "D.GeneralizedPareto(0.0, t([1.0]), 0.75).expand((2,))",
    "VonMises": "D.VonMises(t([0.0, 3.0, -1.0]), t([0.5, 4.0, 1e-6]))",
    "angles gone wide": "D.VonMises(t([3.0]), t([2.0])).expand((2,))",
    "LowRankMultivariateNormal": "D.LowRankMultivariateNormal(torch.zeros(2, 3), t([[1.0], [0.5], [-2.0]]), t([1.0, 0.5, 2.0]))",
    "of low rank gone wide": "D.LowRankMultivariateNormal(torch.ones(2), t([[1.0], [0.5]]), t([1.0, 0.5])).expand((2,))",
    "ContinuousBernoulli": "D.ContinuousBernoulli(t([0.0, 0.25, 0.5, 0.5005, 1.0]))",
    "ContinuousBernoulli of logits": "D.ContinuousBernoulli(logits=t([-3.0, 0.0, 2.0]))",
    "ContinuousBernoulli of a number": "D.ContinuousBernoulli(0.75).expand((2,))",
    "Wishart": "D.Wishart(t([3.0, 4.5]), t([[2.0, 0.5], [0.5, 1.0]]))",
    "Wishart of precisions": "D.Wishart(3, precision_matrix=t([[2.0, 0.5], [0.5, 1.0]]))",
    "Wishart of factors": "D.Wishart(t([4.0]), scale_tril=t([[2.0, 0.0, 0.0], [0.5, 1.0, 0.0], [1.0, 1.0, 1.0]])).expand((2,))",
    "gamma gone wide": "D.Gamma(t([0.5]), t([2.0])).expand((3, 2))",
    "dirichlet gone wide": "D.Dirichlet(t([0.5, 2.0])).expand((2,))",
    "vectors gone wide": "D.MultivariateNormal(t([1.0, -1.0]), t([[2.0, 0.5], [0.5, 1.0]])).expand((2,))",
    "log normal gone wide": "D.LogNormal(t([0.0]), t([1.0])).expand((2, 2))",
    "mixture gone wide": "D.MixtureSameFamily(D.Categorical(t([0.25, 0.75])), D.Normal(t([-1.0, 2.0]), 1.0)).expand((2,))",
}
"""By name: what makes one. `t` is `torch.tensor`, and `D` `torch.distributions`."""

PAIRS = {
    "Bernoulli Bernoulli": "D.Bernoulli(t([0.0, 0.25, 1.0])), D.Bernoulli(t([0.5, 0.5, 0.0]))",
    "Beta Beta": "D.Beta(t([0.5, 2.0]), t([1.0, 3.0])), D.Beta(1.5, 2.5)",
    "Binomial Binomial": "D.Binomial(t([4.0, 5.0]), t([0.25, 0.5])), D.Binomial(4, t([0.5, 0.125]))",
    "Categorical Categorical": "D.Categorical(t([0.25, 0.0, 0.75])), D.Categorical(t([[0.5, 0.25, 0.25], [0.5, 0.5, 0.0]]))",
    "OneHotCategorical OneHotCategorical": "D.OneHotCategorical(t([0.25, 0.75])), D.OneHotCategorical(t([0.5, 0.5]))",
    "Cauchy Cauchy": "D.Cauchy(t([0.0, 1.0]), 2.0), D.Cauchy(1.0, t([1.0, 3.0]))",
    "Dirichlet Dirichlet": "D.Dirichlet(t([[0.5, 2.0], [1.0, 1.0]])), D.Dirichlet(t([1.5, 2.5]))",
    "Exponential Exponential": "D.Exponential(t([0.5, 2.0])), D.Exponential(1.0)",
    "Gamma Gamma": "D.Gamma(t([0.5, 2.0]), 1.0), D.Gamma(1.5, t([2.0, 0.5]))",
    "Geometric Geometric": "D.Geometric(t([0.5, 0.25])), D.Geometric(0.75)",
    "Laplace Laplace": "D.Laplace(t([0.0, 1.0]), 2.0), D.Laplace(1.0, t([1.0, 3.0]))",
    "Normal Normal": "D.Normal(t([0.0, 1.0]), 2.0), D.Normal(1.0, t([1.0, 3.0]))",
    "LogNormal LogNormal": "D.LogNormal(t([0.0, 1.0]), 2.0), D.LogNormal(1.0, t([1.0, 3.0]))",
    "MultivariateNormal MultivariateNormal": (
        "D.MultivariateNormal(torch.zeros(3, 2), t([[2.0, 0.5], [0.5, 1.0]])), D.MultivariateNormal(t([1.0, 2.0]), torch.eye(2))"
    ),
    "ContinuousBernoulli ContinuousBernoulli": "D.ContinuousBernoulli(t([0.25, 0.5])), D.ContinuousBernoulli(t([0.75, 0.9]))",
    "low ranks": (
        "D.LowRankMultivariateNormal(torch.zeros(2), t([[1.0], [0.5]]), t([1.0, 0.5])), "
        "D.LowRankMultivariateNormal(torch.ones(3, 2), t([[1.0], [2.0]]), t([0.25, 0.5]))"
    ),
    "a low rank": (
        "D.LowRankMultivariateNormal(torch.zeros(2), t([[1.0], [0.5]]), t([1.0, 0.5])), "
        "D.MultivariateNormal(t([1.0, 2.0]), t([[2.0, 0.5], [0.5, 1.0]]))"
    ),
    "another low rank": (
        "D.MultivariateNormal(t([1.0, 2.0]), t([[2.0, 0.5], [0.5, 1.0]])), "
        "D.LowRankMultivariateNormal(torch.zeros(2), t([[1.0], [0.5]]), t([1.0, 0.5]))"
    ),
    "Wishart Wishart": "D.Wishart(t([3.0]), t([[2.0, 0.5], [0.5, 1.0]])), D.Wishart(t([4.0]), torch.eye(2))",
    "Gumbel Gumbel": "D.Gumbel(t([0.0, 1.0]), 2.0), D.Gumbel(1.0, t([1.0, 3.0]))",
    "HalfNormal HalfNormal": "D.HalfNormal(t([0.5, 2.0])), D.HalfNormal(1.0)",
    "Pareto Pareto": "D.Pareto(t([0.5, 2.0]), 2.0), D.Pareto(1.0, t([1.0, 3.0]))",
    "StudentT StudentT": "D.StudentT(t([0.5, 2.0])), D.StudentT(1.0)",
    "Poisson Poisson": "D.Poisson(t([0.5, 4.0])), D.Poisson(2.0)",
    "Uniform Uniform": "D.Uniform(t([0.0, -1.0]), 1.0), D.Uniform(-0.5, 2.0)",
    "Independent Independent": "D.Independent(D.Normal(torch.zeros(2, 3), 1.0), 1), D.Independent(D.Normal(torch.ones(2, 3), 2.0), 1)",
    "Bernoulli Poisson": "D.Bernoulli(t([0.25, 0.5])), D.Poisson(2.0)",
    "Beta Exponential": "D.Beta(t([0.5, 2.0]), 3.0), D.Exponential(2.0)",
    "Beta Gamma": "D.Beta(t([0.5, 2.0]), 3.0), D.Gamma(2.0, 0.5)",
    "Beta Normal": "D.Beta(t([0.5, 2.0]), 3.0), D.Normal(2.0, 0.5)",
    "Beta Uniform": "D.Beta(t([0.5, 2.0]), 3.0), D.Uniform(t([-1.0, 0.5]), 1.0)",
    "Exponential Gamma": "D.Exponential(t([0.5, 2.0])), D.Gamma(2.0, 0.5)",
    "Exponential Normal": "D.Exponential(t([0.5, 2.0])), D.Normal(2.0, 0.5)",
    "Exponential Uniform": "D.Exponential(t([0.5, 2.0])), D.Uniform(0.0, 0.5)",
    "Gamma Beta": "D.Gamma(t([0.5, 2.0]), 1.0), D.Beta(2.0, 0.5)",
    "Gamma Exponential": "D.Gamma(t([0.5, 2.0]), 3.0), D.Exponential(2.0)",
    "Gamma Normal": "D.Gamma(t([0.5, 2.0]), 3.0), D.Normal(2.0, 0.5)",
    "Laplace Normal": "D.Laplace(t([0.5, 2.0]), 3.0), D.Normal(2.0, 0.5)",
    "Laplace Gamma": "D.Laplace(t([0.5, 2.0]), 3.0), D.Gamma(2.0, 0.5)",
    "Normal Laplace": "D.Normal(t([0.5, 2.0]), 3.0), D.Laplace(2.0, 0.5)",
    "Normal Exponential": "D.Normal(t([0.5, 2.0]), 3.0), D.Exponential(2.0)",
    "Poisson Binomial": "D.Poisson(t([0.5, 2.0])), D.Binomial(3, t([0.5]))",
    "Uniform Beta": "D.Uniform(t([0.0, 0.5]), t([0.5, 1.5])), D.Beta(2.0, 0.5)",
    "Uniform Exponential": "D.Uniform(t([0.0, -0.5]), 1.0), D.Exponential(2.0)",
    "Uniform Gamma": "D.Uniform(t([0.0, -0.5]), 1.0), D.Gamma(2.0, 0.5)",
    "Uniform Normal": "D.Uniform(t([0.0, -0.5]), 1.0), D.Normal(2.0, 0.5)",
    "ContinuousBernoulli Exponential": "D.ContinuousBernoulli(t([0.25, 0.5])), D.Exponential(2.0)",
    "ContinuousBernoulli Normal": "D.ContinuousBernoulli(t([0.25, 0.5])), D.Normal(2.0, 0.5)",
    "Beta ContinuousBernoulli": "D.Beta(t([0.5, 2.0]), 3.0), D.ContinuousBernoulli(t([0.25]))",
    "Normal ContinuousBernoulli": "D.Normal(t([0.5, 2.0]), 3.0), D.ContinuousBernoulli(t([0.25]))",
    "Exponential Gumbel": "D.Exponential(t([0.5, 2.0])), D.Gumbel(t([0.5, -1.0]), 2.0)",
    "Gamma Gumbel": "D.Gamma(t([0.5, 2.0]), 1.5), D.Gumbel(t([0.5, -1.0]), 2.0)",
    "Normal Gumbel": "D.Normal(t([0.5, -1.0]), 2.0), D.Gumbel(t([0.5, -1.0]), 2.0)",
    "Uniform Gumbel": "D.Uniform(t([0.5, 0.25]), 0.75), D.Gumbel(t([0.5, -1.0]), 2.0)",
    "Gumbel Normal": "D.Gumbel(t([0.5, -1.0]), 2.0), D.Normal(t([0.5, -1.0]), 2.0)",
    "Pareto Exponential": "D.Pareto(0.25, t([1.5, 3.0])), D.Exponential(t([0.5, 2.0]))",
    "Pareto Gamma": "D.Pareto(0.25, t([1.5, 3.0])), D.Gamma(t([0.5, 2.0]), 1.5)",
    "Pareto Normal": "D.Pareto(0.25, t([1.5, 3.0])), D.Normal(t([0.5, -1.0]), 2.0)",
    "Uniform Pareto": "D.Uniform(t([0.5, 0.25]), 0.75), D.Pareto(0.25, t([1.5, 3.0]))",
    "Uniform ContinuousBernoulli": "D.Uniform(t([0.5, 0.25]), 0.75), D.ContinuousBernoulli(t([0.25, 0.75]))",
    "Gumbel Exponential": "D.Gumbel(t([0.5, -1.0]), 2.0), D.Exponential(t([0.5, 2.0]))",
    "Beta Pareto": "D.Beta(t([0.5, 2.0]), 3.0), D.Pareto(0.25, t([1.5, 3.0]))",
    "Pareto Uniform": "D.Pareto(0.25, t([1.5, 3.0])), D.Uniform(t([0.5, 0.25]), 0.75)",
    "ContinuousBernoulli Uniform": "D.ContinuousBernoulli(t([0.25, 0.75])), D.Uniform(t([-1.0, 0.0]), 2.0)",
    "Laplace Poisson": "D.Laplace(0.0, 1.0), D.Poisson(1.0)",
    "Binomials of more trials": "D.Binomial(3, t([0.5])), D.Binomial(4, t([0.5]))",
}
"""By the classes of both: two distributions, of which the divergence is asked."""

WRONG = {
    "a scale below 0": "D.Normal(t([0.0, 1.0]), t([1.0, -1.0]))",
    "a scale that is NaN": "D.Laplace(0.0, float('nan'))",
    "bounds the wrong way round": "D.Uniform(t([0.0, 2.0]), 1.0)",
    "no degrees of freedom": "D.StudentT(t([0.0]))",
    "half below 0": "D.HalfNormal(1.0).log_prob(t([-1.0]))",
    "below the scale": "D.Pareto(1.0, t([1.0])).log_prob(t([0.5]))",
    "neither odds": "D.RelaxedBernoulli(t(1.0))",
    "a rate of 0": "D.Exponential(t([0.0]))",
    "a rate below 0": "D.Poisson(t([-1.0]))",
    "a concentration of 0": "D.Dirichlet(t([1.0, 0.0]))",
    "a concentration without dimensions": "D.Dirichlet(t(1.0))",
    "another concentration of 0": "D.Beta(1.0, 0.0)",
    "a probability above 1": "D.Bernoulli(t([0.5, 1.5]))",
    "neither": "D.Bernoulli()",
    "both": "D.Categorical(t([0.5, 0.5]), t([0.5, 0.5]))",
    "probabilities below 0": "D.Categorical(t([0.5, -0.5, 1.0]))",
    "probabilities without dimensions": "D.Categorical(t(0.5))",
    "half a trial": "D.Binomial(t([1.5]), t([0.5]))",
    "a probability of 0": "D.Geometric(t([0.5, 0.0]))",
    "trials that are a tensor": "D.Multinomial(t([3]), t([0.5, 0.5]))",
    "no covariance": "D.MultivariateNormal(t([0.0, 0.0]), t([[1.0, 2.0], [2.0, 1.0]]))",
    "not symmetric": "D.MultivariateNormal(t([0.0, 0.0]), t([[1.0, 2.0], [0.0, 1.0]]))",
    "no factor": "D.MultivariateNormal(t([0.0, 0.0]), scale_tril=t([[1.0, 2.0], [2.0, 1.0]]))",
    "two matrices": "D.MultivariateNormal(t([0.0, 0.0]), torch.eye(2), torch.eye(2))",
    "few degrees of freedom": "D.Wishart(t(1.0), torch.eye(2))",
    "a factor of other sizes": "D.LowRankMultivariateNormal(torch.zeros(2), torch.ones(3, 1), torch.ones(2))",
    "beyond the end": "D.GeneralizedPareto(0.0, 1.0, t([-0.5])).log_prob(t([3.0]))",
    "no matrix": "D.MultivariateNormal(t([0.0, 0.0]), t([1.0, 1.0]))",
    "too many dimensions": "D.Independent(D.Normal(torch.zeros(3), 1.0), 2)",
    "no transform": "D.TransformedDistribution(D.Normal(0.0, 1.0), 'exp')",
    "a list of texts": "D.TransformedDistribution(D.Normal(0.0, 1.0), ['exp'])",
    "a text": "D.Normal('a', 1.0)",
    "no value": "D.Normal(0.0, 1.0).log_prob(1.0)",
    "a value of another shape": "D.Normal(torch.zeros(3), 1.0).log_prob(torch.zeros(2))",
    "an event of another shape": "D.Dirichlet(t([1.0, 2.0])).log_prob(torch.ones(3) / 3)",
    "a value that is NaN": "D.Normal(0.0, 1.0).log_prob(t([0.0, float('nan')]))",
    "a value outside": "D.Uniform(0.0, t([1.0])).log_prob(t([2.0]))",
    "a value below 0": "D.Exponential(1.0).cdf(t([-2.0]))",
    "half an event": "D.Poisson(1.0).log_prob(t([0.5]))",
    "neither 0 nor 1": "D.Bernoulli(0.5).log_prob(t([0.5]))",
    "an event too many": "D.Categorical(torch.ones(3)).log_prob(t([0, 3]))",
    "more than all": "D.Dirichlet(t([1.0, 2.0])).log_prob(t([1.0, 0.5]))",
    "two at once": "D.OneHotCategorical(torch.ones(3)).log_prob(t([1.0, 1.0, 0.0]))",
    "more than the trials": "D.Multinomial(2, torch.ones(3)).log_prob(t([1.0, 1.0, 1.0]))",
    "no mixture": "D.MixtureSameFamily(D.Normal(0.0, 1.0), D.Normal(0.0, 1.0))",
    "another number of components": "D.MixtureSameFamily(D.Categorical(torch.ones(3)), D.Normal(torch.zeros(2), 1.0))",
    "one dimension of correlations": "D.LKJCholesky(1)",
    "no row": "D.SoftmaxTransform().forward_shape(())",
    "not below a diagonal": "D.CorrCholeskyTransform()(torch.ones(4))",
    "events of other sizes": "D.ReshapeTransform((2, 3), (5,))",
    "events of another shape": "D.ReshapeTransform((2, 3), (6,)).forward_shape(torch.Size((3, 2)))",
    "a cache of two": "D.ExpTransform(cache_size=2)",
    "events without dimensions": "D.AbsTransform().sign",
}
"""Calls that raise an error, with its text."""

GRADIENTS = {
    "Normal": "D.Normal(a, b.exp()).rsample((2,))",
    "Laplace": "D.Laplace(a, b.exp()).rsample((2,))",
    "Cauchy": "D.Cauchy(a, b.exp()).rsample()",
    "Uniform": "D.Uniform(a, a + b.exp()).rsample((2,))",
    "Exponential": "D.Exponential(b.exp()).rsample((2,)) + a",
    "Gamma": "D.Gamma(a.exp(), b.exp()).rsample((2,))",
    "Beta": "D.Beta(a.exp(), b.exp()).rsample((2,))",
    "Dirichlet": "D.Dirichlet((a * b).exp()).rsample((2,))",
    "LogNormal": "D.LogNormal(a, b.exp()).rsample((2,))",
    "Gumbel": "D.Gumbel(a, b.exp()).rsample((2,))",
    "StudentT": "D.StudentT(b.exp(), a).rsample((2,))",
    "RelaxedBernoulli": "D.RelaxedBernoulli(b.exp(), logits=a).rsample((2,))",
    "RelaxedOneHotCategorical": "D.RelaxedOneHotCategorical(t(0.5), logits=a * b).rsample((2,))",
    "log_prob of RelaxedOneHotCategorical": "D.RelaxedOneHotCategorical(t(0.5), logits=a * b).log_prob(t([0.25, 0.5, 0.25]))",
    "MultivariateNormal": "D.MultivariateNormal(a, torch.diag(b.exp())).rsample((2,))",
    "FisherSnedecor": "D.FisherSnedecor(a.exp(), b.exp()).rsample((2,))",
    "GeneralizedPareto": "D.GeneralizedPareto(a, b.exp(), 0.5).rsample((2,))",
    "ContinuousBernoulli": "D.ContinuousBernoulli(logits=a + b).rsample((2,))",
    "LowRankMultivariateNormal": "D.LowRankMultivariateNormal(a, b[:, None], b.exp()).rsample((2,))",
    "Independent": "D.Independent(D.Normal(a, b.exp()), 1).rsample((2,))",
    "tanh": "D.TransformedDistribution(D.Normal(a, b.exp()), [D.TanhTransform(cache_size=1)]).rsample((2,))",
    "straight through": "D.OneHotCategoricalStraightThrough(logits=a * b).rsample((2,))",
    "log_prob of Normal": "D.Normal(a, b.exp()).log_prob(t([0.5, 1.0, -1.0]))",
    "log_prob of Gamma": "D.Gamma(a.exp(), b.exp()).log_prob(t([0.5, 1.0, 2.0]))",
    "log_prob of Beta": "D.Beta(a.exp(), b.exp()).log_prob(t([0.5, 0.25, 0.75]))",
    "log_prob of Dirichlet": "D.Dirichlet((a * b).exp()).log_prob(t([0.5, 0.25, 0.25]))",
    "log_prob of Bernoulli": "D.Bernoulli(logits=a * b).log_prob(t([0.0, 1.0, 1.0]))",
    "log_prob of probabilities": "D.Bernoulli(torch.sigmoid(a * b)).log_prob(t([0.0, 1.0, 1.0]))",
    "log_prob of Categorical": "D.Categorical(logits=a * b).log_prob(t([0, 2]))",
    "log_prob of Multinomial": "D.Multinomial(4, logits=a * b).log_prob(t([1.0, 1.0, 2.0]))",
    "log_prob of Binomial": "D.Binomial(4, logits=a * b).log_prob(t([1.0, 1.0, 2.0]))",
    "log_prob of Poisson": "D.Poisson((a * b).exp()).log_prob(t([1.0, 1.0, 2.0]))",
    "log_prob of MultivariateNormal": (
        "D.MultivariateNormal(a, torch.diag(b.exp()) + 0.125).log_prob(t([1.0, 1.0, 2.0]))"
    ),
    "log_prob of a mixture": "D.MixtureSameFamily(D.Categorical(logits=a), D.Normal(b, 1.0)).log_prob(t([1.0, 2.0]))",
    "entropy of Normal": "D.Normal(a, b.exp()).entropy() + a",
    "entropy of Categorical": "D.Categorical(logits=a * b).entropy()",
    "divergence of Normal": "D.kl_divergence(D.Normal(a, b.exp()), D.Normal(0.0, 1.0))",
    "divergence of MultivariateNormal": (
        "D.kl_divergence(D.MultivariateNormal(a, torch.diag(b.exp())), D.MultivariateNormal(torch.zeros(3), torch.eye(3)))"
    ),
    "divergence of Categorical": "D.kl_divergence(D.Categorical(logits=a), D.Categorical(logits=b))",
}
"""What is differentiated with respect to `a` and `b`, of three elements each."""

_SEED = 7
_LEVELS = [0.125, 0.5, 0.9375]


def _plain(value: Any) -> Any:
    """A result as JSON: of a tensor its dtype, shape and elements."""
    if hasattr(value, "tolist"):
        flat = value.detach().reshape(-1).tolist()
        return [str(value.dtype), list(value.shape), [_number(one) for one in flat]]
    return value if value is None or isinstance(value, (bool, int, str)) else _number(value)


def _number(value: Any) -> Any:
    """An element; floats with the digits of a float32 and some, or as texts where they are none."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.10g}") if math.isfinite(value) else str(value)


def _outcome(torch: Any, run: Callable[[], Any]) -> Any:
    """A result, or the error."""
    torch.manual_seed(_SEED)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _plain(run())
    except (NotImplementedError, ValueError, RuntimeError, AttributeError) as error:
        return {type(error).__name__: str(error).strip().replace("torchscript_dialect.", "")}


def names(torch: Any) -> dict[str, Any]:
    """What expressions use."""
    return {"torch": torch, "D": torch.distributions, "t": torch.tensor}


def facts(torch: Any, expression: str) -> dict[str, Any]:
    """All that is asked of a distribution."""
    made = eval(expression, names(torch))

    def of(run: Callable[[], Any]) -> Any:
        return _outcome(torch, run)

    torch.manual_seed(_SEED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of matrices that may be singular
        drawn = made.sample((2,))
    levels = torch.tensor(_LEVELS, dtype=drawn.dtype if drawn.is_floating_point() else None)
    levels = levels.reshape((-1,) + (1,) * len(made.batch_shape + made.event_shape))
    found = {
        "repr": repr(made),
        "batch_shape": list(made.batch_shape),
        "event_shape": list(made.event_shape),
        "has_rsample": made.has_rsample,
        "has_enumerate_support": made.has_enumerate_support,
        "support": of(lambda: repr(made.support)),
        "sample": _plain(drawn),
        "one": of(made.sample),
        "rsample": of(lambda: made.rsample((2, 1))),
        "log_prob": of(lambda: made.log_prob(drawn)),
        "cdf": of(lambda: made.cdf(drawn)),
        "icdf": of(lambda: made.icdf(levels)),
        "entropy": of(made.entropy),
        "perplexity": of(made.perplexity),
        "values": of(made.enumerate_support),
        "few values": of(lambda: made.enumerate_support(False)),
    }
    for name in ("mean", "mode", "variance", "stddev", "probs", "logits", "covariance_matrix"):
        found[name] = of(lambda name=name: getattr(made, name))
    return found


def divergence(torch: Any, expression: str) -> Any:
    p, q = eval(expression, names(torch))
    return _outcome(torch, lambda: torch.distributions.kl_divergence(p, q))


def error(torch: Any, expression: str) -> Any:
    """The error of a call, as `_outcome` has it."""
    return _outcome(torch, lambda: eval(expression, names(torch)))


def gradients(torch: Any, expression: str) -> list[Any]:
    """The result and the gradients of `a` and `b`."""
    a = torch.tensor([0.5, -1.0, 0.25], requires_grad=True)
    b = torch.tensor([0.25, 1.0, -0.5], requires_grad=True)
    torch.manual_seed(_SEED)
    result = eval(expression, {**names(torch), "a": a, "b": b})
    weights = torch.arange(1, result.numel() + 1).reshape(result.shape)
    (result * weights).sum().backward()
    return [_plain(one) for one in (result, a.grad, b.grad)]


def everything(torch: Any) -> dict[str, dict[str, Any]]:
    """What is stored."""
    return {
        "distributions": {name: facts(torch, made) for name, made in DISTRIBUTIONS.items()},
        "divergences": {name: divergence(torch, pair) for name, pair in PAIRS.items()},
        "errors": {name: error(torch, call) for name, call in WRONG.items()},
        "gradients": {name: gradients(torch, result) for name, result in GRADIENTS.items()},
    }


def differences(mine: Any, theirs: Any, place: str = "") -> list[str]:
    """Where results differ: in more than the last digits of their elements."""
    if isinstance(mine, dict) and isinstance(theirs, dict) and mine.keys() == theirs.keys():
        return [
            found for key in mine for found in differences(mine[key], theirs[key], f"{place}.{key}")
        ]
    if isinstance(mine, list) and isinstance(theirs, list) and len(mine) == len(theirs):
        pairs = enumerate(zip(mine, theirs, strict=True))
        return [found for at, pair in pairs for found in differences(*pair, f"{place}[{at}]")]
    if isinstance(mine, float) and isinstance(theirs, float):
        same = math.isclose(mine, theirs, rel_tol=2e-5, abs_tol=2e-6)
    else:
        same = mine == theirs and type(mine) is type(theirs)
    return [] if same else [f"{place}: {mine!r} where PyTorch gives {theirs!r}"]
