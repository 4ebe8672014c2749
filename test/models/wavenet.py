"""Sound sample by sample: gated convolutions with growing gaps, and a generator that keeps what each layer will look back at."""

import math
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal, uniform

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def mu_law_encode(x: Tensor, quantization_channels: int) -> Tensor:
    mu = quantization_channels - 1.0
    if not x.is_floating_point():
        x = x.to(torch.float)
    mu_tensor = torch.tensor(mu, dtype=x.dtype)
    x_mu = torch.sign(x) * torch.log1p(mu_tensor * torch.abs(x)) / torch.log1p(mu_tensor)
    return ((x_mu + 1) / 2 * mu_tensor + 0.5).to(torch.int64)


def mu_law_decode(x_mu: Tensor, quantization_channels: int) -> Tensor:
    mu = quantization_channels - 1.0
    if not x_mu.is_floating_point():
        x_mu = x_mu.to(torch.float)
    mu_tensor = torch.tensor(mu, dtype=x_mu.dtype)
    x = ((x_mu) / mu_tensor) * 2 - 1.0
    return torch.sign(x) * (torch.exp(torch.abs(x) * torch.log1p(mu_tensor)) - 1.0) / mu_tensor


class CausalConv1d(nn.Module):
    """A convolution that looks back only."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: int, dilation: int = 1):
        super().__init__()
        self.padding = (kernel_size - 1) * dilation
        self.dilation = dilation
        self.weight = nn.Parameter(torch.zeros(out_channels, in_channels, kernel_size))
        self.bias = nn.Parameter(torch.zeros(out_channels))

    def forward(self, x: Tensor) -> Tensor:
        y = F.conv1d(x, self.weight, self.bias, padding=self.padding, dilation=self.dilation)
        if self.padding != 0:
            y = y[:, :, : -self.padding]
        return y

    def step(self, x: Tensor, past: Tensor) -> Tensor:
        """One sample x (B, C) and the one that lies `dilation` before it."""
        both = torch.stack([past, x], dim=-1)
        return torch.einsum("bck,ock->bo", both, self.weight) + self.bias


class ResidualBlock(nn.Module):
    def __init__(self, channels: int, skip: int, dilation: int, condition: int):
        super().__init__()
        self.conv = CausalConv1d(channels, 2 * channels, 2, dilation)
        self.condition = nn.Linear(condition, 2 * channels, bias=False)
        self.res = nn.Linear(channels, channels)
        self.skip = nn.Linear(channels, skip)
        self.dilation = dilation

    def gate(self, x: Tensor, c: Tensor, dim: int) -> Tensor:
        a, b = torch.split(x + c, x.size(dim) // 2, dim=dim)
        return torch.tanh(a) * torch.sigmoid(b)

    def forward(self, x: Tensor, c: Tensor) -> Tuple[Tensor, Tensor]:
        h = self.gate(self.conv(x), self.condition(c).unsqueeze(-1), 1).transpose(1, 2)
        return (self.res(h).transpose(1, 2) + x) * math.sqrt(0.5), self.skip(h).transpose(1, 2)

    def step(self, x: Tensor, past: Tensor, c: Tensor) -> Tuple[Tensor, Tensor]:
        h = self.gate(self.conv.step(x, past), self.condition(c), 1)
        return (self.res(h) + x) * math.sqrt(0.5), self.skip(h)


class WaveNet(nn.Module):
    def __init__(self, layers: int = 3, channels: int = 4, classes: int = 8, condition: int = 2):
        super().__init__()
        self.classes = classes
        self.channels = channels
        self.first = nn.Linear(1, channels)
        self.blocks = nn.ModuleList(
            [ResidualBlock(channels, 6, 2**i, condition) for i in range(layers)]
        )
        self.dilations = [2**i for i in range(layers)]
        self.last = nn.Sequential(nn.ReLU(), nn.Linear(6, 6), nn.ReLU(), nn.Linear(6, classes))
        self.register_buffer("receptive", torch.tensor(sum(2**i for i in range(layers)) + 1))

    @torch.jit.export
    def generate(self, c: Tensor, samples: int) -> Tuple[Tensor, List[int]]:
        batch = c.size(0)
        queues: Dict[int, List[Tensor]] = {}
        for i, dilation in enumerate(self.dilations):
            queues[i] = [torch.zeros(batch, self.channels) for _ in range(dilation)]
        sample = torch.zeros(batch, 1)
        outputs: List[Tensor] = []
        for _ in range(samples):
            x = self.first(sample)
            skips = torch.zeros(batch, 6)
            for i, layer in enumerate(self.blocks):
                past = queues[i].pop(0)
                queues[i].append(x)
                x, skip = layer.step(x, past, c)
                skips = skips + skip
            token = self.last(skips).argmax(dim=-1, keepdim=True)
            sample = mu_law_decode(token, self.classes)
            outputs.append(token)
        return torch.cat(outputs, dim=1), [len(queues[i]) for i in range(len(queues))]

    def forward(self, wave: Tensor, c: Tensor, samples: int = 4):
        tokens = mu_law_encode(wave, self.classes)
        x = self.first(mu_law_decode(tokens, self.classes).unsqueeze(-1)).transpose(1, 2)
        total = torch.zeros(1)
        for block in self.blocks:
            x, skip = block(x, c)
            total = total + skip
        logits = self.last(total.transpose(1, 2)).transpose(1, 2)
        nll = -F.log_softmax(logits, dim=1)[:, :, :-1].gather(1, tokens[:, None, 1:]).mean()
        made, sizes = self.generate(c, samples)
        return logits, nll, made, sizes, tokens


def make():
    return WaveNet()


CALLS = [
    (uniform(0, 2, 9) * 2 - 1, normal(0, 2, 2), 4),
    (uniform(1, 2, 9) * 2 - 1, normal(1, 2, 2), 4),
    (uniform(2, 1, 12) * 2 - 1, normal(2, 1, 2), 6),
]
