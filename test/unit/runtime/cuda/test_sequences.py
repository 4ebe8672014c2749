"""Sequences of different lengths on the device, whose lengths are on the host: the results of the host, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

U: Any = torch.nn.utils.rnn


def close(found: list[list[Any]]) -> None:
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(mine.numpy(), other.numpy(), 1e-5, 1e-6)


def test_packed_sequences_of_a_layer(on_device: Device) -> None:
    found: list[list[Any]] = []
    for device in ("cpu", "cuda"):
        torch.manual_seed(0)
        layer = torch.nn.LSTM(2, 2, batch_first=True).to(device)
        x = torch.randn(2, 3, 2).to(device).requires_grad_()
        lengths = torch.tensor([1, 2])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            packed = U.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
            assert packed.is_cuda == (device == "cuda") and not packed.batch_sizes.is_cuda
            out, (last, cells) = layer(packed)
            padded, sizes = U.pad_packed_sequence(out, True, -1.0, 4)
            (padded.square().sum() + last.sum() + cells.sum()).backward()
        assert not sizes.is_cuda and sizes.tolist() == [1, 2]
        assert padded.is_cuda == (device == "cuda")
        found.append(
            [one.detach().cpu() for one in (padded, last, x.grad, layer.weight_hh_l0.grad)]
        )
    close(found)
    assert not on_device.faults


@pytest.mark.parametrize(
    ("kind", "options"), [("GRU", {}), ("RNN", {"nonlinearity": "relu"}), ("RNN", {})]
)
def test_steps_of_a_layer(on_device: Device, kind: str, options: dict[str, Any]) -> None:
    """Few kernels each, forward and back; gradients of gradients go through all that a step is made of."""
    found: list[list[Any]] = []
    for device in ("cpu", "cuda"):
        torch.manual_seed(0)
        layer = getattr(torch.nn, kind)(2, 3, **options).to(device)
        x = torch.randn(5, 2, 2).to(device).requires_grad_()
        wanted = [x, *layer.parameters()]
        on_device.launches.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            grads = list(torch.autograd.grad(layer(x)[0].square().sum(), wanted))
            torch.cuda.synchronize()
            assert len(on_device.launches) < 12 * len(x)
            if layer.mode == "RNN_TANH":
                (first,) = torch.autograd.grad(layer(x[:2])[0].sum(), x, create_graph=True)
                grads += torch.autograd.grad(first.square().sum(), x)
        found.append([one.detach().cpu() for one in grads])
    close(found)
    assert not on_device.faults


def test_padded_sequences(on_device: Device) -> None:
    found: list[list[Any]] = []
    for device in ("cpu", "cuda"):
        rows = [
            torch.arange(2 * n).view(n, 2).float().to(device).requires_grad_() for n in (2, 0, 3)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = [
                U.pad_sequence(rows, first, 7.0, side)
                for first, side in ((True, "left"), (False, "right"))
            ]
            (made[0] * made[1].transpose(0, 1)).sum().backward()
        found.append([one.detach().cpu() for one in (*made, rows[0].grad, rows[2].grad)])
    close(found)


def test_a_packed_sequence_moves(on_device: Device) -> None:
    packed = U.pack_sequence([torch.ones(1), torch.ones(2)], enforce_sorted=False)
    there = packed.cuda()
    assert there.is_cuda and there.sorted_indices.is_cuda and not there.batch_sizes.is_cuda
    assert not there.cpu().is_cuda and packed.cpu() is packed


def test_lengths_are_on_the_host(on_device: Device) -> None:
    with pytest.raises(
        RuntimeError, match="should be a 1D CPU int64 tensor, but got 1D cuda:0 Long"
    ):
        torch._pack_padded_sequence(torch.ones(2, 1, 3).cuda(), torch.tensor([2]).cuda(), False)
