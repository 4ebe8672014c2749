"""Archives of PyTorch 1.0 to 1.2, which PyTorch refuses, become archives that it loads."""

import io

import pytest
import torch

import torchscript_dialect as ts
from support import old_archives as old

VERSIONS = ("pytorch_1.0.0", "pytorch_1.1.0", "pytorch_1.2.0")
CASES = [(version, name) for version in VERSIONS for name in old.expected(version)]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("version", "name"), CASES)
def test_pytorch_loads_what_is_saved_again(version: str, name: str) -> None:
    path = old.path_of(version, name)
    with pytest.raises(RuntimeError, match="Legacy model format"):
        torch.jit.load(path)
    case = old.expected(version)[name]
    buffer = io.BytesIO()
    ts.save(ts.load(path), buffer)
    buffer.seek(0)
    with torch.no_grad():
        result = torch.jit.load(buffer)(*old.decoded(case["arguments"], torch.from_numpy))
    old.assert_same(result, old.decoded(case["result"], lambda array: array))
