"""The models of test/models: written as published code is, against one library or the other.

A file has `make()`, which gives a module, and `CALLS`, the arguments of three calls: arrays, numbers and containers of both.
Parameters and buffers get numbers that depend on their names only, so both libraries compute the same.
"""

import importlib.util
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from support.loader import flavoured

FOLDER = Path(__file__).parent.parent / "models"
GOLDEN = FOLDER.parent / "golden" / "published_models.json"
LEVELS = 16
"""Numbers of a golden result of many elements: it is multiplied by as many patterns and summed."""


def normal(seed: int, *shape: int) -> np.ndarray:
    """Numbers of a normal distribution."""
    return np.asarray(np.random.default_rng(seed).standard_normal(shape), "float32")


def uniform(seed: int, *shape: int) -> np.ndarray:
    """Numbers between 0 and 1."""
    return np.random.default_rng(seed).random(shape).astype("float32")


def whole(seed: int, high: int, *shape: int) -> np.ndarray:
    """Whole numbers from 0 to `high`, which is none of them."""
    return np.random.default_rng(seed).integers(0, high, shape)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.py"))


def load(name: str, flavour: str) -> ModuleType:
    """The file of a model; `flavour` says what `torch` means, "torch" or "ours"."""
    with flavoured(flavour):
        spec = importlib.util.spec_from_file_location(f"models.{name}", FOLDER / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # where `inspect` looks for the source of classes
        spec.loader.exec_module(module)
    return module


def make(module: ModuleType) -> Any:
    """The model in evaluation, with the numbers that its names stand for."""
    torch = cast(Any, module).torch
    made = cast(Any, module).make().eval()
    for name, parameter in made.named_parameters():
        parameter.requires_grad_(False)
        parameter.copy_(torch.from_numpy(_numbers(name, tuple(parameter.shape))))
    for name, buffer in made.named_buffers():
        if name.rpartition(".")[2] == "running_var":
            buffer.copy_(torch.from_numpy(1 + abs(_numbers(name, tuple(buffer.shape)))))
    return made


def _numbers(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Weights that keep the size of what goes through; scales of norms are around 1."""
    numbers = np.asarray(normal(zlib.crc32(name.encode()), *shape))
    if len(shape) > 1:
        return numbers / np.float32(max(np.prod(shape[1:]), 1)) ** np.float32(0.5)
    return np.asarray(numbers * np.float32(0.1) + np.float32(name.endswith("weight")))


def convert(value: Any, to: Any) -> Any:
    """The value with its arrays converted by `to`, in containers too."""
    if isinstance(value, np.ndarray):
        return to(value.copy())
    if isinstance(value, dict):
        return {key: convert(item, to) for key, item in cast(dict[Any, Any], value).items()}
    if isinstance(value, list | tuple):
        items = [convert(item, to) for item in cast(list[Any], value)]
        return items if isinstance(value, list) else tuple(items)
    return value


def leaves(value: Any) -> Iterator[Any]:
    """Tensors, numbers and texts of a result in order; keys of dicts, too."""
    if isinstance(value, dict):
        for key, item in cast(dict[Any, Any], value).items():
            yield key
            yield from leaves(item)
    elif isinstance(value, list | tuple):
        yield len(cast(list[Any], value))
        for item in cast(list[Any], value):
            yield from leaves(item)
    else:
        yield value


def summary(value: Any) -> list[Any]:
    """A result in few numbers: of each tensor dtype, shape, and weighted sums of its elements."""
    return [_summary(leaf) for leaf in leaves(value)]


def _summary(leaf: Any) -> Any:
    if not hasattr(leaf, "numpy"):
        return leaf
    array = leaf.numpy()
    flat = np.asarray(array, "float64").ravel()
    if flat.size > LEVELS:
        patterns = np.cos(np.outer(np.arange(LEVELS), np.arange(flat.size)) * 0.37 + 0.1)
        flat = patterns @ flat / flat.size**0.5
    return [array.dtype.name, list(array.shape), [float(f"{number:.6g}") for number in flat]]


def difference(ours: list[Any], theirs: list[Any], tolerance: float = 2e-4) -> str | None:
    """What sets two summaries apart, None if nothing does."""
    if len(ours) != len(theirs):
        return f"{len(ours)} values, should be {len(theirs)}"
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        if isinstance(one, list) != isinstance(other, list):
            return f"value {number} is {one}, should be {other}"
        if not isinstance(one, list):
            if one == other or (one != one and other != other):
                continue
            if isinstance(one, float) and abs(one - other) <= tolerance * max(1, abs(other)):
                continue
            return f"value {number} is {one}, should be {other}"
        got, want = cast(list[Any], one), cast(list[Any], other)
        if got[:2] != want[:2]:
            return f"value {number} is a {got[:2]}, should be a {want[:2]}"
        scale = max([1.0, *map(abs, want[2])])
        if not np.allclose(got[2], want[2], rtol=tolerance, atol=tolerance * scale, equal_nan=True):
            return f"value {number} is {got[2]}, should be {want[2]}"
    return None
