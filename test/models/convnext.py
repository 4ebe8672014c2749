"""Convolutions shaped like a transformer: norms of channels, layer scale, blocks that permute and permute back."""

from typing import Callable, List, Optional

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class LayerNorm2d(nn.LayerNorm):
    """Normalizes the channels of (N, C, H, W)."""

    def forward(self, x: Tensor) -> Tensor:
        x = x.permute(0, 2, 3, 1)
        x = F.layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)
        x = x.permute(0, 3, 1, 2)
        return x


class Permute(nn.Module):
    def __init__(self, dims: List[int]):
        super().__init__()
        self.dims = dims

    def forward(self, x: Tensor) -> Tensor:
        return torch.permute(x, self.dims)


class GlobalResponseNorm(nn.Module):
    """Scales channels by how strong each is among all, of (N, H, W, C)."""

    def __init__(self, dim: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.spatial_dim = (1, 2)
        self.wb_shape = (1, 1, 1, -1)
        self.weight = nn.Parameter(torch.zeros(dim))
        self.bias = nn.Parameter(torch.zeros(dim))

    def forward(self, x: Tensor) -> Tensor:
        x_g = x.norm(p=2, dim=self.spatial_dim, keepdim=True)
        x_n = x_g / (x_g.mean(dim=-1, keepdim=True) + self.eps)
        return x + torch.addcmul(
            self.bias.view(self.wb_shape), self.weight.view(self.wb_shape), x * x_n
        )


class CNBlock(nn.Module):
    def __init__(
        self,
        dim: int,
        layer_scale: float,
        norm_layer: Optional[Callable[..., nn.Module]] = None,
        use_grn: bool = False,
    ) -> None:
        super().__init__()
        norm_layer = norm_layer or nn.LayerNorm
        self.block = nn.Sequential(
            nn.Conv2d(dim, dim, kernel_size=3, padding=1, groups=dim, bias=True),
            Permute([0, 2, 3, 1]),
            norm_layer(dim),
            nn.Linear(in_features=dim, out_features=2 * dim, bias=True),
            nn.GELU(),
            GlobalResponseNorm(2 * dim) if use_grn else nn.Identity(),
            nn.Linear(in_features=2 * dim, out_features=dim, bias=True),
            Permute([0, 3, 1, 2]),
        )
        self.layer_scale = nn.Parameter(torch.ones(dim, 1, 1) * layer_scale)

    def forward(self, input: Tensor) -> Tensor:
        result = self.layer_scale * self.block(input)
        result += input
        return result


class ConvNeXt(nn.Module):
    def __init__(self, depths: List[int], dims: List[int], num_classes: int = 4) -> None:
        super().__init__()
        layers: List[nn.Module] = [
            nn.Sequential(nn.Conv2d(3, dims[0], kernel_size=4, stride=4), LayerNorm2d(dims[0]))
        ]
        for i, depth in enumerate(depths):
            layers.append(
                nn.Sequential(*[CNBlock(dims[i], 0.5, use_grn=i > 0) for _ in range(depth)])
            )
            if i + 1 < len(dims):
                layers.append(
                    nn.Sequential(
                        LayerNorm2d(dims[i]),
                        nn.Conv2d(dims[i], dims[i + 1], kernel_size=2, stride=2),
                    )
                )
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(
            LayerNorm2d(dims[-1]), nn.Flatten(1), nn.Linear(dims[-1], num_classes)
        )

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        return self.classifier(x)


def make():
    return ConvNeXt([1, 2], [4, 6])


CALLS = [(normal(0, 1, 3, 16, 16),), (normal(1, 1, 3, 16, 16),), (normal(2, 2, 3, 24, 17),)]
