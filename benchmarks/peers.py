"""The systems that are compared: how each takes arrays and gets a function ready to be called."""

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Args = tuple[Any, ...]


@dataclass(frozen=True)
class Peer:
    """One system.

    requires: the modules that must be installed. argument: an array as this system takes it. ready:
    a result as an array, once it is computed. call: the expression that is timed; `f` is the
    function and `args` stands for the arguments.
    """

    name: str
    requires: tuple[str, ...]
    argument: Callable[[np.ndarray], Any]
    ready: Callable[[Any], np.ndarray] = np.asarray
    call: str = "f({args})"

    @property
    def installed(self) -> bool:
        return all(importlib.util.find_spec(name) for name in self.requires)

    def arguments(self, value: Any) -> Any:
        """`value` with every array in it as this system takes it; tuples stay tuples."""
        if isinstance(value, tuple):
            return tuple(self.arguments(item) for item in value)
        return self.argument(value) if isinstance(value, np.ndarray) else value

    def results(self, value: Any) -> list[np.ndarray]:
        """The arrays of a result, flat, in order."""
        if isinstance(value, tuple | list):
            return [array for item in value for array in self.results(item)]
        return [self.ready(value)]


def _ours(array: np.ndarray) -> Any:
    return importlib.import_module("torchscript_dialect.torch").as_tensor(array)


def _torch(array: np.ndarray) -> Any:
    return importlib.import_module("torch").from_numpy(array)


def _jax(array: np.ndarray) -> Any:
    return importlib.import_module("jax.numpy").asarray(array)


def _same(array: np.ndarray) -> np.ndarray:
    return array


PEERS = {
    peer.name: peer
    for peer in [
        Peer("ours", ("torchscript_dialect",), _ours),
        Peer("torch", ("torch",), _torch),
        Peer("torch.jit", ("torch",), _torch),
        Peer("torch.compile", ("torch",), _torch),
        # A result of JAX may still be on its way when the call returns.
        Peer("jax", ("jax",), _jax, call="wait(f({args}))"),
        Peer("numba", ("numba",), _same),
        Peer("numpy", (), _same),
    ]
}
