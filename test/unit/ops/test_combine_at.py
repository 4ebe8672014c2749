"""`combine_at` is `numpy.ufunc.at`, in native code or not."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.native_calls import needs_native_calls
from torchscript_dialect.ops.indexing import combine_at as combining
from torchscript_dialect.ops.indexing.combine_at import combine_and_round, combine_at
from torchscript_dialect.runtime.kernels.handwritten import combine_kernels
from torchscript_dialect.tensor.dtype import bfloat16

RNG = np.random.default_rng(7)
ALL = slice(None)


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combining.NATIVE, "many", 0)


@pytest.fixture
def native(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The operations that were done natively."""
    done: list[str] = []
    run = combine_kernels.combine_rows

    def counted(operation: str, *arrays: NDArray[Any]) -> bool:
        is_done = run(operation, *arrays)
        if is_done:
            done.append(operation)
        return is_done

    monkeypatch.setattr(combine_kernels, "combine_rows", counted)
    yield done


def _values(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    values = RNG.integers(-9, 9, shape) if dtype.startswith("i") else RNG.standard_normal(shape)
    return values.astype(dtype)


def _places(size: int, *shape: int) -> NDArray[np.int64]:
    return RNG.integers(-size, size, shape)


KEYS: list[tuple[tuple[int, ...], Any, tuple[int, ...]]] = [
    ((9,), _places(9, 100), (100,)),
    ((9, 21), _places(9, 40), (40, 21)),
    ((9, 21), _places(9, 40).astype(np.int32), (40, 21)),
    ((9, 21), (_places(9, 5, 8),), (5, 8, 21)),
    ((3, 9, 17), (ALL, _places(9, 40)), (3, 40, 17)),
    ((3, 4, 9), (ALL, ALL, _places(9, 40)), (3, 4, 40)),
    ((6, 9), (np.arange(6)[:, None], _places(9, 6, 40)), (6, 40)),
    ((2, 6, 9, 3), (ALL, np.arange(6)[:, None], _places(9, 6, 40)), (2, 6, 40, 3)),
    ((9, 21), _places(9, 40), (21,)),
    ((9, 21), _places(9, 400), (400, 1)),
    ((9, 70), (np.asarray(-2),), (70,)),
]


@needs_native_calls
@pytest.mark.parametrize("operation", [np.add, np.multiply, np.maximum, np.minimum])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_rows_are_combined_as_by_numpy(operation: np.ufunc, dtype: str, native: list[str]) -> None:
    for shape, key, given in KEYS:
        array, source = _values(shape, dtype), _values(given, dtype)
        wanted = array.copy()
        operation.at(wanted, key, source)
        combine_at(operation, array, key, source)
        assert array.tobytes() == wanted.tobytes()
    few = [given for *_, given in KEYS if np.prod(given) < combining.WORTH_A_CALL]
    assert native == [operation.__name__] * (len(KEYS) - len(few))


@needs_native_calls
@pytest.mark.parametrize("operation", [np.maximum, np.minimum, np.add])
def test_nan(operation: np.ufunc, native: list[str]) -> None:
    array, source = _values((9, 21), "float32"), _values((400, 21), "float32")
    array[::4, ::3], source[::7, ::5] = np.nan, np.nan
    key, wanted = _places(9, 400), array.copy()
    operation.at(wanted, key, source)
    combine_at(operation, array, key, source)
    np.testing.assert_array_equal(array, wanted)
    assert native


@pytest.mark.parametrize(
    "array, key",
    [
        (_values((9, 42), "float32")[:, ::2], _places(9, 40)),
        (_values((9, 21), "int32"), _places(9, 40)),
        (_values((9, 21), "complex64"), _places(9, 40)),
        (_values((21, 9), "float32").T, _places(9, 40)),
        (_values((40, 9, 21), "float32"), (np.arange(40), ALL, _places(21, 40))),
        (_values((9, 21), "float32"), np.arange(9) > 3),
    ],
)
def test_what_is_left_to_numpy(array: NDArray[Any], key: Any, native: list[str]) -> None:
    source = np.ones(array[key].shape, array.dtype)
    wanted = array.copy()
    np.add.at(wanted, key, source)
    combine_at(np.add, array, key, source)
    np.testing.assert_array_equal(array, wanted)
    assert not native


def test_places_out_of_range_are_refused_and_nothing_is_written() -> None:
    array, source = _values((9, 21), "float32"), _values((40, 21), "float32")
    for wrong in (9, -10, 1 << 40):
        key, before = _places(9, 40), array.copy()
        key[17] = wrong
        with pytest.raises(IndexError):
            combine_at(np.add, array, key, source)
        assert array.tobytes() == before.tobytes()
    with pytest.raises(ValueError):
        combine_at(np.add, array, _places(9, 40), _values((40, 20), "float32"))


@needs_native_calls
def test_places_that_change_meanwhile_write_nowhere_else() -> None:
    memory = np.zeros((30, 4), np.float32)
    rows, places = memory[10:20], np.array([0, -1, 10, 1 << 60, -(1 << 62), 9])
    combine_kernels.combine_rows("add", rows, places, np.ones((6, 4), np.float32))
    assert memory.sum(1).nonzero()[0].tolist() == [10, 19]


def test_short_floats_are_rounded_once() -> None:
    dtype = bfloat16.numpy_dtype
    array, source = np.zeros((2, 100), dtype), np.full((1000, 100), 1 / 3, dtype)
    combine_and_round(np.add, array, np.zeros(1000, np.int64), source)
    wanted = np.float32(source[0, 0]) * 1000
    np.testing.assert_allclose(array[0].astype(np.float32), wanted, rtol=2**-8)
    assert not array[1].any()
