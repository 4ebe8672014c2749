"""Products of 16 bits that something is added to are rounded once, as PyTorch's: eager and compiled."""

from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.torch import from_dlpack


def products(c: torch.Tensor, x: torch.Tensor, y: torch.Tensor):
    return (
        torch.addmm(c, x, y),
        torch.addmm(c, x, y, beta=0.7, alpha=1.3),
        torch.baddbmm(c, x[None], y[None], beta=0.7, alpha=1.3),
        torch.addmv(x[:, 0], x, y[:, 0]),
        torch.nn.functional.linear(x, y.t(), c),
        torch.nn.functional.linear(x[0], y.t(), c),
    )


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_sums_with_products(dtype: torch.dtype) -> None:
    generator = np.random.default_rng(0)
    shapes = ((32,), (16, 30), (30, 32))
    given = [torch.tensor(generator.standard_normal(shape)).to(dtype) for shape in shapes]
    compiled: Any = ts.script(products)
    for _ in range(3):
        found = compiled(*map(from_dlpack, given))
        for one, wanted in zip(found, products(*given), strict=True):
            different = (torch.from_dlpack(one) != wanted).float().mean()
            assert different < 0.005  # sums in another order are seldom rounded to another number
