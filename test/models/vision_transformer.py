"""Patches as tokens: fused attention behind a constant, layer scale, a pooling that is chosen by name."""

import math
from functools import partial
from typing import List, Optional, Tuple

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor
Final = torch.jit.Final


class Attention(nn.Module):
    fused_attn: Final[bool]

    def __init__(self, dim: int, num_heads: int = 2, qkv_bias: bool = True, fused: bool = False):
        super().__init__()
        assert dim % num_heads == 0, "dim should be divisible by num_heads"
        self.num_heads = num_heads
        self.head_dim = dim // num_heads
        self.scale = self.head_dim**-0.5
        self.fused_attn = fused
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.q_norm = nn.LayerNorm(self.head_dim)
        self.k_norm = nn.Identity()
        self.attn_drop = nn.Dropout(0.1)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x: Tensor, attn_mask: Optional[Tensor] = None) -> Tensor:
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.num_heads, self.head_dim).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q, k = self.q_norm(q), self.k_norm(k)
        if self.fused_attn:
            x = F.scaled_dot_product_attention(
                q, k, v, attn_mask=attn_mask, dropout_p=0.1 if self.training else 0.0
            )
        else:
            q = q * self.scale
            attn = q @ k.transpose(-2, -1)
            if attn_mask is not None:
                attn = attn + attn_mask
            attn = attn.softmax(dim=-1)
            attn = self.attn_drop(attn)
            x = attn @ v
        x = x.transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


class LayerScale(nn.Module):
    def __init__(self, dim: int, init_values: float = 1e-5, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace
        self.gamma = nn.Parameter(init_values * torch.ones(dim))

    def forward(self, x: Tensor) -> Tensor:
        return x.mul_(self.gamma) if self.inplace else x * self.gamma


class Mlp(nn.Module):
    def __init__(self, in_features: int, hidden_features: int, act_layer=nn.GELU, drop=0.0):
        super().__init__()
        self.fc1 = nn.Linear(in_features, hidden_features)
        self.act = act_layer()
        self.fc2 = nn.Linear(hidden_features, in_features)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        return self.drop(self.fc2(self.act(self.fc1(x))))


class Block(nn.Module):
    def __init__(self, dim: int, num_heads: int, fused: bool, norm_layer=nn.LayerNorm) -> None:
        super().__init__()
        self.norm1 = norm_layer(dim)
        self.attn = Attention(dim, num_heads, fused=fused)
        self.ls1 = LayerScale(dim, 0.5)
        self.norm2 = norm_layer(dim)
        self.mlp = Mlp(dim, dim * 2, partial(nn.GELU, approximate="tanh"))
        self.ls2 = LayerScale(dim, 0.5, inplace=True)

    def forward(self, x: Tensor, attn_mask: Optional[Tensor] = None) -> Tensor:
        x = x + self.ls1(self.attn(self.norm1(x), attn_mask=attn_mask))
        x = x + self.ls2(self.mlp(self.norm2(x)))
        return x


class PatchEmbed(nn.Module):
    dynamic_img_pad: Final[bool]

    def __init__(self, img_size: int, patch_size: int, in_chans: int, embed_dim: int) -> None:
        super().__init__()
        self.img_size = (img_size, img_size)
        self.patch_size = (patch_size, patch_size)
        self.num_patches = (img_size // patch_size) ** 2
        self.dynamic_img_pad = True
        self.proj = nn.Conv2d(in_chans, embed_dim, kernel_size=patch_size, stride=patch_size)

    def forward(self, x: Tensor) -> Tuple[Tensor, Tuple[int, int]]:
        B, C, H, W = x.shape
        if self.dynamic_img_pad:
            pad_h = (self.patch_size[0] - H % self.patch_size[0]) % self.patch_size[0]
            pad_w = (self.patch_size[1] - W % self.patch_size[1]) % self.patch_size[1]
            x = F.pad(x, (0, pad_w, 0, pad_h))
        x = self.proj(x)
        size = (x.shape[2], x.shape[3])
        return x.flatten(2).transpose(1, 2), size


def pool_tokens(x: Tensor, pool_type: str = "", num_prefix_tokens: int = 1) -> Tensor:
    """One vector of all tokens."""
    if not pool_type:
        return x
    if pool_type == "token":
        x = x[:, 0]
    else:
        x = x[:, num_prefix_tokens:]
        if pool_type == "avg":
            x = x.mean(dim=1)
        elif pool_type == "avgmax":
            x = 0.5 * (x.amax(dim=1) + x.mean(dim=1))
        else:
            assert not pool_type, f"Unknown pool type {pool_type}"
    return x


class VisionTransformer(nn.Module):
    def __init__(self, dim: int = 8, depth: int = 2, pool: str = "avgmax", num_classes: int = 5):
        super().__init__()
        self.global_pool = pool
        self.patch_embed = PatchEmbed(8, 4, 3, dim)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, self.patch_embed.num_patches + 1, dim) * 0.02)
        self.blocks = nn.ModuleList([Block(dim, 2, fused=i % 2 == 1) for i in range(depth)])
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, num_classes)

    def _pos_embed(self, x: Tensor, size: Tuple[int, int]) -> Tensor:
        x = torch.cat([self.cls_token.expand(x.shape[0], -1, -1), x], dim=1)
        pos = self.pos_embed
        if x.shape[1] != pos.shape[1]:
            prefix, grid = pos[:, :1], pos[:, 1:]
            side = int(math.sqrt(grid.shape[1]))
            grid = grid.reshape(1, side, side, -1).permute(0, 3, 1, 2)
            grid = F.interpolate(grid, size=size, mode="bilinear", align_corners=False)
            pos = torch.cat([prefix, grid.permute(0, 2, 3, 1).flatten(1, 2)], dim=1)
        return x + pos

    @torch.jit.export
    def forward_intermediates(self, x: Tensor, indices: List[int]) -> List[Tensor]:
        x, size = self.patch_embed(x)
        x = self._pos_embed(x, size)
        taken: List[Tensor] = []
        for i, block in enumerate(self.blocks):
            x = block(x)
            if i in indices:
                taken.append(self.norm(x))
        return taken

    def forward_features(self, x: Tensor) -> Tensor:
        x, size = self.patch_embed(x)
        x = self._pos_embed(x, size)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, x: Tensor) -> Tuple[Tensor, List[Tensor]]:
        pooled = pool_tokens(self.forward_features(x), self.global_pool)
        return self.head(pooled), self.forward_intermediates(x, [0])


def make():
    return VisionTransformer()


CALLS = [(normal(0, 2, 3, 8, 8),), (normal(1, 2, 3, 8, 8),), (normal(2, 1, 3, 11, 9),)]
