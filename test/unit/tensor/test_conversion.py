"""Tensors from arrays, NumPy scalars and nested sequences."""

from typing import Any

import numpy as np
import pytest

from support.tensors import tensor
from torchscript_dialect.tensor import as_tensor
from torchscript_dialect.tensor import dtype as dtypes

T = tensor


@pytest.mark.parametrize(
    "data, name, shape",
    [
        (1, "int64", ()),
        (1.5, "float32", ()),
        (True, "bool", ()),
        (1j, "complex64", ()),
        (np.float64(1), "float64", ()),
        (np.int8(1), "int8", ()),
        ([], "float32", (0,)),
        ([[], []], "float32", (2, 0)),
        ([[[]]], "float32", (1, 1, 0)),
        ([1, 2.0], "float32", (2,)),
        ([1, True], "int64", (2,)),
        ([1j, 1], "complex64", (2,)),
        ([np.float64(1)], "float64", (1,)),
        ([np.float16(1), 1], "float16", (2,)),
        (((1,), (2,)), "int64", (2, 1)),
        ([[1.5, 2.0], [3.0, -0.0], [4.0, 5.0]], "float32", (3, 2)),
        ([[[True]], [[False]]], "bool", (2, 1, 1)),
        ([[1, 2], [3, 4.5]], "float32", (2, 2)),
        ([T(1), 2.0], "float32", (2,)),
        ([T(1, "float16"), T(2, "int8")], "float16", (2,)),
        ([np.array([1, 2], np.int8), np.array([3, 4], np.int8)], "int8", (2, 2)),
        (range(3), "int64", (3,)),
    ],
)
def test_inference(data: Any, name: str, shape: tuple[int, ...]):
    for make in (tensor, as_tensor):
        made = make(data)
        assert made.dtype.name == name
        assert made.shape == shape
        assert type(made.array) is np.ndarray


@pytest.mark.parametrize(
    "data, dtype, error, message",
    [
        ([[1, 2], [3]], None, ValueError, r"expected sequence of length 2 at dim 1 \(got 1\)"),
        ([[1, 2], 3], None, TypeError, "not a sequence"),
        ([1, [2, 3]], None, TypeError, "'list' object cannot be interpreted"),
        (2**63, None, ValueError, "Overflow when unpacking long long"),
        (300, "uint8", RuntimeError, "value cannot be converted to type uint8 without overflow"),
        (-256, "uint8", RuntimeError, "value cannot be converted to type uint8 without overflow"),
        (float("nan"), "int64", RuntimeError, "value cannot be converted to type int64 without"),
        (3e9, "int32", RuntimeError, "value cannot be converted to type int32 without overflow"),
        (1e30, "int64", RuntimeError, "value cannot be converted to type int64 without overflow"),
        (1j, "float32", TypeError, "must be real number, not complex"),
        (1j, "int32", TypeError, "'complex' object cannot be interpreted as an integer"),
        ("a", None, TypeError, r"new\(\): invalid data type 'str'"),
        (["a"], None, ValueError, "too many dimensions 'str'"),
        (None, None, RuntimeError, "Could not infer dtype of NoneType"),
        ({1}, None, RuntimeError, "Could not infer dtype of set"),
    ],
)
def test_errors(data: Any, dtype: str | None, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        as_tensor(data, dtype)


def test_values_that_fit_after_a_conversion():
    assert T(-1, "uint8").item() == 255
    assert T(2**63, "uint64").item() == 2**63
    assert T(1.5, "int64").item() == 1
    assert T(1.5, "bool").item() is True
    assert T(1e40, "float32").item() == float("inf")
    assert T(2.5, "complex64").item() == 2.5
    assert T([1.0, 2.0], "float8_e5m2").tolist() == [1, 2]


def test_arrays_are_shared_by_as_tensor_and_copied_by_tensor():
    array = np.zeros((2, 3), np.float64).T
    assert as_tensor(array).array is array
    copied = tensor(array)
    assert not np.shares_memory(copied.array, array)
    assert copied.is_contiguous()
    assert as_tensor(array, "int8").dtype is dtypes.int8


def test_a_read_only_array_stays_read_only():
    array = np.zeros(3)
    array.flags.writeable = False
    assert not as_tensor(array).array.flags.writeable


def test_complex_numbers_are_true_but_for_zero() -> None:
    assert as_tensor([1 + 2j, 0j, 2j, 1.5], "bool").tolist() == [True, False, True, True]
