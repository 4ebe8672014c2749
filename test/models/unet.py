"""Segmentation: down and up with skips, padding where sizes are odd, results by name as segmentation libraries give them."""

from collections import OrderedDict
from typing import Dict, List, Optional

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class DoubleConv(nn.Module):
    """(convolution => [BN] => ReLU) * 2"""

    def __init__(self, in_channels: int, out_channels: int, mid_channels: Optional[int] = None):
        super().__init__()
        if not mid_channels:
            mid_channels = out_channels
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, mid_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(mid_channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(mid_channels, out_channels, kernel_size=3, padding=1, bias=False),
            nn.BatchNorm2d(out_channels),
            nn.LeakyReLU(0.1, inplace=True),
        )

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    def __init__(self, in_channels: int, out_channels: int):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(in_channels, out_channels))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    def __init__(self, in_channels: int, out_channels: int, bilinear: bool = True):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            self.conv = DoubleConv(in_channels, out_channels, in_channels // 2)
        else:
            self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, kernel_size=2, stride=2)
            self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        diff_y = x2.size()[2] - x1.size()[2]
        diff_x = x2.size()[3] - x1.size()[3]
        x1 = F.pad(
            x1, [diff_x // 2, diff_x - diff_x // 2, diff_y // 2, diff_y - diff_y // 2], "reflect"
        )
        x = torch.cat([x2, x1], dim=1)
        return self.conv(x)


class ASPPPooling(nn.Sequential):
    def __init__(self, in_channels: int, out_channels: int):
        super().__init__(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(in_channels, out_channels, 1, bias=False), nn.ReLU()
        )

    def forward(self, x: Tensor) -> Tensor:
        size = x.shape[-2:]
        for mod in self:
            x = mod(x)
        return F.interpolate(x, size=size, mode="bilinear", align_corners=False)


class ASPP(nn.Module):
    """The image at several rates of dilation."""

    def __init__(self, in_channels: int, atrous_rates: List[int], out_channels: int):
        super().__init__()
        modules: List[nn.Module] = [nn.Conv2d(in_channels, out_channels, 1, bias=False)]
        for rate in atrous_rates:
            modules.append(
                nn.Conv2d(in_channels, out_channels, 3, padding=rate, dilation=rate, bias=False)
            )
        modules.append(ASPPPooling(in_channels, out_channels))
        self.convs = nn.ModuleList(modules)
        self.project = nn.Conv2d(len(self.convs) * out_channels, out_channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        _res = []
        for conv in self.convs:
            _res.append(conv(x))
        res = torch.cat(_res, dim=1)
        return self.project(res)


class UNet(nn.Module):
    __constants__ = ["aux_classifier"]

    def __init__(self, n_channels: int = 3, n_classes: int = 3, width: int = 4, aux: bool = True):
        super().__init__()
        self.inc = DoubleConv(n_channels, width)
        self.down1 = Down(width, 2 * width)
        self.down2 = Down(2 * width, 2 * width)
        self.aspp = ASPP(2 * width, [1, 2], 2 * width)
        self.up1 = Up(4 * width, width)
        self.up2 = Up(2 * width, width)
        self.outc = nn.Conv2d(width, n_classes, kernel_size=1)
        self.aux_classifier = nn.Conv2d(2 * width, n_classes, 1) if aux else None

    def forward(self, x: Tensor) -> Dict[str, Tensor]:
        input_shape = x.shape[-2:]
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.aspp(self.down2(x2))
        y = self.up2(self.up1(x3, x2), x1)
        result = OrderedDict()
        result["out"] = self.outc(y)
        if self.aux_classifier is not None:
            a = self.aux_classifier(x3)
            a = F.interpolate(a, size=input_shape, mode="bilinear", align_corners=False)
            result["aux"] = a
        return result


def make():
    return UNet()


CALLS = [(normal(0, 1, 3, 16, 16),), (normal(1, 1, 3, 16, 16),), (normal(2, 2, 3, 18, 13),)]
