"""A kernel of more tensors than a native call takes: limits fall back, and raise nothing.

Point 6 of docs/testing.md.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts


@pytest.mark.parametrize("tensor", [np.asarray, ts.Tensor])
@pytest.mark.parametrize("count", [64, 65, 70, 300])
def test_a_sum_of_many_tensors(count: int, tensor: Callable[[Any], Any]) -> None:
    names = [f"x{i}" for i in range(count)]
    f = ts.CompilationUnit(f"def f({', '.join(names)}):\n    return {' + '.join(names)}\n").f
    for call in range(5):
        arrays = [np.full(3, i + call, np.float32) for i in range(count)]
        assert f(*map(tensor, arrays)).numpy().tolist() == np.sum(arrays, 0).tolist()
