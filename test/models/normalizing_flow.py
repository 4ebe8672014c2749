"""Densities by steps that can be undone: couplings, 1x1 convolutions with a determinant, both directions exported."""

import math
from typing import List, Tuple

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class ActNorm(nn.Module):
    """Scale and shift of channels."""

    def __init__(self, channels: int):
        super().__init__()
        self.logs = nn.Parameter(torch.zeros(1, channels))
        self.shift = nn.Parameter(torch.zeros(1, channels))

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        return (x + self.shift) * torch.exp(self.logs), self.logs.sum().expand(x.size(0))

    @torch.jit.export
    def inverse(self, z: Tensor) -> Tensor:
        return z * torch.exp(-self.logs) - self.shift


class InvertibleLinear(nn.Module):
    """A matrix held as lower and upper triangle, so that the determinant is a sum."""

    def __init__(self, channels: int):
        super().__init__()
        self.lower = nn.Parameter(torch.zeros(channels, channels))
        self.upper = nn.Parameter(torch.zeros(channels, channels))
        self.log_s = nn.Parameter(torch.zeros(channels))
        self.register_buffer("l_mask", torch.tril(torch.ones(channels, channels), -1))
        self.register_buffer("eye", torch.eye(channels))

    def matrix(self) -> Tensor:
        low = self.lower * self.l_mask + self.eye
        up = self.upper * self.l_mask.t() + torch.diag(torch.exp(self.log_s))
        return low @ up

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        return F.linear(x, self.matrix()), self.log_s.sum().expand(x.size(0))

    @torch.jit.export
    def inverse(self, z: Tensor) -> Tensor:
        return torch.linalg.solve(self.matrix(), z.t()).t()


class AffineCoupling(nn.Module):
    def __init__(self, channels: int, hidden: int, flip: bool):
        super().__init__()
        self.half = channels // 2
        self.flip = flip
        self.net = nn.Sequential(
            nn.Linear(self.half, hidden), nn.ReLU(), nn.Linear(hidden, 2 * (channels - self.half))
        )

    def _split(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        if self.flip:
            x = x.flip(1)
        return x[:, : self.half], x[:, self.half :]

    def _scale(self, a: Tensor) -> Tuple[Tensor, Tensor]:
        raw, shift = self.net(a).chunk(2, dim=1)
        return torch.tanh(raw), shift

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        a, b = self._split(x)
        log_scale, shift = self._scale(a)
        return torch.cat([a, b * log_scale.exp() + shift], dim=1), log_scale.sum(1)

    @torch.jit.export
    def inverse(self, z: Tensor) -> Tensor:
        a, b = z[:, : self.half], z[:, self.half :]
        log_scale, shift = self._scale(a)
        x = torch.cat([a, (b - shift) * torch.exp(-log_scale)], dim=1)
        return x.flip(1) if self.flip else x


class FlowStep(nn.Module):
    def __init__(self, channels: int, hidden: int, flip: bool):
        super().__init__()
        self.actnorm = ActNorm(channels)
        self.linear = InvertibleLinear(channels)
        self.coupling = AffineCoupling(channels, hidden, flip)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
        logdet = torch.zeros(x.size(0))
        x, d = self.actnorm(x)
        logdet += d
        x, d = self.linear(x)
        logdet += d
        x, d = self.coupling(x)
        return x, logdet + d

    @torch.jit.export
    def inverse(self, z: Tensor) -> Tensor:
        return self.actnorm.inverse(self.linear.inverse(self.coupling.inverse(z)))


class Glow(nn.Module):
    def __init__(self, channels: int = 4, hidden: int = 6, steps: int = 3):
        super().__init__()
        self.steps = nn.ModuleList([FlowStep(channels, hidden, i % 2 == 1) for i in range(steps)])
        self.channels = channels
        self.prior_log_const = -0.5 * math.log(2 * math.pi)

    def encode(self, x: Tensor) -> Tuple[Tensor, Tensor, List[Tensor]]:
        total = torch.zeros(x.size(0))
        between: List[Tensor] = []
        for step in self.steps:
            x, logdet = step(x)
            total = total + logdet
            between.append(x)
        return x, total, between

    @torch.jit.export
    def decode(self, z: Tensor) -> Tensor:
        for step in self.steps[::-1]:
            z = step.inverse(z)
        return z

    def forward(self, x: Tensor) -> Tuple[Tensor, Tensor, Tensor, Tensor]:
        z, logdet, between = self.encode(x)
        log_p = (self.prior_log_const - 0.5 * z**2).sum(1) + logdet
        back = self.decode(z)
        return z, log_p, (back - x).abs().max() < 1e-3, torch.stack(between).mean(0)


def make():
    return Glow()


CALLS = [(normal(0, 3, 4),), (normal(1, 3, 4),), (normal(2, 5, 4),)]
