"""Calls of modules with other tensors in the places of their own."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from torchscript_dialect.torch.nn.modules.module import Module


def functional_call(
    module: Module,
    parameters_and_buffers: dict[str, Any] | Sequence[dict[str, Any]],
    args: Any = None,
    kwargs: dict[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with tensors, by dotted name, in the places of its parameters and buffers. What the call puts there is in the
    dictionary afterwards.

    Raises:
        RuntimeError: `strict`, and there are other names than the module has; the module is compiled.
        KeyError: there is no such place.
        ValueError: several dictionaries have one name; tensors for several names of one parameter differ.
    """
    if not isinstance(module, Module):
        raise RuntimeError("The stateless API can't be used with Jitted modules")
    if not isinstance(parameters_and_buffers, dict):
        parameters_and_buffers = _united(parameters_and_buffers)
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
        result = module(*positional, **(kwargs or {}))
        for name in parameters_and_buffers:
            inner, table = places[name]
            parameters_and_buffers[name] = getattr(inner, table)[name.rpartition(".")[2]]
        return result


def _united(dictionaries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    united: dict[str, Any] = {}
    for each in dictionaries:
        repeated = [name for name in each if name in united]
        if repeated:
            raise ValueError(
                f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous"
            )
        united.update(each)
    return united


def _with_tied(places: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """What is given for one place of a tensor is given for the others."""
    held = {
        name: getattr(inner, table)[name.rpartition(".")[2]]
        for name, (inner, table) in places.items()
    }
    by_tensor: dict[int, Any] = {}
    for name, tensor in given.items():
        if held[name] is None:
            continue
        if by_tensor.setdefault(id(held[name]), tensor) is not tensor:
            tied = [other for other in given if held[other] is held[name]]
            raise ValueError(
                f"functional_call got multiple values for keys {tied}, which are tied. Consider using "
                "tie_weights=False"
            )
    found = {
        name: by_tensor[id(tensor)] for name, tensor in held.items() if id(tensor) in by_tensor
    }
    return found | given
