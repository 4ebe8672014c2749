"""What an expression of samples/nn_cases.py gives, in a form that JSON holds, under PyTorch and under the stand-in."""

from __future__ import annotations

import inspect
import math
import warnings
from typing import Any


def flattened(value: Any) -> list[Any]:
    """The tensors and numbers of a result: of tensors the shape, the sum and the first elements."""
    if value is None or isinstance(value, (bool, int, str)):
        return [value]
    if isinstance(value, float):
        return [round(value, 6)]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flattened(item)]
    elements = [float(number) for number in value.detach().double().reshape(-1).tolist()]
    return [list(value.shape), _round(math.fsum(elements)), *map(_round, elements[:4])]


def _round(number: float) -> float:
    return float(f"{number:.6g}")


def trained(module: Any) -> Any:
    """A layer whose statistics are not those that it begins with."""
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point() and hasattr(module, "running_mean"):
            tensor.data.copy_(tensor.data.clone().uniform_(0.5, 1.5)) if hasattr(
                tensor, "data"
            ) else tensor.uniform_(0.5, 1.5)
    return module


class Side:
    """PyTorch, or what stands in for it."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.names = {
            "torch": torch,
            "nn": torch.nn,
            "F": torch.nn.functional,
            "trained": trained,
        }

    def start(self) -> None:
        self.torch.manual_seed(7)

    def evaluate(self, text: str) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return eval(text, dict(self.names))

    def layer(self, line: str) -> tuple[Any, tuple[Any, ...]]:
        """The layer of a line, and its inputs."""
        made, _, inputs = line.partition(" | ")
        self.start()
        module = self.evaluate(made)
        return module, self.evaluate(f"({inputs},)")

    def call(self, line: str) -> list[Any]:
        self.start()
        return flattened(self.evaluate(line))


def layer_record(side: Side, line: str) -> dict[str, Any]:
    """Text, state and result of a layer."""
    module, inputs = side.layer(line)
    with warnings.catch_warnings(), side.torch.no_grad():
        warnings.simplefilter("ignore")
        result = flattened(module(*inputs))
    state = {name: flattened(tensor) for name, tensor in module.state_dict().items()}
    return {"repr": repr(module), "state": state, "result": result}


def parameters_of(callable_: Any) -> list[list[Any]] | None:
    """Names, kinds and defaults of parameters, None where they are not known."""
    try:
        signature = inspect.signature(callable_)
    except (TypeError, ValueError):
        return None
    found: list[list[Any]] = []
    for parameter in signature.parameters.values():
        default = parameter.default
        shown = repr(default) if isinstance(default, (bool, int, float, str)) else None
        found.append([parameter.name, parameter.kind.name, shown])
    return found
