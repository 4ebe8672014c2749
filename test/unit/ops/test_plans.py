"""What follows from sizes is found once, and a pooled tensor never shares memory with what it was pooled from."""

from __future__ import annotations

import numpy as np
import pytest

import torchscript_dialect.torch as torch
from torchscript_dialect.ops.plans import planned

F = torch.nn.functional


def test_lists_and_tuples_are_one_combination() -> None:
    asked: list[object] = []

    @planned
    def double(numbers: tuple[int, ...]) -> list[int]:
        asked.append(numbers)
        return [2 * one for one in numbers]

    assert double([1, 2]) == double((1, 2)) == [2, 4]
    assert asked == [(1, 2)]


def test_what_is_raised_is_raised_anew() -> None:
    @planned
    def refuse(number: int) -> int:
        raise RuntimeError(f"not {number}")

    for _ in range(2):
        with pytest.raises(RuntimeError, match="not 3"):
            refuse(3)


@pytest.mark.parametrize("stride", [1, 2])
def test_windows_of_one_element_are_copies(stride: int) -> None:
    x = torch.from_numpy(np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4))
    pooled = F.max_pool2d(x, 1, stride)
    both, _ = F.max_pool2d(x, 1, stride, return_indices=True)
    adaptive = F.adaptive_max_pool2d(x, 4)
    pooled.zero_()
    both.zero_()
    adaptive.zero_()
    np.testing.assert_array_equal(x.array.ravel(), np.arange(16))


def test_resized_tensors_are_copies() -> None:
    x = torch.from_numpy(np.ones((1, 1, 4, 4), np.float32))
    for mode in ("nearest", "bilinear"):
        same = F.interpolate(x, size=[4, 4], mode=mode)
        same.zero_()
    assert (x.array == 1).all()


def test_a_convolution_of_other_numbers_has_a_plan_of_its_own() -> None:
    x = torch.from_numpy(np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4))
    w = torch.from_numpy(np.ones((2, 2, 2, 2), np.float32))
    sizes = [tuple(F.conv2d(x, w, None, s, p).size()) for s, p in ((1, 0), (2, 0), (1, 1), (2, 1))]
    assert sizes == [(1, 2, 3, 3), (1, 2, 2, 2), (1, 2, 5, 5), (1, 2, 3, 3)]
    with pytest.raises(RuntimeError, match="negative padding"):
        F.conv2d(x, w, None, 1, -1)
    with pytest.raises(RuntimeError, match="have 2 channels, but got 1"):
        F.conv2d(x[:, :1], w)
