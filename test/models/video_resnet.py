"""Video: convolutions of space, then of time, as classes that are handed to the blocks."""

from typing import Any, Callable, List, Optional, Sequence, Tuple, Type, Union

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class Conv3DSimple(nn.Conv3d):
    def __init__(self, in_planes: int, out_planes: int, midplanes=None, stride: int = 1) -> None:
        super().__init__(in_planes, out_planes, (3, 3, 3), stride, padding=1, bias=False)

    @staticmethod
    def get_downsample_stride(stride: int) -> Tuple[int, int, int]:
        return stride, stride, stride


class Conv2Plus1D(nn.Sequential):
    def __init__(self, in_planes: int, out_planes: int, midplanes: int, stride: int = 1) -> None:
        super().__init__(
            nn.Conv3d(in_planes, midplanes, (1, 3, 3), (1, stride, stride), (0, 1, 1), bias=False),
            nn.BatchNorm3d(midplanes),
            nn.ReLU(inplace=True),
            nn.Conv3d(midplanes, out_planes, (3, 1, 1), (stride, 1, 1), (1, 0, 0), bias=False),
        )

    @staticmethod
    def get_downsample_stride(stride: int) -> Tuple[int, int, int]:
        return stride, stride, stride


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(
        self,
        inplanes: int,
        planes: int,
        conv_builder: Callable[..., nn.Module],
        stride: int = 1,
        downsample: Optional[nn.Module] = None,
    ) -> None:
        midplanes = (inplanes * planes * 3 * 3 * 3) // (inplanes * 3 * 3 + 3 * planes)
        super().__init__()
        self.conv1 = nn.Sequential(
            conv_builder(inplanes, planes, midplanes, stride),
            nn.BatchNorm3d(planes),
            nn.ReLU(inplace=True),
        )
        self.conv2 = nn.Sequential(conv_builder(planes, planes, midplanes), nn.BatchNorm3d(planes))
        self.relu = nn.ReLU(inplace=True)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Tensor) -> Tensor:
        residual = x
        out = self.conv1(x)
        out = self.conv2(out)
        if self.downsample is not None:
            residual = self.downsample(x)
        out += residual
        return self.relu(out)


class TemporalShift(nn.Module):
    """Moves a part of the channels to the frame before, and a part to the frame behind."""

    def __init__(self, fold_div: int = 4):
        super().__init__()
        self.fold_div = fold_div

    def forward(self, x: Tensor) -> Tensor:
        n, c, t, h, w = x.size()
        fold = c // self.fold_div
        out = torch.zeros_like(x)
        out[:, :fold, :-1] = x[:, :fold, 1:]
        out[:, fold : 2 * fold, 1:] = x[:, fold : 2 * fold, :-1]
        out[:, 2 * fold :] = x[:, 2 * fold :]
        return out


class VideoResNet(nn.Module):
    def __init__(
        self,
        conv_makers: Sequence[Type[Union[Conv3DSimple, Conv2Plus1D]]],
        layers: List[int],
        num_classes: int = 5,
        zero_init_residual: bool = False,
    ) -> None:
        super().__init__()
        self.inplanes = 4
        self.stem = nn.Sequential(
            nn.Conv3d(3, 4, (3, 5, 5), (1, 2, 2), (1, 2, 2), bias=False),
            nn.BatchNorm3d(4),
            nn.ReLU(inplace=True),
        )
        self.layer1 = self._make_layer(conv_makers[0], 4, layers[0], stride=1)
        self.shift = TemporalShift()
        self.layer2 = self._make_layer(conv_makers[1], 6, layers[1], stride=2)
        self.avgpool = nn.AdaptiveAvgPool3d((1, 1, 1))
        self.fc = nn.Linear(6, num_classes)

    def _make_layer(self, conv_builder: Any, planes: int, blocks: int, stride: int = 1):
        downsample = None
        if stride != 1 or self.inplanes != planes:
            ds_stride = conv_builder.get_downsample_stride(stride)
            downsample = nn.Sequential(
                nn.Conv3d(self.inplanes, planes, kernel_size=1, stride=ds_stride, bias=False),
                nn.BatchNorm3d(planes),
            )
        layers = [BasicBlock(self.inplanes, planes, conv_builder, stride, downsample)]
        self.inplanes = planes
        for _ in range(1, blocks):
            layers.append(BasicBlock(self.inplanes, planes, conv_builder))
        return nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        x = self.layer1(x)
        x = self.shift(x)
        x = self.layer2(x)
        x = self.avgpool(x)
        # Flatten the layer to fc
        x = x.flatten(1)
        x = self.fc(x)
        return x


def make():
    return VideoResNet([Conv3DSimple, Conv2Plus1D], [1, 1])


CALLS = [(normal(0, 1, 3, 4, 8, 8),), (normal(1, 1, 3, 4, 8, 8),), (normal(2, 2, 3, 5, 9, 8),)]
