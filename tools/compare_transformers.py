"""Load and run the eight models of `transformers` at their published sizes beside PyTorch: random weights, traced and saved by PyTorch.

Needs PyTorch and transformers (4.44). `python tools/compare_transformers.py [NAME ...]` prints, for each, the size of the archive and
the largest difference of three calls, relative to the largest number of the result.
"""

import io
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers as tr

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from regenerate_transformer_archives import Named

import torchscript_dialect as ts
from torchscript_dialect import torch as ours

TOKENS = torch.arange(64).reshape(2, 32) * 37 % 1000
IMAGE = torch.sin(torch.arange(3.0 * 224 * 224)).reshape(1, 3, 224, 224)
SOUND = torch.cos(torch.arange(80.0 * 3000)).reshape(1, 80, 3000)
DECODER = ("input_ids", "decoder_input_ids")
WHISPER = ("input_features", "decoder_input_ids")

MODELS: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {
    "bert": lambda: (made(tr.BertModel, tr.BertConfig()), (TOKENS,)),
    "gpt2": lambda: (made(tr.GPT2Model, tr.GPT2Config(use_cache=False)), (TOKENS,)),
    "t5": lambda: (
        Named(made(tr.T5Model, tr.T5Config(use_cache=False)), *DECODER),
        (TOKENS, TOKENS[:, :8]),
    ),
    "vit": lambda: (made(tr.ViTModel, tr.ViTConfig()), (IMAGE,)),
    "swin": lambda: (made(tr.SwinModel, tr.SwinConfig()), (IMAGE,)),
    "whisper": lambda: (
        Named(made(tr.WhisperModel, tr.WhisperConfig(use_cache=False)), *WHISPER),
        (SOUND, TOKENS[:1, :8]),
    ),
    "clip": lambda: (
        Named(made(tr.CLIPModel, tr.CLIPConfig()), "input_ids", "pixel_values"),
        (TOKENS, IMAGE),
    ),
    "convnext": lambda: (made(tr.ConvNextModel, tr.ConvNextConfig()), (IMAGE,)),
}
"""The published base sizes, which the configurations have by themselves."""


def made(model: Any, config: Any) -> Any:
    config.torchscript = True
    torch.manual_seed(0)
    return model(config).eval()


def arrays(value: Any) -> list[Any]:
    """The arrays of a result, in order."""
    if hasattr(value, "numpy"):
        return [value.numpy()]
    parts = value.values() if isinstance(value, dict) else value
    return [array for part in parts for array in arrays(part)]


def main() -> None:
    warnings.simplefilter("ignore")
    for name in sys.argv[1:] or MODELS:
        model, inputs = MODELS[name]()
        buffer = io.BytesIO()
        with torch.no_grad(), ours.no_grad():
            traced: Any = torch.jit.trace(model, inputs, strict=False, check_trace=False)
            known = arrays(model(*inputs))
            torch.jit.save(traced, buffer)
            size = len(buffer.getvalue()) >> 20
            module = ts.load(io.BytesIO(buffer.getvalue()))
            worst, seconds = 0.0, []
            for _ in range(3):
                start = time.perf_counter()
                found = arrays(module(*[x.numpy() for x in inputs]))
                seconds.append(time.perf_counter() - start)
                for mine, other in zip(found, known, strict=True):
                    assert mine.shape == other.shape
                    worst = max(worst, float(np.abs(mine - other).max() / np.abs(other).max()))
        took = ", ".join(f"{each:.1f}" for each in seconds)
        print(f"{name}: {size} MB, difference {worst:.1e}, calls of {took} s", flush=True)


if __name__ == "__main__":
    main()
