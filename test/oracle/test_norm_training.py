"""Training steps through normalizations beside PyTorch's: gradients, running statistics, and that groups with them are served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.executor.group_runners import LazyInterpreter


class Rows(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.norm(x * 2)) * 3


class Turned(Rows):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.norm(x.permute(0, 2, 1))) * 3


class Bare(Rows):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm([3, 6], elementwise_affine=False)


class Batches(torch.nn.Module):
    def __init__(self, momentum: float | None = 0.1, affine: bool = True) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3, momentum=momentum, affine=affine)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(x * 2)) * 3


class Groups(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.GroupNorm(3, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.norm(x.permute(0, 2, 1) * 2)) * 3


MODULES: dict[str, Callable[[], torch.nn.Module]] = {
    "layer norm": Rows,
    "layer norm in another order": lambda: Turned(),
    "layer norm without parameters": Bare,
    "batch norm": Batches,
    "batch norm with cumulative statistics": lambda: Batches(momentum=None),
    "batch norm without parameters": lambda: Batches(affine=False),
    "group norm": Groups,
}


def steps(module: torch.nn.Module, run: Any, inputs: list[torch.Tensor]) -> list[Any]:
    """The results, and the gradients and buffers after each step."""
    found: list[Any] = []
    for given in inputs:
        x = given.clone().requires_grad_()
        module.zero_grad()
        result = run(x)
        weights = torch.linspace(-1, 1, result.numel(), dtype=result.dtype).reshape(result.shape)
        (result * weights).sum().backward()
        tensors = [result, x.grad, *(p.grad for p in module.parameters()), *module.buffers()]
        found.append([one.detach().clone() for one in tensors if one is not None])
    return found


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", MODULES)
def test_steps(name: str, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch) -> None:
    missed: list[Any] = []
    served = LazyInterpreter.__call__

    def call(self: LazyInterpreter, *args: Any) -> Any:
        if isinstance(self.group, prim.TensorExprGroupOp):
            missed.append(self.group)
        return served(self, *args)

    monkeypatch.setattr(LazyInterpreter, "__call__", call)
    torch.manual_seed(0)
    module, twin = MODULES[name]().to(dtype), MODULES[name]().to(dtype)
    for one, other in zip(module.parameters(), twin.parameters(), strict=True):
        torch.nn.init.normal_(one)
        other.data.copy_(one.data)
    turned = name == "layer norm in another order"
    inputs = [
        torch.randn((n, 6, 3) if turned else (n, 3, 6), dtype=dtype) for n in (4, 4, 4, 4, 4, 2, 9)
    ]
    inputs.append(inputs[0].clone())
    inputs[-1][0, 0, 0] = torch.nan
    compiled = ts.script(module)
    with ts.background_compilation(False):
        ours = steps(module, compiled, inputs)
    theirs = steps(twin, twin, inputs)
    tolerance = 2e-5 if dtype is torch.float32 else 1e-10
    for mine, wanted in zip(ours, theirs, strict=True):
        for a, b in zip(mine, wanted, strict=True):
            assert a.dtype == b.dtype and a.shape == b.shape
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=10 * tolerance)
    assert not missed


class Detached(torch.nn.Module):
    """Running statistics written by hand, as published layers write them."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))
        self.running = torch.nn.Buffer(torch.ones(3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        scaled = x * self.scale
        self.running.copy_(self.running * 0.9 + scaled.detach() * 0.1)
        return x * scaled


def test_statistics_of_what_is_detached_have_no_history() -> None:
    theirs = Detached()
    ours = ts.script(theirs)
    running = torch.ones(3)
    for seed in range(6):
        x = torch.randn(3, generator=torch.Generator().manual_seed(seed), requires_grad=True)
        ours(x).sum().backward()
        running = running * 0.9 + x.detach() * 0.1
        assert not ours.running.requires_grad
        np.testing.assert_allclose(ours.running.numpy(), running.numpy(), rtol=1e-6)


def test_what_is_written_to_goes_on_its_own_history_alone() -> None:
    def program(x: torch.Tensor, w: torch.Tensor, running: torch.Tensor) -> torch.Tensor:
        scaled = x * w
        mixed = running * 3.0 + scaled.detach() * 0.5
        running.copy_(mixed)
        return x * scaled

    ours = ts.script(program)
    for call in range(8):
        has_history = call in (3, 4, 7)
        x, w, start = (
            torch.full((2,), 2.0 + n, requires_grad=n < 2 or has_history) for n in range(3)
        )
        running = start * 1
        ours(x, w, running)
        assert running.requires_grad is has_history
        assert running.tolist() == [15.0, 15.0]
        if has_history:
            running.sum().backward()
            assert x.grad is None and start.grad is not None and start.grad.tolist() == [3.0, 3.0]
