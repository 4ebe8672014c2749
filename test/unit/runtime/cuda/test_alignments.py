"""`ctc_loss` on the device, with lengths of the host or the device: the host's losses and gradients, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

CASES: dict[str, tuple[dict[str, Any], Any, list[int], list[int]]] = {
    "mean": ({}, [[1, 2, 2], [3, 1, 0]], [6, 4], [3, 2]),
    "impossible": ({"zero_infinity": True}, [[1, 2, 2], [3, 1, 1]], [2, 6], [3, 1]),
    "targets in a row": ({"reduction": "sum"}, [1, 2, 2, 3, 1], [6, 5], [3, 2]),
    "nothing": ({"reduction": "none"}, [[1, 2], [3, 1]], [6, 0], [0, 0]),
    "no steps": ({"reduction": "none", "blank": 3}, [[1, 2], [2, 1]], [0, 3], [2, 0]),
}


@pytest.mark.parametrize("name", CASES)
def test_losses_and_gradients(on_device: Device, name: str) -> None:
    options, targets, inputs, lengths = CASES[name]
    x = np.random.default_rng(0).standard_normal((6, 2, 4)).astype(np.float32)
    found: list[list[Any]] = []
    for device, there in (("cpu", None), ("cuda", "cuda"), ("cuda", "cpu")):
        given = torch.tensor(x).to(device).requires_grad_()
        counts: list[Any] = [inputs, lengths]
        if there is not None:
            counts = [torch.tensor(one).to(there) for one in counts]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loss = torch.nn.functional.ctc_loss(
                given.log_softmax(2), torch.tensor(targets).to(device), *counts, **options
            )
            loss.sum().backward()
        assert loss.is_cuda == (device == "cuda")
        found.append([one.detach().cpu().numpy() for one in (loss, given.grad)])
    for mine in found[1:]:
        for one, other in zip(mine, found[0], strict=True):
            np.testing.assert_allclose(one, other, 1e-5, 1e-6)
    assert not on_device.faults
