"""The chi-squared distribution, which is a gamma distribution."""

from torchscript_dialect.torch.distributions.gamma import Chi2 as Chi2
