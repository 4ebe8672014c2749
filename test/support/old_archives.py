"""The archives that old versions of PyTorch wrote (test/archives/pytorch_*), and what these gave for them."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.archives import FOLDER

VERSIONS = sorted(path.name for path in FOLDER.glob("pytorch_*"))


@cache
def expected(version: str) -> dict[str, Any]:
    """By name, the arguments and the result of each program."""
    return json.loads((FOLDER / version / "expected.json").read_text())


def path_of(version: str, name: str) -> Path:
    return FOLDER / version / f"{name}.pt"


def decoded(value: Any, tensor_of: Callable[[np.ndarray], Any]) -> Any:
    """A value of `expected`; `tensor_of` makes tensors of arrays."""
    if isinstance(value, dict) and "dtype" in value:
        return tensor_of(np.array(value["values"], value["dtype"]).reshape(value["shape"]))
    if isinstance(value, dict):
        return tuple(decoded(one, tensor_of) for one in value["tuple"])
    return [decoded(one, tensor_of) for one in value] if isinstance(value, list) else value


def assert_same(result: Any, wanted: Any) -> None:
    """Check a result of either library against a decoded one, whose tensors are arrays."""
    if isinstance(wanted, np.ndarray):
        found = result.numpy()
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    elif isinstance(wanted, (list, tuple)):
        assert isinstance(result, type(wanted)) and len(result) == len(wanted)
        for one, other in zip(result, wanted, strict=True):
            assert_same(one, other)
    else:
        assert type(result) is type(wanted)
        assert result == pytest.approx(wanted) if isinstance(wanted, float) else result == wanted
