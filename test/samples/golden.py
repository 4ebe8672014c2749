"""PyTorch's results on the first samples of each operator, in a form that JSON holds."""

import json
from typing import Any

import numpy as np

from samples import compare, samples_of
from samples.exceptions import ORDER_OF_SUMS
from torchscript_dialect.ops import registry

KEPT = 2
"""How many samples of an operator are kept."""


def as_json(value: Any) -> Any:
    """A result of `compare.plain`, or an exception, as JSON values."""
    if isinstance(value, BaseException):
        return {"error": True}
    if isinstance(value, tuple) and value and value[0] == "tensor":
        _, array, dtype, strides = value
        return {
            "dtype": dtype,
            "shape": list(array.shape),
            "strides": list(strides),
            "values": _numbers(array),
        }
    if isinstance(value, (list, tuple)):
        return {"items": [as_json(item) for item in value], "tuple": isinstance(value, tuple)}
    if isinstance(value, dict):
        return {
            "keys": [as_json(key) for key in value],
            "of": [as_json(item) for item in value.values()],
        }
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, float):
        return {"float": repr(value)}
    return {"value": value}


def _numbers(array: np.ndarray) -> list[Any]:
    flat = array.reshape(-1)
    if flat.dtype.kind == "c":
        return [[f"{number.real:.9g}", f"{number.imag:.9g}"] for number in flat.tolist()]
    if flat.dtype.kind in "iub":
        return [int(number) for number in flat]
    return [
        f"{float(number):.17g}" if flat.dtype == np.float64 else f"{float(number):.9g}"
        for number in flat
    ]


def from_json(value: Any) -> Any:
    """The value that `as_json` wrote."""
    if "error" in value:
        return RuntimeError("PyTorch raises")
    if "dtype" in value:
        return ("tensor", _array(value), value["dtype"], tuple(value["strides"]))
    if "items" in value:
        items = [from_json(item) for item in value["items"]]
        return tuple(items) if value["tuple"] else items
    if "keys" in value:
        return dict(zip(map(from_json, value["keys"]), map(from_json, value["of"])))
    if "complex" in value:
        return complex(*map(float, value["complex"]))
    return float(value["float"]) if "float" in value else value["value"]


def _array(value: Any) -> np.ndarray:
    from torchscript_dialect.tensor import dtype as dtypes

    element = dtypes.from_name(value["dtype"]).numpy_dtype
    numbers = value["values"]
    if value["dtype"].startswith("complex"):
        numbers = [complex(float(real), float(imag)) for real, imag in numbers]
    elif numbers and isinstance(numbers[0], str):
        numbers = [float(number) for number in numbers]
    return np.array(numbers).astype(element).reshape(value["shape"])


def describe(name: str) -> list[Any] | None:
    """What PyTorch gives on the samples that are kept; None where there are none."""
    from samples import torch_side

    operator = registry.find(name)
    results: list[Any] = []
    for make, _ in zip(samples_of(operator), range(KEPT)):
        result, after = torch_side.run(operator, make)
        results.append(
            {"result": as_json(result), "after": None if after is None else as_json(after)}
        )
    return json.loads(json.dumps(results)) if results else None


def differences(name: str, golden: list[Any]) -> list[str]:
    """How our results on the samples that are kept differ from the golden ones."""
    operator = registry.find(name)
    found: list[str] = []
    scale = ORDER_OF_SUMS.get(name, 1.0)
    for index, (make, expected) in enumerate(zip(samples_of(operator), golden)):
        result, after = compare.run(operator, make)
        text = compare.difference(result, from_json(expected["result"]), scale)
        if text is None and after is not None and expected["after"] is not None:
            text = compare.difference(after, from_json(expected["after"]), scale)
        if text is not None:
            found.append(f"sample {index} {make()}: {text}")
    return found
