"""`torch.distributions`: samples, densities and what else is known of distributions of random numbers.

Samples are PyTorch's own for the same `manual_seed`.
"""

from torchscript_dialect.torch.distributions import constraints as constraints
from torchscript_dialect.torch.distributions import kl_between as kl_between
from torchscript_dialect.torch.distributions import kl_of_extremes as kl_of_extremes
from torchscript_dialect.torch.distributions import transforms as transforms
from torchscript_dialect.torch.distributions.bernoulli import Bernoulli
from torchscript_dialect.torch.distributions.beta import Beta
from torchscript_dialect.torch.distributions.binomial import Binomial
from torchscript_dialect.torch.distributions.categorical import Categorical
from torchscript_dialect.torch.distributions.cauchy import Cauchy
from torchscript_dialect.torch.distributions.chi2 import Chi2
from torchscript_dialect.torch.distributions.constraint_registry import biject_to, transform_to
from torchscript_dialect.torch.distributions.continuous_bernoulli import ContinuousBernoulli
from torchscript_dialect.torch.distributions.dirichlet import Dirichlet
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.exp_family import ExponentialFamily
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.fishersnedecor import FisherSnedecor
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.generalized_pareto import GeneralizedPareto
from torchscript_dialect.torch.distributions.geometric import Geometric
from torchscript_dialect.torch.distributions.gumbel import Gumbel
from torchscript_dialect.torch.distributions.half_cauchy import HalfCauchy
from torchscript_dialect.torch.distributions.half_normal import HalfNormal
from torchscript_dialect.torch.distributions.independent import Independent
from torchscript_dialect.torch.distributions.inverse_gamma import InverseGamma
from torchscript_dialect.torch.distributions.kl import kl_divergence, register_kl
from torchscript_dialect.torch.distributions.kumaraswamy import Kumaraswamy
from torchscript_dialect.torch.distributions.laplace import Laplace
from torchscript_dialect.torch.distributions.lkj_cholesky import LKJCholesky
from torchscript_dialect.torch.distributions.log_normal import LogNormal
from torchscript_dialect.torch.distributions.logistic_normal import LogisticNormal
from torchscript_dialect.torch.distributions.lowrank_multivariate_normal import (
    LowRankMultivariateNormal,
)
from torchscript_dialect.torch.distributions.mixture_same_family import MixtureSameFamily
from torchscript_dialect.torch.distributions.multinomial import Multinomial
from torchscript_dialect.torch.distributions.multivariate_normal import MultivariateNormal
from torchscript_dialect.torch.distributions.negative_binomial import NegativeBinomial
from torchscript_dialect.torch.distributions.normal import Normal
from torchscript_dialect.torch.distributions.one_hot_categorical import (
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
)
from torchscript_dialect.torch.distributions.pareto import Pareto
from torchscript_dialect.torch.distributions.poisson import Poisson
from torchscript_dialect.torch.distributions.relaxed_bernoulli import RelaxedBernoulli
from torchscript_dialect.torch.distributions.relaxed_categorical import RelaxedOneHotCategorical
from torchscript_dialect.torch.distributions.studentT import StudentT
from torchscript_dialect.torch.distributions.transformed_distribution import (
    TransformedDistribution,
)
from torchscript_dialect.torch.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    CatTransform,
    ComposeTransform,
    CorrCholeskyTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    IndependentTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    SoftplusTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.von_mises import VonMises
from torchscript_dialect.torch.distributions.weibull import Weibull
from torchscript_dialect.torch.distributions.wishart import Wishart

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Binomial",
    "CatTransform",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "ContinuousBernoulli",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "ExponentialFamily",
    "FisherSnedecor",
    "Gamma",
    "GeneralizedPareto",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "IndependentTransform",
    "InverseGamma",
    "Kumaraswamy",
    "LKJCholesky",
    "Laplace",
    "LogNormal",
    "LogisticNormal",
    "LowRankMultivariateNormal",
    "LowerCholeskyTransform",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "SoftplusTransform",
    "StackTransform",
    "StickBreakingTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "VonMises",
    "Weibull",
    "Wishart",
    "biject_to",
    "identity_transform",
    "kl_divergence",
    "register_kl",
    "transform_to",
]
