"""Models of the package `transformers`, traced and saved by PyTorch (test/golden/transformers), give here what they gave there."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts

pytestmark = pytest.mark.usefixtures("without_gradients")

ARCHIVES = sorted((Path(__file__).parents[2] / "golden" / "transformers").glob("*.pt"))


def flat(value: Any) -> list[Any]:
    if isinstance(value, ts.Tensor):
        return [np.asarray(value)]
    parts = value.values() if isinstance(value, dict) else value
    return [array for part in parts for array in flat(part)]


def as_input(value: Any) -> Any:
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype.kind == "f" else array


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.stem)
def test_results(path: Path) -> None:
    extra = {"expected.json": ""}
    module = ts.load(path, _extra_files=extra)
    record = json.loads(extra["expected.json"])
    found = flat(module(*map(as_input, record["inputs"])))
    for mine, theirs in zip(found, map(np.asarray, record["results"]), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-4, atol=1e-4 * np.abs(theirs).max())


def test_all_are_there() -> None:
    names = [path.stem for path in ARCHIVES]
    assert names == ["bert", "clip", "convnext", "gpt2", "swin", "t5", "vit", "whisper"]
