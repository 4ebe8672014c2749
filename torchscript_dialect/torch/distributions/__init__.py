"""`torch.distributions`: samples, densities and what else is known of distributions of random numbers.

Samples are PyTorch's own for the same `manual_seed`.
"""

from torchscript_dialect.torch.distributions import constraints as constraints
from torchscript_dialect.torch.distributions import kl_between as kl_between
from torchscript_dialect.torch.distributions import transforms as transforms
from torchscript_dialect.torch.distributions.bernoulli import Bernoulli
from torchscript_dialect.torch.distributions.beta import Beta
from torchscript_dialect.torch.distributions.binomial import Binomial
from torchscript_dialect.torch.distributions.categorical import Categorical
from torchscript_dialect.torch.distributions.cauchy import Cauchy
from torchscript_dialect.torch.distributions.chi2 import Chi2
from torchscript_dialect.torch.distributions.dirichlet import Dirichlet
from torchscript_dialect.torch.distributions.distribution import Distribution
from torchscript_dialect.torch.distributions.exponential import Exponential
from torchscript_dialect.torch.distributions.gamma import Gamma
from torchscript_dialect.torch.distributions.geometric import Geometric
from torchscript_dialect.torch.distributions.gumbel import Gumbel
from torchscript_dialect.torch.distributions.half_cauchy import HalfCauchy
from torchscript_dialect.torch.distributions.half_normal import HalfNormal
from torchscript_dialect.torch.distributions.independent import Independent
from torchscript_dialect.torch.distributions.inverse_gamma import InverseGamma
from torchscript_dialect.torch.distributions.kl import kl_divergence, register_kl
from torchscript_dialect.torch.distributions.kumaraswamy import Kumaraswamy
from torchscript_dialect.torch.distributions.laplace import Laplace
from torchscript_dialect.torch.distributions.log_normal import LogNormal
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
    ComposeTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    Transform,
    identity_transform,
)
from torchscript_dialect.torch.distributions.uniform import Uniform
from torchscript_dialect.torch.distributions.weibull import Weibull

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Categorical",
    "Cauchy",
    "Chi2",
    "ComposeTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "Exponential",
    "Gamma",
    "Geometric",
    "Gumbel",
    "HalfCauchy",
    "HalfNormal",
    "Independent",
    "InverseGamma",
    "Kumaraswamy",
    "Laplace",
    "LogNormal",
    "MixtureSameFamily",
    "Multinomial",
    "MultivariateNormal",
    "NegativeBinomial",
    "Normal",
    "OneHotCategorical",
    "OneHotCategoricalStraightThrough",
    "Pareto",
    "Poisson",
    "PowerTransform",
    "RelaxedBernoulli",
    "RelaxedOneHotCategorical",
    "SigmoidTransform",
    "SoftplusTransform",
    "StudentT",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "Weibull",
    "identity_transform",
    "kl_divergence",
    "register_kl",
]
