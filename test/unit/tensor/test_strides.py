"""Shapes and strides of results against PyTorch's answers."""

import numpy as np
import pytest

from support import tensor_golden
from torchscript_dialect import torch
from torchscript_dialect.tensor import strides
from torchscript_dialect.tensor.layout import channels_last, channels_last_3d, contiguous_format

CASES = tensor_golden.read("strides")
F32 = np.dtype(np.float32)


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_result_of_a_pointwise_operator(case: list):
    shapes, operand_strides, out_shape, out_strides = case
    assert strides.broadcast_shapes(*shapes) == tuple(out_shape)
    arrays = [
        strides.empty_strided(n, st, F32) for n, st in zip(shapes, operand_strides, strict=True)
    ]
    described = [(tuple(n), tuple(st)) for n, st in zip(shapes, operand_strides, strict=True)]
    assert strides.pointwise_strides(described, tuple(out_shape)) == tuple(out_strides)
    made = strides.empty_like_operands(arrays, F32)
    assert strides.element_strides(made) == tuple(out_strides)
    assert made.shape == tuple(out_shape)


def test_python_numbers_and_scalars_do_not_change_the_layout():
    x = np.zeros((3, 4), F32).T
    for other in (2.0, np.array(3.0)):
        made = strides.empty_like_operands((x, other), np.dtype(np.float64))
        assert made.strides == (8, 32)
    assert strides.empty_like_operands((np.zeros((2, 3)), 1), F32).strides == (12, 4)


def test_cast_operands_have_the_strides_of_the_cast():
    """An expanded operand of another dtype is cast, and so becomes dense, before the result is laid out."""
    expanded = np.broadcast_to(np.zeros((3, 1, 2), np.int32).T, (2, 4, 3))
    kept = strides.empty_like_operands((expanded,), np.dtype(np.int32), np.dtype(np.int32))
    cast = strides.empty_like_operands((expanded,), F32, F32)
    assert strides.element_strides(kept) == strides.element_strides(cast) == (1, 2, 8)


def test_broadcast_errors_are_pytorchs():
    with pytest.raises(
        RuntimeError,
        match=r"The size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton dimension 1",
    ):
        strides.broadcast_shapes((2, 3), (4,))
    assert strides.broadcast_shapes((2, 1), (), (0,)) == (2, 0)


def test_memory_formats():
    shape = (2, 3, 4, 5)
    last = strides.channels_last_strides(shape)
    assert last == (60, 1, 15, 3)
    assert strides.is_contiguous(shape, last, channels_last)
    assert not strides.is_contiguous(shape, last)
    assert strides.suggest_memory_format(shape, last) is channels_last
    assert strides.suggest_memory_format(shape, (60, 20, 5, 1)) is contiguous_format
    assert strides.suggest_memory_format((2, 1, 4, 5), (20, 1, 5, 1)) is channels_last
    assert strides.suggest_memory_format((2, 1, 1, 1), (1, 1, 1, 1)) is contiguous_format
    volume = strides.strides_for_format((1, 2, 3, 4, 5), channels_last_3d)
    assert strides.suggest_memory_format((1, 2, 3, 4, 5), volume) is channels_last_3d
    with pytest.raises(RuntimeError, match="required rank 4 tensor to use channels_last format"):
        strides.strides_for_format((2, 3), channels_last)


def test_preserved_formats():
    assert strides.dense_strides((2, 3), (1, 2)) == (1, 2)
    assert strides.dense_strides((2, 3), (1, 4)) == (1, 2)
    assert strides.dense_strides((2, 3), (6, 2)) == (3, 1)
    padded = np.zeros((4, 3), F32).T[:, :2]
    assert strides.empty_like(padded).strides == (4, 12)
    assert strides.empty_like(padded, np.dtype(np.int8)).strides == (1, 3)


@pytest.mark.parametrize("common", ["float32", "float64"])
def test_an_expanded_operand_that_is_cast_first_decides_the_order(common: str):
    """NumPy says that float64 equals None."""
    repeated = np.lib.stride_tricks.as_strided(np.ones(1, np.int32), (3, 2), (0, 0))
    other = np.ones((2, 3), common).T
    made = strides.empty_like_operands([repeated, other], other.dtype, other.dtype)
    assert strides.element_strides(made) == (2, 1)


def test_an_operand_that_is_kept_has_its_own_strides():
    condition = np.lib.stride_tricks.as_strided(np.ones(3, bool), (3, 2), (1, 0))
    turned = np.ones((2, 3), F32).T
    made = strides.empty_like_operands([condition, turned], F32, F32, frozenset((0,)))
    assert strides.element_strides(made) == (1, 3)


def test_odd_strides_of_a_size_of_one_are_kept() -> None:
    # A contiguous tensor whose strides are not those of a fresh one, as PyTorch's empty_like and operators with numbers keep them.
    x = torch.ones(1, 5).mT
    assert torch.empty_like(x).stride() == (1, 5)
    assert x.double().stride() == x.clone().stride() == (1, 5)
    assert (x * 2).stride() == (x > 0).stride() == (1, 5)
    assert (x + x).stride() == x.exp().stride() == x.clamp(0, 1).stride() == (1, 1)
