"""The Dirichlet distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from torchscript_dialect import torch
from torchscript_dialect.torch.autograd.function import Function, once_differentiable
from torchscript_dialect.torch.distributions import constraints
from torchscript_dialect.torch.distributions.distribution import Distribution, Parametric


class _Sample(Function):
    """Samples as functions of the concentrations."""

    @staticmethod
    def forward(ctx: Any, concentration: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        drawn = torch._sample_dirichlet(concentration)
        ctx.save_for_backward(drawn, concentration)
        return drawn

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad_output: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        drawn, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        grad = torch._dirichlet_grad(drawn, concentration, total)
        return grad * (grad_output - (drawn * grad_output).sum(-1, True))


class Dirichlet(Parametric):
    """Shares whose sum is 1: the greater `concentration`, of the shape (..., shares), the closer they are to its own."""

    parameters = ("concentration",)
    arg_constraints: ClassVar[Any] = {
        "concentration": constraints.independent(constraints.positive, 1)
    }
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        shape = concentration.shape
        Distribution.__init__(self, shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Any:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Any:
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        is_at_corners = (self.concentration < 1).all(dim=-1)
        corners = torch.nn.functional.one_hot(mode.argmax(dim=-1), above.shape[-1]).to(mode)
        return torch.where(is_at_corners.unsqueeze(-1), corners, mode)

    @property
    def variance(self) -> Any:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return _Sample.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        powers = torch.xlogy(self.concentration - 1.0, value).sum(-1)
        total = torch.lgamma(self.concentration.sum(-1))
        return powers + total - torch.lgamma(self.concentration).sum(-1)

    def entropy(self) -> Any:
        count, total = self.concentration.size(-1), self.concentration.sum(-1)
        parts = ((self.concentration - 1.0) * torch.digamma(self.concentration)).sum(-1)
        whole = torch.lgamma(self.concentration).sum(-1) - torch.lgamma(total)
        return whole - (count - total) * torch.digamma(total) - parts
