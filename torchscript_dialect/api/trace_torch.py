"""Functions and modules that are written against PyTorch: PyTorch traces them, and its trace is taken over."""

from __future__ import annotations

import inspect
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import reduce
from io import BytesIO
from typing import Any, cast

from torchscript_dialect.api.from_torch import from_torch
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.save import save_to_buffer
from torchscript_dialect.frontend.python.functions import python_names
from torchscript_dialect.tensor import pytorch_state


def is_foreign(obj: Any, inputs: Any) -> bool:
    """Whether PyTorch is to trace something: one of its modules, or a function of its tensors."""
    torch: Any = pytorch_state.loaded()
    if torch is None:
        return False
    if isinstance(obj, torch.nn.Module):
        return True
    if _holds(inputs, torch.Tensor):
        return not hasattr(obj, "__torchscript_module__")
    if not inspect.isfunction(obj):
        return False
    used = _reached(obj) if _is_empty(inputs) else _used(obj)  # without inputs nothing else tells
    return any(map(_is_of_pytorch, used))


def _used(function: Any) -> list[Any]:
    """What a function refers to outside itself."""
    names = python_names(function)
    code = inspect.unwrap(function).__code__
    return [names[name] for name in (*code.co_names, *code.co_freevars) if name in names]


def _reached(function: Any) -> list[Any]:
    """What a function refers to, or a function that it refers to."""
    found: list[Any] = [function]
    for value in found:  # which grows
        if inspect.isfunction(value):
            found += [one for one in _used(value) if all(one is not known for known in found)]
    return found


def _is_of_pytorch(value: Any) -> bool:
    if inspect.ismodule(value):
        return value.__name__.partition(".")[0] == "torch"
    return isinstance(value, pytorch_state.loaded().nn.Module)


def _holds(value: Any, class_: type[Any]) -> bool:
    if isinstance(value, (tuple, list)):
        return any(_holds(item, class_) for item in cast("list[Any]", value))
    if isinstance(value, Mapping):
        return any(_holds(item, class_) for item in cast("dict[Any, Any]", value).values())
    return isinstance(value, class_)


def _is_empty(inputs: Any) -> bool:
    if not isinstance(inputs, (tuple, list, Mapping)):
        return False
    return all(map(_is_empty, cast("list[Any]", inputs)))


def as_foreign(value: Any) -> Any:
    """Inputs as PyTorch's tensors."""
    torch: Any = pytorch_state.loaded()
    if isinstance(value, tuple):
        return tuple(map(as_foreign, cast("tuple[Any, ...]", value)))
    if isinstance(value, list):
        return list(map(as_foreign, cast("list[Any]", value)))
    if isinstance(value, Mapping):
        return {key: as_foreign(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, torch.Tensor) or value is None:
        return value
    return torch.from_dlpack(value) if hasattr(value, "__dlpack__") else torch.as_tensor(value)


def trace_by_pytorch(obj: Any, example_inputs: Any, **options: Any) -> Any:
    """`torch.jit.trace`, taken over with its memory. What it shows of shapes is not in what PyTorch saves."""
    torch: Any = pytorch_state.loaded()
    with _compiled_parts_as_pytorchs(obj):
        traced = torch.jit.trace(obj, as_foreign(example_inputs), **options)
    return from_torch(traced)


def trace_module_by_pytorch(obj: Any, inputs: Mapping[str, Any], **options: Any) -> Any:
    """`torch.jit.trace_module`, taken over as `trace_by_pytorch` does."""
    torch: Any = pytorch_state.loaded()
    with _compiled_parts_as_pytorchs(obj):
        traced = torch.jit.trace_module(obj, as_foreign(dict(inputs)), **options)
    return from_torch(traced)


@contextmanager
def _compiled_parts_as_pytorchs(obj: Any) -> Generator[None]:
    """Let a module of PyTorch's hold, in the places of compiled ones of ours, PyTorch's own on the same parameters and buffers."""
    torch: Any = pytorch_state.loaded()
    places: list[tuple[dict[str, Any], str, ScriptModule]] = []
    known: dict[int, Any] = {}
    root = getattr(obj, "__self__", obj)  # of a method
    for module in root.modules() if isinstance(root, torch.nn.Module) else ():
        for name, held in () if _is_ours(module) else module._modules.items():
            if _is_ours(held):
                places.append((module._modules, name, held))
    try:
        for table, name, held in places:
            if id(held) not in known:
                known[id(held)] = _as_pytorchs(held)
            table[name] = known[id(held)]
        yield
    finally:
        for table, name, held in places:
            table[name] = held


def _is_ours(module: Any) -> bool:
    return issubclass(type(module), ScriptModule)


def _as_pytorchs(module: ScriptModule) -> Any:
    """A compiled module as PyTorch's, with the same tensors."""
    torch: Any = pytorch_state.loaded()
    made = torch.jit.load(BytesIO(save_to_buffer(module)))
    for path, part in module.named_modules(remove_duplicate=False):
        theirs = reduce(getattr, path.split("."), made) if path else made
        for kind in ("parameters", "buffers"):
            for name, tensor in part._given(kind, for_pytorch=True).items():
                setattr(theirs, name, tensor)
    return made
