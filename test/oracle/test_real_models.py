"""Must-hold 2 of modules and archives: real models, saved by PyTorch, load and run within 1e-4 relative of PyTorch in float32.

ResNet-18 and 50, MobileNet, a 12-layer transformer encoder, an LSTM tagger and a detection model with its post-processing
(`support/real_models.py`), with few channels here and at full size with TORCHSCRIPT_DIALECT_LONG_TESTS=1. Models of the package
`transformers` are in test/unit/api/test_transformers.py, and at full size in `tools/compare_transformers.py`.
"""

import io
import warnings
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from support import real_models
from support.amounts import IS_LONG
from torchscript_dialect import torch as ours

CASES = [(name, "scripted") for name in real_models.MODELS] + [("resnet18", "traced")]
if IS_LONG:
    CASES += [(name, "traced") for name in ("resnet50", "mobilenet", "encoder")]


def flat(value: Any) -> list[Any]:
    """The arrays of a result, in order."""
    if isinstance(value, (torch.Tensor, ts.Tensor)):
        return [value.detach().numpy()]
    parts = value.values() if isinstance(value, dict) else value
    return [array for part in parts for array in flat(part)]


def saved(module: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    torch.jit.save(module, buffer)
    return io.BytesIO(buffer.getvalue())


def compiled(model: Any, inputs: tuple[Any, ...], how: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if how == "traced":
            return torch.jit.trace(model, inputs, check_trace=False)
        return torch.jit.script(model)


@pytest.mark.parametrize(("name", "how"), CASES)
def test_runs_as_in_pytorch(name: str, how: str) -> None:
    model, inputs = real_models.made(name, full=IS_LONG)
    module = ts.load(saved(compiled(model, inputs, how)))
    with torch.no_grad(), ours.no_grad(), nullcontext() if IS_LONG else ts.fuser("none"):
        known = flat(model(*inputs))
        for _ in range(3):
            found = flat(module(*[each.numpy() for each in inputs]))
            for mine, other in zip(found, known, strict=True):
                assert mine.dtype == other.dtype
                limit = 1e-4 * np.abs(other).max(initial=0)
                np.testing.assert_allclose(mine, other, rtol=1e-4, atol=limit)
