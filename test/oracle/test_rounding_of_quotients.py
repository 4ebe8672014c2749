"""Quotients of 16 bits that are rounded to integers are rounded after each step, as PyTorch's; by one number they are wide."""

from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.torch import from_dlpack


def quotients(x: torch.Tensor, y: torch.Tensor):
    return (
        torch.div(x, y, rounding_mode="trunc"),
        torch.div(x, y, rounding_mode="floor"),
        torch.floor_divide(x, y),
    )


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_quotients(dtype: torch.dtype) -> None:
    generator = np.random.default_rng(0)
    x, y = (torch.tensor(generator.uniform(-n, n, 600)).to(dtype) for n in (100, 5))
    x[:3], y[2:6] = torch.tensor([torch.nan, torch.inf, 1.0]), torch.tensor([torch.inf, 0.0, 0, -0])
    compiled: Any = ts.script(quotients)
    for divisor in (y, y[:1], y[7], torch.tensor(0.3), torch.tensor(3)):
        wanted = quotients(x, divisor)
        for _ in range(3):
            for mine, theirs in zip(compiled(x, divisor), wanted, strict=True):
                np.testing.assert_array_equal(mine.tolist(), theirs.tolist())
    mine = from_dlpack(x)
    for number in (0.3, 7):
        wanted, found = ((one // number).double().tolist() for one in (x, mine))
        np.testing.assert_array_equal(found, wanted)


NEAR_ZERO = [1e-19 + 1e-19j, 1e-12j, -1e-9 + 3e-5j, 1e-5 + 1e-5j, 1e-30 - 2e-30j, 0j]
FAR = [0.5 + 0.5j, -2, -1 - 1e-3j, 1e30 + 1j, -1 + 1e30j]


def logarithm(x: torch.Tensor):
    return torch.log1p(x) * 1


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128])
def test_logarithms_keep_the_digits_of_small_complex_numbers(dtype: torch.dtype) -> None:
    x = torch.tensor(NEAR_ZERO + FAR, dtype=dtype)
    wanted, compiled = torch.view_as_real(torch.log1p(x)), ts.script(logarithm)
    rounding = 3e-7 if dtype is torch.complex64 else 1e-15
    for _ in range(3):
        found: Any = torch.view_as_real(compiled(x))
        torch.testing.assert_close(found, wanted, rtol=rounding, atol=0)
