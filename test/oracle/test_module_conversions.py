"""Modules whose parameters get another dtype or layout are as PyTorch's are then."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in


class Spectral(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.weight = nn.Parameter(2j * torch.ones(4, 1, 1, dtype=torch.complex64))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        return self.conv(x) * self.weight


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "double": lambda module: module.double(),
    "half": lambda module: module.half(),
    "float": lambda module: module.double().float(),
    "to": lambda module: module.to(torch.float64),
    "to_complex": lambda module: module.to(torch.complex128),
    "channels_last": lambda module: module.to(memory_format=torch.channels_last),
    "all": lambda module: module.to("cpu", torch.float64, memory_format=torch.channels_last),
}


def made(script: Callable[..., Any], convert: Callable[[Any], Any]) -> Any:
    torch.manual_seed(0)
    return convert(script(Spectral()))


@pytest.mark.filterwarnings("ignore:Complex modules", "ignore:Casting complex")
@pytest.mark.parametrize("name", CONVERSIONS)
def test_parameters_are_pytorchs_and_complex_numbers_stay_so(name: str) -> None:
    theirs, ours = (made(script, CONVERSIONS[name]) for script in (torch.jit.script, ts.script))
    for key, wanted in theirs.state_dict().items():
        found = ours.state_dict()[key]
        assert (str(found.dtype), found.stride()) == (str(wanted.dtype), wanted.stride())
        torch.testing.assert_close(torch.from_dlpack(found), wanted)
    x = torch.ones(2, 3, 5, 5, dtype=theirs.conv.weight.dtype)
    wanted, found = theirs(x), ours(x)
    assert (found.stride(), str(found.dtype)) == (wanted.stride(), str(wanted.dtype))


def test_modules_of_the_stand_in() -> None:
    module = stand_in.nn.Conv2d(3, 4, 3)
    module.weight_of_modes = stand_in.nn.Parameter(stand_in.ones(2, dtype=stand_in.complex64))
    module.double().to(memory_format=torch.channels_last)
    assert module.weight_of_modes.dtype is stand_in.complex64
    assert (module.weight.dtype, module.weight.stride()) == (stand_in.float64, (27, 1, 9, 3))


def test_eager_operators_take_formats_of_pytorch() -> None:
    x = stand_in.ones(2, 3, 4, 4)
    assert x.contiguous(memory_format=torch.channels_last).stride() == (48, 1, 12, 3)
    assert x.to(memory_format=torch.channels_last).stride() == (48, 1, 12, 3)
    assert stand_in.zeros(2, layout=torch.strided).layout == stand_in.strided


def test_modules_share_their_memory() -> None:
    for module in (ts.script(Spectral()), stand_in.nn.Linear(2, 2)):
        assert module.share_memory() is module
