"""Results of expressions over sparse and nested tensors, packed weights and seldom used operators, in a form that JSON holds: test/golden/layouts.json."""

import warnings
from typing import Any

import numpy as np

from samples import golden
from torchscript_dialect import torch as stand_in
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import (
    CompressedTensor,
    NestedTensor,
    SparseTensor,
    UnstridedTensor,
)


def parts(tensor: Any) -> list[Any]:
    """The arrays of a tensor of ours: coordinates in order, each of them once."""
    if isinstance(tensor, SparseTensor):
        whole = tensor.coalesce()
        return [whole.places, whole.elements]
    if isinstance(tensor, CompressedTensor):
        return [tensor.bounds, tensor.places, tensor.elements]
    if isinstance(tensor, NestedTensor):
        return [tensor.shapes, *(part.copy() for part in tensor.parts())]
    return [tensor.array]


def as_json(value: Any) -> Any:
    """A value of ours, or an exception."""
    if isinstance(value, Exception):
        return {"error": True}
    if isinstance(value, Tensor):
        arrays = [part.array if isinstance(part, Tensor) else part for part in parts(value)]
        return {
            "layout": str(value.layout),
            "sizes": list(value.sizes) if isinstance(value, UnstridedTensor) else list(value.shape),
            "parts": [golden.as_json(("tensor", array, array.dtype.name, ())) for array in arrays],
        }
    if isinstance(value, (list, tuple)) and type(value).__name__ != "Size":
        return {"items": [as_json(item) for item in value]}
    return {"text": str(value)}


def evaluate(names: dict[str, Any], text: str) -> Any:
    """The value of an expression, or the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(text, names)
        except Exception as error:
            return error


def names_of(setup: str, namespace: Any = stand_in) -> dict[str, Any]:
    """What expressions are over."""
    found: dict[str, Any] = {"torch": namespace}
    exec(setup, found)
    return found


def differs(mine: Any, stored: Any) -> bool:
    """Whether a value of ours, as JSON, is another than the one stored, but for rounding."""
    if mine.keys() != stored.keys():
        return True
    if "items" in stored:
        pairs = list(zip(mine["items"], stored["items"]))
        return len(mine["items"]) != len(stored["items"]) or any(differs(*pair) for pair in pairs)
    if "parts" not in stored:
        return mine != stored
    if mine["layout"] != stored["layout"] or mine["sizes"] != stored["sizes"]:
        return True
    return len(mine["parts"]) != len(stored["parts"]) or any(
        map(_differ, mine["parts"], stored["parts"])
    )


def _differ(one: Any, other: Any) -> bool:
    if one["dtype"] != other["dtype"] or one["shape"] != other["shape"]:
        return True
    a, b = (golden.from_json(each)[1] for each in (one, other))
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    relative = 1e-5 if a.dtype.itemsize > 2 else 1.6e-2
    return not np.allclose(a.astype(wide), b.astype(wide), relative, 1e-6, equal_nan=True)
