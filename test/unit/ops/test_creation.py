"""Uninitialized tensors: everything but their elements."""

import numpy as np
import pytest

from torchscript_dialect import torch


def test_empty() -> None:
    x = torch.empty(2, 3, dtype=torch.int32)
    assert (x.shape, x.dtype, x.stride()) == ((2, 3), torch.int32, (3, 1))
    assert torch.empty([1, 2, 3, 4], memory_format=torch.channels_last).stride() == (24, 1, 8, 2)


def test_empty_like() -> None:
    x = torch.zeros(2, 3).t()
    assert torch.empty_like(x).stride() == (1, 3)
    assert torch.empty_like(x, dtype=torch.float64).dtype is torch.float64
    assert x.new_empty([4]).shape == (4,)
    assert torch.empty_strided([2, 3], [1, 2]).stride() == (1, 2)


def test_empty_permuted() -> None:
    assert torch.empty_permuted([2, 3, 4], [0, 2, 1]).stride() == (12, 1, 3)
    assert torch.empty_permuted([2, 3], [1, 0], dtype=torch.int32).dtype is torch.int32


@pytest.mark.parametrize(
    ("order", "message"),
    [([0, 0], "Duplicate dim"), ([0], "does not match the length"), ([0, -1], "out of range")],
)
def test_orders_that_are_no_permutations(order: list[int], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        torch.empty_permuted([2, 3], order)


def test_new_empty_strided() -> None:
    x = torch.zeros(1, dtype=torch.float64).new_empty_strided([2, 3], [1, 4])
    assert (x.shape, x.stride(), x.dtype) == ((2, 3), (1, 4), torch.float64)


def test_negative_sizes() -> None:
    with pytest.raises(RuntimeError, match="negative dimension -1"):
        torch.zeros(-1)


def test_a_file_is_read_and_a_shared_one_is_written_to(tmp_path) -> None:
    file = tmp_path / "numbers"
    np.arange(6, dtype=np.float32).tofile(file)
    read = torch.ops.aten.from_file(str(file), False, 4)
    assert read.tolist() == [0, 1, 2, 3]
    shared = torch.ops.aten.from_file(str(file), True, 6)
    shared.mul_(2)
    assert np.fromfile(file, np.float32).tolist() == [0, 2, 4, 6, 8, 10]
    with pytest.raises(RuntimeError, match="fewer than 9 elements"):
        torch.ops.aten.from_file(str(file), False, 9)


def test_step_that_an_integer_rounds_to_nothing_is_refused() -> None:
    """PyTorch's class of error is another one than for a step of 0."""
    with pytest.raises(ValueError, match="step must be nonzero"):
        torch.arange(0, 64, 0.5, out=torch.empty(0, dtype=torch.int64))
