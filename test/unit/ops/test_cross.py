"""Cross products and their gradients, of all dtypes, sizes that broadcast and layouts, beside products of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch

SHAPES = [
    ((4, 3), (4, 3), 1),
    ((3, 4), (3, 4), 0),
    ((4, 3), (1, 3), -1),
    ((1, 3, 2), (5, 3, 1), 1),
    ((0, 3), (0, 3), 1),
    ((3,), (3,), 0),
]


def _expected(x: Any, y: Any, dim: int) -> Any:
    x, y = np.broadcast_arrays(x, y)
    x, y = np.moveaxis(x, dim, 0), np.moveaxis(y, dim, 0)
    made = [x[(i + 1) % 3] * y[(i + 2) % 3] - x[(i + 2) % 3] * y[(i + 1) % 3] for i in range(3)]
    return np.moveaxis(np.stack(made), 0, dim)


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, np.complex64, np.int64])
def test_values(shapes: tuple[Sequence[int], Sequence[int], int], dtype: Any) -> None:
    first, second, dim = shapes
    rng = np.random.default_rng(0)
    x, y = ((rng.standard_normal(shape) * 4).astype(dtype) for shape in (first, second))
    x.reshape(-1)[:1] = 0 if dtype is np.int64 else np.inf
    wide = np.repeat(x, 2, -1)[..., ::2]
    with np.errstate(invalid="ignore"):
        expected = _expected(x, y, dim)
    for one in (x, wide, np.asfortranarray(x)):
        found = torch.linalg.cross(torch.from_numpy(one), torch.from_numpy(y), dim=dim)
        assert found.is_contiguous()
        np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.complex128])
def test_gradients_of_both_orders(
    shapes: tuple[Sequence[int], Sequence[int], int], dtype: Any
) -> None:
    first, second, dim = shapes
    x, y = (torch.randn(*shape).to(dtype).requires_grad_() for shape in (first, second))

    def f(x: Any, y: Any) -> Any:
        return torch.linalg.cross(x, y, dim=dim)

    assert torch.autograd.gradcheck(f, (x, y))
    assert torch.autograd.gradgradcheck(f, (x, y))


def test_what_is_refused() -> None:
    for shapes, dim in ((((2, 3), (3,)), 0), (((2, 4), (2, 4)), 1), (((2, 3), (2, 3)), 0)):
        with pytest.raises(RuntimeError, match=r"linalg\.cross: inputs"):
            torch.linalg.cross(*(torch.ones(*shape) for shape in shapes), dim=dim)
