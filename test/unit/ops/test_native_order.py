"""Medians, modes and elements of a rank of few elements are in native code what they are in NumPy: values, places and layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.pooling import native_windows
from torchscript_dialect.runtime.kernels.handwritten import row_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
SHAPES = [(3, 8), (1,), (7,), (2, 3, 5), (4, 1), (2, 48), (2, 49), (2, 2, 2, 2, 3), (0, 4)]
CALLS: list[Callable[[Any, int, bool], Any]] = [
    lambda x, dim, keep: torch.kthvalue(x, 1, dim, keep),
    lambda x, dim, keep: torch.kthvalue(x, x.size(dim), dim, keep),
    lambda x, dim, keep: torch.kthvalue(x, (x.size(dim) + 1) // 2, dim, keep),
    lambda x, dim, keep: torch.median(x, dim, keep),
    lambda x, dim, keep: torch.nanmedian(x, dim, keep),
    lambda x, dim, keep: torch.mode(x, dim, keep),
    lambda x, dim, keep: [torch.median(x), torch.nanmedian(x)],
]


def _elements(shape: Sequence[int]) -> list[Any]:
    """Different numbers, few different ones, and some that are infinite, zeros or none."""
    rng = np.random.default_rng(0)
    different = rng.permutation(int(np.prod(shape))).reshape(tuple(shape)) * 0.5
    equal = rng.integers(0, 3, tuple(shape)).astype(np.float64)
    special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], tuple(shape))
    return [different, equal, special]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bfloat16])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("call", CALLS)
def test_ranks(
    call: Callable[[Any, int, bool], Any],
    shape: Sequence[int],
    dtype: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for elements in _elements(shape):
        with np.errstate(invalid="ignore"):
            x = torch.tensor(elements).nan_to_num(7.0) if dtype is torch.int64 else elements
        x = torch.as_tensor(x).to(dtype)
        for given in (x, x.transpose(0, -1).contiguous().transpose(0, -1)):
            for dim in range(-1, len(shape) - 1):
                if not given.size(dim) or (call is CALLS[-1] and not given.numel()):
                    continue  # an error
                for keep in (False, True):
                    monkeypatch.setattr(native_windows.NATIVE, "many", 1 << 62)
                    expected = call(given, dim, keep)
                    monkeypatch.setattr(native_windows.NATIVE, "many", -1)
                    found = call(given, dim, keep)
                    for one, other in zip(expected, found, strict=True):
                        assert one.dtype is other.dtype and one.stride() == other.stride()
                        one, other = one.double(), other.double()
                        np.testing.assert_array_equal(other.numpy(), one.numpy())


def test_few_elements_are_put_in_order_natively(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_windows.NATIVE, "many", -1)
    made: list[Any] = []
    for name in ("sorted_rows", "longest_runs"):
        kernel = getattr(row_kernels, name)
        monkeypatch.setattr(row_kernels, name, lambda *a, k=kernel: made.append(k(*a)) or made[-1])
    x = torch.tensor([[3.0, 1.0, 2.0, 1.0], [0.0, 5.0, 5.0, 4.0]])
    values, places = torch.mode(x)
    assert values.tolist() == [1, 5] and places.tolist() == [3, 2]
    values, places = torch.median(x, 1)
    assert values.tolist() == [1, 4] and places.tolist()[1] == 3
    assert len(made) == 3 and None not in made
