"""Bags of rows on the device, and their gradients: the numbers of the host, without a word about it."""

from __future__ import annotations

import warnings
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.arrays import memory

bags_of = torch.nn.functional.embedding_bag

CASES: tuple[dict[str, Any], ...] = (
    {"mode": "sum"},
    {"mode": "sum", "padding_idx": -2, "samples": True},
    {"mode": "sum", "scale_grad_by_freq": True, "dtype": torch.float16},
    {"mode": "sum", "samples": True, "places": torch.int32, "include_last_offset": True},
    {"mode": "mean", "padding_idx": 1},
    {"mode": "mean", "dtype": torch.float64, "include_last_offset": True},
    {"mode": "max"},
    {"mode": "max", "padding_idx": 0, "include_last_offset": True, "places": torch.int32},
    {"mode": "max", "special": True},
    {"mode": "sum", "padding_idx": 0, "special": True},
    {"mode": "max", "table": True},
    {"mode": "mean", "table": True},
    {"mode": "mean", "starts": (0,), "at": ()},
)


def _found(device: str, case: dict[str, Any]) -> list[Any]:
    """The bags, and the gradients of the table and of the weights of samples."""
    options = dict(case)
    dtype = options.pop("dtype", torch.float32)
    table = torch.tensor(np.random.default_rng(0).integers(-3, 4, (5, 3)) * 0.5).to(dtype)
    if options.pop("special", False):
        table.view(-1)[:6] = torch.tensor([nan, -inf, inf, -inf, 2.0, nan])
    places = options.pop("places", torch.int64)
    given = list(options.pop("at", (0, 3, 3, 1, 0, 1, 4)))
    at = torch.tensor(given, dtype=torch.int64).to(places).to(device)
    starts: Any = torch.tensor(list(options.pop("starts", (0, 2, 2, 5, 7)))).to(places).to(device)
    if options.pop("table", False):
        at, starts = at[:6].view(2, 3), None
    weight = table.to(device).requires_grad_()
    leaves = [weight]
    if options.pop("samples", False):
        samples = torch.arange(at.numel()).to(dtype).to(device).requires_grad_()
        leaves.append(samples)
        options["per_sample_weights"] = samples
    memory().warned.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error" if device == "cuda" else "ignore")
        bags = bags_of(at, weight, starts, **options)
        (bags * bags).sum().backward()
    assert {one.device.type for one in (bags, *(leaf.grad for leaf in leaves))} == {device}
    return [one.detach().cpu().double().numpy() for one in (bags, *(leaf.grad for leaf in leaves))]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_bags(case: dict[str, Any], on_device: Device) -> None:
    for one, other in zip(_found("cuda", case), _found("cpu", case), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-2 if "dtype" in case else 1e-6)


def test_rows_are_renormed(on_device: Device) -> None:
    at = torch.tensor([[3, 0], [3, 2]])
    found: list[Any] = []
    for device in ("cuda", "cpu"):
        table = torch.arange(12).float().view(4, 3).to(device)
        with warnings.catch_warnings():
            warnings.simplefilter("error" if device == "cuda" else "ignore")
            rows = torch.nn.functional.embedding(at.to(device), table, max_norm=4.0)
        found.append([one.cpu().numpy() for one in (rows, table)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_what_the_host_refuses_is_refused(on_device: Device) -> None:
    at, table = torch.tensor([0, 1]).to("cuda"), torch.ones(3, 2).to("cuda")
    starts = at[:1]
    with pytest.raises(RuntimeError, match="mode"):
        bags_of(at, table, starts, mode="max", per_sample_weights=table[:2, 0])
    with pytest.raises(RuntimeError, match="padding_idx must be within"):
        bags_of(at, table, starts, padding_idx=3)
