"""Addresses of arrays are those that NumPy tells."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.storage import data_pointer

WHOLE = np.zeros((4, 5, 6), np.float32)


@pytest.mark.parametrize(
    "array",
    [WHOLE, WHOLE[1:, ::2], WHOLE[::-1].T, WHOLE[:0], np.array(1.5), np.zeros(3, "i2").view("V2")],
)
def test_an_address_is_the_one_of_the_interface(array: NDArray[Any]) -> None:
    assert data_pointer(array) == array.__array_interface__["data"][0]


def test_arrays_of_other_classes_have_addresses(tmp_path: Path) -> None:
    mapped = np.memmap(tmp_path / "numbers", np.int32, "w+", shape=(8,))[2:]
    assert data_pointer(mapped) == mapped.__array_interface__["data"][0]


def test_another_interpreter_is_asked_for_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage.sys.implementation, "name", "another")
    assert storage.chosen_pointer()(WHOLE) == data_pointer(WHOLE)
    assert storage.chosen_pointer() is not data_pointer
