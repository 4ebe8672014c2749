"""16-bit floats: where PyTorch's kernels round each step, and where they round once. What is expected was held against PyTorch 2.13."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

Expected = Callable[..., torch.Tensor]
F = torch.nn.functional
HALVES = (torch.float16, torch.bfloat16)

IN_STEPS: dict[str, tuple[str, Expected]] = {
    "xlogy": ("torch.xlogy(x, p)", lambda x, y, p: x * torch.log(p)),
    "xlog1py": ("torch.special_xlog1py(x, p)", lambda x, y, p: x * torch.log1p(p)),
    "entr": ("torch.special_entr(p)", lambda x, y, p: -p * torch.log(p)),
    "logit": ("torch.logit(p)", lambda x, y, p: torch.log(p / (1 - p))),
    "mse": ("torch.mse_loss(x, y, 0)", lambda x, y, p: (x - y) * (x - y)),
    "bce": (
        "torch.binary_cross_entropy_with_logits(x, p, None, None, 0)",
        lambda x, y, p: (1 - p) * x - F.logsigmoid(x),
    ),
    "kl_div": ("torch.kl_div(x, p, 0)", lambda x, y, p: p * torch.log(p) - p * x),
}


def operands(dtype: torch.dtype) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(0)
    x, y = (torch.randn(700, generator=generator).to(dtype) for _ in range(2))
    return [x, y * 2, torch.rand(700, generator=generator).to(dtype) * 0.9 + 0.05]


def check(body: str, dtype: torch.dtype, expected: Expected) -> None:
    """Eager and compiled."""
    given = operands(dtype)
    wanted = expected(*given)
    f = ts.CompilationUnit(f"def f(x, y, p):\n    return {body}\n").f
    with ts.fuser("none"):
        found = [f(*given)]
    found += [f(*given) for _ in range(2)]
    for one in found:
        assert one.dtype is dtype
        np.testing.assert_array_equal(one.double().numpy(), wanted.to(dtype).double().numpy())


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", IN_STEPS)
def test_each_step_is_rounded(name: str, dtype: torch.dtype) -> None:
    check(IN_STEPS[name][0], dtype, IN_STEPS[name][1])


@pytest.mark.parametrize("dtype", HALVES, ids=str)
def test_the_bounds_of_logit_are_numbers_of_the_dtype(dtype: torch.dtype) -> None:
    low = torch.tensor(0.1).to(dtype)
    high = 1 - low

    def held(x: torch.Tensor, y: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
        inside = torch.where(p < low, low, torch.where(p > high, high, p))
        return torch.log(inside / (1 - inside))

    check("torch.logit(p, 0.1)", dtype, held)


@pytest.mark.parametrize("dtype", HALVES, ids=str)
@pytest.mark.parametrize("name", ["smooth_l1", "huber"])
def test_losses_with_an_edge_differ_by_dtype(name: str, dtype: torch.dtype) -> None:
    """float16 rounds each step of `smooth_l1_loss`, bfloat16 of `huber_loss`."""
    in_steps = dtype is (torch.float16 if name == "smooth_l1" else torch.bfloat16)

    def loss(x: torch.Tensor, y: torch.Tensor, p: torch.Tensor) -> torch.Tensor:
        if in_steps:
            gap, edge = (x - y).abs(), torch.tensor(0.7).to(dtype)
        else:
            gap, edge = (x.float() - y.float()).abs(), torch.tensor(0.7)
        if name == "huber":
            return torch.where(gap <= edge, 0.5 * gap * gap, edge * (gap - 0.5 * edge))
        return torch.where(gap < edge, 0.5 * gap * gap / edge, gap - 0.5 * edge)

    check(f"torch.{name}_loss(x, y, 0, 0.7)", dtype, loss)
