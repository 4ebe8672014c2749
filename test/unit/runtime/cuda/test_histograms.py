"""Histograms and unique slices on the device: the numbers of the host, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.arrays import memory

CASES = (
    "torch.histc(x, 5)",
    "torch.histc(x.double(), 4, -1, 1.5)",
    "torch.histc(x.half(), 3, 0.5, 0.5)",
    "torch.histc(x[:0], 3)",
    "torch.histc(n, 3, -1, 1)",
    "torch.histogram(x, 4)",
    "torch.histogram(x.t(), 4, range=(-1.0, 1.0), density=True)",
    "torch.histogram(x, 3, weight=w)",
    "torch.histogram(x, e)",
    "torch.histogram(n.view(-1), e[::2], weight=n.view(-1), density=True)",
    "torch.histogram(x[:0], 3)",
    "torch.histogramdd(x, [2, 3, 2, 1])",
    "torch.histogramdd(x, 2, weight=w[:, 0].contiguous())",
    "torch.histogramdd(x[:, :2], [e, e], density=True)",
    "torch.histogramdd(x[:, :1], 2, range=[-1.0, 1.0])",
    "torch.bincount(k.view(-1), w.view(-1)[:12])",
    "torch.bincount(k[0, :0], minlength=3)",
    "torch.unique(k, dim=0)",
    "torch.unique(k, return_inverse=True, return_counts=True, dim=1)",
    "torch.unique(k.view(3, 2, 2), return_counts=True, dim=-1)",
    "torch.unique(n, return_inverse=True, dim=0)",
    "torch.unique(k[0], return_inverse=True, dim=0)",
    "torch.unique(k.gt(1), dim=0)",
    "torch.unique_consecutive(k, return_inverse=True, return_counts=True, dim=0)",
    "torch.unique_consecutive(k, dim=1)",
)


def _run(text: str, device: str) -> Any:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((6, 4)).astype(np.float32)
    n = np.array([[0.0, np.nan], [np.nan, 1.0], [-0.0, np.nan], [-1.0, 2.0]], np.float32)
    names = {
        "x": x,
        "w": np.abs(x),
        "n": n,
        "e": np.linspace(-1.5, 1.5, 7, dtype=np.float32),
        "k": np.array([[0, 2, 2, 1], [0, 2, 2, 1], [0, 1, 1, 3]]),
    }
    memory().warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error" if device == "cuda" else "ignore")
        return eval(
            text,
            {"torch": torch, **{key: torch.tensor(one).to(device) for key, one in names.items()}},
        )


def _flat(found: Any) -> list[Any]:
    return [x for one in found for x in _flat(one)] if isinstance(found, (tuple, list)) else [found]


@pytest.mark.parametrize("text", CASES)
def test_counts(text: str, on_device: Device) -> None:
    for one, other in zip(_flat(_run(text, "cuda")), _flat(_run(text, "cpu")), strict=True):
        assert one.device.type == "cuda"
        assert one.dtype is other.dtype
        np.testing.assert_allclose(
            one.cpu().double().numpy(), other.double().numpy(), rtol=1e-5, equal_nan=True
        )
        assert one.shape == other.shape


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("torch.histc(x, 0)", "bins must be > 0"),
        ("torch.histc(n, 3)", "is not finite"),
        ("torch.histogram(x, e.double())", "same dtype"),
        ("torch.histogramdd(x, [2, 3])", "expected 4 sequences"),
        ("torch.unique(x[:, :0][:0], dim=0)", "0 sized dimensions"),
    ],
)
def test_what_the_host_refuses_is_refused(text: str, message: str, on_device: Device) -> None:
    with pytest.raises(RuntimeError, match=message):
        _run(text, "cuda")
