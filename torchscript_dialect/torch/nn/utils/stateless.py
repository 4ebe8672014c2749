"""Calls of modules with other tensors in the places of their own."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from torchscript_dialect.torch.nn.modules.module import Module


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Any],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with tensors, by dotted name, in the places of its parameters and buffers.

    Raises:
        RuntimeError: `strict`, and there are other names than the module has.
        KeyError: there is no such place.
    """
    places = {
        name: (inner, table)
        for path, inner in module.named_modules()
        for table in ("_parameters", "_buffers")
        for key in getattr(inner, table)
        for name in [f"{path}.{key}" if path else key]
    }
    unknown = [name for name in parameters_and_buffers if name not in places]
    missing = [name for name in places if name not in parameters_and_buffers]
    if strict and (unknown or missing):
        raise RuntimeError(
            f"Error(s) in functional_call: unexpected keys {unknown}, missing keys {missing}"
        )
    if unknown:
        raise KeyError(f"the module has no parameter or buffer '{unknown[0]}'")
    given = (
        dict(parameters_and_buffers)
        if not tie_weights
        else _with_tied(places, parameters_and_buffers)
    )
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    with ExitStack() as undo:
        for name, tensor in given.items():
            inner, table = places[name]
            held, key = getattr(inner, table), name.rpartition(".")[2]
            undo.callback(held.__setitem__, key, held[key])
            held[key] = tensor
        return module(*positional, **(kwargs or {}))


def _with_tied(places: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What is given for one place of a tensor is given for the others."""
    held = {
        name: getattr(inner, table)[name.rpartition(".")[2]]
        for name, (inner, table) in places.items()
    }
    by_tensor = {id(held[name]): tensor for name, tensor in given.items() if held[name] is not None}
    found = {
        name: by_tensor[id(tensor)] for name, tensor in held.items() if id(tensor) in by_tensor
    }
    return found | given
