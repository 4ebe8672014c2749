"""DLPack between tensors, NumPy, and producers of either kind of capsule."""

from typing import Any

import numpy as np
import pytest

from support.tensors import ones
from torchscript_dialect.tensor import as_tensor, from_dlpack
from torchscript_dialect.tensor import dtype as dtypes


class OldProducer:
    """Speaks DLPack before versions: `__dlpack__` takes only `stream`."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.array.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


@pytest.mark.parametrize("kind", dtypes.all_dtypes(), ids=str)
def test_every_dtype_travels_without_a_copy(kind: dtypes.dtype):
    x = as_tensor(np.ones((3, 4), kind.numpy_dtype).T[1:])
    y = from_dlpack(x)
    assert y.dtype is kind
    assert (y.shape, y.stride(), y.data_ptr()) == (x.shape, x.stride(), x.data_ptr())
    y.array[...] = 2
    assert (x.array == 2).all() or kind is dtypes.bool_


@pytest.mark.parametrize("kind", (dtypes.float32, dtypes.bfloat16), ids=str)
def test_strides_of_what_is_empty_travel(kind: dtypes.dtype):
    x = as_tensor(np.empty((0, 4, 3), kind.numpy_dtype))
    assert from_dlpack(x).stride() == x.stride() == (12, 3, 1)


def test_numpy_reads_a_tensor():
    x = ones((2, 3))
    assert np.shares_memory(np.from_dlpack(x), x.array)


def test_memory_outlives_its_producer():
    x = from_dlpack(ones((1000,), "bfloat16"))
    assert x.array.astype(np.float32).sum() == 1000


def test_unversioned_capsules_are_writable():
    array = np.zeros((2, 2), np.float32)
    x = as_tensor(OldProducer(array))
    x.array[0] = 5
    assert array.tolist() == [[5, 5], [0, 0]]


def test_versioned_capsules_say_what_is_read_only():
    array = np.zeros(2)
    array.flags.writeable = False
    assert not from_dlpack(array).array.flags.writeable


class Elsewhere(OldProducer):
    def __dlpack_device__(self) -> tuple[int, int]:
        return (8, 0)


def test_errors():
    with pytest.raises(RuntimeError, match="DLPack device \\(8, 0\\)"):
        from_dlpack(Elsewhere(np.zeros(2)))
    with pytest.raises(BufferError, match="stream"):
        ones((2,)).__dlpack__(stream=1)
