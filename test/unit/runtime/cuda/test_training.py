"""Steps of training on a device: the losses that the host gives, without a word about the host.

Some optimizers; TORCHSCRIPT_DIALECT_LONG_TESTS=1, or a real device, takes all.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.amounts import IS_LONG
from support.simt.driver.device import Device
from support.simt.fixtures import IS_REAL
from torchscript_dialect import torch

STEPS = 3
OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.05),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.01),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.05),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=0.05, amsgrad=True),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=0.01),
    "Adagrad": lambda p: torch.optim.Adagrad(p, lr=0.05),
    "Adadelta": lambda p: torch.optim.Adadelta(p, lr=0.5),
    "NAdam": lambda p: torch.optim.NAdam(p, lr=0.05),
    "Rprop": lambda p: torch.optim.Rprop(p, lr=0.05),
}


def filled(module: Any, generator: np.random.Generator) -> Any:
    """A module whose parameters are known."""
    with torch.no_grad():
        for one in module.parameters():
            given = generator.standard_normal(tuple(one.shape)).astype(np.float32)
            one.copy_(torch.tensor(given * 0.5))
    return module


def losses(where: str, module: Any, loss_of: Callable[[Any], Any], optimizer: Any) -> list[float]:
    """What some steps of training give."""
    module.to(where)
    stepper = optimizer(module.parameters())
    found: list[float] = []
    for _ in range(STEPS):
        stepper.zero_grad()
        loss = loss_of(module)
        loss.backward()
        stepper.step()
        found.append(loss.item())
    assert all((one.is_cuda) == (where == "cuda") for one in module.parameters())
    return found


def on_both(make: Callable[[str, np.random.Generator], tuple[Any, Any]], optimizer: Any) -> None:
    found: list[list[float]] = []
    for where in ("cpu", "cuda"):
        module, loss_of = make(where, np.random.default_rng(0))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            found.append(losses(where, module, loss_of, optimizer))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-3)
    assert found[0][0] != found[0][-1]


def perceptron(where: str, generator: np.random.Generator) -> tuple[Any, Any]:
    layers = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    x = torch.tensor(generator.standard_normal((5, 4)).astype(np.float32)).to(where)
    classes = torch.tensor(np.array([0, 2, -100, 1, 1])).to(where)
    weight = torch.tensor(np.array([1.0, 2.0, 0.5], np.float32)).to(where)

    def loss_of(module: Any) -> Any:
        return torch.nn.functional.cross_entropy(module(x), classes, weight)

    return filled(layers, generator), loss_of


def cell(where: str, generator: np.random.Generator) -> tuple[Any, Any]:
    x, h, c = (
        torch.tensor(generator.standard_normal(shape).astype(np.float32)).to(where)
        for shape in ((3, 4), (3, 5), (3, 5))
    )

    def loss_of(module: Any) -> Any:
        hidden, state = module(x, (h, c))
        hidden, state = module(x, (hidden, state))
        return (hidden * hidden).sum() + (state * state).mean()

    return filled(torch.nn.LSTMCell(4, 5), generator), loss_of


class Words(torch.nn.Module):
    """A table of words, and what is said of a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(7, 4, padding_idx=2)
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, places: Any) -> Any:
        return torch.nn.functional.log_softmax(self.layer(self.table(places).mean(1)), -1)


def words(where: str, generator: np.random.Generator) -> tuple[Any, Any]:
    places = torch.tensor(np.array([[1, 2, 1], [6, 0, 2]])).to(where)
    classes = torch.tensor(np.array([2, 0])).to(where)
    model = filled(Words(), generator)
    return model, lambda module: torch.nn.functional.nll_loss(module(places), classes)


SOME = ("momentum", "AdamW", "Rprop")


@pytest.mark.parametrize("name", OPTIMIZERS if IS_LONG or IS_REAL else SOME)
def test_an_optimizer_on_parameters_of_a_device(on_device: Device, name: str) -> None:
    on_both(perceptron, OPTIMIZERS[name])
    assert not on_device.faults


@pytest.mark.parametrize("make", [cell, words])
def test_training_on_a_device(on_device: Device, make: Any) -> None:
    on_both(make, OPTIMIZERS["Adam"])
    assert not on_device.faults


def scaled_steps(where: str) -> list[Any]:
    """What is left of parameters and of the scale, step by step: the second gradient is infinite, the fourth no number."""
    scaler = torch.amp.GradScaler(where, 3000.0, 1.7, 0.3, 2)
    p = torch.nn.Parameter(torch.tensor([1.0, -2.0]).to(where))
    half = torch.nn.Parameter(torch.ones(2).to(where, torch.bfloat16))
    first, second = torch.optim.SGD([p], lr=0.1), torch.optim.SGD([half], lr=0.1)
    found: list[Any] = []
    for factor in (1.0, float("inf"), 0.5, float("nan"), 1.0, 1.0):
        for optimizer in (first, second):
            optimizer.zero_grad()
        losses = [(p * p * factor).sum(), half.sum()]
        for loss in scaler.scale(losses):
            loss.backward()
        scaler.unscale_(first)
        scaler.step(first)
        scaler.step(second)
        scaler.update()
        found.append([*p.tolist(), *half.tolist(), *scaler.state_dict().values()])
    assert scaler.scale(p).device.type == where
    return found


def test_scaled_losses_on_a_device(on_device: Device) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, wanted = scaled_steps("cuda"), scaled_steps("cpu")
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    assert found[1][:2] == found[0][:2] and found[1][2:4] != found[0][2:4]


def test_scaling_refuses_what_is_on_the_host(on_device: Device) -> None:
    there, here = torch.ones(2).to("cuda"), torch.ones(())
    for gradient, inverse, told in ((there, here, "inv_scale"), (here, there.sum(), "found_inf")):
        with pytest.raises(RuntimeError, match=f"{told} must be a CUDA tensor"):
            torch._amp_foreach_non_finite_check_and_unscale_([gradient], here, inverse)
    with pytest.raises(NotImplementedError, match="unscale_cuda\" not implemented for 'Int'"):
        numbers = [there.to(torch.int32)]
        torch._amp_foreach_non_finite_check_and_unscale_(numbers, there.sum(), there.sum())
