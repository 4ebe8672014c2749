"""Short ways of kernels give what the long ones give, and leave to those what is not theirs."""

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.call_cache import cached_calls, forget_cached_calls
from torchscript_dialect.ops.reduction.scan import sorting_order
from torchscript_dialect.ops.special.error_function import erf
from torchscript_dialect.tensor.conversion import as_tensor


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dim", [0, 1])
def test_topk_chooses_what_sorting_gives(dtype: type, largest: bool, dim: int) -> None:
    """Of equal elements the first ones, also where they are more than what is chosen; NaN is the largest."""
    array = np.random.default_rng(0).integers(0, 9, (60, 60)).astype(dtype)
    for has_nan in (False, True):
        if has_nan and dtype is np.float32:
            array[3, 4] = np.nan
        values, places = torch.topk(as_tensor(array), 3, dim, largest)
        order = np.take(sorting_order(array, dim, largest), range(3), dim)
        np.testing.assert_array_equal(places.array, order)
        np.testing.assert_array_equal(values.array, np.take_along_axis(array, order, dim))


def test_in_place_writes_to_the_array() -> None:
    x = as_tensor(np.ones((2, 3), np.float32))
    array = x.array
    assert x.add_(as_tensor(np.full((2, 3), 2, np.float32)), alpha=2) is x
    x.mul_(3).relu_()
    assert x.array is array and (array == 15).all()
    assert x.add_(x) is x and (array == 30).all()


def test_in_place_on_memory_that_is_shared_in_part_is_refused() -> None:
    x = as_tensor(np.arange(6, dtype=np.float32))
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        x[1:].add_(x[:-1])
    assert x.array.tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(RuntimeError, match="can't be cast"):
        as_tensor(np.ones(2, np.int64)).add_(0.5)


@pytest.mark.parametrize(
    "write",
    [
        lambda x, at, y: x.scatter_(0, at[None], y),
        lambda x, at, y: x.scatter_add_(0, at[None], y),
        lambda x, at, y: x.scatter_reduce_(0, at[None], y, "sum"),
        lambda x, at, y: x.index_add_(0, at[:1], y),
        lambda x, at, y: x.index_copy_(0, at[:1], y),
        lambda x, at, y: x.index_reduce_(0, at[:1], y, "prod"),
        lambda x, at, y: x.index_put_((at,), y, True),
        lambda x, at, y: x.put_(at, y),
    ],
)
def test_what_is_written_to_places_is_not_of_the_memory_that_is_written_to(write: Any) -> None:
    x, at = as_tensor(np.ones((2, 2), np.float32)), as_tensor(np.array([1, 0]))
    with pytest.raises(RuntimeError, match="refer to a single memory location"):
        write(x, at, x[:1])
    assert x.tolist() == [[1, 1], [1, 1]]
    write(x, at, x[:1].clone())


def test_a_number_is_not_scattered_to_several_places() -> None:
    x, at, number = (as_tensor(np.array(one)) for one in ([0.0, 0.0], [0, 1], 2.0))
    for write in (x.scatter_, x.scatter_add_, x.scatter):
        with pytest.raises(RuntimeError, match="no larger than"):
            write(0, at, number)
        assert write(0, at[:1], number).tolist()[1] == 0
    assert x.scatter(0, at, 3.0).tolist() == [3, 3]


def test_error_function_is_the_same_by_blocks() -> None:
    x = np.random.default_rng(0).standard_normal((100, 100)).astype(np.float32) * 2
    np.testing.assert_array_equal(erf(x), np.stack([erf(row) for row in x]))


def test_what_cannot_be_joined_is_told_in_pytorchs_words() -> None:
    x = torch.ones(2, 3)
    with pytest.raises(RuntimeError, match="Sizes of tensors must match except in dimension 0"):
        torch.cat([x, torch.ones(2, 4)])
    assert torch.cat([x, torch.ones(2, 3, dtype=torch.float64)]).dtype is torch.float64
    assert torch.stack([x, x], -1).shape == (2, 3, 2)


def test_layer_norm_of_half_and_of_parameters_of_another_dtype() -> None:
    x = as_tensor(np.random.default_rng(0).standard_normal((4, 8)).astype(np.float32))
    plain = torch.layer_norm(x, [8])
    half = torch.layer_norm(x.to(torch.float16), [8])
    assert half.dtype is torch.float16
    np.testing.assert_allclose(half.array, plain.array, atol=0.01)
    with pytest.raises(RuntimeError, match="Given normalized_shape"):
        torch.layer_norm(x, [7])


def test_zero_dimensional_tensors_are_repeated_and_filled() -> None:
    """`repeat(())`, `tile(())`, `index_fill` and `index_copy` raised, or gave another shape."""
    x, at = as_tensor(np.array(2.0, np.float32)), as_tensor(np.array([0]))
    assert x.repeat([]).shape == () and x.tile([]).shape == ()
    assert x.index_fill(0, at, 3.0).item() == 3.0
    assert x.index_copy(0, at, as_tensor(np.array([5.0], np.float32))).item() == 5.0
    row = as_tensor(np.arange(5, dtype=np.float32).reshape(1, 5))
    assert torch.replication_pad1d(row, [-2, 1]).tolist() == [[2.0, 3.0, 4.0, 4.0]]
    assert as_tensor(np.zeros((4, 3), np.float32))[2:2].storage_offset() == 6


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8])
@pytest.mark.parametrize("shape", [(520, 1024), (1021, 4096), (3, 130, 4096)])
def test_a_transposed_array_is_copied_in_strips(shape: tuple[int, ...], dtype: type) -> None:
    array = np.arange(np.prod(shape)).astype(dtype).reshape(shape)
    x = as_tensor(array).transpose(-1, -2)
    for copy in (x.contiguous(), x.clone(memory_format=torch.contiguous_format)):
        assert copy.is_contiguous() and not np.shares_memory(copy.array, array)
        np.testing.assert_array_equal(copy.array, array.swapaxes(-1, -2))


@pytest.mark.parametrize(
    ("name", "arguments", "rest"),
    [
        ("conv2d", ((1, 2, 5, 5), (3, 2, 3, 3)), (None, 2)),
        ("conv2d", ((1, 2, 5, 5), (3, 2, 3, 3)), (None, [2, 1], [1, 1])),
        ("max_pool2d", ((1, 2, 6, 6),), (2,)),
        ("avg_pool1d", ((2, 6),), ([3],)),
    ],
)
def test_defaults_that_are_lists_are_remembered_and_never_shared(
    name: str, arguments: tuple[tuple[int, ...], ...], rest: tuple[object, ...]
) -> None:
    """Each call gets lists of its own, which it may write to."""
    forget_cached_calls()
    tensors = [as_tensor(np.random.default_rng(0).random(one, np.float32)) for one in arguments]
    call = getattr(torch, name)
    first = call(*tensors, *rest)
    cache = cached_calls(f"aten::{name}")
    (cached,) = cache.values()
    assert cached.call is not None and any(isinstance(one, list) for one in cached.defaults)
    before = [list(one) for one in cached.defaults if isinstance(one, list)]
    for _ in range(20):
        np.testing.assert_array_equal(call(*tensors, *rest).array, first.array)
    assert cache[tuple(map(type, (*tensors, *rest)))] is cached
    assert [one for one in cached.defaults if isinstance(one, list)] == before
