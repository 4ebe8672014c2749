"""The tensor's own protocol: what it says of itself, conversions to Python, copies."""

import copy
import operator
import pickle
import re

import numpy as np
import pytest

from support.tensors import arange, empty, ones, tensor, zeros
from torchscript_dialect.tensor import Size, Tensor, as_tensor
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.layout import channels_last


@pytest.mark.parametrize("name", ["keys", "items", "append", "get", "format", "upper"])
def test_operators_on_containers_are_no_methods(name: str) -> None:
    """Programs ask for them to tell dictionaries, lists and texts from tensors."""
    assert not hasattr(ones((2,)), name)


def test_no_device_and_a_dtype() -> None:
    """As modules of PyTorch's ask for it."""
    x = ones((2,))
    assert x.to(None, dtypes.float64, False).dtype is dtypes.float64
    assert x.to(None, None, False) is x


def test_geometry():
    x = Tensor(np.zeros((2, 3, 4), np.float32).transpose(2, 0, 1)[1:])
    assert x.shape == x.size() == (3, 2, 3)
    assert x.stride() == (1, 12, 4)
    assert (x.size(-1), x.stride(0), x.dim(), x.ndim, x.numel()) == (3, 1, 3, 3, 18)
    assert x.storage_offset() == 1
    assert x.data_ptr() == x.array.ctypes.data
    assert (x.element_size(), x.nbytes) == (4, 72)
    assert not x.is_contiguous()
    assert x.dtype is dtypes.float32
    assert str(x.device) == "cpu"
    assert x.is_floating_point() and not x.is_complex() and x.is_signed()


def test_strides_of_empty_tensors_are_pytorchs():
    assert zeros((3, 0)).stride() == (1, 1)
    assert Tensor(np.zeros((2, 0, 3))).stride() == (3, 3, 1)
    assert empty((0, 3, 2, 2), format=channels_last).stride() == (12, 1, 6, 3)
    assert zeros((0,)).data_ptr() == 0


def test_size_is_a_tuple_that_prints_as_pytorchs():
    size = zeros((2, 3)).shape
    assert repr(size) == "torch.Size([2, 3])"
    assert size.numel() == 6
    assert repr(Size((*size[:1], 5))) == "torch.Size([2, 5])"
    assert isinstance(pickle.loads(pickle.dumps(size)), Size)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: tensor(1.0).size(0), IndexError, "Dimension specified as 0 but tensor has no dimensions"),
        (lambda: zeros((2, 3)).stride(-3), IndexError, r"expected to be in range of \[-2, 1\], but got -3"),
        (lambda: zeros((2,)).item(), RuntimeError, "a Tensor with 2 elements cannot be converted to Scalar"),
        (lambda: bool(zeros((2,))), RuntimeError, "Boolean value of Tensor with more than one value is ambiguous"),
        (lambda: bool(zeros((0,))), RuntimeError, "Boolean value of Tensor with no values is ambiguous"),
        (lambda: int(tensor(1 + 2j)), RuntimeError, "without overflow"),
        (lambda: operator.index(tensor(1.0)), TypeError, "only integer tensors of a single element"),
        (lambda: operator.index(tensor([1, 2])), TypeError, "only integer tensors of a single element"),
        (lambda: len(tensor(1.0)), TypeError, "len\\(\\) of a 0-d tensor"),
        (lambda: iter(tensor(1.0)), TypeError, "iteration over a 0-d tensor"),
        (lambda: f"{zeros((2,)):.2f}", TypeError, "unsupported format string"),
    ],
)  # fmt: skip
def test_errors(call, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        call()


def test_python_numbers():
    assert (int(tensor(2.7)), float(tensor([2])), complex(tensor(1j))) == (2, 2.0, 1j)
    assert [10, 20][tensor(1)] == 20
    assert bool(tensor(3)) and not bool(tensor(0.0))
    assert type(tensor(1.5, "bfloat16").item()) is float
    assert tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    assert f"{tensor(0.5):.3f}" == "0.500"
    assert f"{tensor([1])}" == "tensor([1])"


def test_slices_are_views():
    x = zeros((2, 3))
    for row in x:
        row.array[...] = 7
    assert x.tolist() == [[7.0] * 3] * 2
    (element,) = ones((1,))
    assert isinstance(element.array, np.ndarray) and element.dim() == 0


def test_as_an_array():
    x = arange(4)
    assert np.asarray(x) is x.numpy() is x.array
    assert np.asarray(x, np.float64).dtype == np.float64
    assert not np.shares_memory(np.array(x, copy=True), x.array)
    assert np.add(x, 1).tolist() == [1, 2, 3, 4]


def transposed(kind: dtypes.dtype) -> Tensor:
    return as_tensor(np.arange(6).astype(kind.numpy_dtype).reshape(2, 3).T[1:])


@pytest.mark.parametrize(
    "kind", [dtypes.float32, dtypes.bfloat16, dtypes.bool_, dtypes.complex64], ids=str
)
def test_copies_keep_strides(kind: dtypes.dtype):
    x = transposed(kind)
    for twin in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert twin.stride() == x.stride() == (1, 3)
        assert twin.dtype is x.dtype
        assert twin.tolist() == x.tolist()
        assert not np.shares_memory(twin.array, x.array)
    assert np.shares_memory(copy.copy(x).array, x.array)


def test_deep_copies_keep_sharing():
    whole = zeros((3, 4))
    parts = {"whole": whole, "part": Tensor(whole.array[1:, ::2]), "again": whole}
    copied = copy.deepcopy(parts)
    copied["part"].array[...] = 1
    assert copied["whole"] is copied["again"]
    assert copied["whole"].tolist() == [[0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0]]
    assert not whole.array.any()


def test_expanded_and_empty_tensors_survive_copies():
    for x in (Tensor(np.broadcast_to(np.float32(3), (2, 4))), zeros((2, 0)), tensor(4)):
        for twin in (pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
            assert twin.stride() == x.stride()
            assert twin.tolist() == x.tolist()


def test_equality_and_hash_are_identity_until_operators_are_attached():
    assert "__eq__" not in vars(Tensor) or callable(vars(Tensor)["__eq__"])
    x = zeros((2,))
    assert {x: 1}[x] == 1


def test_as_tensor_of_a_tensor_is_itself():
    x = zeros((2,))
    assert as_tensor(x) is x
    assert as_tensor(x, "float32") is x
    assert as_tensor(x, "int64").dtype is dtypes.int64


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (1.5, TypeError, "data must be a sequence (got float)"),
        ("ab", TypeError, "invalid data type 'str'"),
        (np.array(["a"]), TypeError, "can't convert an array of NumPy type '<U1'"),
        (np.arange(3)[::-1], ValueError, "stride in the given numpy array is negative"),
        (np.ones(2, ">f4"), ValueError, "byte order different"),
    ],
)
def test_the_constructor_takes_what_a_tensor_may_hold(value, error: type[Exception], message: str):
    with pytest.raises(error, match=re.escape(message)):
        Tensor(value)


def test_the_constructor_shares_memory():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    tensor = Tensor(array.T)
    array[0, 1] = 7
    assert tensor.array.flags.c_contiguous is False
    assert tensor.array[1, 0] == 7
