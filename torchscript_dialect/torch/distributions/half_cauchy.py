"""The half-Cauchy distribution."""

from torchscript_dialect.torch.distributions.half_normal import HalfCauchy as HalfCauchy
