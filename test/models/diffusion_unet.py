"""A diffusion model: blocks that hear of the time, attention over the image, and the loop that takes the noise away."""

import math
from typing import Dict, List, Optional, Tuple

import numpy as np
from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def timestep_embedding(
    timesteps: Tensor, dim: int, max_period: int = 10000, flip_sin_to_cos: bool = False
) -> Tensor:
    half = dim // 2
    freqs = torch.exp(
        -math.log(max_period) * torch.arange(start=0, end=half, dtype=torch.float32) / half
    ).to(device=timesteps.device)
    args = timesteps[:, None].float() * freqs[None]
    embedding = torch.cat([torch.cos(args), torch.sin(args)], dim=-1)
    if flip_sin_to_cos:
        embedding = torch.cat([embedding[:, half:], embedding[:, :half]], dim=-1)
    if dim % 2:
        embedding = torch.cat([embedding, torch.zeros_like(embedding[:, :1])], dim=-1)
    return embedding


class Downsample(nn.Module):
    def __init__(self, channels: int, use_conv: bool):
        super().__init__()
        if use_conv:
            self.op = nn.Conv2d(channels, channels, 3, stride=2, padding=1)
        else:
            self.op = nn.AvgPool2d(kernel_size=2, stride=2)

    def forward(self, x: Tensor) -> Tensor:
        return self.op(x)


class Upsample(nn.Module):
    def __init__(self, channels: int, use_conv: bool):
        super().__init__()
        self.channels = channels
        self.use_conv = use_conv
        if use_conv:
            self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x: Tensor, output_size: Optional[List[int]] = None) -> Tensor:
        assert x.shape[1] == self.channels
        if output_size is None:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
        else:
            x = F.interpolate(x, size=output_size, mode="nearest")
        if self.use_conv:
            x = self.conv(x)
        return x


class ResBlock(nn.Module):
    def __init__(
        self,
        channels: int,
        emb_channels: int,
        out_channels: int,
        use_scale_shift_norm: bool = False,
    ):
        super().__init__()
        self.use_scale_shift_norm = use_scale_shift_norm
        self.in_layers = nn.Sequential(
            nn.GroupNorm(2, channels), nn.SiLU(), nn.Conv2d(channels, out_channels, 3, padding=1)
        )
        width = 2 * out_channels if use_scale_shift_norm else out_channels
        self.emb_layers = nn.Sequential(nn.SiLU(), nn.Linear(emb_channels, width))
        self.out_norm = nn.GroupNorm(2, out_channels)
        self.out_rest = nn.Sequential(
            nn.SiLU(), nn.Dropout(p=0.1), nn.Conv2d(out_channels, out_channels, 3, padding=1)
        )
        if out_channels == channels:
            self.skip_connection = nn.Identity()
        else:
            self.skip_connection = nn.Conv2d(channels, out_channels, 1)

    def forward(self, x: Tensor, emb: Tensor) -> Tensor:
        h = self.in_layers(x)
        emb_out = self.emb_layers(emb).type(h.dtype)
        while len(emb_out.shape) < len(h.shape):
            emb_out = emb_out[..., None]
        if self.use_scale_shift_norm:
            scale, shift = torch.chunk(emb_out, 2, dim=1)
            h = self.out_norm(h) * (1 + scale) + shift
        else:
            h = self.out_norm(h + emb_out)
        h = self.out_rest(h)
        return self.skip_connection(x) + h


class QKVAttention(nn.Module):
    def __init__(self, n_heads: int):
        super().__init__()
        self.n_heads = n_heads

    def forward(self, qkv: Tensor) -> Tensor:
        bs, width, length = qkv.shape
        assert width % (3 * self.n_heads) == 0
        ch = width // (3 * self.n_heads)
        q, k, v = qkv.reshape(bs * self.n_heads, ch * 3, length).split(ch, dim=1)
        scale = 1 / math.sqrt(math.sqrt(ch))
        weight = torch.einsum("bct,bcs->bts", q * scale, k * scale)
        weight = torch.softmax(weight.float(), dim=-1).type(weight.dtype)
        a = torch.einsum("bts,bcs->bct", weight, v)
        return a.reshape(bs, -1, length)


class AttentionBlock(nn.Module):
    def __init__(self, channels: int, num_heads: int = 2):
        super().__init__()
        self.norm = nn.GroupNorm(2, channels)
        self.qkv = nn.Conv1d(channels, channels * 3, 1)
        self.attention = QKVAttention(num_heads)
        self.proj_out = nn.Conv1d(channels, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        b, c = x.shape[0], x.shape[1]
        flat = x.reshape(b, c, -1)
        h = self.proj_out(self.attention(self.qkv(self.norm(flat))))
        return (flat + h).reshape(x.shape)


class UNet(nn.Module):
    def __init__(self, channels: int = 4, num_classes: int = 3):
        super().__init__()
        self.channels = channels
        emb = 2 * channels
        self.time_embed = nn.Sequential(nn.Linear(channels, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.label_emb = nn.Embedding(num_classes, emb)
        self.input = nn.Conv2d(2, channels, 3, padding=1)
        self.down = ResBlock(channels, emb, channels)
        self.downsample = Downsample(channels, True)
        self.middle = ResBlock(channels, emb, 2 * channels, use_scale_shift_norm=True)
        self.attention = AttentionBlock(2 * channels)
        self.upsample = Upsample(2 * channels, True)
        self.merge = nn.Conv2d(3 * channels, channels, 1)
        self.out = nn.Sequential(
            nn.GroupNorm(2, channels), nn.SiLU(), nn.Conv2d(channels, 2, 3, padding=1)
        )

    def forward(self, x: Tensor, timesteps: Tensor, y: Optional[Tensor] = None) -> Tensor:
        emb = self.time_embed(timestep_embedding(timesteps, self.channels))
        if y is not None:
            assert y.shape == (x.shape[0],)
            emb = emb + self.label_emb(y)
        h0 = self.down(self.input(x), emb)
        h = self.attention(self.middle(self.downsample(h0), emb))
        h = self.upsample(h, h0.shape[-2:])
        h = self.merge(torch.cat([h, h0], dim=1))
        return self.out(h)


class DDIM(nn.Module):
    """The loop: each step guesses the image, and keeps less of the noise."""

    alphas_cumprod: Tensor

    def __init__(
        self, unet: UNet, num_train_timesteps: int = 20, beta: Tuple[float, float] = (1e-3, 0.1)
    ):
        super().__init__()
        self.unet = unet
        betas = torch.linspace(beta[0] ** 0.5, beta[1] ** 0.5, num_train_timesteps) ** 2
        self.register_buffer("alphas_cumprod", torch.cumprod(1.0 - betas, dim=0))
        self.num_train_timesteps = num_train_timesteps

    def step(self, noise: Tensor, t: int, previous: int, sample: Tensor) -> Tensor:
        alpha_t = self.alphas_cumprod[t]
        alpha_prev = self.alphas_cumprod[previous] if previous >= 0 else torch.ones_like(alpha_t)
        x0 = (sample - (1 - alpha_t) ** 0.5 * noise) / alpha_t**0.5
        x0 = x0.clamp(-1, 1)
        return alpha_prev**0.5 * x0 + (1 - alpha_prev) ** 0.5 * noise

    def forward(self, sample: Tensor, steps: int, y: Optional[Tensor] = None, scale: float = 1.5):
        ratio = self.num_train_timesteps // steps
        timesteps = [i * ratio for i in range(steps)]
        timesteps.reverse()
        history: Dict[int, Tensor] = {}
        for t in timesteps:
            batched = torch.full((sample.shape[0],), t, dtype=torch.long)
            noise = self.unet(sample, batched, y)
            if y is not None and scale != 1.0:
                plain = self.unet(sample, batched, None)
                noise = plain + scale * (noise - plain)
            sample = self.step(noise, t, t - ratio, sample)
            history[t] = sample.abs().mean()
        return sample, history


def make():
    return DDIM(UNet())


CALLS = [
    (normal(0, 1, 2, 8, 8), 3, np.array([1])),
    (normal(1, 1, 2, 8, 8), 3, np.array([2])),
    (normal(2, 2, 2, 9, 7), 2),
]
