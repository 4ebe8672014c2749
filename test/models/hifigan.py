"""A vocoder: spectra grow to sound by transposed convolutions, each followed by residual blocks of several widths."""

import math
from typing import List, Optional, Sequence, Tuple

import numpy as np
from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor

LRELU_SLOPE = 0.1


def get_padding(kernel_size: int, dilation: int = 1) -> int:
    return int((kernel_size * dilation - dilation) / 2)


class ResBlock1(nn.Module):
    __constants__ = ["lrelu_slope"]

    def __init__(self, channels: int, kernel_size: int = 3, dilation: Sequence[int] = (1, 3)):
        super().__init__()
        self.lrelu_slope = LRELU_SLOPE
        self.convs1 = nn.ModuleList(
            [
                nn.Conv1d(
                    channels,
                    channels,
                    kernel_size,
                    1,
                    dilation=d,
                    padding=get_padding(kernel_size, d),
                )
                for d in dilation
            ]
        )
        self.convs2 = nn.ModuleList(
            [
                nn.Conv1d(channels, channels, kernel_size, 1, padding=get_padding(kernel_size, 1))
                for _ in dilation
            ]
        )

    def forward(self, x: Tensor) -> Tensor:
        for c1, c2 in zip(self.convs1, self.convs2):
            xt = F.leaky_relu(x, self.lrelu_slope)
            xt = c1(xt)
            xt = F.leaky_relu(xt, self.lrelu_slope)
            xt = c2(xt)
            x = xt + x
        return x


class Snake(nn.Module):
    """x + sin(ax)^2 / a, with a of its own for each channel."""

    def __init__(self, channels: int):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1, channels, 1))

    def forward(self, x: Tensor) -> Tensor:
        return x + (self.alpha + 1e-9).reciprocal() * torch.sin(self.alpha * x).pow(2)


class Generator(nn.Module):
    def __init__(
        self,
        n_mels: int = 5,
        upsample_rates: Tuple[int, ...] = (4, 2),
        upsample_kernels: Tuple[int, ...] = (8, 4),
        channels: int = 8,
        resblock_kernels: Tuple[int, ...] = (3, 5),
    ):
        super().__init__()
        self.lrelu_slope = LRELU_SLOPE
        self.num_kernels = len(resblock_kernels)
        self.num_upsamples = len(upsample_rates)
        self.conv_pre = nn.Conv1d(n_mels, channels, 7, 1, padding=3)
        self.ups = nn.ModuleList()
        self.resblocks = nn.ModuleList()
        self.acts = nn.ModuleList()
        for i, (u, k) in enumerate(zip(upsample_rates, upsample_kernels)):
            self.ups.append(
                nn.ConvTranspose1d(
                    channels // 2**i, channels // 2 ** (i + 1), k, u, padding=(k - u) // 2
                )
            )
            self.acts.append(Snake(channels // 2 ** (i + 1)))
            for k_res in resblock_kernels:
                self.resblocks.append(ResBlock1(channels // 2 ** (i + 1), k_res))
        self.conv_post = nn.Conv1d(channels // 2**self.num_upsamples, 1, 7, 1, padding=3)

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv_pre(x)
        for i, (upsample_layer, act) in enumerate(zip(self.ups, self.acts)):
            x = F.leaky_relu(x, self.lrelu_slope)
            x = act(upsample_layer(x))
            xs: Optional[Tensor] = None
            for j, resblock in enumerate(self.resblocks):
                index = j - i * self.num_kernels
                if index >= 0 and index < self.num_kernels:
                    if xs is None:
                        xs = resblock(x)
                    else:
                        xs += resblock(x)
            assert xs is not None
            x = xs / self.num_kernels
        x = F.leaky_relu(x)
        x = self.conv_post(x)
        return torch.tanh(x)


class Vocoder(nn.Module):
    """Sound of spectra, with the mask of what was padded, and without the loudness of the whole."""

    def __init__(self):
        super().__init__()
        self.generator = Generator()
        window = torch.hann_window(16)
        self.register_buffer("window", window)

    def forward(self, mel: Tensor, lengths: Optional[Tensor] = None):
        waveform = self.generator(mel).squeeze(1)
        if lengths is not None:
            hop = waveform.size(1) // mel.size(2)
            mask = torch.arange(waveform.size(1))[None] >= (lengths * hop)[:, None]
            waveform = waveform.masked_fill(mask, 0.0)
        frames = waveform.unfold(1, 16, 8) * self.window
        loudness = frames.pow(2).mean(-1).add(1e-8).log10().mul(10.0)
        return waveform, loudness


def make():
    return Vocoder()


CALLS = [
    (normal(0, 2, 5, 4), np.array([4, 3])),
    (normal(1, 2, 5, 4), np.array([2, 4])),
    (normal(2, 1, 5, 6),),
]
