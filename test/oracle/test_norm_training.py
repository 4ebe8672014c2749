"""Training steps through normalizations beside PyTorch's: gradients, running statistics, and that groups with them are served."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.dialects import prim
from torchscript_dialect.runtime.group_runners import LazyInterpreter


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
