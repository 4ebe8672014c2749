"""Dicts as PyTorch has them: what `d[k] += x` changes, and NaN as a key. Five calls reach specialized code.

Point 6 of docs/testing.md.
"""

import numpy as np
import pytest

import torchscript_dialect as ts

SOURCE = """
def of_tensors(d: Dict[str, Tensor], x: Tensor):
    d["a"] += x
    return d["a"]

def of_lists(d: Dict[str, List[int]], l: List[int]):
    kept = d["a"]
    d["a"] += l
    return kept, d["a"]

def list_of_tensors(d: List[Tensor], x: Tensor):
    d[0] += x
    return d[0]

def twice(key: float):
    d = {key: 1, key: 2}
    d[key] = 3
    return len(d), key in d, d.get(key, 7)
"""


@pytest.fixture(scope="module")
def unit() -> ts.CompilationUnit:
    return ts.CompilationUnit(SOURCE)


def test_augmented_item_is_a_new_tensor(unit: ts.CompilationUnit) -> None:
    given = np.zeros(2, np.float32)
    for _ in range(5):
        result = unit["of_tensors"]({"a": given}, np.ones(2, np.float32))
        assert result.tolist() == [1, 1]
        assert given.tolist() == [0, 0]


def test_augmented_item_is_a_new_list(unit: ts.CompilationUnit) -> None:
    for _ in range(5):
        assert unit["of_lists"]({"a": [1]}, [2]) == ([1], [1, 2])


def test_augmented_element_of_a_list_is_the_old_tensor(unit: ts.CompilationUnit) -> None:
    given = np.zeros(2, np.float32)
    for _ in range(5):
        unit["list_of_tensors"]([given], np.ones(2, np.float32))
    assert given.tolist() == [5, 5]


def test_nan_is_another_key_each_time(unit: ts.CompilationUnit) -> None:
    for _ in range(5):
        assert unit["twice"](float("nan")) == (3, False, 7)
        assert unit["twice"](1.0) == (1, True, 3)
