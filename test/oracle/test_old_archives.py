"""Archives of PyTorch 1.0 to 1.2, which PyTorch refuses, become archives that it loads."""

import io
import json
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from support.archives import FOLDER

VERSIONS = ["pytorch_1.0.0", "pytorch_1.1.0", "pytorch_1.2.0"]
CASES = [
    (version, path.stem) for version in VERSIONS for path in sorted((FOLDER / version).glob("*.pt"))
]


def decoded(value: Any) -> Any:
    if isinstance(value, dict) and "dtype" in value:
        array = np.array(value["values"], value["dtype"]).reshape(value["shape"])
        return torch.from_numpy(array)
    if isinstance(value, dict):
        return tuple(map(decoded, value["tuple"]))
    return list(map(decoded, value)) if isinstance(value, list) else value


def assert_same(result: Any, expected: Any) -> None:
    if isinstance(expected, (list, tuple)):
        assert len(result) == len(expected)
        for one, other in zip(result, expected, strict=True):
            assert_same(one, other)
    elif isinstance(expected, torch.Tensor):
        torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-5)
    else:
        assert (
            result == pytest.approx(expected) if isinstance(expected, float) else result == expected
        )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("version", "name"), CASES)
def test_pytorch_loads_what_is_saved_again(version: str, name: str) -> None:
    path = FOLDER / version / f"{name}.pt"
    with pytest.raises(RuntimeError, match="Legacy model format"):
        torch.jit.load(path)
    case = json.loads((path.parent / "expected.json").read_text())[name]
    buffer = io.BytesIO()
    ts.save(ts.load(path), buffer)
    buffer.seek(0)
    with torch.no_grad():
        result = torch.jit.load(buffer)(*map(decoded, case["arguments"]))
    assert_same(result, decoded(case["result"]))
