"""Pictures from noise: weights scaled by a style for each picture, filters that resample, layers that double the size."""

import math
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def upfirdn2d(
    x: Tensor,
    f: Tensor,
    up: int = 1,
    down: int = 1,
    padding: Tuple[int, int, int, int] = (0, 0, 0, 0),
    gain: float = 1.0,
) -> Tensor:
    """Zeros between the pixels, padding, a filter, every so manieth pixel."""
    batch_size, num_channels, in_height, in_width = x.shape
    padx0, padx1, pady0, pady1 = padding
    x = x.reshape([batch_size, num_channels, in_height, 1, in_width, 1])
    x = F.pad(x, [0, up - 1, 0, 0, 0, up - 1])
    x = x.reshape([batch_size, num_channels, in_height * up, in_width * up])
    x = F.pad(x, [max(padx0, 0), max(padx1, 0), max(pady0, 0), max(pady1, 0)])
    x = x[
        :,
        :,
        max(-pady0, 0) : x.shape[2] - max(-pady1, 0),
        max(-padx0, 0) : x.shape[3] - max(-padx1, 0),
    ]
    f = f * (gain ** (f.ndim / 2))
    f = f.to(x.dtype).flip(list(range(f.ndim)))
    f = f[None, None].repeat([num_channels, 1] + [1] * f.ndim)
    x = F.conv2d(x, f, groups=num_channels)
    return x[:, :, ::down, ::down]


def setup_filter(taps: List[int]) -> Tensor:
    f = torch.tensor(taps, dtype=torch.float32)
    f = torch.outer(f, f)
    return f / f.sum()


def normalize_2nd_moment(x: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    return x * (x.square().mean(dim=dim, keepdim=True) + eps).rsqrt()


class FullyConnectedLayer(nn.Module):
    bias: Optional[Tensor]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        activation: str = "linear",
        lr_multiplier: float = 1.0,
        bias_init: float = 0.0,
    ):
        super().__init__()
        self.activation = activation
        self.weight = nn.Parameter(torch.randn([out_features, in_features]) / lr_multiplier)
        self.bias = nn.Parameter(torch.full([out_features], bias_init))
        self.weight_gain = lr_multiplier / math.sqrt(in_features)
        self.bias_gain = lr_multiplier

    def forward(self, x: Tensor) -> Tensor:
        w = self.weight.to(x.dtype) * self.weight_gain
        b = self.bias
        if b is not None:
            b = b.to(x.dtype)
            if self.bias_gain != 1:
                b = b * self.bias_gain
        if self.activation == "linear" and b is not None:
            x = torch.addmm(b.unsqueeze(0), x, w.t())
        else:
            x = x.matmul(w.t())
            if b is not None:
                x = x + b
            x = F.leaky_relu(x, 0.2) * math.sqrt(2.0)
        return x


def modulated_conv2d(
    x: Tensor,
    weight: Tensor,
    styles: Tensor,
    noise: Optional[Tensor] = None,
    up: int = 1,
    padding: int = 0,
    demodulate: bool = True,
) -> Tensor:
    batch_size = x.shape[0]
    out_channels, in_channels, kh, kw = weight.shape
    w = weight.unsqueeze(0)
    w = w * styles.reshape(batch_size, 1, -1, 1, 1)
    if demodulate:
        dcoefs = (w.square().sum(dim=[2, 3, 4]) + 1e-8).rsqrt()
        w = w * dcoefs.reshape(batch_size, -1, 1, 1, 1)
    x = x.reshape(1, -1, x.shape[2], x.shape[3])
    if up > 1:
        w = w.transpose(1, 2).reshape(batch_size * in_channels, out_channels, kh, kw)
        x = F.conv_transpose2d(x, w, stride=up, padding=padding, groups=batch_size)
    else:
        w = w.reshape(-1, in_channels, kh, kw)
        x = F.conv2d(x, w, padding=padding, groups=batch_size)
    x = x.reshape(batch_size, -1, x.shape[2], x.shape[3])
    if noise is not None:
        x = x.add_(noise)
    return x


class SynthesisLayer(nn.Module):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        w_dim: int,
        resolution: int,
        up: int = 1,
        conv_clamp: Optional[float] = None,
    ):
        super().__init__()
        self.resolution = resolution
        self.up = up
        self.conv_clamp = conv_clamp
        self.affine = FullyConnectedLayer(w_dim, in_channels, bias_init=1.0)
        self.weight = nn.Parameter(torch.randn([out_channels, in_channels, 3, 3]))
        self.register_buffer("resample_filter", setup_filter([1, 3, 3, 1]))
        self.register_buffer(
            "noise_const",
            torch.sin(torch.arange(resolution * resolution).float()).view(resolution, resolution),
        )
        self.noise_strength = nn.Parameter(torch.zeros([]))
        self.bias = nn.Parameter(torch.zeros([out_channels]))

    def forward(self, x: Tensor, w: Tensor, noise_mode: str = "const", gain: float = 1.0) -> Tensor:
        assert noise_mode in ["const", "none"]
        styles = self.affine(w)
        noise: Optional[Tensor] = None
        if noise_mode == "const" and self.up == 1:
            noise = self.noise_const * self.noise_strength
        x = modulated_conv2d(
            x, self.weight, styles, noise, self.up, padding=1 if self.up == 1 else 0
        )
        if self.up == 2:
            x = upfirdn2d(x, self.resample_filter, padding=(1, 1, 1, 1), gain=4.0)
        x = F.leaky_relu(x + self.bias.view(1, -1, 1, 1), 0.2) * (gain * math.sqrt(2.0))
        clamp = self.conv_clamp
        if clamp is not None:
            x = x.clamp(-clamp * gain, clamp * gain)
        return x


class ToRGB(nn.Module):
    def __init__(self, in_channels: int, w_dim: int):
        super().__init__()
        self.affine = FullyConnectedLayer(w_dim, in_channels, bias_init=1.0)
        self.weight = nn.Parameter(torch.randn([3, in_channels, 1, 1]))
        self.weight_gain = 1 / math.sqrt(in_channels)

    def forward(self, x: Tensor, w: Tensor) -> Tensor:
        styles = self.affine(w) * self.weight_gain
        return modulated_conv2d(x, self.weight, styles, demodulate=False)


class Generator(nn.Module):
    def __init__(self, z_dim: int = 4, w_dim: int = 5, channels: int = 4, num_layers: int = 2):
        super().__init__()
        features = [z_dim] + [w_dim] * num_layers
        for idx in range(num_layers):
            layer = FullyConnectedLayer(features[idx], features[idx + 1], "lrelu", 0.5)
            setattr(self, f"fc{idx}", layer)
        self.const = nn.Parameter(torch.randn([channels, 4, 4]))
        self.layers = nn.ModuleList(
            [
                SynthesisLayer(channels, channels, w_dim, 4),
                SynthesisLayer(channels, channels, w_dim, 8, up=2),
                SynthesisLayer(channels, channels, w_dim, 8, conv_clamp=256.0),
            ]
        )
        self.torgb = nn.ModuleDict({"4": ToRGB(channels, w_dim), "8": ToRGB(channels, w_dim)})
        self.register_buffer("w_avg", torch.zeros([w_dim]))
        self.register_buffer("filter", setup_filter([1, 3, 3, 1]))

    def mapping(self, z: Tensor, truncation_psi: float = 1.0) -> Tensor:
        x = normalize_2nd_moment(z)
        x = self.fc0(x)
        x = self.fc1(x)
        if truncation_psi != 1:
            x = self.w_avg.lerp(x, truncation_psi)
        return x

    def forward(self, z: Tensor, truncation_psi: float = 1.0, noise_mode: str = "const"):
        w = self.mapping(z, truncation_psi)
        x = self.const.unsqueeze(0).repeat([z.shape[0], 1, 1, 1])
        images: Dict[str, Tensor] = {}
        for i, layer in enumerate(self.layers):
            x = layer(x, w, noise_mode=noise_mode)
            if i == 0:
                images["4"] = self.torgb["4"](x, w)
        y = upfirdn2d(images["4"], self.filter, up=2, padding=(2, 1, 2, 1), gain=4.0)
        images["8"] = y + self.torgb["8"](x, w)
        return images


def make():
    return Generator()


CALLS = [(normal(0, 2, 4),), (normal(1, 2, 4), 0.7), (normal(2, 1, 4), 0.7, "none")]
