"""Compound scaling: squeeze and excitation, stochastic depth, settings in dataclasses that stay outside of the program."""

import copy
import math
from dataclasses import dataclass
from typing import Callable, List, Sequence

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


@dataclass
class MBConvConfig:
    expand_ratio: float
    kernel: int
    stride: int
    input_channels: int
    out_channels: int
    num_layers: int

    def deeper(self, factor: float) -> "MBConvConfig":
        return MBConvConfig(
            self.expand_ratio,
            self.kernel,
            self.stride,
            self.input_channels,
            self.out_channels,
            int(math.ceil(self.num_layers * factor)),
        )


def stochastic_depth(input: Tensor, p: float, mode: str, training: bool = True) -> Tensor:
    """Drops whole rows of a batch in training."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ["batch", "row"]:
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    survival_rate = 1.0 - p
    if mode == "row":
        size = [input.shape[0]] + [1] * (input.ndim - 1)
    else:
        size = [1] * input.ndim
    noise = torch.empty(size, dtype=input.dtype, device=input.device)
    noise = noise.bernoulli_(survival_rate)
    if survival_rate > 0.0:
        noise.div_(survival_rate)
    return input * noise


class StochasticDepth(nn.Module):
    def __init__(self, p: float, mode: str) -> None:
        super().__init__()
        self.p = p
        self.mode = mode

    def forward(self, input: Tensor) -> Tensor:
        return stochastic_depth(input, self.p, self.mode, self.training)

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}(p={self.p}, mode={self.mode})"


class SqueezeExcitation(nn.Module):
    def __init__(
        self,
        input_channels: int,
        squeeze_channels: int,
        activation: Callable[..., nn.Module] = nn.SiLU,
        scale_activation: Callable[..., nn.Module] = nn.Sigmoid,
    ) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.fc1 = nn.Conv2d(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2d(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def _scale(self, input: Tensor) -> Tensor:
        scale = self.avgpool(input)
        scale = self.activation(self.fc1(scale))
        return self.scale_activation(self.fc2(scale))

    def forward(self, input: Tensor) -> Tensor:
        return self._scale(input) * input


def conv_norm_act(inp: int, out: int, kernel: int = 3, stride: int = 1, groups: int = 1, act=True):
    layers: List[nn.Module] = [
        nn.Conv2d(inp, out, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False),
        nn.BatchNorm2d(out),
    ]
    if act:
        layers.append(nn.SiLU(inplace=True))
    return nn.Sequential(*layers)


class MBConv(nn.Module):
    def __init__(self, cnf: MBConvConfig, stochastic_depth_prob: float) -> None:
        super().__init__()
        self.use_res_connect = cnf.stride == 1 and cnf.input_channels == cnf.out_channels
        expanded = int(cnf.input_channels * cnf.expand_ratio)
        layers: List[nn.Module] = []
        if expanded != cnf.input_channels:
            layers.append(conv_norm_act(cnf.input_channels, expanded, 1))
        layers.append(conv_norm_act(expanded, expanded, cnf.kernel, cnf.stride, groups=expanded))
        layers.append(SqueezeExcitation(expanded, max(1, cnf.input_channels // 4)))
        layers.append(conv_norm_act(expanded, cnf.out_channels, 1, act=False))
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = cnf.out_channels

    def forward(self, input: Tensor) -> Tensor:
        result = self.block(input)
        if self.use_res_connect:
            result = self.stochastic_depth(result)
            result += input
        return result


class EfficientNet(nn.Module):
    def __init__(self, settings: Sequence[MBConvConfig], drop: float, num_classes: int = 4) -> None:
        super().__init__()
        layers: List[nn.Module] = [conv_norm_act(3, settings[0].input_channels, stride=2)]
        total = sum(cnf.num_layers for cnf in settings)
        block_id = 0
        for cnf in settings:
            stage: List[nn.Module] = []
            for _ in range(cnf.num_layers):
                block_cnf = copy.copy(cnf)
                if stage:
                    block_cnf.input_channels = block_cnf.out_channels
                    block_cnf.stride = 1
                stage.append(MBConv(block_cnf, drop * float(block_id) / total))
                block_id += 1
            layers.append(nn.Sequential(*stage))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        last = settings[-1].out_channels
        self.classifier = nn.Sequential(
            nn.Dropout(p=drop, inplace=True), nn.Linear(last, num_classes)
        )

    def _forward_impl(self, x: Tensor) -> Tensor:
        x = self.features(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        return self.classifier(x)

    def forward(self, x: Tensor) -> Tensor:
        return self._forward_impl(x)


def make():
    base = [MBConvConfig(1, 3, 1, 4, 4, 1), MBConvConfig(2, 3, 2, 4, 6, 1)]
    return EfficientNet([cnf.deeper(1.4) for cnf in base], 0.2)


CALLS = [(normal(0, 2, 3, 14, 14),), (normal(1, 2, 3, 14, 14),), (normal(2, 1, 3, 15, 17),)]
