"""Element types: PyTorch's numbers and names, and what arrays a tensor may hold."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from support import tensor_golden
from torchscript_dialect.tensor import dtype as dtypes


def test_numbers_are_pytorchs():
    assert {d.name: d.scalar_type for d in dtypes.all_dtypes()} == tensor_golden.read("dtypes")


@pytest.mark.parametrize("dtype", dtypes.all_dtypes(), ids=str)
def test_every_dtype_is_found_by_each_of_its_names(dtype: dtypes.dtype):
    assert dtypes.from_scalar_type(dtype.scalar_type) is dtype
    assert dtypes.from_name(dtype.name) is dtypes.from_name(dtype.type_name) is dtype
    assert dtypes.from_name(repr(dtype)) is dtype
    assert dtypes.from_numpy(dtype.numpy_dtype) is dtypes.of_array(np.empty(0, dtype.numpy_dtype))
    assert dtype.itemsize == dtype.numpy_dtype.itemsize
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype


def test_as_dtype_takes_what_stands_for_a_dtype():
    assert dtypes.as_dtype(6) is dtypes.as_dtype("torch.float") is dtypes.float32
    assert dtypes.as_dtype(np.float32) is dtypes.as_dtype(np.dtype("f4")) is dtypes.float32
    assert dtypes.as_dtype(ml_dtypes.bfloat16) is dtypes.bfloat16
    assert dtypes.as_dtype(float) is dtypes.float64
    assert dtypes.as_dtype(bool) is dtypes.bool_
    for wrong in (8, "complex32", "f32", None, True, 1.5, np.str_, []):
        with pytest.raises(TypeError):
            dtypes.as_dtype(wrong)


def test_parts_of_complex_types():
    assert dtypes.complex64.to_real() is dtypes.float32
    assert dtypes.float64.to_complex() is dtypes.complex128
    assert dtypes.bfloat16.to_complex() is dtypes.complex64
    assert dtypes.float16.to_real() is dtypes.float16
    for kind, message in ((dtypes.float16, "complex32"), (dtypes.int64, "Unknown Complex")):
        with pytest.raises(RuntimeError, match=message):
            kind.to_complex()


def test_default_dtype():
    try:
        dtypes.set_default_dtype("float64")
        assert dtypes.get_default_dtype() is dtypes.float64
        assert dtypes.get_default_complex_dtype() is dtypes.complex128
    finally:
        dtypes.set_default_dtype(dtypes.float32)
    with pytest.raises(TypeError, match="only floating-point types"):
        dtypes.set_default_dtype(dtypes.int64)


def test_canonical_arrays_share_memory_and_have_the_tables_dtype_object():
    foreign = np.arange(4, dtype=np.longlong)
    held = dtypes.canonical(foreign)
    assert held.dtype is dtypes.int64.numpy_dtype
    assert np.shares_memory(held, foreign)
    unpickled = pickle.loads(pickle.dumps(np.ones(2, np.float32)))
    assert dtypes.canonical(unpickled).dtype is dtypes.float32.numpy_dtype
    assert type(dtypes.canonical(np.ma.array([1.0]))) is np.ndarray


@pytest.mark.parametrize(
    "array, error, message",
    [
        (np.zeros(2, ">f4"), ValueError, "byte order different from the native"),
        (np.zeros(3)[::-1], ValueError, "one stride in the given numpy array is negative"),
        (np.zeros(3, [("a", "i1"), ("b", "f4")])["b"], ValueError, "not a multiple"),
        (np.array(["a"]), TypeError, "can't convert an array of NumPy type '<U1'"),
        (np.array([None]), TypeError, "can't convert an array of NumPy type 'object'"),
    ],
)
def test_arrays_that_cannot_be_shared(array: np.ndarray, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        dtypes.canonical(array)
