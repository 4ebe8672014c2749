"""Convolutions, pooling and resizing on the device, and their gradients: the results of the host, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.torch import nn

F: Any = torch.nn.functional

CASES = [
    "F.conv1d(x[0], r)",
    "F.conv1d(x[0, 0], r, None, 2, 1)",
    "F.conv2d(x, w, b)",
    "F.conv2d(x, w, b, stride=2, padding=1)",
    "F.conv2d(x, w, padding='same', dilation=2)",
    "F.conv2d(x, w[:, :2], b, groups=2, stride=(1, 2), padding=(2, 0))",
    "F.conv2d(x, w[:4, :1].repeat(2, 1, 1, 1)[:4], groups=4, padding=1)",
    "F.conv2d(x[0], w, b)",
    "F.conv2d(x, w[..., :1, :1], b)",
    "F.conv3d(x[:, None], w[:2, None, :1], padding=(1, 0, 1))",
    "F.conv_transpose1d(x[0], r.transpose(0, 1), stride=2, output_padding=1)",
    "F.conv_transpose2d(x, w.transpose(0, 1), b, stride=2, padding=1, output_padding=1)",
    "F.conv_transpose2d(x, w.transpose(0, 1), b, padding=2, dilation=(1, 2))",
    "F.conv_transpose2d(x, w.transpose(0, 1)[:, :3], groups=2, stride=(3, 1))",
    "F.max_pool1d(x[0], 2)",
    "F.max_pool2d(x, 2)",
    "F.max_pool2d(x, 3, 2, 1)",
    "F.max_pool2d(x, 2, 2, 1, ceil_mode=True)",
    "F.max_pool2d(x, 2, 1, dilation=2)",
    "F.max_pool2d(n, 3, 2, 1)",
    "F.max_pool3d(x, 2)",
    "F.avg_pool1d(x[0], 2, 1, 1)",
    "F.avg_pool2d(x, 3, 2, 1)",
    "F.avg_pool2d(x, 3, 2, 1, count_include_pad=False)",
    "F.avg_pool2d(x, 2, 2, 1, ceil_mode=True)",
    "F.avg_pool2d(x, 2, divisor_override=3)",
    "F.avg_pool3d(x, 2)",
    "F.adaptive_avg_pool1d(x[0], 3)",
    "F.adaptive_avg_pool2d(x, 1)",
    "F.adaptive_avg_pool2d(x, (3, 4))",
    "F.adaptive_max_pool2d(x, (3, 2))",
    "F.unfold(x, 3)",
    "F.unfold(x, (2, 3), dilation=(2, 1), padding=1, stride=2)",
    "F.unfold(x[0], 2, padding=1)",
    "F.fold(x.reshape(2, 12, 10), (4, 7), (2, 3), stride=(2, 1))",
    "F.fold(x[0].reshape(12, 10), (4, 3), 2, padding=(1, 0), stride=(1, 1))",
    "F.channel_shuffle(x, 2)",
    "F.interpolate(x, scale_factor=2.0)",
    "F.interpolate(x, size=(3, 9), mode='nearest-exact')",
    "F.interpolate(x, scale_factor=2.0, mode='bilinear')",
    "F.interpolate(x, size=(3, 9), mode='bilinear', align_corners=True)",
    "F.interpolate(x, size=(7, 4), mode='bicubic')",
    "F.interpolate(x[0], size=9, mode='linear')",
    "F.interpolate(x, size=(3, 2), mode='bilinear', antialias=True)",
    "F.interpolate(x[0], size=5, mode='linear')",
    "F.conv2d(x[:0], w, b)",
    "F.conv2d(c, w, b, stride=2, padding=1)",
    "F.max_pool2d(c, 3, 2, 1)",
    "F.adaptive_avg_pool2d(c, 1)",
    "F.interpolate(c, scale_factor=2.0)",
    "F.pad(c, (1, 2, 3, 0), mode='reflect')",
    "F.pad(x, (1, 2, 0, 1, 2, 2), mode='replicate')",
]
WITHOUT_GRADIENTS = [
    "F.max_pool2d(n, 3, 2, 1, return_indices=True)[1]",
    "F.max_pool2d(c, 2, 2, return_indices=True)[1]",
    "F.max_pool2d(x.half()[:0], 2)",
    "F.conv_transpose2d(c.half(), w.transpose(0, 1).half(), stride=2)",
    "F.pad(c > 0, (1, 1, 2, 0), mode='circular')",
    "torch._pad_enum(x[0], (1, 2), 0) + torch._pad_enum(x[0], (1, 2), 1) * torch._pad_enum(x[0], (1, 2), 3, 5.0)",
    "F.interpolate((c * 50).to(torch.uint8), size=(3, 9))",
    "F.max_pool2d(x.half(), 3, 2, 1)",
    "F.max_pool2d(torch.full_like(x, -float('inf')), 3, 2, 1, return_indices=True)[1]",
    "F.adaptive_max_pool2d(x, (3, 2), return_indices=True)[1]",
    "F.conv2d(x.half(), w.half(), b.half(), padding=1)",
    "F.conv2d(x.double(), w.double(), padding=1)",
    "F.avg_pool2d(x.to(torch.bfloat16), 2)",
    "F.interpolate(x.half(), scale_factor=2.0, mode='bilinear')",
]


def tensors(device: str, *, requires_grad: bool = False) -> dict[str, Any]:
    generator = np.random.default_rng(0)

    def random(*shape: int) -> Any:
        made = torch.tensor(generator.standard_normal(shape).astype(np.float32)).to(device)
        return made.requires_grad_(requires_grad)

    found = {"x": random(2, 4, 6, 5), "w": random(6, 4, 3, 3), "b": random(6), "r": random(5, 6, 3)}
    holes = found["x"].detach().clone()
    holes[0, 0, 2, 2] = holes[0, 0, 2, 3] = float("nan")
    last = found["x"].contiguous(memory_format=torch.channels_last)
    return {**found, "torch": torch, "F": F, "n": holes, "c": last}


def run(text: str, names: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eval(text, names)


@pytest.mark.parametrize("text", [*CASES, *WITHOUT_GRADIENTS])
def test_results(on_device: Device, text: str) -> None:
    expected, found = (run(text, tensors(device)) for device in ("cpu", "cuda"))
    assert found.is_cuda
    assert found.dtype is expected.dtype
    assert found.stride() == expected.stride()
    is_narrow = expected.dtype in (torch.float16, torch.bfloat16)
    close = 1e-2 if is_narrow else 2e-5
    ours, theirs = (one.cpu().double().numpy() for one in (found, expected))
    np.testing.assert_allclose(ours, theirs, close, close)
    assert not on_device.faults


@pytest.mark.parametrize("text", [one for one in CASES if "n, 3" not in one])
def test_gradients(on_device: Device, text: str) -> None:
    found: list[list[Any]] = []
    for device in ("cpu", "cuda"):
        names = tensors(device, requires_grad=True)
        run(text, names).square().sum().backward()
        leaves = [names[name].grad for name in "xwbr"]
        found.append([None if one is None else one.cpu().numpy() for one in leaves])
    for theirs, ours in zip(*found, strict=True):
        assert (theirs is None) == (ours is None)
        if theirs is not None:
            np.testing.assert_allclose(ours, theirs, 2e-4, 2e-4)
    assert not on_device.faults


def network() -> Any:
    """What most networks for images are made of, as a class of its own, with which what was compiled for it goes."""

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Conv2d(3, 4, 3, padding=1, bias=False)
            self.norm = nn.BatchNorm2d(4)
            self.second = nn.Conv2d(4, 4, 3, stride=2, padding=1, groups=4)
            self.up = nn.ConvTranspose2d(4, 2, 2, stride=2)
            self.head = nn.Linear(2, 3)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = F.max_pool2d(F.relu(self.norm(self.first(x))), 2)
            x = self.up(F.silu(self.second(x)))
            x = F.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
            return self.head(F.adaptive_avg_pool2d(x, 1).flatten(1))

    return Network()


@pytest.mark.parametrize("scripts", [False, True])
def test_a_network_is_trained_on_the_device_alone(on_device: Device, scripts: bool) -> None:
    losses: list[list[float]] = []
    x = np.random.default_rng(1).standard_normal((2, 3, 8, 8)).astype(np.float32)
    for device in ("cpu", "cuda"):
        torch.manual_seed(0)
        trained = network().to(device)
        if scripts:
            trained = torch.jit.script(trained)
        optimizer = torch.optim.SGD(trained.parameters(), lr=0.1)
        losses.append([])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(4):
                optimizer.zero_grad()
                loss = trained(torch.tensor(x).to(device)).square().sum()
                loss.backward()
                optimizer.step()
                losses[-1].append(float(loss.detach().cpu()))
    np.testing.assert_allclose(losses[1], losses[0], 1e-4)
    assert losses[0][-1] < losses[0][0]
    assert not on_device.faults
