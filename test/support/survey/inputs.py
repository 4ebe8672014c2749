"""Arguments for functions and modules that nobody has described: found by names, annotations and trying."""

import inspect
import itertools
import random
import re
import typing
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

CHANNELS = 8
"""Of everything: what one argument calls a dimension has to fit what another has."""

_BY_NAME: tuple[tuple[str, Any], ...] = (
    (r"kernel|window_size|^k$|ksize", 3),
    (r"stride|dilation|groups?$|expan", 1),
    (r"pad", 1),
    (r"heads", 2),
    (r"layers|depth|num_blocks|^n$|repeat|steps|iterations", 1),
    (r"reduction|ratio|scale|factor", 2),
    (r"drop|^p$|prob|rate|eps|momentum|gamma|alpha|beta|sigma|temperature|lambda|tau|thresh", 0.1),
    (r"classes|vocab|num_emb|tokens|bins", CHANNELS),
    (r"resolution|img_size|image_size|input_size|feat_size|spatial", 16),
    (r"norm(_layer|_fn)?$", nn.BatchNorm2d),
    (r"act|nonlin", nn.ReLU),
    (r"conv", nn.Conv2d),
    (r"bias|use_|is_|has_|with_|return_|inplace|training", False),
    (r"mode|type|name", "nearest"),
    (r"config|cfg", None),
)
_SHAPES = (
    (2, 8, 16, 16), (2, 8, 8), (2, 8), (4, 8), (2, 16, 8), (8,), (2, 16, 16, 8), (2, 3, 32, 32), (1, 3, 64, 64), (2, 8, 16),
    (2, 8, 8, 8, 8), (2, 3, 16, 16), (2, 1, 16, 16), (4, 4), (4, 3), (3, 3), (2, 3, 3), (2, 4, 4), (), (2, 2, 8, 8), (16, 8), (2, 256, 8),
    (1, 3, 224, 224), (2, 3), (2, 3, 8, 16, 16), (2, 4, 8, 8), (1, 1, 8, 8, 8), (1, 3, 256, 256), (2, 64),
)  # fmt: skip
_WHOLE = re.compile(
    r"(^|_)(idx|ids?|ind(ex|ices)|edge_index|label|labels|target|tokens?|batch|perm|lengths?|seg|t|timesteps?)($|_)"
)
_TRUTH = re.compile(r"mask|valid|done")
_TRIES = 70


def construct(cls: type[nn.Module]) -> nn.Module:
    """A module of a class, made with the first arguments that it takes.

    Raises:
        ValueError: none of those that were tried.
    """
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
    ]
    last: Exception | None = None
    for guess in (
        _guessed,
        lambda p: CHANNELS,
        lambda p: (CHANNELS, CHANNELS),
        lambda p: nn.Linear(CHANNELS, CHANNELS),
    ):
        try:
            return cls(**{p.name: guess(p) for p in needed}).eval()
        except Exception as error:
            last = error
    raise ValueError(f"cannot be made: {last}") from last


def _guessed(parameter: inspect.Parameter) -> Any:
    annotation, name = parameter.annotation, parameter.name.lower()
    for pattern, value in _BY_NAME:
        if re.search(pattern, name):
            if isinstance(value, float) and annotation is int:
                return 1
            if value == 1 and annotation is float:
                return 1.0
            return _as_annotated(value, annotation)
    return _as_annotated(CHANNELS, annotation)


def _as_annotated(value: Any, annotation: Any) -> Any:
    origin = typing.get_origin(annotation)
    text = annotation if isinstance(annotation, str) else ""
    if annotation is str or text == "str":
        return value if isinstance(value, str) else "sum"
    if annotation is bool or text == "bool":
        return False
    if annotation is float or text == "float":
        return float(value) if isinstance(value, int | float) else 0.5
    if origin is list or re.match("(list|List)\\[", text):
        return [value, value]
    if origin is tuple or re.match("(tuple|Tuple)\\[", text):
        arguments = [a for a in typing.get_args(annotation) if a is not Ellipsis]
        return tuple(value for _ in arguments) if len(arguments) > 1 else (value, value)
    if annotation is nn.Module or text.endswith("Module"):
        return nn.Identity()
    return value


def attempts(signature: inspect.Signature) -> Iterator[Callable[[int], dict[str, Any]]]:
    """Makers of arguments by name, for a seed: of tensors of one shape first, then of shapes of their own."""
    needed = [
        p
        for p in signature.parameters.values()
        if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"
    ]
    tensors = [p for p in needed if _is_tensor(p)]
    for shape in _SHAPES:
        yield lambda seed, shape=shape: {
            p.name: _value(p, shape, seed + i) for i, p in enumerate(needed)
        }
        if not tensors:
            return
    for shape in _SHAPES[:12]:
        yield lambda seed, shape=shape: {
            p.name: _tensor(shape, torch.int64, seed + i)
            if _is_tensor(p)
            else _value(p, shape, seed)
            for i, p in enumerate(needed)
        }
    if len(tensors) < 2:
        return
    chooser = random.Random(7)
    for _ in range(_TRIES):
        shapes = {p.name: chooser.choice(_SHAPES[:20]) for p in tensors}
        yield lambda seed, shapes=shapes: {
            p.name: _value(p, shapes.get(p.name, ()), seed + i) for i, p in enumerate(needed)
        }


def _is_tensor(parameter: inspect.Parameter) -> bool:
    annotation = parameter.annotation
    if annotation is parameter.empty or annotation is torch.Tensor or annotation is Any:
        return True
    text = annotation if isinstance(annotation, str) else str(annotation)
    return "Tensor" in text and "ist[" not in text and "uple[" not in text and "ict[" not in text


def _value(parameter: inspect.Parameter, shape: tuple[int, ...], seed: int) -> Any:
    annotation, name = parameter.annotation, parameter.name
    text = annotation if isinstance(annotation, str) else str(annotation)
    if _is_tensor(parameter):
        if name == "edge_index":
            return _tensor((2, 10), torch.int64, seed) % 4
        if _TRUTH.search(name):
            return _tensor(shape, torch.float32, seed) > 0
        return _tensor(shape, torch.int64 if _WHOLE.search(name) else torch.float32, seed)
    if "Tensor" in text:
        items = [_tensor(shape, torch.float32, seed + i) for i in range(2)]
        if "ict[" in text:
            return dict(zip(("a", "b"), items, strict=True))
        return items if "ist[" in text else tuple(items)
    if "Optional" in text or "None" in text:
        return None
    if annotation is int and re.search("dim|axis", name):
        return itertools.cycle((0, 1)) and 1
    return _guessed(parameter)


def _tensor(shape: tuple[int, ...], dtype: torch.dtype, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    if dtype is torch.int64:
        return torch.randint(0, 2 if len(shape) < 2 else 4, shape, generator=generator)
    return torch.randn(shape, generator=generator)
