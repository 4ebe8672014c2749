"""Python functions that programs call, where PyTorch is loaded, too."""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

GLOBAL_ARRAY = np.arange(3)
"""An array compares element by element: looking for `torch` among the globals must not compare with it."""


@torch.jit.ignore
def plain(x: torch.Tensor) -> torch.Tensor:
    assert isinstance(x, ts.Tensor) and len(GLOBAL_ARRAY) == 3
    return x


def calls_it(x):
    return plain(x) + 1


def test_a_function_with_an_array_among_its_globals_is_called() -> None:
    pytest.importorskip("torch")  # loaded, and not among the globals here
    f = ts.script(calls_it)
    for _ in range(3):
        assert np.asarray(f(np.ones(2, np.float32))).tolist() == [2, 2]
